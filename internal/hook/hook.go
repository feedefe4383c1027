// Package hook answers one event of Claude Code or Codex: a JSON document in, a decision out. It lets
// go of a stop or blocks it, takes a judge's verdict in, and tells a session where its tools are. It
// refuses to fail: whatever is wrong with the input, the state or itself, the user's session goes on.
package hook

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"rulph/internal/loop"
	"rulph/internal/prompt"
	"rulph/internal/session"
)

// Env is what a hook knows of the process around it.
type Env struct {
	Getenv     func(string) string
	Executable string // path of this program
	Now        func() time.Time
	// Report runs `hoyeon-cli rulph report` for a session: the only child process of a hook.
	Report func(cli, home, sid, cwd string) error
}

// System is the Env of this process.
func System() Env {
	exe, _ := os.Executable()
	return Env{Getenv: os.Getenv, Executable: exe, Now: time.Now, Report: runReport}
}

// maxInput bounds the event document. What is longer is read to its end, so that the client's pipe
// never breaks, and ignored.
const maxInput = 32 << 20

// event is the part of a client's document that hooks look at.
type event struct {
	name    string
	sid     string
	cwd     string
	agentID string // set inside a sub-agent
	codex   bool
	doc     []byte
}

func (e event) get(path string) gjson.Result { return gjson.GetBytes(e.doc, path) }

// Run reads an event to its end and returns what goes to standard output: nothing to allow.
func Run(in io.Reader, env Env) (out []byte) {
	doc, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err == nil && len(doc) > maxInput {
		_, _ = io.Copy(io.Discard, in)
		return nil
	}
	h := handler{env: env}
	defer func() {
		if r := recover(); r != nil {
			h.log("fault: %v", r)
			out = nil
		}
	}()
	if err != nil || !gjson.ValidBytes(doc) {
		h.log("the event is not JSON (%d bytes)", len(doc))
		return nil
	}
	h.event = read(doc)
	if session.CheckSID(h.event.sid) != nil {
		return nil
	}
	switch h.event.name {
	case "Stop":
		return h.stop()
	case "SubagentStop":
		return h.subagentStop()
	case "UserPromptSubmit":
		return h.prompt()
	case "SessionStart":
		return h.sessionStart()
	}
	return nil
}

func read(doc []byte) event {
	text := func(path string) string {
		if v := gjson.GetBytes(doc, path); v.Type == gjson.String {
			return v.Str
		}
		return ""
	}
	return event{
		name: text("hook_event_name"), sid: text("session_id"), cwd: text("cwd"), agentID: text("agent_id"),
		codex: gjson.GetBytes(doc, "turn_id").Exists(), doc: doc,
	}
}

type handler struct {
	env   Env
	event event
}

// find is the session's loop in the first home that holds a live one.
func (h handler) find() (session.Store, []byte, loop.State, bool) {
	var s loop.State
	store, doc, ok := session.Locate(h.env.Getenv, h.event.cwd, h.event.sid, func(doc []byte) bool {
		if !gjson.GetBytes(doc, loop.Key).Exists() {
			return false
		}
		parsed, err := loop.Parse(doc)
		if err != nil {
			h.log("session %s: %v", h.event.sid, err)
			return false
		}
		s = parsed
		return s.Live()
	})
	return store, doc, s, ok
}

// cli is how the model's shell can call the command line. Claude Code has the plugin's bin on PATH,
// unless its path holds a character that PATH cannot carry; Codex never has.
func (h handler) cli() prompt.CLI {
	path := h.cliPath()
	if !h.event.codex && !strings.ContainsAny(path, ":\"'$`\\\n") {
		return prompt.CLI{Program: "hoyeon-cli"}
	}
	return prompt.CLI{Program: prompt.Quote(path)}
}

func (h handler) cliPath() string {
	if root := h.env.Getenv("CLAUDE_PLUGIN_ROOT"); filepath.IsAbs(root) {
		return filepath.Join(root, "bin", "hoyeon-cli")
	}
	return filepath.Join(filepath.Dir(h.env.Executable), "hoyeon-cli")
}

// log writes one line to the log of the first home that is there. It never makes a home: a fault must
// not leave traces with somebody who never started a loop.
func (h handler) log(format string, args ...any) {
	for _, s := range session.Homes(h.env.Getenv, h.event.cwd) {
		if info, err := os.Stat(s.Home); err != nil || !info.IsDir() {
			continue
		}
		f, err := os.OpenFile(filepath.Join(s.Home, "hook.log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			continue
		}
		line := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
		fmt.Fprintf(f, "%s %s %s\n", h.env.Now().UTC().Format(time.RFC3339), h.event.name, line[:min(len(line), 500)])
		f.Close()
		return
	}
}

// runReport lets the command line write the report. The home is named, since the child may not find
// the same one by itself.
func runReport(cli, home, sid, cwd string) error {
	cmd := exec.Command(cli, "rulph", "report", "--sid", sid)
	cmd.Dir = home
	// What the launcher set for a process of some milliseconds is not meant for this one.
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GOGC=") || strings.HasPrefix(v, "GOMAXPROCS=")
	}), "HOYEON_HOME="+home)
	timer := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}
