package rulph

import (
	"reflect"
	"testing"

	"rulph/internal/loop"
	"rulph/internal/score"
	"rulph/schemas/schematest"
)

func TestTheSchemasOfTheOutputsNameTheSameFields(t *testing.T) {
	for _, c := range []struct {
		schema, place string
		of            any
	}{
		{"rulph", "", View{}},
		{"rulph", "$defs/round", RoundView{}},
		{"rulph", "$defs/judgeView", JudgeView{}},
		{"rulph", "$defs/criterion", CriterionView{}},
		{"rulph", "$defs/answer", AnswerView{}},
		{"rulph", "$defs/step", loop.Step{}},
		{"rulph", "properties/estimate", Estimate{}},
		{"rulph", "properties/budget", loop.Limits{}},
		{"rulph", "$defs/spent", loop.Spent{}},
		{"rulph", "$defs/work", loop.Work{}},
		{"rulph", "$defs/change", score.Change{}},
		{"rulph", "$defs/calibration", score.Calibration{}},
		{"calibration", "", score.Calibration{}},
		{"rulph", "$defs/disagreement", score.Disagreement{}},
		{"rulph", "$defs/judgeScore", score.JudgeScore{}},
		{"rulph-prompt", "", Prompt{}},
		{"rulph-submit", "", Submission{}},
		{"rulph-submit", "$defs/step", loop.Step{}},
	} {
		schematest.Matches(t, c.schema, c.place, reflect.TypeOf(c.of), true)
	}
}
