package runs

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"rulph/internal/session"
)

// maxRecord is how many bytes a record may have that is appended.
const maxRecord = 1 << 20

// Problem is one thing that is wrong with a record.
type Problem struct {
	Path    string // scores.quality; empty for the record as a whole
	Message string
}

func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}

// Invalid says all that is wrong with a record. It was not written.
type Invalid struct{ Problems []Problem }

func (e *Invalid) Error() string {
	parts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		parts[i] = p.String()
	}
	return strings.Join(parts, "; ")
}

// RubricChanged says that a record was scored with another rubric than the segment it would belong to.
type RubricChanged struct {
	Segment int
	Was, Is string
}

func (e *RubricChanged) Error() string {
	return fmt.Sprintf("the rubric is not the one of segment %d (it was %s and is %s), so the scores cannot be compared; "+
		"put the rubric back, or start a new segment", e.Segment, short(e.Was), short(e.Is))
}

func short(hash string) string {
	if len(hash) > 19 {
		return hash[:19] + "…"
	}
	return hash
}

// Validate checks a record that is to be appended against the rules of schemas/run.schema.json. The error is
// an *Invalid. The keys run and date may hold anything: Append writes its own.
func Validate(record []byte) error {
	if len(record) > maxRecord {
		return refuse("", "%d bytes, more than the 1 MiB that a record may have", len(record))
	}
	if err := session.Object(record); err != nil {
		return refuse("", "%v", err)
	}
	var c checker
	c.object(gjson.ParseBytes(record))
	if len(c.found) > 0 {
		return &Invalid{c.found}
	}
	return nil
}

func refuse(path, format string, args ...any) error {
	return &Invalid{[]Problem{{path, fmt.Sprintf(format, args...)}}}
}

type checker struct{ found []Problem }

func (c *checker) bad(path, format string, args ...any) {
	c.found = append(c.found, Problem{path, fmt.Sprintf(format, args...)})
}

const (
	most     = 1<<31 - 1
	mostLine = 8 << 10 // characters of a summary, a change, an idea, a reason
)

func (c *checker) object(r gjson.Result) {
	keys := members(r)
	if v, there := keys["segment"]; there {
		if n, ok := count(v); !ok || n < 1 || n > 999999999 {
			c.bad("segment", "must be a whole number from 1 to 999999999")
		}
	}
	c.text(keys, "skill_version", 100, false)
	c.text(keys, "input_summary", mostLine, true)
	c.scores(keys["scores"])
	c.text(keys, "issue", mostLine, false)
	c.text(keys, "change", mostLine, false)
	c.text(keys, "piste_efficience", mostLine, false)
	c.text(keys, "piste", mostLine, false)
	c.text(keys, "reason", mostLine, false)
	for _, hash := range []string{"rubric_hash", "skill_hash", "input_hash"} {
		if v := keys[hash]; v.Exists() && v.Type != gjson.Null && (v.Type != gjson.String || !hashPattern(v.Str)) {
			c.bad(hash, "must be a hash such as sha256:9f86d0…")
		}
	}
	c.text(keys, "judge", 200, false)
	c.decision(keys)
}

func (c *checker) decision(keys map[string]gjson.Result) {
	d, there := keys["decision"]
	switch {
	case !there:
		c.bad("decision", "is missing: applied, ignored, relaunched or baseline")
	case d.Type != gjson.String:
		c.bad("decision", "must be applied, ignored, relaunched or baseline")
	case d.Str == Applied || d.Str == Ignored || d.Str == Relaunched:
		if d.Str == Applied && blank(keys["change"]) {
			c.bad("change", "is missing: an applied record says in a line what was changed")
		}
		if d.Str == Ignored && blank(keys["reason"]) {
			c.bad("reason", "is missing: say why the change was ignored, so that it is not proposed again")
		}
	case d.Str == Baseline:
		if change := keys["change"]; change.Exists() && change.Type != gjson.Null {
			c.bad("change", "must be null: a baseline scores the skill as it is")
		}
	default:
		c.bad("decision", "must be applied, ignored, relaunched or baseline; it is %q", cut(d.Str))
	}
}

func (c *checker) scores(r gjson.Result) {
	if !r.Exists() {
		c.bad("scores", "is missing: an object with quality and quality_max")
		return
	}
	if !r.IsObject() {
		c.bad("scores", "must be an object with quality and quality_max")
		return
	}
	keys := members(r)
	quality, known := c.number(keys, "quality")
	top, knownTop := c.number(keys, "quality_max")
	if knownTop && top == 0 {
		c.bad("scores.quality_max", "must be above 0")
	} else if known && knownTop && quality > top {
		c.bad("scores.quality", "is %v, above quality_max %v", quality, top)
	}
	for _, key := range []string{"mcp_calls", "ask_user_question", "tokens_injected"} {
		if v := keys[key]; v.Exists() && v.Type != gjson.Null {
			if n, ok := count(v); !ok || n < 0 {
				c.bad("scores."+key, "must be a whole number, at least 0, or null where nobody counted")
			}
		}
	}
	if v := keys["steps_completed"]; v.Exists() && v.Type != gjson.Null && (v.Type != gjson.String || !stepsPattern(v.Str)) {
		c.bad("scores.steps_completed", "must be a text such as 5/7")
	}
	if v := keys["estimated"]; v.Exists() && !v.IsBool() {
		c.bad("scores.estimated", "must be true or false")
	}
}

func (c *checker) number(keys map[string]gjson.Result, key string) (float64, bool) {
	v, there := keys[key]
	switch {
	case !there:
		c.bad("scores."+key, "is missing")
	case v.Type != gjson.Number || v.Num < 0 || math.IsInf(v.Num, 0):
		c.bad("scores."+key, "must be a number, at least 0")
	default:
		return v.Num, true
	}
	return 0, false
}

// text checks a string; only one that is needed may be neither null nor absent nor blank.
func (c *checker) text(keys map[string]gjson.Result, key string, longest int, needed bool) {
	v := keys[key]
	switch {
	case !v.Exists() || v.Type == gjson.Null && !needed:
		if needed {
			c.bad(key, "is missing")
		}
	case v.Type != gjson.String:
		c.bad(key, "must be a text")
	case needed && blank(v):
		c.bad(key, "is empty")
	case utf8.RuneCountInString(v.Str) > longest:
		c.bad(key, "is longer than %d characters", longest)
	}
}

func blank(v gjson.Result) bool { return strings.TrimSpace(v.Str) == "" }

// members are the values of an object by their decoded keys.
func members(r gjson.Result) map[string]gjson.Result {
	keys := map[string]gjson.Result{}
	r.ForEach(func(key, value gjson.Result) bool {
		keys[key.Str] = value
		return true
	})
	return keys
}

// count is a whole number however it is written: 3, 3.0, 3e0.
func count(v gjson.Result) (int, bool) {
	if v.Type != gjson.Number || v.Num != math.Trunc(v.Num) || math.Abs(v.Num) > most {
		return 0, false
	}
	return int(v.Num), true
}

func stepsPattern(s string) bool {
	x, y, ok := strings.Cut(s, "/")
	_, first := whole([]byte(x))
	_, second := whole([]byte(y))
	return ok && first && second
}

func hashPattern(s string) bool {
	kind, sum, ok := strings.Cut(s, ":")
	return ok && len(s) <= 200 && kind != "" && sum != "" &&
		strings.Trim(kind, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && strings.Trim(sum, "0123456789abcdef") == ""
}

func cut(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}
