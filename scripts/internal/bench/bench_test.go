package main

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestTheMedianIsTheMiddle(t *testing.T) {
	for _, test := range []struct {
		values []time.Duration
		want   time.Duration
	}{
		{[]time.Duration{7}, 7},
		{[]time.Duration{9, 1, 5}, 5},
		{[]time.Duration{9, 1, 5, 100}, 7},
	} {
		if got := median(test.values); got != test.want {
			t.Errorf("%v: %d, want %d", test.values, got, test.want)
		}
	}
}

func TestTheProgramsTakeTurns(t *testing.T) {
	var order []string
	turn := func(name string) subject {
		return subject{
			name:    name,
			command: func() *exec.Cmd { return exec.Command("/bin/sh", "-c", "echo "+name) },
			prepare: func() error { order = append(order, name); return nil },
			verify: func(stdout, _ []byte) error {
				if string(stdout) != name+"\n" {
					return errors.New("not its output")
				}
				return nil
			},
		}
	}
	times, err := measure([]subject{turn("a"), turn("b")}, 2)
	if err != nil || len(times) != 2 || times[0] <= 0 || times[1] <= 0 {
		t.Errorf("%v, %v", times, err)
	}
	if got := strings.Join(order, ""); got != "ababab" { // the first turn is not counted
		t.Errorf("order %s", got)
	}
}

// A program that fails fast must not look like a fast one.
func TestAProgramThatDoesNotDoItsWorkIsNotMeasured(t *testing.T) {
	fine := func(_, _ []byte) error { return nil }
	for what, s := range map[string]subject{
		"it fails":        {command: func() *exec.Cmd { return exec.Command("/bin/sh", "-c", "exit 3") }, verify: fine},
		"it is not there": {command: func() *exec.Cmd { return exec.Command("/nowhere") }, verify: fine},
		"another answer":  {command: func() *exec.Cmd { return exec.Command("/bin/sh", "-c", "true") }, verify: func(_, _ []byte) error { return errors.New("no") }},
		"no preparation":  {command: func() *exec.Cmd { return exec.Command("/bin/sh", "-c", "true") }, verify: fine, prepare: func() error { return errors.New("no") }},
	} {
		s.name = what
		if _, err := measure([]subject{s}, 1); err == nil || !strings.HasPrefix(err.Error(), what+": ") {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

// One round of the real thing: the hook and the script both let go where nothing is armed and block where a
// loop is, which stopHook checks on the way.
func TestTheHookAndTheScriptDecideAlike(t *testing.T) {
	var out bytes.Buffer
	if _, err := stopHook(&out, 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"x an empty Go program", "nothing armed  ", "blocking       ", "limit          at most 4"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
}

// A short log: what is checked is that all of them read the same and two writers lose nothing; ratios need a long one.
func TestTheContextOfALogIsMeasuredAgainstItsLines(t *testing.T) {
	var out bytes.Buffer
	if _, err := runsContext(&out, 20_000, 1, 5); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"runs context on 20000 records", "limit                          at most 6", "memory: ", "two shells, 5 records each: none lost"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
	if err := says([]byte(`{"runs":19999,"damaged":0,"efficience_backlog":[]}`), 20_000); err == nil {
		t.Error("a context of another log was taken")
	}
}

// Short times: what is checked is that all judges answer at the first call; a difference needs longer ones.
func TestThePanelIsMeasuredAgainstItsSlowestJudge(t *testing.T) {
	var out bytes.Buffer
	if _, err := panelTime(&out, []time.Duration{10 * time.Millisecond, 20 * time.Millisecond}, 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"evaluate with 2 judges", "the slowest judge alone", "over the slowest judge", "5% and 20ms"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
	over, err := told([]byte(`{"overall":100,"seconds":1.25,"judges":[{"state":"AVAILABLE","calls":1,"seconds":1},{"state":"AVAILABLE","calls":1,"seconds":0.5}]}`), 2)
	if err != nil || over != 250*time.Millisecond {
		t.Errorf("%v, %v", over, err)
	}
	for _, wrong := range []string{
		`{"overall":100,"judges":[{"state":"AVAILABLE","calls":1}]}`,
		`{"overall":50,"judges":[{"state":"AVAILABLE","calls":1},{"state":"AVAILABLE","calls":1}]}`,
		`{"overall":100,"judges":[{"state":"AVAILABLE","calls":1},{"state":"DEGRADED","calls":1}]}`,
		`{"overall":100,"judges":[{"state":"AVAILABLE","calls":1},{"state":"AVAILABLE","calls":2}]}`,
	} {
		if _, err := told([]byte(wrong), 2); err == nil {
			t.Errorf("%s was taken", wrong)
		}
	}
}
