// Command recorder is the hook program of the probe plugin: it keeps what a client sent and gives the
// answer that a test prepared. The folder is $PROBE_DIR; without it the program does nothing.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

func main() {
	payload, err := io.ReadAll(os.Stdin)
	dir := os.Getenv("PROBE_DIR")
	if err != nil || dir == "" {
		return
	}
	var event struct {
		Name string `json:"hook_event_name"`
	}
	if err := json.Unmarshal(payload, &event); err != nil {
		fatal(err)
	}
	record(dir, payload)
	answer(filepath.Join(dir, "answers", event.Name))
}

// record writes one call; the file appears whole, and names sort by arrival.
func record(dir string, payload []byte) {
	env := map[string]string{}
	for _, kv := range os.Environ() {
		k, v, _ := strings.Cut(kv, "=")
		if strings.Contains(k, "CLAUDE") || strings.Contains(k, "CODEX") || strings.Contains(k, "PLUGIN") || k == "PATH" || k == "HOME" {
			env[k] = v
		}
	}
	cwd, _ := os.Getwd()
	b, err := json.Marshal(map[string]any{"payload": json.RawMessage(payload), "env": env, "cwd": cwd, "program": os.Args[0]})
	if err != nil {
		fatal(err)
	}
	tmp, err := os.CreateTemp(dir, "partial-*")
	if err != nil {
		fatal(err)
	}
	if _, err := tmp.Write(b); err != nil {
		fatal(err)
	}
	if err := tmp.Close(); err != nil {
		fatal(err)
	}
	// Link fails where the number is taken, so two hooks at once never share one.
	for n := 1; ; n++ {
		if err := os.Link(tmp.Name(), filepath.Join(dir, fmt.Sprintf("call-%04d.json", n))); err == nil {
			break
		} else if !os.IsExist(err) {
			fatal(err)
		}
	}
	os.Remove(tmp.Name())
}

// answer prints the first prepared answer that is left; taking it is one rename.
func answer(dir string) {
	entries, _ := os.ReadDir(dir)
	sort.Slice(entries, func(i, j int) bool { return entries[i].Name() < entries[j].Name() })
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "next-") {
			continue
		}
		taken := filepath.Join(dir, "taken-"+e.Name())
		if os.Rename(filepath.Join(dir, e.Name()), taken) != nil {
			continue
		}
		b, err := os.ReadFile(taken)
		if err != nil {
			fatal(err)
		}
		os.Stdout.Write(b)
		return
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "recorder:", err)
	os.Exit(1)
}
