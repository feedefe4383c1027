package runs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"github.com/tidwall/gjson"
)

// order is how a record is written. What this program does not know follows, in its own order.
var order = []string{
	"run", "date", "segment", "skill_version", "input_summary", "scores", "issue", "change", "piste_efficience", "piste",
	"decision", "reason", "rubric_hash", "skill_hash", "input_hash", "judge",
}

// complete is a valid record as one line with its line feed. Values keep their text, so that numbers keep every digit.
func complete(record []byte, run int, date string, segment int) ([]byte, error) {
	values, unknown := map[string]string{}, []string(nil)
	gjson.ParseBytes(record).ForEach(func(key, value gjson.Result) bool {
		values[key.Str] = value.Raw
		if !isKnown(key.Str) {
			unknown = append(unknown, key.Str)
		}
		return true
	})
	values["run"], values["date"], values["segment"] = strconv.Itoa(run), strconv.Quote(date), strconv.Itoa(segment)
	if _, there := values["change"]; !there {
		values["change"] = "null"
	}
	return write(append(order[:len(order):len(order)], unknown...), values)
}

// write is one line with the values that there are, in the order of keys.
func write(keys []string, values map[string]string) ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for _, key := range keys {
		value, there := values[key]
		if !there {
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		if err := json.Compact(&out, []byte(value)); err != nil {
			return nil, err
		}
	}
	out.WriteString("}\n")
	return out.Bytes(), nil
}

func isKnown(key string) bool {
	for _, known := range order {
		if key == known {
			return true
		}
	}
	return false
}

// Stamp adds those stamps that the record does not have itself. The record must be valid otherwise.
func Stamp(record []byte, s Stamps) ([]byte, error) {
	if err := Validate(record); err != nil {
		return nil, err
	}
	values, keys := map[string]string{}, []string(nil)
	add := func(key, value string) {
		if old, there := values[key]; !there {
			keys = append(keys, key)
		} else if old != "null" {
			return
		}
		values[key] = value
	}
	gjson.ParseBytes(record).ForEach(func(key, value gjson.Result) bool {
		add(key.Str, value.Raw)
		return true
	})
	for _, stamp := range []struct{ key, value string }{
		{"rubric_hash", s.RubricHash}, {"skill_hash", s.SkillHash}, {"input_hash", s.InputHash}, {"judge", s.Judge},
	} {
		if stamp.value == "" {
			continue
		}
		text, err := json.Marshal(stamp.value)
		if err != nil {
			return nil, err
		}
		add(stamp.key, string(text))
	}
	return write(keys, values)
}

// Hash is the stamp of a text: of an input, a skill, a rubric in a form of its own. Line ends and white space
// at the end do not count, so that the same text from a file and from a prompt is the same.
func Hash(text []byte) string {
	text = bytes.TrimRight(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), " \t\r\n")
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Parse reads one line of a log, of whatever age: a missing segment is 1, and what is missing or of another
// type is left empty. It reports whether the line is a record at all.
func Parse(line []byte) (Record, bool) {
	line = bytes.TrimSpace(line)
	var f fields
	if !f.read(line) || !gjson.ValidBytes(line) {
		return Record{}, false
	}
	keys := members(gjson.ParseBytes(line))
	scores := members(keys["scores"])
	rec := Record{
		Run: countOf(keys["run"]), Date: textOf(keys["date"]), Segment: segmentOf(f.segment),
		SkillVersion: textOf(keys["skill_version"]), InputSummary: textOf(keys["input_summary"]),
		Scores: Scores{
			Quality: scores["quality"].Num, QualityMax: scores["quality_max"].Num,
			MCPCalls: counted(scores["mcp_calls"]), AskUserQuestion: counted(scores["ask_user_question"]),
			TokensInjected: counted(scores["tokens_injected"]), StepsCompleted: textOf(scores["steps_completed"]),
			Estimated: scores["estimated"].Type == gjson.True,
		},
		Issue: textOf(keys["issue"]), PisteEfficience: textOf(keys["piste_efficience"]), Piste: textOf(keys["piste"]),
		Decision: textOf(keys["decision"]), Reason: textOf(keys["reason"]),
		RubricHash: textOf(keys["rubric_hash"]), SkillHash: textOf(keys["skill_hash"]), InputHash: textOf(keys["input_hash"]),
		Judge: textOf(keys["judge"]), Raw: bytes.Clone(line),
	}
	if c := keys["change"]; c.Type == gjson.String {
		rec.Change = &c.Str
	}
	return rec, true
}

func textOf(v gjson.Result) string {
	if v.Type == gjson.String {
		return v.Str
	}
	return ""
}

func countOf(v gjson.Result) int {
	n, _ := count(v)
	return n
}

func counted(v gjson.Result) *int {
	n, ok := count(v)
	if !ok {
		return nil
	}
	return &n
}
