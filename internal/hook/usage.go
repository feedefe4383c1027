package hook

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"rulph/internal/trial"
)

// usage is what the client's own record of a sub-agent says it did; nil where there is none. The client may still
// be writing the answer with this ticket when the hook runs, so it is waited for a little. A record of a form that
// we do not know counts as none.
func usage(path, ticket string) *trial.Usage {
	const wait, tries = 50 * time.Millisecond, 30
	var u tally
	for n := range tries {
		if n > 0 {
			time.Sleep(wait)
		}
		var err error
		if u, err = count(path, ticket); err != nil || u.whole {
			break
		}
	}
	if !u.known {
		return nil
	}
	if !u.whole {
		u.Tokens = 0 // the last message is the one that had the most before it
	}
	return &u.Usage
}

func count(path, ticket string) (tally, error) {
	u := tally{ticket: ticket}
	f, err := os.Open(path)
	if err != nil {
		return u, err
	}
	defer f.Close()
	for in := bufio.NewReaderSize(io.LimitReader(f, maxInput), 64<<10); ; {
		line, err := in.ReadBytes('\n')
		u.add(gjson.ParseBytes(line))
		if errors.Is(err, io.EOF) {
			return u, nil
		}
		if err != nil {
			return u, err
		}
	}
}

type tally struct {
	trial.Usage
	ticket string
	known  bool
	whole  bool            // the answer is in the record
	seen   map[string]bool // ids of calls: a message may be written again as it grows
}

// add counts one line: a message of Claude Code's transcripts, or an item of Codex's rollouts.
func (t *tally) add(line gjson.Result) {
	switch line.Get("type").Str {
	case "assistant":
		t.known = true
		line.Get("message.content").ForEach(func(_, block gjson.Result) bool {
			switch block.Get("type").Str {
			case "text":
				t.whole = t.whole || strings.Contains(block.Get("text").Str, t.ticket)
			case "tool_use":
				t.call(block.Get("id").Str, block.Get("name").Str, block.Get("input").Raw)
			}
			return true
		})
		use := line.Get("message.usage")
		t.tokens(use.Get("input_tokens").Int() + use.Get("cache_read_input_tokens").Int() + use.Get("cache_creation_input_tokens").Int())
	case "response_item":
		item := line.Get("payload")
		switch item.Get("type").Str {
		case "message":
			if item.Get("role").Str == "assistant" {
				t.known, t.whole = true, t.whole || strings.Contains(item.Get("content").Raw, t.ticket)
			}
		case "function_call", "custom_tool_call", "local_shell_call":
			t.known = true
			t.call(item.Get("call_id").Str, item.Get("name").Str, item.Raw)
		}
	case "event_msg":
		if line.Get("payload.type").Str == "token_count" {
			t.tokens(line.Get("payload.info.last_token_usage.input_tokens").Int())
		}
	}
}

func (t *tally) call(id, name, input string) {
	if t.seen[id] && id != "" {
		return
	}
	if t.seen == nil {
		t.seen = map[string]bool{}
	}
	t.seen[id] = true
	switch {
	case name == "AskUserQuestion" || name == "request_user_input":
		t.Questions++
	case strings.Contains(input, "skill-score prompt "):
		// how the sub-agent got its task is no cost of the skill
	default:
		t.Calls++
	}
}

func (t *tally) tokens(n int64) { t.Tokens = max(t.Tokens, int(n)) }
