package runs

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// What a context holds at most, however long the log is: powers of two. The output says how much more there was.
const (
	mostRejected = 256
	mostApplied  = 256
	mostIdeas    = 1 << 12
	mostTried    = 1 << 12
	mostInputs   = 1 << 10
	mostText     = 4 << 20 // bytes of each kind
)

// gather collects a context from the lines of a log, oldest first. The segment is known beforehand, so that
// nothing has to be kept of the others but their ideas and inputs.
type gather struct {
	segment int
	fields  fields

	runs, damaged int

	last        line // the last two records of the segment
	before      line
	streak      int // records since the last one that was applied
	streakAtMax bool
	rubric      []byte
	joined      []byte // used again by each record

	rejected, applied    *recent
	ideas, tried, inputs *recent
}

// line is what a context needs of one record of the segment.
type line struct {
	there        bool
	quality, max float64 // NaN where they are not known
	decision     []byte
}

// atMax says that the record is at a known maximum. A baseline never is: its scores are those of the
// questions that need no judge.
func (l line) atMax() bool { return l.max > 0 && l.quality == l.max && !l.baseline() }

func (l line) baseline() bool { return string(l.decision) == `"`+Baseline+`"` }

func newGather(segment int) *gather {
	return &gather{
		segment: segment, rejected: newList(mostRejected, mostText), applied: newList(mostApplied, mostText),
		ideas: newRecent(mostIdeas, mostText), tried: newRecent(mostTried, mostText), inputs: newRecent(mostInputs, mostText),
	}
}

// add takes in one line.
func (g *gather) add(text []byte) error {
	f := &g.fields
	if !f.read(text) {
		if text == nil || len(bytes.TrimSpace(text)) > 0 {
			g.damaged++
		}
		return nil
	}
	g.runs++
	if isText(f.idea) {
		g.ideas.add(f.idea)
	}
	if isText(f.input) {
		g.inputs.add(f.input)
	}
	decision := decisionOf(f.decision)
	if decision != "" {
		for _, taken := range [2][]byte{f.change, f.piste} {
			if isText(taken) {
				e := g.tried.add(taken)
				e.tried = decision
				e.applied = e.applied || decision == Applied
			}
		}
	}
	if segmentOf(f.segment) == g.segment {
		g.addToSegment(f, decision)
	}
	return nil
}

func (g *gather) addToSegment(f *fields, decision string) {
	spare := g.before.decision
	g.before = g.last
	g.last = line{there: true, decision: append(spare[:0], f.decision...)}
	g.last.quality, g.last.max = scoresOf(f.scores)
	switch {
	case decision == Applied:
		g.streak, g.streakAtMax = 0, false
	case g.last.baseline(): // nothing was tried, so nothing failed
	default:
		g.streakAtMax = (g.streak == 0 || g.streakAtMax) && g.last.atMax()
		g.streak++
	}
	if isText(f.rubric) {
		g.rubric = append(g.rubric[:0], f.rubric...)
	}
	if !isText(f.change) {
		return
	}
	switch decision {
	case Applied:
		g.applied.push(f.change, 0)
	case Ignored, Relaunched:
		// A line holds no line feed, so one may stand between its parts.
		g.joined = append(append(append(append(append(g.joined[:0], f.change...), '\n'), f.decision...), '\n'), f.reason...)
		g.rejected.push(g.joined, 0)
	}
}

// isText tells a string with something in it from null, a number or nothing.
func isText(raw []byte) bool { return len(raw) > 2 && raw[0] == '"' }

// decisionOf is a decision this program knows, else "".
func decisionOf(raw []byte) string {
	switch string(raw) {
	case `"applied"`:
		return Applied
	case `"ignored"`:
		return Ignored
	case `"relaunched"`:
		return Relaunched
	}
	return ""
}

// segmentOf is 1 for a record without a segment: so are those of old logs.
func segmentOf(raw []byte) int {
	if n, ok := whole(raw); ok && n >= 1 {
		return n
	}
	return 1
}

// whole reads a whole number of up to nine digits.
func whole(raw []byte) (int, bool) {
	if len(raw) == 0 || len(raw) > 9 {
		return 0, false
	}
	n := 0
	for _, c := range raw {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}

func scoresOf(raw []byte) (quality, most float64) {
	quality, most = math.NaN(), math.NaN()
	missing := 2
	object(raw, func(key, value []byte) bool {
		switch string(key) {
		case "quality":
			quality = number(value)
			missing--
		case "quality_max":
			most = number(value)
			missing--
		}
		return missing > 0
	})
	return quality, most
}

func number(raw []byte) float64 {
	if n, ok := whole(raw); ok {
		return float64(n)
	}
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return math.NaN() // ParseFloat takes "Inf" and "0x1p4"
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return math.NaN()
	}
	return n
}

// unquoted is the string that raw stands for, "" where it is none.
func unquoted(raw []byte) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
