package loop

import (
	"reflect"
	"testing"

	"rulph/internal/artifact"
	"rulph/internal/rubric"
	"rulph/internal/score"
	"rulph/internal/verdict"
	"rulph/schemas/schematest"
)

func TestTheSchemaOfTheStateNamesTheSameFields(t *testing.T) {
	for place, of := range map[string]any{
		"$defs/loop":                        State{},
		"$defs/target":                      Target{},
		"$defs/rubric":                      Locked{},
		"$defs/body":                        rubric.Rubric{},
		"$defs/rubricCriterion":             rubric.Criterion{},
		"$defs/item":                        rubric.Item{},
		"$defs/item/properties/probe":       artifact.Probe{},
		"$defs/level":                       rubric.Level{},
		"$defs/round":                       Round{},
		"$defs/result":                      score.Result{},
		"$defs/criterion":                   score.Criterion{},
		"$defs/judgeResult":                 score.JudgeResult{},
		"$defs/disagreement":                score.Disagreement{},
		"$defs/judgeScore":                  score.JudgeScore{},
		"$defs/pending":                     Pending{},
		"$defs/change":                      score.Change{},
		"$defs/calibration":                 score.Calibration{},
		"$defs/seat":                        Seat{},
		"$defs/verdict":                     verdict.Verdict{},
		"$defs/loop/properties/budget":      Limits{},
		"$defs/spent":                       Spent{},
		"$defs/calibration/properties/flip": score.Rate{},
		"$defs/calibration/properties/judges/items":                                score.JudgeNoise{},
		"$defs/calibration/properties/shaky/items":                                 score.ItemNoise{},
		"$defs/criterion/properties/suggestions/items":                             score.Suggestion{},
		"$defs/judgeResult/properties/claims/items":                                score.Claim{},
		"$defs/verdict/properties/items/additionalProperties/additionalProperties": verdict.Answer{},
	} {
		schematest.Matches(t, "state", place, reflect.TypeOf(of), false)
	}
}

func TestWhatArmsALoopFitsTheSchemaOfTheState(t *testing.T) {
	for _, doc := range []string{
		`{}`,
		`{"rulph":null}`,
		`{"rulph":false}`,
		`{"rulph":{}}`,
		`{"skill":"rulph","rulph":{"round":0,"max_rounds":5,"score":91.65,"threshold":90,"status":"active","iteration":0,"max_iterations":15}}`,
		`{"rulph":{"status":"init","session_id":"s1","iteration":0,"max_iterations":15}}`,
		`{"rulph":{"status":"active","of_tomorrow":{"a":[1]}},"other":[]}`,
	} {
		schematest.Fits(t, "state", []byte(doc))
	}
}

func TestWhatParseRefusesTheSchemaOfTheStateRefusesToo(t *testing.T) {
	for _, doc := range []string{
		`{"rulph":[]}`,
		`{"rulph":"active"}`,
		`{"rulph":{"schema":2}}`,
		`{"rulph":{"score":"90"}}`,
		`{"rulph":{"score":101}}`,
		`{"rulph":{"threshold":-1}}`,
		`{"rulph":{"round":1.5}}`,
		`{"rulph":{"iteration":-1}}`,
		`{"rulph":{"max_iterations":"many"}}`,
		`{"rulph":{"waiting":"no"}}`,
		`{"rulph":{"started_at":"yesterday"}}`,
		`{"rulph":{"judges":{}}}`,
	} {
		if _, err := Parse([]byte(doc)); err == nil {
			t.Errorf("Parse takes %s", doc)
		}
		if schematest.Check(t, "state", []byte(doc)) == nil {
			t.Errorf("the schema takes %s", doc)
		}
	}
}
