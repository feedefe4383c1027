package evaluator

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// call is how a program is started for one answer, and how what it wrote is read.
type call struct {
	args []string // without the program
	env  []string
	read func(Outcome) answer
}

// answer is what a client told of one call.
type answer struct {
	text    string // the model's last words
	usage   Usage  // without Calls and Silent
	told    bool   // it told its usage
	cost    bool   // usage.USD is its own figure
	failure string // it told that the call failed, in these words; text is not the model's then
}

// call says how this program is started in a place.
func (a *asking) call(p place) (call, error) {
	switch a.Kind {
	case Claude:
		return a.claude(p)
	case Codex:
		return a.codex(p)
	case Gemini:
		return a.gemini(p)
	case CommandLine:
		return call{args: a.Argv[1:], env: programEnv(a.Env, "PWD="+p.dir), read: readPlain}, nil
	}
	return call{}, fmt.Errorf("cannot be asked: %s is made of the rubric's own commands", a.Kind)
}

// readPlain takes everything that was written for the answer.
func readPlain(o Outcome) answer {
	return answer{text: string(bytes.ToValidUTF8(o.Stdout, []byte("\uFFFD")))}
}

// unread is the answer of a client that did not print what its output format promises. Where it printed
// nothing but ended well, that is an empty answer.
func unread(o Outcome) answer {
	if len(bytes.TrimSpace(o.Stdout)) == 0 {
		return answer{}
	}
	return answer{failure: "it printed no result: " + lastLine(o.Stdout)}
}

// serverMessage is what a failure says in one line: clients hand on the server's JSON, some within more
// JSON of their own.
func serverMessage(text string) string {
	for range 4 {
		var server struct{ Error struct{ Message string } }
		if json.Unmarshal([]byte(text), &server) != nil || server.Error.Message == "" {
			break
		}
		text = server.Error.Message
	}
	if text = lastLine([]byte(text)); text == "" {
		return "the client told of a failure without saying which"
	}
	return text
}
