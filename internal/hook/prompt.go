package hook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rulph/internal/loop"
	"rulph/internal/session"
	"rulph/internal/version"
)

// skills are the names a person types to call one of ours.
var skills = []string{"rulph", "skill-score"}

// sessionStart tells every session in one line where its command line is, and one with a live loop
// or an open trial how to go on.
func (h handler) sessionStart() []byte {
	_, _, s, ok := h.find()
	return h.context(s, ok)
}

// prompt says the same where a prompt calls one of our skills, or a loop or a trial goes on. A sub-agent is told
// nothing: a judge must not learn that there are other rounds.
func (h handler) prompt() []byte {
	if h.event.agentID != "" {
		return nil
	}
	called := calls(h.event.get("prompt").Str)
	if called {
		h.heartbeat()
	}
	_, _, s, ok := h.find()
	if _, _, open := h.findTrial(); !called && !ok && !open {
		return nil
	}
	return h.context(s, ok)
}

func (h handler) context(s loop.State, live bool) []byte {
	line := "rulph: session " + h.event.sid + ", hoyeon-cli is " + h.cliPath()
	if live {
		line += "; a loop is active (" + string(loop.NextStep(s, false, h.cli()).Act) + "), `" + h.cli().Rulph("next") + "` says its next step"
	}
	if _, s, ok := h.findTrial(); ok {
		line += "; a trial of the skill " + s.Skill.Name + " is open (" + string(s.Phase) + "), `" + h.cli().SkillScore("next") + "` says its next step"
	}
	return []byte(line + "\n")
}

// calls says whether a prompt calls one of our skills: `/rulph`, `/rulph:rulph` or `$rulph` as a word of
// its own. A path or a longer name is not a call.
func calls(prompt string) bool {
	for _, word := range strings.Fields(prompt) {
		word = strings.TrimLeft(word, "`\"'(")
		if word == "" || word[0] != '/' && word[0] != '$' {
			continue
		}
		name := strings.TrimRight(word[1:], ".,;:!?)`\"'")
		plugin, skill, scoped := strings.Cut(name, ":")
		if scoped && plugin != "rulph" {
			continue
		}
		if !scoped {
			skill = name
		}
		for _, s := range skills {
			if skill == s {
				return true
			}
		}
	}
	return false
}

// heartbeat leaves a trace by which `hoyeon-cli doctor` and the skill see that the hooks run.
func (h handler) heartbeat() {
	store, err := session.Writable(h.env.Getenv, h.event.cwd)
	if err != nil {
		return
	}
	dir := filepath.Join(store.Home, "heartbeat")
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	beat, err := json.Marshal(map[string]string{"at": h.env.Now().UTC().Format(time.RFC3339), "event": h.event.name, "version": version.Version})
	if err == nil {
		_ = os.WriteFile(filepath.Join(dir, h.event.sid+".json"), append(beat, '\n'), 0o600)
	}
}
