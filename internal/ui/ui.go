// Package ui is how the command line talks to a person. It knows streams, colour and errors with
// hints; it refuses to know what the messages are about.
package ui

// The rules of the talk:
//
//   - The result goes to standard output, everything else to standard error.
//   - Messages are lower case, without a full stop, and start with the command they come from.
//   - A hint is a line of its own below the error and says what to do.
//   - With --json standard output holds one JSON document and nothing else.
//   - Colour only where a terminal shows it, and never as the only carrier of a meaning.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// IO is where a command reads and writes, and what it knows of the process around it. Commands take
// it instead of the os package, so that a test can run them.
type IO struct {
	In     io.Reader
	Out    io.Writer
	Err    io.Writer
	Getenv func(string) string
	Env    []string // what programs are started with, NAME=value; empty: none is found
	Cwd    string   // absolute
}

// System is the IO of this process.
func System() (IO, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return IO{}, Fail(Failed, fmt.Errorf("the working folder cannot be read: %w", err), "change to a folder that exists")
	}
	return IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Env: os.Environ(), Cwd: cwd}, nil
}

// JSON writes v as one indented document.
func (o IO) JSON(v any) error {
	enc := json.NewEncoder(o.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Notef writes one line to standard error.
func (o IO) Notef(format string, args ...any) {
	fmt.Fprintf(o.Err, format+"\n", args...)
}

// Code is the exit status of the process.
type Code int

// The exit codes of every command but `session`, which uses 0 and 1 alone.
const (
	OK          Code = 0
	Failed      Code = 1
	BadInput    Code = 2
	NotPassed   Code = 3 // a loop ended without passing
	NoJudge     Code = 4 // no usable judge
	BudgetSpent Code = 5
	Interrupted Code = 130
)

// Error is an error with an exit code and, where there is one, a way out.
type Error struct {
	Code  Code
	Err   error
	Hints []string
	Quiet bool // what there was to say has been said: only the code matters
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Fail gives err an exit code and hints.
func Fail(code Code, err error, hints ...string) error {
	return &Error{Code: code, Err: err, Hints: hints}
}

// Bad is a mistake in what the user gave: exit code 2.
func Bad(format string, args ...any) error {
	return &Error{Code: BadInput, Err: fmt.Errorf(format, args...)}
}

// Exit is a result that was printed already and only sets the exit code.
func Exit(code Code) error {
	return &Error{Code: code, Err: fmt.Errorf("exit %d", code), Quiet: true}
}

// CodeOf is the exit code that err asks for: 0 for nil, 1 where it asks for none.
func CodeOf(err error) Code {
	if err == nil {
		return OK
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return Failed
}

// Report prints err and its hints to standard error, prefixed with the name of the program.
func (o IO) Report(program string, err error) {
	e, ok := errors.AsType[*Error](err)
	if ok && e.Quiet {
		return
	}
	fmt.Fprintf(o.Err, "%s: %v\n", program, err)
	if ok {
		for _, h := range e.Hints {
			fmt.Fprintf(o.Err, "  hint: %s\n", h)
		}
	}
}
