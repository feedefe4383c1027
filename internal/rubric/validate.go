package rubric

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Problem is one thing that is wrong, or doubtful, and where.
type Problem struct {
	Path    string `json:"path"`    // such as criteria[1].items[0].text
	Message string `json:"message"` // one sentence
}

func (p Problem) String() string { return p.Path + ": " + p.Message }

// The ranges of the numbers, and the least a rubric and a checklist need.
const (
	MaxRoundsLimit = 100
	MaxHoldout     = 0.9
	MinCriteria    = 2
	MinItems       = 2
)

// Validate returns everything that keeps a completed rubric from being used, in rubric order; none: it
// can be used.
func (r Rubric) Validate() []Problem {
	var v validator
	if r.Version != Version {
		v.add("version", "version %d is not known; this program reads version %d", r.Version, Version)
	}
	v.line("title", r.Title, false)
	v.percent("threshold", r.Threshold)
	v.percent("floor", r.Floor)
	if r.MaxRounds < 0 || r.MaxRounds > MaxRoundsLimit {
		v.add("max_rounds", "max_rounds must be 0 to %d; it is %d", MaxRoundsLimit, r.MaxRounds)
	}
	switch r.Evidence {
	case Required, Optional, Off:
	default:
		v.add("evidence", "evidence must be required, optional or off; it is %q", string(r.Evidence))
	}
	v.line("target", r.Target, false)
	if !(r.Holdout >= 0 && r.Holdout <= MaxHoldout) {
		v.add("holdout", "holdout must be 0 to %s; it is %s", exact(MaxHoldout), exact(r.Holdout))
	}
	if len(r.Criteria) < MinCriteria {
		v.add("criteria", "a rubric needs at least %d criteria, so that one can't hide another; it has %d", MinCriteria, len(r.Criteria))
	}
	ids := map[string]int{}
	for i, c := range r.Criteria {
		path := fmt.Sprintf("criteria[%d]", i)
		v.id(path, c.ID, i, ids, "criterion")
		v.criterion(path, c)
	}
	v.weights(r)
	return v.problems
}

type validator struct{ problems []Problem }

func (v *validator) add(path, format string, args ...any) {
	v.problems = append(v.problems, Problem{Path: path, Message: fmt.Sprintf(format, args...)})
}

func last(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '.' {
			return path[i+1:]
		}
	}
	return path
}

// percent refuses NaN too: no comparison with it is true.
func (v *validator) percent(path string, n float64) {
	if !(n >= 0 && n <= 100) {
		v.add(path, "%s must be 0 to 100; it is %s", last(path), exact(n))
	}
}

func (v *validator) line(path, s string, needed bool) {
	switch {
	case needed && s == "":
		v.add(path, "%s is missing", last(path))
	case !oneLine(s):
		v.add(path, "%s must be one line without control characters", last(path))
	}
}

func (v *validator) id(path, id string, place int, seen map[string]int, what string) {
	path += ".id"
	if !validID(id) {
		v.add(path, "id %q must be 1 to %d letters, digits, dots, underscores or hyphens, the first a letter or a digit", id, maxID)
		return
	}
	if first, twice := seen[id]; twice {
		v.add(path, "id %q is taken by %s %d; every %s needs its own", id, what, first+1, what)
		return
	}
	seen[id] = place
}

func (v *validator) criterion(path string, c Criterion) {
	v.line(path+".name", c.Name, true)
	if c.Floor != nil {
		v.percent(path+".floor", *c.Floor)
	}
	switch c.Scale() {
	case Checklist:
		v.items(path, c.Items)
	case Levels:
		v.marks(path+".levels", c.Levels, []int{0, 25, 50, 75, 100})
	case Points:
		v.marks(path+".points", c.Points, []int{0, 1, 2})
	case Undecided:
		if len(c.Items)+len(c.Levels)+len(c.Points) == 0 {
			v.add(path, "criterion %q needs items, levels or points", c.Name)
		} else {
			v.add(path, "criterion %q must have only one of items, levels and points", c.Name)
		}
	}
}

func (v *validator) items(path string, items []Item) {
	if len(items) < MinItems {
		v.add(path+".items", "a checklist needs at least %d items; this one has %d", MinItems, len(items))
	}
	ids := map[string]int{}
	for i, it := range items {
		itemPath := fmt.Sprintf("%s.items[%d]", path, i)
		v.line(itemPath+".text", it.Text, true)
		v.id(itemPath, it.ID, i, ids, "item")
		v.answer(itemPath, it)
	}
}

