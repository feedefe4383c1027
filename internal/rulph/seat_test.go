//go:build unix

package rulph

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rulph/internal/ui"
)

// only is an environment in which these programs are on the PATH and no others.
func (l *lab) only(names ...string) []string {
	l.t.Helper()
	dir := l.t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
			l.t.Fatal(err)
		}
	}
	return []string{"PATH=" + dir, "HOME=" + dir}
}

// Whoever names no judge means those that are there: in Codex's sandbox too, where they cannot answer and
// have to say why.
func TestWithoutANameTheInstalledClientsSayWhyTheyCannotAnswer(t *testing.T) {
	l := newLab(t, "Linux\n", oneQuestion)
	l.Environ = append(l.only("codex", "gemini"), "CODEX_SANDBOX=seatbelt", "CODEX_SANDBOX_NETWORK_DISABLED=1")
	o, _ := l.options(inPlace)
	o.Targets = []string{"NOTES.md"}
	_, runErr := l.Run(context.Background(), o)
	_, err := l.assess(func(*AssessOptions) {})
	for _, err := range []error{err, runErr} {
		want := "no judge can be asked (codex: codex cannot reach its model: this is Codex's sandbox, which has no network; gemini: gemini cannot reach its model: this is Codex's sandbox, which has no network)"
		if ui.CodeOf(err) != ui.NoJudge || err.Error() != want {
			t.Errorf("got %v", err)
		}
	}
	if hinted, ok := errors.AsType[*ui.Error](err); !ok || len(hinted.Hints) == 0 || !strings.HasPrefix(hinted.Hints[0], "let Codex run the command outside of its sandbox") {
		t.Errorf("the way out is %+v", hinted)
	}
}

func TestAScoringWithoutAJudgeSaysHowToGetOne(t *testing.T) {
	l := newLab(t, "Linux\n", oneQuestion)
	l.Environ = l.only()
	ev, err := l.assess(func(*AssessOptions) {})
	want := "unknown answers: 1, which only a judge could give, and this run has none; name one with --judge; no client of a model is installed here: " +
		"codex is not installed; npm install -g @openai/codex, then log in once by starting codex"
	if err != nil || !slices.Contains(ev.Warnings, want) {
		t.Errorf("%v: %q", err, ev.Warnings)
	}
	l.Environ = l.only("gemini")
	ev, err = l.assess(func(o *AssessOptions) { o.Judges = []string{"checks"} })
	if want := "unknown answers: 1, which only a judge could give, and this run has none; name one with --judge"; err != nil || !slices.Contains(ev.Warnings, want) {
		t.Errorf("%v: %q", err, ev.Warnings)
	}
}
