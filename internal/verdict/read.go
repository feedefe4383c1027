package verdict

import (
	"fmt"
	"slices"
	"strings"
)

// reader reads the members of one object into a Verdict, by the form.
type reader struct {
	form     Form
	asked    int
	criteria names
	items    []names // of each criterion
}

func newReader(form Form) *reader {
	r := &reader{form: form, asked: form.questions()}
	var ids, texts []string
	for _, c := range form.Criteria {
		ids, texts = append(ids, c.ID), append(texts, c.Name)
		var itemIDs, itemTexts []string
		for _, it := range c.Items {
			itemIDs, itemTexts = append(itemIDs, it.ID), append(itemTexts, it.Text)
		}
		r.items = append(r.items, newNames(itemIDs, itemTexts))
	}
	r.criteria = newNames(ids, texts)
	return r
}

func (r *reader) read(root value) (Verdict, refusal) {
	v := Verdict{Items: map[string]map[string]Answer{}}
	if t, _ := root.field("ticket"); t.kind == text && len(t.str) <= ticketLimit {
		v.Ticket = t.str
	}
	answered := 0
	no := r.section(root, []string{"checklist", "items"}, func(at string, c int, answers value) refusal {
		n, no := r.checklist(&v, at, c, answers)
		answered += n
		return no
	})
	if no == nil {
		no = r.section(root, []string{"levels", "points"}, func(at string, c int, level value) refusal {
			if r.form.Criteria[c].scale() == nil {
				return because("%q is a checklist; answer its items in \"checklist\" instead of giving it a value in %q", r.form.Criteria[c].ID, at)
			}
			return r.level(&v, at, c, level)
		})
	}
	if no == nil {
		no = r.section(root, []string{"scores"}, func(at string, c int, score value) refusal {
			return r.score(&v, at, c, score)
		})
	}
	if no == nil {
		no = r.section(root, []string{"suggestions"}, func(at string, c int, suggestion value) refusal {
			return r.suggestion(&v, at, c, suggestion)
		})
	}
	if no != nil {
		return Verdict{}, no
	}
	v.Missing = r.asked - answered - len(v.Levels)
	if v.Missing*5 > r.asked {
		return Verdict{}, r.missing(v)
	}
	return v, nil
}

// section hands the members of the root's fields of these names, which mean the same, to take; each
// criterion at most once.
func (r *reader) section(root value, fields []string, take func(at string, criterion int, v value) refusal) refusal {
	seen := map[int]bool{}
	for _, at := range fields {
		sec, _ := root.field(at)
		if sec.kind == null {
			continue
		}
		if sec.kind != object {
			return because("%q is %s; it must be an object with criterion ids as names", at, sec.kind)
		}
		for _, f := range sec.fields {
			c, no := r.criteria.find(f.name, "criterion", fmt.Sprintf(" in %q", at))
			if no != nil {
				return no
			}
			if seen[c] {
				return because("criterion %q occurs twice in %q, once as %s; write it once", r.form.Criteria[c].ID, at, echo(f.name))
			}
			seen[c] = true
			if f.value.kind == null {
				continue
			}
			if no := take(at, c, f.value); no != nil {
				return no
			}
		}
	}
	return nil
}

// checklist reads the answers to the items of one criterion and counts them.
func (r *reader) checklist(v *Verdict, at string, c int, answers value) (int, refusal) {
	crit := r.form.Criteria[c]
	if scale := crit.scale(); scale != nil {
		return 0, because("%q is no checklist; give it one of %s in \"levels\"", crit.ID, listed(scale))
	}
	if answers.kind != object {
		return 0, because("%q in %q is %s; it must be an object with the item ids as names", crit.ID, at, answers.kind)
	}
	got := map[string]Answer{}
	seen := map[int]bool{}
	for _, f := range answers.fields {
		i, no := r.items[c].find(f.name, "item", fmt.Sprintf(" of criterion %q", crit.ID))
		if no != nil {
			return 0, no
		}
		item := crit.Items[i]
		if seen[i] {
			return 0, because("item %q of criterion %q occurs twice, once as %s; answer it once", item.ID, crit.ID, echo(f.name))
		}
		seen[i] = true
		a, no := answer(f.value)
		if no != nil {
			return 0, func() string { return fmt.Sprintf("item %q of criterion %q: %s", item.ID, crit.ID, no()) }
		}
		if a.Word != "" {
			got[item.ID] = a
		}
	}
	if len(got) > 0 {
		v.Items[crit.ID] = got
	}
	return len(got), nil
}

