package rubric

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCommandsAreEveryCheckAndFix(t *testing.T) {
	want := []Command{
		{"set-up-instructions", "install", "check", `grep -q 'go install' "$TARGET"`},
		{"set-up-instructions", "install", "fix", `./fix-install.sh "$TARGET"`},
	}
	if diff := cmp.Diff(want, handbook().Commands()); diff != "" {
		t.Error(diff)
	}
}

func TestQuestionsAreCountedByWhoAnswersThem(t *testing.T) {
	if diff := cmp.Diff(Count{Criteria: 3, Text: 1, Command: 1, Judge: 4}, handbook().Count()); diff != "" {
		t.Error(diff)
	}
}
