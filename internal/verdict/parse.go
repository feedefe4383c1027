package verdict

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// MaxText is the most bytes of a judge's answer that Parse reads.
const MaxText = 4 << 20

// Parse finds the verdict in what a judge wrote: the last complete JSON object that fits the form, with
// whatever prose and code fences around it. Objects inside others do not count. When none fits, the
// error is a *Malformed that describes the last object that looked like a verdict.
//
// An item is answered by true, false, "yes", "no", "unsure" or by {"verdict": word, "evidence": text};
// null is no answer, so that the item is missing. Criteria with levels or points are answered in
// "levels" ("points" is read too) or, as in the original form, in "scores". Criteria and items are
// named by id, or by their text with any case and white space. An unknown or repeated one is an error
// wherever it stands; other fields beside those of the form are passed over.
func Parse(text []byte, form Form) (Verdict, error) {
	v, no := parse(text, form)
	if no != nil {
		return Verdict{}, &Malformed{Reason: no()}
	}
	return v, nil
}

func parse(text []byte, form Form) (Verdict, refusal) {
	if len(text) > MaxText {
		return Verdict{}, because("the answer is %d bytes long, and at most %d are read; return only the JSON object", len(text), MaxText)
	}
	s := scan(text)
	var first refusal // of the last object
	r := newReader(form)
	for _, sp := range slices.Backward(s.found) {
		root, no := decode(text[sp.start:sp.end])
		if no == nil {
			var v Verdict
			if v, no = r.read(root); no == nil {
				return v, nil
			}
		}
		if first == nil {
			first = no
		}
	}
	switch last := len(s.found) - 1; {
	case s.broken != nil && (last < 0 || s.broken.at >= s.found[last].end):
		return Verdict{}, s.broken.reason(text)
	case first != nil:
		return Verdict{}, first
	case s.nested:
		return Verdict{}, because(`no JSON object found that has "checklist" or "levels" at its top; return the verdict itself, not inside another object`)
	case s.any:
		return Verdict{}, because(`no JSON object found that has a "checklist" or "levels"; return one in the form that was asked for`)
	}
	return Verdict{}, because("no JSON object found; return one in the form that was asked for")
}

// reason names the line and column (in bytes, from 1) at which the object broke, and what follows
// there: models count badly.
func (b *breakage) reason(text []byte) refusal {
	return func() string {
		before := text[:b.at]
		line := bytes.Count(before, []byte("\n")) + 1
		column := len(before) - bytes.LastIndexByte(before, '\n')
		place := fmt.Sprintf("the JSON object breaks at line %d, column %d", line, column)
		if after := text[b.at:min(b.at+30, len(text))]; len(after) > 0 {
			place += " before " + echo(string(after))
		}
		return place + ": " + b.what
	}
}

// missing names the first questions without an answer.
func (r *reader) missing(v Verdict) refusal {
	return func() string {
		const most = 3
		var open []string
		for _, c := range r.form.Criteria {
			if c.scale() != nil {
				if _, ok := v.Levels[c.ID]; !ok {
					open = append(open, c.ID)
				}
				continue
			}
			for _, it := range c.Items {
				if _, ok := v.Items[c.ID][it.ID]; !ok {
					open = append(open, c.ID+"/"+it.ID)
				}
			}
		}
		names := strings.Join(open[:min(len(open), most)], ", ")
		if len(open) > most {
			names += " and others"
		}
		return fmt.Sprintf("%d of %d answers are missing, and at most a fifth may be; answer %s", len(open), r.asked, names)
	}
}