// answer reads the answer to one item; one without a word is missing.
func answer(v value) (Answer, refusal) {
	switch v.kind {
	case null:
		return Answer{}, nil
	case boolean, text:
		w, no := word(v)
		return Answer{Word: w}, no
	case object:
		verdict, ok := v.field("verdict")
		if !ok {
			return Answer{}, because(`the answer has no "verdict"; it must be "yes", "no" or "unsure"`)
		}
		if verdict.kind == null {
			return Answer{}, nil
		}
		w, no := word(verdict)
		if no != nil {
			return Answer{}, no
		}
		evidence, _ := v.field("evidence")
		if evidence.kind != text && evidence.kind != null {
			return Answer{}, because(`its "evidence" is %s; it must be one quotation from the artifact, as a string`, evidence.kind)
		}
		return Answer{Word: w, Evidence: clean(evidence.str, TextLimit)}, nil
	}
	return Answer{}, because(`the answer is %s; it must be "yes", "no" or "unsure"`, v.kind)
}

func word(v value) (Word, refusal) {
	switch v.kind {
	case boolean:
		if v.truth {
			return Yes, nil
		}
		return No, nil
	case text:
		switch w := Word(strings.ToLower(strings.TrimSpace(v.str))); w {
		case Yes, No, Unsure:
			return w, nil
		}
		return "", func() string {
			return fmt.Sprintf(`%s is no answer; it must be "yes", "no", or "unsure" where the artifact does not tell`, echo(v.str))
		}
	}
	return "", because(`the answer is %s; it must be "yes", "no" or "unsure"`, v.kind)
}

// level reads the value of a criterion with levels or points.
func (r *reader) level(v *Verdict, at string, c int, level value) refusal {
	crit := r.form.Criteria[c]
	scale := crit.scale()
	if level.kind != number {
		return because("%q in %q is %s; it must be the number %s", crit.ID, at, level.kind, listed(scale))
	}
	i := slices.Index(scale, level.num)
	if i < 0 {
		return because("%q in %q is %v; it must be one of %s and nothing between", crit.ID, at, level.num, listed(scale))
	}
	if v.Levels == nil {
		v.Levels = map[string]float64{}
	}
	v.Levels[crit.ID] = scale[i] // not level.num, which may be -0
	return nil
}

// score reads what the judge computed itself. It answers a criterion with levels or points that has no
// answer in its own place; otherwise it is a claim.
func (r *reader) score(v *Verdict, at string, c int, score value) refusal {
	crit := r.form.Criteria[c]
	if _, ok := v.Levels[crit.ID]; !ok && crit.scale() != nil {
		return r.level(v, at, c, score)
	}
	if score.kind != number {
		return because("%q in %q is %s; it must be a number", crit.ID, at, score.kind)
	}
	if v.Claimed == nil {
		v.Claimed = map[string]float64{}
	}
	v.Claimed[crit.ID] = score.num
	return nil
}

func (r *reader) suggestion(v *Verdict, at string, c int, suggestion value) refusal {
	id := r.form.Criteria[c].ID
	if suggestion.kind != text {
		return because("%q in %q is %s; it must be one text", id, at, suggestion.kind)
	}
	s := clean(suggestion.str, TextLimit)
	if s == "" {
		return nil
	}
	if v.Suggestions == nil {
		v.Suggestions = map[string]string{}
	}
	v.Suggestions[id] = s
	return nil
}

func listed(scale []float64) string {
	s := make([]string, len(scale))
	for i, n := range scale {
		s[i] = fmt.Sprint(n)
	}
	return strings.Join(s[:len(s)-1], ", ") + " or " + s[len(s)-1]
}
