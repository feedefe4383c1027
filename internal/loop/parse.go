package loop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
)

// Key is the place of the loop in a session's state.
const Key = "rulph"

// ErrNone says that a session state holds no loop.
var ErrNone = errors.New("no loop in this session")

// ErrNewer says that a newer version of the program wrote the loop.
var ErrNewer = errors.New("the loop was written by a newer version")

// Parse reads the loop out of a whole session state. Fields that are absent take their defaults. A
// value of the wrong type or out of range is an error: a loop is never decided on a guess.
func Parse(doc []byte) (State, error) {
	raw := gjson.GetBytes(doc, Key)
	if !raw.Exists() || raw.Type == gjson.Null || raw.Type == gjson.False {
		return State{}, ErrNone
	}
	if !raw.IsObject() {
		return State{}, fmt.Errorf("state: .%s is not an object", Key)
	}
	if v := raw.Get("schema"); v.Type == gjson.Number && v.Num > Schema {
		return State{}, fmt.Errorf("%w (schema %s, this one knows %d)", ErrNewer, v.Raw, Schema)
	}
	s := New()
	if err := json.Unmarshal([]byte(raw.Raw), &s); err != nil {
		return State{}, fmt.Errorf("state: .%s%w", Key, legible(err))
	}
	if s.Schema == 0 {
		s.Schema = Schema
	}
	if s.Pending != nil {
		maps.DeleteFunc(s.Pending.Seats, func(_ string, seat *Seat) bool { return seat == nil })
	}
	return s, s.check()
}

// legible says which field holds what, in the words of JSON rather than of Go.
func legible(err error) error {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return fmt.Errorf(": %w", err)
	}
	want := map[reflect.Kind]string{reflect.String: "a string", reflect.Bool: "true or false", reflect.Int: "a whole number", reflect.Int64: "a whole number",
		reflect.Float64: "a number", reflect.Slice: "an array"}[wrong.Type.Kind()]
	if want == "" {
		want = "an object"
	}
	field := ""
	if wrong.Field != "" {
		field = "." + wrong.Field
	}
	return fmt.Errorf("%s has to be %s, and is %s", field, want, strings.TrimSpace(wrong.Value))
}

func (s State) check() error {
	bad := func(field string, v any) error {
		return fmt.Errorf("state: .%s.%s is out of range: %v", Key, field, v)
	}
	for field, v := range map[string]float64{"score": s.Score, "threshold": s.Threshold, "floor": s.Floor} {
		if math.IsNaN(v) || v < 0 || v > 100 {
			return bad(field, v)
		}
	}
	for field, v := range map[string]int{"round": s.Round, "max_rounds": s.MaxRounds, "iteration": s.Iteration,
		"max_iterations": s.MaxIterations, "idle": s.Idle, "idle_blocks": s.IdleBlocks} {
		if v < 0 {
			return bad(field, v)
		}
	}
	return nil
}

// Write puts the loop into a whole session state. Fields of `.rulph` and of the document that this
// version does not know stay as they are.
func (s State) Write(doc []byte) ([]byte, error) {
	if len(bytes.TrimSpace(doc)) == 0 {
		doc = []byte("{}")
	}
	mine, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	var out bytes.Buffer
	out.WriteByte('{')
	add := func(key, value string) {
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		out.WriteString(key + ":" + value)
	}
	gjson.ParseBytes(mine).ForEach(func(k, v gjson.Result) bool {
		add(k.Raw, v.Raw)
		return true
	})
	if old := gjson.GetBytes(doc, Key); old.IsObject() {
		old.ForEach(func(k, v gjson.Result) bool {
			if !known[k.Str] {
				add(k.Raw, v.Raw)
			}
			return true
		})
	}
	out.WriteByte('}')
	return sjson.SetRawBytes(doc, Key, out.Bytes())
}

// WriteCounters puts back only what a blocked stop changes, so that a hook never rewrites what it did
// not look at.
func (s State) WriteCounters(doc []byte) ([]byte, error) {
	var err error
	for _, f := range []struct {
		key   string
		value any
	}{{"iteration", s.Iteration}, {"idle_blocks", s.IdleBlocks}, {"mark", s.Mark}} {
		if doc, err = sjson.SetBytes(doc, Key+"."+f.key, f.value); err != nil {
			return nil, err
		}
	}
	if !gjson.GetBytes(doc, Key+".progress_at").Exists() && !s.ProgressAt.IsZero() {
		return sjson.SetBytes(doc, Key+".progress_at", s.ProgressAt.Format(time.RFC3339Nano))
	}
	return doc, nil
}

// known lists the json names of State. A test holds it to the struct.
var known = map[string]bool{
	"schema": true, "status": true, "round": true, "max_rounds": true, "score": true, "threshold": true,
	"floor": true, "iteration": true, "max_iterations": true, "target": true, "rubric": true, "judges": true,
	"history": true, "best": true, "pending": true, "restoring": true, "next": true, "void": true, "result": true,
	"reason": true, "report": true, "started_at": true, "progress_at": true, "ended_at": true, "cancelled_at": true,
	"budget": true, "spent": true, "noise": true, "calibration": true, "since": true, "idle": true, "idle_blocks": true, "mark": true,
	"waiting": true, "warnings": true, "headless": true, "out": true, "programs": true, "attached": true, "took": true, "unscored": true, "improver": true,
	"caveats": true, "improvement": true,
}
