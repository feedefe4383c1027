package loop

import (
	"strings"
	"testing"

	"rulph/internal/score"
	"rulph/schemas/schematest"
)

// within is a calibration with this band.
func within(band float64) *score.Calibration { return &score.Calibration{Repeats: 5, Band: band} }

// measured is a loop with a calibration, in which these scores were recorded.
func measured(t *testing.T, band float64, results ...score.Result) State {
	t.Helper()
	s := scored(t)
	s.Calibration = within(band)
	for i, r := range results {
		s = record(t, s, string(rune('A'+i)), r)
	}
	return s
}

func TestAFallWithinTheMeasuredNoiseIsKept(t *testing.T) {
	s := measured(t, 8.8, result(70, 70), result(65, 65))
	last := s.History[1]
	if s.Best != 1 || s.Score != 65 || !last.Kept || last.RolledBack || s.Target.Hash != "B" {
		t.Errorf("best %d, score %v, %+v", s.Best, s.Score, last)
	}
	if last.Note != "the fall of 5.0 is within the measured noise of 8.8" {
		t.Errorf("note %q", last.Note)
	}
}

func TestAFallBeyondTheMeasuredNoiseIsRolledBack(t *testing.T) {
	s := measured(t, 8.8, result(75, 75), result(66.1, 66.1))
	if s.Best != 0 || s.Score != 75 || !s.History[1].RolledBack {
		t.Errorf("best %d, score %v", s.Best, s.Score)
	}
	if want := "rolled back to round 0: the overall score fell from 75.0, the highest that was kept, to 66.1, by more than the measured noise of 8.8"; s.History[1].Note != want {
		t.Errorf("note %q", s.History[1].Note)
	}
	if s := measured(t, 8.9, result(75, 75), result(66.1, 66.1)); s.Best != 1 {
		t.Error("a fall of exactly the band was rolled back")
	}
}

func TestSmallFallsDoNotAddUp(t *testing.T) {
	s := measured(t, 5, result(80, 80), result(77, 77), result(74, 74), result(76, 76))
	if got := []bool{s.History[1].Kept, s.History[2].Kept, s.History[3].Kept}; !got[0] || got[1] || !got[2] {
		t.Errorf("kept %v; 74 is 6 below the highest", got)
	}
	if s.Best != 3 || !strings.HasPrefix(s.History[2].Note, "rolled back to round 1: the overall score fell from 80.0, ") {
		t.Errorf("best %d, note %q", s.Best, s.History[2].Note)
	}
}

func TestABrokenFloorIsRolledBackWhateverTheNoise(t *testing.T) {
	s := measured(t, 20, result(61, 61), result(100, 59))
	if s.Best != 0 || !strings.Contains(s.History[1].Note, "below a floor that held") {
		t.Errorf("best %d, note %q", s.Best, s.History[1].Note)
	}
}

func TestWithoutACalibrationAnyFallIsRolledBack(t *testing.T) {
	s := scored(t, result(70, 70), result(69, 70))
	if s.Best != 0 || s.History[1].Note != "rolled back to round 0: the overall score fell from 70.0 to 69.5" || s.History[1].Change == nil {
		t.Errorf("best %d, %+v", s.Best, s.History[1])
	}
	if s := scored(t, result(70, 70), result(71, 70)); s.History[1].Note != "" {
		t.Errorf("note %q, though nothing was measured", s.History[1].Note)
	}
}

func TestARiseWithinTheMeasuredNoiseIsCalledThat(t *testing.T) {
	s := measured(t, 8.8, result(70, 70), result(73, 73), result(73, 73), result(90, 85))
	for i, want := range []string{"", "the rise of 3.0 is within the measured noise of 8.8", "", ""} {
		if got := s.History[i].Note; got != want {
			t.Errorf("round %d: %q, want %q", i, got, want)
		}
	}
}

func TestTheMeasuredBandIsTheOneOfStagnation(t *testing.T) {
	rounds := []score.Result{result(50), result(53), result(56), result(58)}
	if d := Decide(measured(t, 8, rounds...), noon); d.Result != Stagnated || !strings.HasSuffix(d.Reason, "rose by 8.0 in three rounds, within the noise band of 8") {
		t.Errorf("a rise of 8 within 8: %+v", d)
	}
	if d := Decide(measured(t, 7.9, rounds...), noon); d.Over {
		t.Errorf("a rise of 8 out of 7.9: %+v", d)
	}
	s := measured(t, 7.9, rounds...)
	wide := 50.0
	s.Noise = &wide
	if d := Decide(s, noon); d.Over {
		t.Errorf("the band that was set goes before the measured one: %+v", d)
	}
}

