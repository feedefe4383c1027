package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

// mostOfLines is what `runs context` may cost, in times the processor time of `wc -l` on the same log.
const mostOfLines = 6.0

// contextFilter is what a script needs of the whole log before it can answer anything: the ideas of all segments and the
// last record. It is less than `runs context` does.
const contextFilter = `reduce inputs as $r ({n: 0, ideas: {}}; .n += 1 | .last = $r | .ideas[$r.piste_efficience // ""] = 1) | {n, segment: (.last.segment // 1), ideas: (.ideas | length)}`

// runsContext measures `runs context` on a log of that many records, and says whether it is within its limit and
// its memory does not grow with the log. Then two processes append a thousand records each.
func runsContext(out io.Writer, records, runs, each int) (within bool, err error) {
	dir, err := os.MkdirTemp("", "rulph-bench-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	cli := filepath.Join(dir, "hoyeon-cli")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", cli, "rulph/cmd/hoyeon-cli")
	if text, err := build.CombinedOutput(); err != nil {
		return false, fmt.Errorf("go build: %w\n%s", err, text)
	}
	log, tenth := filepath.Join(dir, "runs.jsonl"), filepath.Join(dir, "tenth.jsonl")
	for path, n := range map[string]int{log: records, tenth: records / 10} {
		if err := writeLog(path, n); err != nil {
			return false, err
		}
	}
	command := func(program string, args ...string) func() *exec.Cmd {
		return func() *exec.Cmd { return exec.Command(program, args...) }
	}
	lines := subject{"wc -l", command("wc", "-l", log), nil, func(stdout, _ []byte) error { return hasPrefix(stdout, fmt.Sprint(records, " ")) }}
	context := subject{"runs context", command(cli, "runs", "context", log), nil, func(stdout, _ []byte) error { return says(stdout, records) }}
	times, err := measure([]subject{lines, context}, runs)
	if err != nil {
		return false, err
	}
	ratio := float64(times[1]) / float64(times[0])
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "runs context on %d records\tx wc -l\tprocessor time\n", records)
	fmt.Fprintf(table, "runs context\t%.1f\t%v\n", ratio, times[1].Round(time.Millisecond))
	if _, err := exec.LookPath("jq"); err == nil {
		jq := subject{"jq", command("jq", "-n", "-c", contextFilter, log), nil, func(stdout, _ []byte) error {
			return hasPrefix(stdout, fmt.Sprintf(`{"n":%d,`, records))
		}}
		spent, err := jq.run() // once: it takes its time, and the ratio is far from any limit
		if err != nil {
			return false, fmt.Errorf("jq: %w", err)
		}
		fmt.Fprintf(table, "a jq filter\t%.0f\t%v\n", float64(spent)/float64(times[0]), spent.Round(time.Millisecond))
	}
	fmt.Fprintf(table, "wc -l\t1\t%v\n", times[0].Round(time.Millisecond))
	fmt.Fprintf(table, "limit\tat most %.0f\t\n", mostOfLines)
	if err := table.Flush(); err != nil {
		return false, err
	}
	small, err := memory(cli, tenth)
	if err != nil {
		return false, err
	}
	large, err := memory(cli, log)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(out, "\nmemory: %d MiB on a tenth of the log, %d MiB on all of it\n", small>>20, large>>20)
	flat := large < small+small/2
	if !flat {
		fmt.Fprintln(out, "it grows with the log")
	}
	if err := appendTwice(out, cli, dir, each); err != nil {
		return false, err
	}
	return ratio <= mostOfLines && flat, nil
}

// writeLog writes a log in which every record has a new change and, in another segment every 50,000, the ideas come back.
func writeLog(path string, records int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	decisions := []string{"applied", "ignored", "ignored", "relaunched", "ignored"}
	for i := 1; i <= records; i++ {
		fmt.Fprintf(w, `{"run":%d,"date":"2026-11-%02d","segment":%d,"skill_version":"1.0.%d","input_summary":"release notes of version %d from %d commits",`+
			`"scores":{"quality":%d,"quality_max":12,"mcp_calls":%d,"ask_user_question":%d,"tokens_injected":%d,"steps_completed":"%d/7"},`+
			`"issue":"the section on breaking changes names no migration","change":"say where the migration of item %d is described",`+
			`"piste_efficience":"read the log of module %d once","decision":%q,"reason":"no gain on the second text"}`+"\n",
			i, i%28+1, 1+i/50000, i%1000, i, i%90, 8+i%5, i%6, i%3, 900+i%400, 5+i%3, i, i%40, decisions[i%len(decisions)])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func hasPrefix(stdout []byte, want string) error {
	if !strings.HasPrefix(strings.TrimSpace(string(stdout)), want) {
		return fmt.Errorf("printed %.100q, not %q", stdout, want)
	}
	return nil
}

// says checks that a context is that of the whole log.
func says(stdout []byte, records int) error {
	var c struct {
		Runs, Damaged int
		Backlog       []any `json:"efficience_backlog"`
	}
	if err := json.Unmarshal(stdout, &c); err != nil {
		return err
	}
	if c.Runs != records || c.Damaged != 0 || len(c.Backlog) != min(40, records) {
		return fmt.Errorf("%d records, %d damaged lines and %d ideas of a log of %d records with 40", c.Runs, c.Damaged, len(c.Backlog), records)
	}
	return nil
}

// memory is the most that `runs context` had in memory at once, in bytes.
func memory(cli, log string) (int64, error) {
	cmd := exec.Command(cli, "runs", "context", log)
	if err := cmd.Run(); err != nil {
		return 0, err
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, fmt.Errorf("the system does not tell how much memory a process had")
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss, nil
	}
	return usage.Maxrss << 10, nil
}

// appendTwice lets two shells append to one log at once and checks that nothing is lost and the numbers have no gap.
func appendTwice(out io.Writer, cli, dir string, each int) error {
	log := filepath.Join(dir, "appended.jsonl")
	record := `{"input_summary":"i","scores":{"quality":9,"quality_max":12},"decision":"relaunched"}`
	loop := fmt.Sprintf(`i=0; while [ $i -lt %d ]; do "$0" runs append "$1" "$2" >/dev/null || exit 1; i=$((i + 1)); done`, each)
	started := time.Now()
	var writers []*exec.Cmd
	for range 2 {
		cmd := exec.Command("/bin/sh", "-c", loop, cli, log, record)
		if err := cmd.Start(); err != nil {
			return err
		}
		writers = append(writers, cmd)
	}
	for _, w := range writers {
		if err := w.Wait(); err != nil {
			return fmt.Errorf("runs append: %w", err)
		}
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	for i, line := range lines {
		if !bytes.HasPrefix(line, fmt.Appendf(nil, `{"run":%d,`, i+1)) {
			return fmt.Errorf("runs append: line %d is %.60s", i+1, line)
		}
	}
	if len(lines) != 2*each {
		return fmt.Errorf("runs append: %d of %d records are there", len(lines), 2*each)
	}
	fmt.Fprintf(out, "two shells, %d records each: none lost, numbered without a gap, %v a record\n", each,
		(time.Since(started) / time.Duration(2*each)).Round(10*time.Microsecond))
	return nil
}