func (v *validator) answer(path string, it Item) {
	v.command(path+".check", it.Check)
	v.command(path+".fix", it.Fix)
	if it.Probe != nil {
		if it.Check != "" {
			v.add(path+".check", "an item is answered by one thing: either check or the other key, not both")
		}
		v.probe(path, it)
	}
	if it.Fix != "" && it.Kind() == ByJudge {
		v.add(path+".fix", "fix needs a check, or a key such as match, that says when it has worked")
	}
}

func (v *validator) probe(path string, it Item) {
	p := *it.Probe
	for _, key := range []struct{ name, value string }{{"match", p.Match}, {"lacks", p.Lacks}, {"heading", p.Heading}} {
		if !oneLine(key.value) {
			v.add(path+"."+key.name, `%s must be one line without control characters; a pattern can say \n and \t`, key.name)
			return
		}
	}
	if err := p.Validate(); err != nil {
		v.add(path+probeKey(it), "%s", err)
	}
}

// probeKey is the key to blame: the last one that is set, since the first alone would have been right.
func probeKey(it Item) string {
	p := it.Probe
	switch {
	case p.Links:
		return ".links"
	case p.MinWords != nil:
		return ".min_words"
	case p.MaxWords != nil:
		return ".max_words"
	case p.Heading != "":
		return ".heading"
	case p.Lacks != "":
		return ".lacks"
	case p.Match != "":
		return ".match"
	}
	return ""
}

// command allows what a script has: several lines and tabs.
func (v *validator) command(path, s string) {
	for _, r := range s {
		if r != '\n' && r != '\t' && !oneLine(string(r)) {
			v.add(path, "%s has the control character %U", last(path), r)
			return
		}
	}
}

func (v *validator) marks(path string, marks []Level, want []int) {
	found := map[int]bool{}
	for i, m := range marks {
		markPath := fmt.Sprintf("%s.%d", path, m.At)
		switch {
		case !slices.Contains(want, m.At):
			v.add(markPath, "%s must be exactly %s; %d is none of them", last(path), list(want), m.At)
		case found[m.At]:
			v.add(markPath, "%s have %d twice", last(path), m.At)
		case i > 0 && marks[i-1].At > m.At:
			v.add(markPath, "%s must be in the order %s", last(path), list(want))
		}
		found[m.At] = true
		if m.Text == "" {
			v.add(markPath, "%d has no text; say what the artifact looks like there", m.At)
		}
		v.line(markPath, m.Text, false)
	}
	for _, at := range want {
		if !found[at] {
			v.add(path, "%s must be exactly %s; %d is missing", last(path), list(want), at)
			return
		}
	}
}

func list(numbers []int) string {
	s := ""
	for i, n := range numbers {
		switch {
		case i > 0 && i == len(numbers)-1:
			s += " and "
		case i > 0:
			s += ", "
		}
		s += strconv.Itoa(n)
	}
	return s
}

// weights blames the weight that completes the sum: the last.
func (v *validator) weights(r Rubric) {
	if len(r.Criteria) == 0 {
		return
	}
	if !r.anyStated() {
		r.checkSum(v, func(c Criterion) float64 { return c.Weight })
		return
	}
	missing := false
	for i, c := range r.Criteria {
		if c.Stated == nil {
			missing = true
			v.add(fmt.Sprintf("criteria[%d].weight", i), "criterion %q has no weight while others have one; give every criterion a weight, or none for equal weights", c.Name)
		}
	}
	if !missing {
		r.checkSum(v, func(c Criterion) float64 { return *c.Stated })
	}
}

func (r Rubric) checkSum(v *validator, weight func(Criterion) float64) {
	sum, inRange := 0.0, true
	for i, c := range r.Criteria {
		w := weight(c)
		if !(w > 0 && w <= 100) {
			v.add(fmt.Sprintf("criteria[%d].weight", i), "weight must be above 0 and at most 100; it is %s", exact(w))
			inRange = false
		}
		sum += w
	}
	if !inRange || nearHundred(sum) {
		return
	}
	hint := ""
	if math.Abs(sum-1) < 0.02 {
		hint = " Write percent, such as 40, not fractions."
	}
	v.add(fmt.Sprintf("criteria[%d].weight", len(r.Criteria)-1), "Weights must sum to 100%%. Current sum: %s%%.%s", Number(sum, 6), hint)
}

// exact writes a number in full: one that is refused must not look like one that is not.
func exact(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
