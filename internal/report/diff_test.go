package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiffIsReadLineByLine(t *testing.T) {
	text := strings.Join([]string{
		"diff --git a/x.md b/x.md",
		"--- a/x.md\t2026-04-18",
		"+++ b/x.md",
		"@@ -3,3 +3,3 @@ heading",
		" same",
		"--- a removed rule",
		"-the lead is told",
		"+++ an added rule",
		"+the team lead is told",
		"--- a/gone.md",
		"+++ /dev/null",
		"@@ -1 +0,0 @@",
		"-last words",
		"\\ No newline at end of file",
	}, "\n")
	want := []diffFile{
		{Name: "x.md", Added: 2, Removed: 2, Lines: []diffLine{
			{Kind: "hunk", Pre: "@@ -3,3 +3,3 @@ heading"},
			{Kind: "same", Old: 3, New: 3, Pre: "same"},
			{Kind: "del", Old: 4, Mid: "-- a remov", Post: "ed rule"},
			{Kind: "del", Old: 5, Pre: "the ", Post: "lead is told"},
			{Kind: "add", New: 4, Mid: "++ an add", Post: "ed rule"},
			{Kind: "add", New: 5, Pre: "the ", Mid: "team ", Post: "lead is told"},
		}},
		{Name: "gone.md", Removed: 1, Lines: []diffLine{
			{Kind: "hunk", Pre: "@@ -1 +0,0 @@"},
			{Kind: "del", Old: 1, Pre: "last words"},
			{Kind: "note", Pre: "\\ No newline at end of file"},
		}},
	}
	if diff := cmp.Diff(want, parseDiff(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatIsNoDiffIsShownAsItIs(t *testing.T) {
	got := parseDiff("no diff\n@@ broken\n+text\x00\n")
	want := []diffFile{{Lines: []diffLine{
		{Kind: "note", Pre: "no diff"}, {Kind: "hunk", Pre: "@@ broken"}, {Kind: "note", Pre: "+text␀"},
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := parseDiff(""); got != nil {
		t.Errorf("an empty diff: %v", got)
	}
}

func TestRewrittenLinesAreNotMarked(t *testing.T) {
	a, b := diffLine{Pre: "Ask around."}, diffLine{Pre: "The owner is told within 15 minutes."}
	markPair(&a, &b)
	if a.Mid != "" || b.Mid != "" {
		t.Errorf("marked %q and %q", a.Mid, b.Mid)
	}
}

// FuzzDiff holds that no line of a diff is lost, whatever an artifact made of it.
func FuzzDiff(f *testing.F) {
	f.Add("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n")
	f.Add("@@ -1,99999999999999999999 +1 @@\n+\n-\n \n")
	f.Add("+++ \n--- \n@@ -0,0 +1 @@")
	f.Fuzz(func(t *testing.T, text string) {
		lines := 0
		for _, file := range parseDiff(text) {
			lines += len(file.Lines)
		}
		headers := 0
		for line := range strings.SplitSeq(text, "\n") {
			for _, start := range []string{"--- ", "+++ ", "diff ", "index "} {
				if strings.HasPrefix(line, start) {
					headers++
				}
			}
		}
		total := strings.Count(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n") + 1
		if lines > total || lines+headers < total && text != "" && text != "\n" && text != "\r\n" {
			t.Fatalf("%d lines of %d, %d headers", lines, total, headers)
		}
	})
}
