package rubric

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rulph/internal/artifact"
)

func TestAGoodRubricHasNoProblems(t *testing.T) {
	for _, r := range []Rubric{handbook(), weighted(33, 33, 33), weighted(33.3, 33.3, 33.3), weighted(0, 0), weighted(49, 50), weighted(51, 50)} {
		if got := r.Validate(); got != nil {
			t.Errorf("problems %v", got)
		}
	}
}

// Each case breaks the handbook in one way.
func TestWhatIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Rubric)
		want   string
	}{
		"newer version":         {func(r *Rubric) { r.Version = 2 }, "version: version 2 is not known; this program reads version 1"},
		"title of two lines":    {func(r *Rubric) { r.Title = "a\nb" }, "title: title must be one line without control characters"},
		"threshold above":       {func(r *Rubric) { r.Threshold = 100.001 }, "threshold: threshold must be 0 to 100; it is 100.001"},
		"threshold below":       {func(r *Rubric) { r.Threshold = -1 }, "threshold: threshold must be 0 to 100; it is -1"},
		"threshold no number":   {func(r *Rubric) { r.Threshold = math.NaN() }, "threshold: threshold must be 0 to 100; it is NaN"},
		"floor infinite":        {func(r *Rubric) { r.Floor = math.Inf(1) }, "floor: floor must be 0 to 100; it is +Inf"},
		"rounds below":          {func(r *Rubric) { r.MaxRounds = -1 }, "max_rounds: max_rounds must be 0 to 100; it is -1"},
		"rounds above":          {func(r *Rubric) { r.MaxRounds = 101 }, "max_rounds: max_rounds must be 0 to 100; it is 101"},
		"unknown evidence":      {func(r *Rubric) { r.Evidence = "yes" }, `evidence: evidence must be required, optional or off; it is "yes"`},
		"target with a bell":    {func(r *Rubric) { r.Target = "a\a" }, "target: target must be one line without control characters"},
		"everything held out":   {func(r *Rubric) { r.Holdout = 1 }, "holdout: holdout must be 0 to 0.9; it is 1"},
		"one criterion":         {func(r *Rubric) { r.Criteria = r.Criteria[:1]; r.Criteria[0].Stated = nil; r.Complete() }, "criteria: a rubric needs at least 2 criteria, so that one can't hide another; it has 1"},
		"no name":               {func(r *Rubric) { r.Criteria[1].Name = "" }, "criteria[1].name: name is missing"},
		"repeated criterion id": {func(r *Rubric) { r.Criteria[2].ID = "tone" }, `criteria[2].id: id "tone" is taken by criterion 2; every criterion needs its own`},
		"id with a space":       {func(r *Rubric) { r.Criteria[0].ID = "a b" }, `criteria[0].id: id "a b" must be 1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or a digit`},
		"id with a dash first":  {func(r *Rubric) { r.Criteria[0].ID = "-a" }, `criteria[0].id: id "-a" must be 1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or a digit`},
		"id too long":           {func(r *Rubric) { r.Criteria[0].ID = strings.Repeat("a", 65) }, `criteria[0].id: id "` + strings.Repeat("a", 65) + `" must be 1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or a digit`},
		"criterion floor above": {func(r *Rubric) { r.Criteria[0].Floor = pointer(101.0) }, "criteria[0].floor: floor must be 0 to 100; it is 101"},
		"no questions":          {func(r *Rubric) { r.Criteria[1].Levels = nil }, `criteria[1]: criterion "Writing tone" needs items, levels or points`},
		"two scales":            {func(r *Rubric) { r.Criteria[1].Items = items("a", "b") }, `criteria[1]: criterion "Writing tone" must have only one of items, levels and points`},
		"one item":              {func(r *Rubric) { r.Criteria[0].Items = r.Criteria[0].Items[:1] }, "criteria[0].items: a checklist needs at least 2 items; this one has 1"},
		"item without text":     {func(r *Rubric) { r.Criteria[0].Items[0].Text = "" }, "criteria[0].items[0].text: text is missing"},
		"item of two lines":     {func(r *Rubric) { r.Criteria[0].Items[0].Text = "a\nb" }, "criteria[0].items[0].text: text must be one line without control characters"},
		"item with a line separator": {func(r *Rubric) { r.Criteria[0].Items[0].Text = "a\u2028b" },
			"criteria[0].items[0].text: text must be one line without control characters"},
		"broken UTF-8":     {func(r *Rubric) { r.Criteria[0].Items[0].Text = "\xff" }, "criteria[0].items[0].text: text must be one line without control characters"},
		"repeated item id": {func(r *Rubric) { r.Criteria[0].Items[0].ID = "install" }, `criteria[0].items[2].id: id "install" is taken by item 1; every item needs its own`},
		"probe and check": {func(r *Rubric) { r.Criteria[0].Items[2].Probe = &artifact.Probe{Links: true} },
			"criteria[0].items[2].check: an item is answered by one thing: either check or the other key, not both"},
		"empty probe": {func(r *Rubric) { r.Criteria[0].Items[1].Probe = &artifact.Probe{} },
			"criteria[0].items[1]: one of match, lacks, heading, max_words, min_words or links must be set"},
		"two probes": {func(r *Rubric) { r.Criteria[0].Items[1].Probe.Heading = "x" },
			"criteria[0].items[1].heading: lacks and heading are set together; one item asks one thing"},
		"pattern with a line feed": {func(r *Rubric) { r.Criteria[0].Items[1].Probe.Lacks = "a\nb" },
			`criteria[0].items[1].lacks: lacks must be one line without control characters; a pattern can say \n and \t`},
		"fix alone": {func(r *Rubric) { r.Criteria[0].Items[0].Fix = "true" },
			"criteria[0].items[0].fix: fix needs a check, or a key such as match, that says when it has worked"},
		"command with an escape": {func(r *Rubric) { r.Criteria[0].Items[2].Check = "true\n\x1b[2J" }, "criteria[0].items[2].check: check has the control character U+001B"},
		"level missing":          {func(r *Rubric) { r.Criteria[1].Levels = r.Criteria[1].Levels[:4] }, "criteria[1].levels: levels must be exactly 0, 25, 50, 75 and 100; 100 is missing"},
		"level without text":     {func(r *Rubric) { r.Criteria[1].Levels[2].Text = "" }, "criteria[1].levels.50: 50 has no text; say what the artifact looks like there"},
		"point twice": {func(r *Rubric) { r.Criteria[2].Points = append(r.Criteria[2].Points, Level{2, "x"}) },
			"criteria[2].points.2: points have 2 twice"},
		"points in another order": {func(r *Rubric) { p := r.Criteria[2].Points; p[0], p[1] = p[1], p[0] },
			"criteria[2].points.0: points must be in the order 0, 1 and 2"},
		"weights of 110": {func(r *Rubric) { r.Criteria[0].Stated = pointer(50.0) }, "criteria[2].weight: Weights must sum to 100%. Current sum: 110%."},
		"weights of 98.99": {func(r *Rubric) { r.Criteria[0].Stated = pointer(38.99) },
			"criteria[2].weight: Weights must sum to 100%. Current sum: 98.99%."},
		"fractions": {func(r *Rubric) {
			for i, w := range []float64{0.4, 0.2, 0.4} {
				r.Criteria[i].Stated = pointer(w)
			}
		}, "criteria[2].weight: Weights must sum to 100%. Current sum: 1%. Write percent, such as 40, not fractions."},
		"weight of nothing": {func(r *Rubric) { r.Criteria[1].Stated = pointer(0.0) }, "criteria[1].weight: weight must be above 0 and at most 100; it is 0"},
		"weight below":      {func(r *Rubric) { r.Criteria[1].Stated = pointer(-20.0) }, "criteria[1].weight: weight must be above 0 and at most 100; it is -20"},
		"one weight missing": {func(r *Rubric) { r.Criteria[1].Stated = nil },
			`criteria[1].weight: criterion "Writing tone" has no weight while others have one; give every criterion a weight, or none for equal weights`},
	} {
		r := handbook()
		c.change(&r)
		var got []string
		for _, p := range r.Validate() {
			got = append(got, p.String())
		}
		if diff := cmp.Diff([]string{c.want}, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestAnUnscaledModelIsRefused(t *testing.T) {
	r := handbook()
	for i := range r.Criteria {
		r.Criteria[i].Stated, r.Criteria[i].Weight = nil, 50
	}
	want := []Problem{{"criteria[2].weight", "Weights must sum to 100%. Current sum: 150%."}}
	if diff := cmp.Diff(want, r.Validate()); diff != "" {
		t.Error(diff)
	}
}

func TestAllProblemsComeAtOnce(t *testing.T) {
	r := handbook()
	r.Threshold, r.Criteria[0].Items[0].Text, r.Criteria[2].ID = 101, "", "tone"
	var paths []string
	for _, p := range r.Validate() {
		paths = append(paths, p.Path)
	}
	if diff := cmp.Diff([]string{"threshold", "criteria[0].items[0].text", "criteria[2].id"}, paths); diff != "" {
		t.Error(diff)
	}
}
