package rubric

import "rulph/internal/artifact"

func pointer[T any](v T) *T { return &v }

func items(texts ...string) []Item {
	var its []Item
	for _, t := range texts {
		its = append(its, Item{Text: t})
	}
	return its
}

func fiveLevels(texts [5]string) []Level {
	ls := make([]Level, 5)
	for i, t := range texts {
		ls[i] = Level{At: i * 25, Text: t}
	}
	return ls
}

// handbook has every kind of criterion and of item.
func handbook() Rubric {
	r := New()
	r.Title, r.Threshold, r.Target = "Team handbook", 80, "HANDBOOK.md"
	r.Criteria = []Criterion{
		{
			Name: "Set-up instructions", Stated: pointer(40.0), Floor: pointer(70.0),
			Items: []Item{
				{Text: "Names the supported operating systems"},
				{Text: "Leaves nothing to be done", Probe: &artifact.Probe{Lacks: "TODO|FIXME"}},
				{ID: "install", Text: "Gives an install command in a code block", Check: `grep -q 'go install' "$TARGET"`, Fix: `./fix-install.sh "$TARGET"`},
				{Text: "Says how to remove it"},
			},
		},
		{ID: "tone", Name: "Writing tone", Stated: pointer(20.0), Levels: fiveLevels([5]string{"only praise", "mostly praise", "half of it facts", "mostly facts", "only facts"})},
		{Name: "Fidelity to intent", Stated: pointer(40.0), Points: []Level{{0, "another topic"}, {1, "the topic, not the goal"}, {2, "the goal"}}},
	}
	r.Complete()
	return r
}
