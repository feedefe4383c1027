package install

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Trust in a hook is a matter between Codex and its user: it covers the hook's definition and, in 0.171, the
// content of every file of the plugin. Only Codex can say whether it still holds, so Codex is asked.

// hook is one hook of this plugin as Codex lists it.
type hook struct {
	event   string // sessionStart, userPromptSubmit, subagentStop, stop, sessionEnd
	enabled bool
	trust   string // trusted, untrusted, modified, managed
}

// hookList is all hooks of this plugin, in Codex's order.
type hookList []hook

// untrusted lists the events whose hooks Codex passes over, since nobody has trusted them as they are now.
func (l hookList) untrusted() (events []string) {
	for _, h := range l {
		if h.trust != "trusted" && h.trust != "managed" {
			events = append(events, h.event)
		}
	}
	return events
}

// disabled lists the events whose hooks the user has switched off.
func (l hookList) disabled() (events []string) {
	for _, h := range l {
		if !h.enabled {
			events = append(events, h.event)
		}
	}
	return events
}

// trusted says whether somebody has once trusted some of the hooks.
func (l hookList) trusted() bool {
	return slices.ContainsFunc(l, func(h hook) bool { return h.trust != "untrusted" })
}

const (
	hooksTimeout = 20 * time.Second
	maxAnswer    = 4 << 20 // bytes of one line from the app server
)

// hooks asks Codex for the hooks of this plugin: its app server answers hooks/list over a pipe, one JSON
// message a line.
func (c installed) hooks(ctx context.Context) (hookList, error) {
	ctx, cancel := context.WithTimeout(ctx, hooksTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.path, "app-server")
	cmd.WaitDelay = time.Second
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	list, err := askHooks(stdin, stdout)
	stdin.Close()
	cancel() // it serves until it is ended
	_ = cmd.Wait()
	if err != nil {
		return nil, fmt.Errorf("codex app-server: %w", err)
	}
	return list, nil
}

func askHooks(w io.Writer, r io.Reader) (hookList, error) {
	answers := bufio.NewScanner(r)
	answers.Buffer(nil, maxAnswer)
	if _, err := io.WriteString(w, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"hoyeon-cli","title":"hoyeon-cli doctor","version":"1"}}}`+"\n"); err != nil {
		return nil, err
	}
	if _, err := answer(answers, 1); err != nil {
		return nil, err
	}
	if _, err := io.WriteString(w, `{"jsonrpc":"2.0","method":"initialized"}`+"\n"+`{"jsonrpc":"2.0","id":2,"method":"hooks/list","params":{}}`+"\n"); err != nil {
		return nil, err
	}
	result, err := answer(answers, 2)
	if err != nil {
		return nil, err
	}
	return readHooks(result)
}

// answer reads messages until the one that answers request id. What the server says unasked is passed over.
func answer(lines *bufio.Scanner, id int) (json.RawMessage, error) {
	for lines.Scan() {
		var message struct {
			ID     *json.Number
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil {
			continue // not every line of a server's output is its protocol
		}
		if message.ID == nil || message.ID.String() != fmt.Sprint(id) {
			continue
		}
		if message.Error != nil {
			return nil, errors.New(lastLine(message.Error.Message))
		}
		return message.Result, nil
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return nil, errors.New("it ended without an answer")
}

// readHooks picks the hooks of this plugin from the result of hooks/list, each once: the list is repeated for
// every folder it was asked about.
func readHooks(result []byte) (hookList, error) {
	var answer struct {
		Data []struct {
			Hooks []struct {
				Key, EventName, PluginID, TrustStatus string
				Enabled                               bool
			}
		}
	}
	if err := json.Unmarshal(result, &answer); err != nil {
		return nil, fmt.Errorf("its answer is not understood: %w", err)
	}
	var list hookList
	seen := map[string]bool{}
	for _, folder := range answer.Data {
		for _, h := range folder.Hooks {
			if h.PluginID != pluginID || seen[h.Key] {
				continue
			}
			seen[h.Key] = true
			list = append(list, hook{event: h.EventName, enabled: h.Enabled, trust: strings.ToLower(h.TrustStatus)})
		}
	}
	return list, nil
}
