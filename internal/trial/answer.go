package trial

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"
)

// maxAnswer bounds what a sub-agent may answer.
const maxAnswer = 4 << 20

// DryRun is what a dry run of a skill came to. The output itself is kept in File.
type DryRun struct {
	File       string   `json:"file"` // relative to the session's folder
	Calls      int      `json:"mcp_calls"`
	Questions  int      `json:"ask_user_question"`
	Tokens     int      `json:"tokens_injected"`
	Steps      string   `json:"steps_completed"`
	Estimated  bool     `json:"estimated"` // not all of the figures were counted by the client
	References []string `json:"references,omitempty"`
	Summary    string   `json:"summary"` // of the input, in a line
	Weak       []Weak   `json:"weak,omitempty"`

	withheld int // calls that the skill asks for and a dry run may not make
}

// Weak is a place where the runner itself found the output short of what was wanted.
type Weak struct {
	Criterion string `json:"criterion"`
	Missing   string `json:"missing"`
}

// Usage is what a client reports of what a sub-agent really did.
type Usage struct {
	Calls     int // tool calls, without those that read the prompt and without questions
	Questions int
	Tokens    int // the most that was in its context at once; 0 where the client does not say
}

// Diff is one proposed change of a skill's text.
type Diff struct {
	Section   string          `json:"section"`
	Old       string          `json:"old"`
	New       string          `json:"new"`
	Rationale string          `json:"rationale"`
	Gains     json.RawMessage `json:"gains,omitempty"`
	Idea      string          `json:"idea,omitempty"` // the idea of the backlog that it takes up, word for word
}

// parseDryRun reads the answer of a dry run: the output between two lines that carry the word of its prompt, then
// one JSON object. The reason is for the model that has to mend it.
func parseDryRun(answer, word string) (output string, d DryRun, ticket, reason string) {
	begin, end := "["+word+" BEGIN OUTPUT]", "["+word+" END OUTPUT]"
	at := strings.Index(answer, begin)
	if at < 0 {
		return "", d, "", fmt.Sprintf("there is no line %s before the output", begin)
	}
	rest := answer[at+len(begin):]
	stop := strings.LastIndex(rest, end)
	if stop < 0 {
		return "", d, "", fmt.Sprintf("there is no line %s after the output", end)
	}
	output, rest = strings.TrimPrefix(strings.TrimPrefix(rest[:stop], "\r"), "\n"), rest[stop+len(end):]
	if strings.TrimSpace(output) == "" {
		return "", d, "", "the output is empty; give all that the skill would have put out"
	}
	var got struct {
		Ticket     string   `json:"ticket"`
		Calls      *int     `json:"tool_calls"`
		Withheld   int      `json:"withheld_calls"`
		Questions  *int     `json:"questions"`
		Steps      string   `json:"steps_completed"`
		Summary    string   `json:"input_summary"`
		References []string `json:"references"`
		Weak       []Weak   `json:"weak"`
	}
	object := lastObject(rest, "steps_completed")
	if object == nil {
		return "", d, "", "there is no JSON object with \"steps_completed\" after the output"
	}
	if err := json.Unmarshal(object, &got); err != nil {
		return "", d, "", "the JSON object after the output: " + err.Error()
	}
	switch {
	case got.Calls == nil || *got.Calls < 0 || got.Withheld < 0:
		return "", d, "", "\"tool_calls\" and \"withheld_calls\" have to be whole numbers from 0"
	case got.Questions == nil || *got.Questions < 0:
		return "", d, "", "\"questions\" has to be a whole number from 0"
	case !isSteps(got.Steps):
		return "", d, "", "\"steps_completed\" has to be done/all, such as \"4/5\""
	case strings.TrimSpace(got.Summary) == "":
		return "", d, "", "\"input_summary\" has to say in one line what the input was"
	}
	d = DryRun{Calls: *got.Calls + got.Withheld, Questions: *got.Questions, Steps: got.Steps, Summary: line(got.Summary), Estimated: true, withheld: got.Withheld}
	d.References = local(got.References)
	for _, w := range got.Weak {
		if w.Missing = line(w.Missing); w.Missing != "" && len(d.Weak) < 20 {
			d.Weak = append(d.Weak, Weak{Criterion: line(w.Criterion), Missing: w.Missing})
		}
	}
	return output, d, got.Ticket, ""
}

