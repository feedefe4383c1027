package rubric

import (
	"slices"
	"testing"

	"rulph/internal/artifact"
)

// The hashes of old records are compared with new ones, so this one must never change.
func TestTheHashIsStable(t *testing.T) {
	const want = "sha256:36e68c700a0b23c5f5b79a2404f36c806f362badf3f383b3c4591b17b9de085d"
	if got := handbook().Hash(); got != want {
		t.Errorf("the hash of the handbook is %s, want %s", got, want)
	}
}

func TestWhatScoresChangesTheHash(t *testing.T) {
	before := handbook().Hash()
	for name, change := range map[string]func(*Rubric){
		"evidence":     func(r *Rubric) { r.Evidence = Required },
		"criterion id": func(r *Rubric) { r.Criteria[0].ID = "x" },
		"name":         func(r *Rubric) { r.Criteria[0].Name = "x" },
		"weight":       func(r *Rubric) { r.Criteria[0].Stated, r.Criteria[2].Stated = pointer(39.0), pointer(41.0) },
		"item id":      func(r *Rubric) { r.Criteria[0].Items[0].ID = "x" },
		"item text":    func(r *Rubric) { r.Criteria[0].Items[0].Text += "!" },
		"new item":     func(r *Rubric) { r.Criteria[0].Items = append(r.Criteria[0].Items, Item{Text: "x"}) },
		"pattern":      func(r *Rubric) { r.Criteria[0].Items[1].Probe.Lacks = "x" },
		"other probe":  func(r *Rubric) { r.Criteria[0].Items[1].Probe = &artifact.Probe{Match: "TODO|FIXME"} },
		"word limit 0": func(r *Rubric) { r.Criteria[0].Items[1].Probe = &artifact.Probe{MaxWords: pointer(0)} },
		"check":        func(r *Rubric) { r.Criteria[0].Items[2].Check = "true" },
		"level":        func(r *Rubric) { r.Criteria[1].Levels[0].Text = "x" },
		"point":        func(r *Rubric) { r.Criteria[2].Points[0].Text = "x" },
	} {
		r := handbook()
		change(&r)
		r.Complete()
		if r.Hash() == before {
			t.Errorf("a change of the %s keeps the hash", name)
		}
	}
}

func TestThePassBarAndTheOrderKeepTheHash(t *testing.T) {
	before := handbook().Hash()
	for name, change := range map[string]func(*Rubric){
		"title":           func(r *Rubric) { r.Title = "x" },
		"threshold":       func(r *Rubric) { r.Threshold = 0 },
		"floor":           func(r *Rubric) { r.Floor = 0 },
		"criterion floor": func(r *Rubric) { r.Criteria[0].Floor = nil },
		"rounds":          func(r *Rubric) { r.MaxRounds = 9 },
		"target":          func(r *Rubric) { r.Target = "x" },
		"holdout":         func(r *Rubric) { r.Holdout = 0.4 },
		"fix":             func(r *Rubric) { r.Criteria[0].Items[2].Fix = "" },
		"criteria order":  func(r *Rubric) { slices.Reverse(r.Criteria) },
		"item order":      func(r *Rubric) { slices.Reverse(r.Criteria[0].Items) },
	} {
		r := handbook()
		change(&r)
		r.Complete()
		if r.Hash() != before {
			t.Errorf("a change of the %s changes the hash", name)
		}
	}
	if weighted(33, 33, 33).Hash() != weighted(0, 0, 0).Hash() {
		t.Error("thirds that are written and thirds that are not have different hashes")
	}
}
