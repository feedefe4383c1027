package skillscore

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"rulph/internal/rubric"
	"rulph/internal/rubric/rubricfile"
	"rulph/internal/runs"
)

// Each of our own skills has a rubric that the text itself answers for the most part, and a log that begins with
// what the embedded judge made of a real output by that very rubric.
func TestOurOwnSkillsHaveARubricAndAFirstRecord(t *testing.T) {
	for _, path := range []string{"rulph/rulph", "rulph/skill-score", "starter/release-notes"} {
		dir := filepath.Join("..", "..", "evals", filepath.FromSlash(path))
		r, err := rubricfile.Read(filepath.Join(dir, "rubric.md"))
		if err != nil {
			t.Error(err)
			continue
		}
		byText, all := 0, 0
		for _, c := range r.Criteria {
			for _, it := range c.Items {
				if all++; it.Kind() == rubric.ByText {
					byText++
				}
			}
			if len(c.Points) > 0 {
				all++
			}
			if len(c.Levels) > 0 {
				t.Errorf("%s: %s is not on the scale of two points", path, c.ID)
			}
		}
		if n := len(r.Criteria); n < 5 || n > 6 || 3*byText < 2*all {
			t.Errorf("%s: %d criteria, %d of %d questions are answered by the text", path, n, byText, all)
		}
		log, err := os.ReadFile(filepath.Join(dir, "runs.jsonl"))
		if err != nil {
			t.Error(err)
			continue
		}
		first, _, _ := bytes.Cut(log, []byte("\n"))
		var rec runs.Record
		if err := json.Unmarshal(first, &rec); err != nil || rec.Judge != Embedded || rec.Decision != runs.Baseline || !rec.Scores.Estimated || rec.RubricHash != r.Hash() {
			t.Errorf("%s: the first record is %s (%v)", path, first, err)
		}
	}
}
