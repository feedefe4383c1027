package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"
)

// The most that `evaluate` may take beside its slowest judge: a share of that judge's own time, and a constant for
// the start of the program.
const (
	mostShare = 0.05
	mostExtra = 20 * time.Millisecond
)

// judgeTimes are how long the three judges of the panel take.
var judgeTimes = []time.Duration{500 * time.Millisecond, 700 * time.Millisecond, time.Second}

// judgeScript is a judge that takes so many seconds ($1), and says yes to everything that panelRubric asks. It keeps its
// task in a file ($2).
const judgeScript = `#!/bin/sh
cat > "$2"
sleep "$1"
ticket=$(sed -n 's/^The form of the answer, with ticket \(.*\):$/\1/p' "$2")
printf '{"ticket":"%s","checklist":{"setup":{"os":"yes","install":"yes"},"style":{"thanks":"yes","please":"yes"}}}\n' "$ticket"
`

const panelRubric = `version: 1
threshold: 80
floor: 0
criteria:
  - {id: setup, name: Set-up, items: [{id: os, text: Names the system}, {id: install, text: Says how to install it}]}
  - {id: style, name: Style, items: [{id: thanks, text: Says thanks}, {id: please, text: Says please}]}
`

// panelTime measures what `hoyeon-cli evaluate` takes, from its start to its end, with judges that take these times,
// beside what the slowest of them takes when it is started alone with the same task. It is the one measurement in
// wall time, since waiting is what it is about; the two take turns, and the median of their differences counts.
func panelTime(out io.Writer, times []time.Duration, runs int) (within bool, err error) {
	dir, err := os.MkdirTemp("", "rulph-bench-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	p, err := layPanel(dir, times)
	if err != nil {
		return false, err
	}
	var alone, whole, over, told []time.Duration
	for run := range runs + 1 {
		all, inside, err := p.evaluate()
		if err != nil {
			return false, err
		}
		single, err := p.slowest()
		if err != nil {
			return false, err
		}
		if run > 0 { // the first one fills the caches, and leaves the task that the judge alone gets
			alone, whole, over, told = append(alone, single), append(whole, all), append(over, all-single), append(told, inside)
		}
	}
	slowest := median(alone)
	most := time.Duration(mostShare*float64(slowest)) + mostExtra
	within = median(over) <= most
	fmt.Fprintf(out, "evaluate with %d judges: wall time, median of %d runs in turn\n\n", len(times), runs)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	rows := []struct {
		name   string
		is     time.Duration
		beside string
	}{
		{"the slowest judge alone", slowest, ""},
		{"the whole command", median(whole), fmt.Sprintf("%+.1f%%", 100*float64(median(over))/float64(slowest))},
		{"over the slowest judge", median(over), ""},
		{"of that while judges are asked", median(told), ""},
		{"limit", most, "5% and 20ms"},
	}
	for _, r := range rows {
		fmt.Fprintf(table, "%s\t%v\t%s\n", r.name, r.is.Round(100*time.Microsecond), r.beside)
	}
	return within, table.Flush()
}

// seated is a folder with a rubric, a text and the judges.
type seated struct {
	dir, cli string
	times    []time.Duration
}

func layPanel(dir string, times []time.Duration) (seated, error) {
	p := seated{dir: dir, cli: filepath.Join(dir, "hoyeon-cli"), times: times}
	for name, text := range map[string]string{"judge.sh": judgeScript, "rubric.yaml": panelRubric, "NOTES.md": "Linux. Run make install, please, and thank you.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			return p, err
		}
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", p.cli, "rulph/cmd/hoyeon-cli")
	if text, err := build.CombinedOutput(); err != nil {
		return p, fmt.Errorf("go build: %w\n%s", err, text)
	}
	return p, nil
}

// judge is the command of the n-th judge.
func (p seated) judge(n int) []string {
	return []string{filepath.Join(p.dir, "judge.sh"), fmt.Sprint(p.times[n].Seconds()), p.task(n)}
}

func (p seated) task(n int) string { return filepath.Join(p.dir, fmt.Sprintf("task-%d", n)) }

// evaluate runs the panel once. inside is what the evaluation itself tells: its own time over that of its slowest
// judge.
func (p seated) evaluate() (whole, inside time.Duration, err error) {
	args := []string{"evaluate", "NOTES.md", "--rubric", "rubric.yaml", "--json"}
	for n := range p.times {
		args = append(args, "--judge", "command:"+strings.Join(p.judge(n), " "))
	}
	cmd := exec.Command(p.cli, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "HOME="+p.dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	started := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, 0, fmt.Errorf("evaluate: %w\n%s", err, &stderr)
	}
	whole = time.Since(started)
	inside, err = told(stdout.Bytes(), len(p.times))
	return whole, inside, err
}

// told reads an evaluation in which each judge has said yes to everything.
func told(result []byte, judges int) (time.Duration, error) {
	var e struct {
		Overall, Seconds float64
		Judges           []struct {
			State   string
			Calls   int
			Seconds float64
		}
	}
	if err := json.Unmarshal(result, &e); err != nil {
		return 0, fmt.Errorf("evaluate: %w", err)
	}
	slowest := 0.0
	for _, j := range e.Judges {
		if j.State != "AVAILABLE" || j.Calls != 1 {
			return 0, fmt.Errorf("evaluate: a judge is %s after %d calls", j.State, j.Calls)
		}
		slowest = max(slowest, j.Seconds)
	}
	if e.Overall != 100 || len(e.Judges) != judges {
		return 0, fmt.Errorf("evaluate: %d judges came to %v, not %d to 100", len(e.Judges), e.Overall, judges)
	}
	return time.Duration((e.Seconds - slowest) * float64(time.Second)), nil
}

// slowest runs the last judge alone, with the task that it had in the panel.
func (p seated) slowest() (time.Duration, error) {
	task, err := os.ReadFile(p.task(len(p.times) - 1))
	if err != nil {
		return 0, err
	}
	argv := p.judge(len(p.times) - 1)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin = bytes.NewReader(task)
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	started := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("a judge alone: %w", err)
	}
	took := time.Since(started)
	return took, hasPrefix(stdout.Bytes(), `{"ticket":"rulph-`)
}