// counted puts what the client reports in the place of what the runner says of itself. Calls that a dry run may
// not make, and questions that nobody answers, stay estimates.
func (d DryRun) counted(u Usage) DryRun {
	d.Calls = u.Calls + d.withheld
	d.Questions = max(d.Questions, u.Questions)
	d.Tokens = u.Tokens
	d.Estimated = d.withheld > 0 || d.Questions > u.Questions || u.Tokens == 0
	return d
}

// isSteps says whether a text is done/all, such as 4/5.
func isSteps(s string) bool {
	done, all, ok := strings.Cut(s, "/")
	d, err1 := strconv.ParseUint(done, 10, 16)
	a, err2 := strconv.ParseUint(all, 10, 16)
	return ok && err1 == nil && err2 == nil && d <= a
}

// local are the paths below the skill's folder among those a runner says it has read.
func local(paths []string) (out []string) {
	for _, p := range paths {
		if p = path.Clean(strings.ReplaceAll(p, "\\", "/")); p != "." && !path.IsAbs(p) && !strings.HasPrefix(p, "..") && len(out) < 50 {
			out = append(out, p)
		}
	}
	return out
}

// parseDiff reads a proposed change. A whole file in its place is named as such.
func parseDiff(answer string) (d Diff, ticket, reason string) {
	object := lastObject(answer, "old", "new")
	if object == nil {
		if strings.HasPrefix(strings.TrimLeft(answer, "` \r\nmarkdown"), "---") {
			return d, "", "this is a whole file; answer with one JSON object that holds the changed passage alone as \"old\" and \"new\""
		}
		return d, "", "there is no JSON object with \"old\" and \"new\" in the answer"
	}
	var got struct {
		Diff
		Ticket string `json:"ticket"`
	}
	if err := json.Unmarshal(object, &got); err != nil {
		return d, "", "the JSON object: " + err.Error()
	}
	d = got.Diff
	d.Section, d.Rationale, d.Idea = line(d.Section), line(d.Rationale), line(d.Idea)
	switch {
	case d.Old == "":
		return d, "", "\"old\" is empty; it has to be the exact passage that is replaced"
	case d.Rationale == "":
		return d, "", "\"rationale\" has to say in one line what the change is for"
	}
	return d, got.Ticket, ""
}

// parseIdea is the efficiency idea in a scorer's answer; "" when there is none.
func parseIdea(answer string) string {
	var got struct {
		Idea string `json:"piste_efficience"`
	}
	if object := lastObject(answer, "piste_efficience"); object != nil && json.Unmarshal(object, &got) == nil {
		return line(got.Idea)
	}
	return ""
}

// lastObject is the last complete JSON object in a text that has all of these members, whatever stands around it;
// nil when there is none.
func lastObject(text string, members ...string) (found []byte) {
	const most = 1000 // attempts; each may be a pass over what follows
	for tries := 0; tries < most; tries++ {
		at := strings.IndexByte(text, '{')
		if at < 0 {
			return found
		}
		text = text[at:]
		dec := json.NewDecoder(strings.NewReader(text))
		var raw json.RawMessage
		skip := 1
		if dec.Decode(&raw) == nil {
			var object map[string]json.RawMessage
			fits := json.Unmarshal(raw, &object) == nil
			for _, m := range members {
				_, has := object[m]
				fits = fits && has
			}
			if fits {
				found, skip = bytes.Clone(raw), len(raw)
			}
		}
		text = text[skip:]
	}
	return found
}

// line makes a text one line of at most 500 bytes.
func line(s string) string {
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "")
	if len(s) > 500 {
		s = strings.ToValidUTF8(s[:497], "") + "..."
	}
	return s
}
