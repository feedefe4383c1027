package evaluator

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The answers of a check.
const (
	Yes     = "yes"
	No      = "no"
	Unknown = "unknown"
)

// Answer reads the outcome of a check: exit 0 is yes, 1 is no. Anything else, the time limit first, is
// unknown, with a reason: a check that broke has said nothing about the artifact, and must not pass
// for a no. The reason of a yes or a no is empty.
func Answer(o Outcome) (answer, reason string) {
	switch {
	case o.TimedOut:
	case o.Code == 0:
		return Yes, ""
	case o.Code == 1:
		return No, ""
	}
	return Unknown, "the check " + fault(o, fmt.Sprintf("exited %d; 0 means yes and 1 means no", o.Code))
}

// Fault says why a fix has failed; "" where it has not. Any exit status but 0 is a failure.
func Fault(o Outcome) string {
	if o.Code == 0 && !o.TimedOut {
		return ""
	}
	return "it " + fault(o, fmt.Sprintf("exited %d", o.Code))
}

// fault says what went wrong, in a clause without its subject. exited is for an exit status that means
// nothing special to a shell.
func fault(o Outcome, exited string) string {
	what := exited
	switch {
	case o.TimedOut:
		return fmt.Sprintf("did not end within its time limit (stopped after %s)", o.Duration.Round(100*time.Millisecond))
	case o.Code > 128 && o.Code < 128+65:
		what = fmt.Sprintf("was ended by signal %d", o.Code-128)
	case o.Code == 127:
		what = "needs a command that is not there (exit 127)"
	case o.Code == 126:
		what = "needs a command that may not be run (exit 126)"
	}
	if said := lastWords(o.Stderr); said != "" {
		what += ": " + said
	}
	return what
}

// lastWords is the last line that says something: stack traces and JSON end in indented lines and
// brackets.
func lastWords(stderr []byte) string {
	rest := bytes.TrimSpace(stderr)
	for len(rest) > 0 {
		at := bytes.LastIndexByte(rest, '\n') + 1
		line := rest[at:]
		if line[0] > ' ' && bytes.ContainsFunc(line, unicode.IsLetter) {
			return lastLine(line)
		}
		rest = bytes.TrimRight(rest[:at], " \t\r\n")
	}
	return lastLine(stderr)
}

// lastLine is the last line with something on it, made fit for a line of ours: without control
// characters and not longer than 200 characters.
func lastLine(text []byte) string {
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	line := strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, string(lines[len(lines)-1])))
	if utf8.RuneCountInString(line) > 200 {
		line = string([]rune(line)[:197]) + "..."
	}
	return line
}
