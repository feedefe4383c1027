package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulph/internal/rulph"
	"rulph/internal/ui"
)

// handedOn are the flags of `rulph evaluate` that the process which is left to itself gets too.
var handedOn = []string{"sid", "judges", "timeout", "again"}

// leave starts this very command again without --detach, as a process of its own, and comes back when that
// has begun to ask. Where it has ended before, the loop or the error is what it would have been without
// --detach.
func leave(cmd *cobra.Command, e rulph.Engine) (v rulph.View, err error) {
	log, err := e.Log()
	if err != nil {
		return v, err
	}
	asked, err := e.Asking() // it writes to the log that another one would begin anew
	if err != nil {
		return v, err
	}
	if asked {
		return v, ui.Fail(ui.BadInput, errors.New("the judges are being asked already"), "wait for them with '"+e.CLI.Rulph("wait")+"'")
	}
	ended, err := detach(leaving(cmd), log)
	if err != nil {
		return v, fmt.Errorf("start the judges: %w", err)
	}
	for patience := time.After(10 * time.Second); ; {
		select {
		case err := <-ended:
			return cameTo(e, log, err)
		case <-patience:
			return v, ui.Fail(ui.Failed, errors.New("the judges have not been started within 10 seconds"), "see "+log, "run it without --detach")
		case <-cmd.Context().Done():
			return v, cmd.Context().Err()
		case <-time.After(20 * time.Millisecond):
		}
		// It says when it asks the first judge, and nothing before but what it fails with.
		text, err := os.ReadFile(log)
		if err == nil && len(text) > 0 && !strings.HasPrefix(string(text), program+": ") {
			return e.Status()
		}
	}
}

// leaving is the command line of the process that is left to itself.
func leaving(cmd *cobra.Command) []string {
	args := []string{"rulph", "evaluate"}
	for _, name := range handedOn {
		f := cmd.Flags().Lookup(name)
		if !f.Changed {
			continue
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(interface{ GetSlice() []string }); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			args = append(args, "--"+name+"="+value)
		}
	}
	return args
}

// cameTo is what a process that has ended at once came to: its error with its exit status, or the loop as it
// is now.
func cameTo(e rulph.Engine, log string, ended error) (v rulph.View, err error) {
	code := ui.OK
	if exit, ok := errors.AsType[*exec.ExitError](ended); ok {
		code = ui.Code(exit.ExitCode())
	} else if ended != nil {
		return v, fmt.Errorf("start the judges: %w", ended)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return v, fmt.Errorf("start the judges: %w", err)
	}
	if message, hints := lastError(string(text)); message != "" && code > 0 {
		return v, ui.Fail(code, errors.New(message), hints...)
	}
	if v, err = e.Status(); err != nil {
		return v, err
	}
	if code != ui.CodeOf(exitOf(v)) {
		return v, ui.Fail(ui.Failed, fmt.Errorf("start the judges: %w", ended), "see "+log)
	}
	return v, nil
}

// lastError takes the error that a command line of ours has ended with, and its hints, out of what it has
// written: the counterpart of ui.IO.Report, without the names of program and command.
func lastError(text string) (message string, hints []string) {
	at := strings.LastIndex("\n"+text, "\n"+program+": ")
	if at < 0 {
		return "", nil
	}
	lines := strings.Split(strings.TrimSpace(text[at+len(program+": "):]), "\n")
	for len(lines) > 0 {
		hint, ok := strings.CutPrefix(lines[len(lines)-1], "  hint: ")
		if !ok {
			break
		}
		hints, lines = append([]string{hint}, hints...), lines[:len(lines)-1]
	}
	return strings.TrimPrefix(strings.Join(lines, "\n"), "rulph evaluate: "), hints
}