// A command that fails now has got worse by less than the judges' noise, and worse it is.
func TestACertainFallIsRolledBackWhateverTheNoise(t *testing.T) {
	w := panel{25, 0.05, 1}.world(1)
	w.rubric.Criteria[0].Items[0].Check = "true"
	s := w.start(5)
	s.Calibration = within(50)
	before := w.score()
	outcome := func(r score.Result, o score.Outcome) score.Result {
		in := map[string]map[string]score.Outcome{}
		for c, items := range r.Judges[0].Items {
			in[c] = map[string]score.Outcome{}
			for id, was := range items {
				in[c][id] = was
			}
		}
		in["c0"]["i0"] = o
		r.Judges = []score.JudgeResult{{Name: "j0", State: score.Available, Items: in}}
		return r
	}
	passing, failing := outcome(before, score.Yes), outcome(before, score.No)
	failing.Overall = passing.Overall - 4
	s = play(play(s, passing), failing)
	last := s.History[1]
	if last.Change.Word != score.Regressed || last.Change.P != nil || !last.RolledBack || s.Best != 0 {
		t.Errorf("%+v, %+v", last.Change, last)
	}
}

func TestEachRoundSaysWhatItChangedOfTheKeptOne(t *testing.T) {
	w := panel{25, 0, 1}.world(1) // judges that do not err
	s := w.start(5)
	s = play(s, w.score())
	if s.History[0].Change != nil {
		t.Errorf("the baseline changed %+v", s.History[0].Change)
	}
	w.improve(6)
	s = play(s, w.score())
	if c := s.History[1].Change; c == nil || c.Word != score.Underpowered || c.Better != 6 || c.NeedItems != 7 || c.Level != 0.01 || c.NeedRepeats != 0 {
		t.Errorf("six of six at 0.05/5: %+v", c)
	}
	s = play(s, score.Result{Void: true})
	if c := s.History[2].Change; c != nil {
		t.Errorf("a void round changed %+v", c)
	}
	w.leans = make([]bool, 25)
	s = play(s, w.score()) // everything fell, and is rolled back
	if c := s.History[3].Change; c.Word != score.Regressed || c.Worse != 19 {
		t.Errorf("%+v", c)
	}
	w.improve(25)
	s = play(s, w.score()) // compared with round 1, which is kept: 25 and 19 of 25 items
	if c := s.History[4].Change; c.Word != score.Underpowered || c.Better != 6 || c.Worse != 0 {
		t.Errorf("%+v", c)
	}
}

func TestTheLevelIsSharedByTheRoundsOfALoop(t *testing.T) {
	for rounds, want := range map[int]float64{0: 0.05, 1: 0.05, 5: 0.01, 10: 0.005} {
		s := New()
		s.MaxRounds = rounds
		if got := s.level(); got != want {
			t.Errorf("%d rounds: %v, want %v", rounds, got, want)
		}
	}
}

func TestAMeasuredLoopFitsTheSchemaOfTheState(t *testing.T) {
	hash := "sha256:" + strings.Repeat("0", 64)
	w := panel{25, 0.136, 3}.world(1)
	w.rubric.Holdout = 0.3
	s := w.start(5)
	s.Rubric.Path, s.Rubric.Dir, s.Rubric.Hash = "/r.yaml", "/", hash
	s.Target.Targets = []string{"/F"}
	cal := w.calibrated(5)
	cal.Artifact, cal.Models = hash, map[string]string{"j0": "m"}
	s.Calibration = &cal
	for range 4 {
		s = play(s, w.score())
		w.improve(3)
	}
	s.Target.Hash = hash
	for i := range s.History {
		s.History[i].Artifact = hash
	}
	raw, err := s.Write(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{`"calibration":{"repeats":5,`, `"shaky":[{`, `"change":{"word":"`, `"p":`, `"need_items":7`, `"independent":`, `"shown":`, `"held":`} {
		if !strings.Contains(string(raw), field) {
			t.Errorf("%s is not in the state, so the schema is not held to it", field)
		}
	}
	schematest.Refuses(t, "state", raw, `"word":"UNDERPOWERED"`, `"word":"BETTER"`)
	schematest.Refuses(t, "state", raw, `"need_items":7`, `"need_items":0`)
	schematest.Refuses(t, "state", raw, `"repeats":5`, `"repeats":1`)
}
