package rubricfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rulph/internal/artifact"
	"rulph/internal/rubric"
)

func pointer[T any](v T) *T { return &v }

// handbook is what testdata/handbook.yaml and testdata/handbook.md say.
func handbook() rubric.Rubric {
	r := rubric.New()
	r.Title, r.Target = "Team handbook", "HANDBOOK.md"
	r.Threshold, r.Floor, r.MaxRounds, r.Evidence = 80, 60, 5, rubric.Required
	r.Criteria = []rubric.Criterion{
		{
			ID: "setup", Name: "Set-up instructions", Weight: 40, Stated: pointer(40.0), Floor: pointer(70.0),
			Items: []rubric.Item{
				{ID: "names-the-supported-operating-systems", Text: "Names the supported operating systems"},
				{ID: "leaves-nothing-to-be-done", Text: "Leaves nothing to be done", Probe: &artifact.Probe{Lacks: "TODO|FIXME"}},
				{ID: "install", Text: "Gives an install command in a code block", Check: `grep -q 'go install' "$TARGET"`, Fix: `./fix-install.sh "$TARGET"`},
				{ID: "stays-short", Text: "Stays short", Probe: &artifact.Probe{MaxWords: pointer(400)}},
				{ID: "is-long-enough", Text: "Is long enough", Probe: &artifact.Probe{MinWords: pointer(20)}},
				{ID: "has-a-section-on-usage", Text: "Has a section on usage", Probe: &artifact.Probe{Heading: "Usage"}},
				{ID: "names-a-version", Text: "Names a version", Probe: &artifact.Probe{Match: `v\d+`}},
				{ID: "its-links-lead-somewhere", Text: "Its links lead somewhere", Probe: &artifact.Probe{Links: true}},
			},
		},
		{
			ID: "tone", Name: "Writing tone", Weight: 20, Stated: pointer(20.0),
			Levels: []rubric.Level{{At: 0, Text: "only praise"}, {At: 25, Text: "mostly praise"}, {At: 50, Text: "half of it facts"}, {At: 75, Text: "mostly facts"}, {At: 100, Text: "only facts"}},
		},
		{
			ID: "fidelity", Name: "Fidelity to intent", Weight: 40, Stated: pointer(40.0),
			Points: []rubric.Level{{At: 0, Text: "another topic"}, {At: 1, Text: "the topic: not the goal"}, {At: 2, Text: "the goal"}},
		},
	}
	return r
}

func TestBothFormsOfTheHandbookAreOneRubric(t *testing.T) {
	for _, file := range []string{"testdata/handbook.yaml", "testdata/handbook.md"} {
		r, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(handbook(), *r); diff != "" {
			t.Errorf("%s:\n%s", file, diff)
		}
	}
}

func TestDefaultsAreThoseOfTheDesign(t *testing.T) {
	r, err := Parse("r.yaml", []byte("criteria: [{name: A, items: [a, b]}, {name: B, items: [c, d]}]"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Version != 1 || r.Threshold != 70 || r.Floor != 60 || r.MaxRounds != 5 || r.Evidence != rubric.Optional || r.Holdout != 0 {
		t.Errorf("the defaults are %+v", r)
	}
	if r.Criteria[0].Weight != 50 || r.Criteria[0].Stated != nil || r.Criteria[0].ID != "a" || r.Criteria[0].Items[1].ID != "b" {
		t.Errorf("the first criterion is %+v", r.Criteria[0])
	}
}

func TestAZeroIsNoDefault(t *testing.T) {
	r, err := Parse("r.yaml", []byte("threshold: 0\nfloor: -0\nmax_rounds: 0\ncriteria: [{name: A, floor: 0, items: [a, b]}, {name: B, items: [c, d]}]"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Threshold != 0 || r.Floor != 0 || r.MaxRounds != 0 || r.Criteria[0].Floor == nil || *r.Criteria[0].Floor != 0 {
		t.Errorf("the rubric is %+v", r)
	}
}

func TestATextMayLookLikeAnotherType(t *testing.T) {
	r, err := Parse("r.yaml", []byte("title: 2026\ncriteria: [{name: true, items: [1.50, yes, 2026-01-01]}, {name: 12, id: 7, items: [on, 0x1F]}]"))
	if err != nil {
		t.Fatal(err)
	}
	got := []string{r.Title, r.Criteria[0].Name, r.Criteria[0].Items[0].Text, r.Criteria[0].Items[1].Text, r.Criteria[0].Items[2].Text, r.Criteria[1].Name, r.Criteria[1].ID, r.Criteria[1].Items[1].Text}
	if diff := cmp.Diff([]string{"2026", "true", "1.50", "yes", "2026-01-01", "12", "7", "0x1F"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestACommentAfterATextIsNoPartOfIt(t *testing.T) {
	r, err := Parse("r.yaml", []byte("criteria:\n  - name: A # a name\n    items:\n      - a # first\n      - 'b #2'\n  - {name: B, items: [c, d]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Criteria[0]; got.Name != "A" || got.Items[0].Text != "a" || got.Items[1].Text != "b #2" {
		t.Errorf("the criterion is %+v", got)
	}
}

func TestAScriptKeepsItsLines(t *testing.T) {
	const script = "set -e\n\tgo build ./...\n\n  go vet ./... # all"
	for name, text := range map[string]string{
		"r.yaml": "criteria:\n- name: A\n  items:\n  - text: a\n    check: |\n      set -e\n      \tgo build ./...\n\n        go vet ./... # all\n\n  - b\n- {name: B, items: [c, d]}\n",
		"r.md":   "## A\n- [ ] a\n  - check:\n\n    ~~~\n    set -e\n    \tgo build ./...\n\n      go vet ./... # all\n    ~~~\n- [ ] b\n\n## B\n- [ ] c\n- [ ] d\n",
	} {
		r, err := Parse(name, []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(script, r.Criteria[0].Items[0].Check); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestCodeInBackticksIsReadAsMarkdownShowsIt(t *testing.T) {
	for value, want := range map[string]string{
		"`a`":        "a",
		"`` a`b ``":  "a`b",
		"` `a` `":    "` `a` `", // two spans
		"`a` && `b`": "`a` && `b`",
		"` a `":      "a",
		"`  a `":     " a",
		"`a":         "`a",
		"``":         "``",
		"` `":        " ",
		"a":          "a",
		"`` ` ``":    "`",
	} {
		if got := fromCodeSpan(value); got != want {
			t.Errorf("%s is read as %q, want %q", value, got, want)
		}
	}
}

func TestFilesThatCanNotBeRead(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir); err == nil || err.Error() != dir+" is a folder; name the rubric file in it" {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Read(filepath.Join(dir, "none.yaml")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	large := filepath.Join(dir, "large.yaml")
	if err := os.WriteFile(large, []byte(strings.Repeat("#", MaxBytes+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(large); err == nil || !strings.Contains(err.Error(), "is larger than 1048576 bytes") {
		t.Errorf("a large file: %v", err)
	}
	if r := Check("r.yaml", []byte(strings.Repeat("#", MaxBytes+1))); len(r.Errors) != 1 {
		t.Errorf("large data: %v", r.Errors)
	}
}

func TestTheErrorShowsEveryFindingWithItsLine(t *testing.T) {
	_, err := Parse("handbook.yaml", []byte("threshold: 800\nfloor: 70\ncriteria:\n- {name: A, items: [a, b]}\n"))
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Name != "handbook.yaml" || len(e.Findings) != 2 {
		t.Fatalf("the error is %#v", err)
	}
	want := `handbook.yaml:1:12: threshold must be 0 to 100; it is 800
    1 | threshold: 800
      |            ^
handbook.yaml:3:1: a rubric needs at least 2 criteria, so that one can't hide another; it has 1
    3 | criteria:
      | ^`
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
}

func TestTheCaretStandsBelowWideAndHostileText(t *testing.T) {
	for name, c := range map[string]struct {
		line   string
		column int
		want   string
	}{
		"wide":      {"日本 x", 4, "    7 | 日本 x\n      |      ^\n"},
		"tab":       {"\tx", 2, "    7 |  x\n      |  ^\n"},
		"escape":    {"\x1b[2Jx", 5, "    7 | ␛[2Jx\n      |     ^\n"},
		"fits":      {strings.Repeat("a", 120), 120, "    7 | " + strings.Repeat("a", 120) + "\n      | " + strings.Repeat(" ", 119) + "^\n"},
		"past end":  {"ab", 9, "    7 | ab\n      |   ^\n"},
		"long":      {strings.Repeat("a", 200) + "X" + strings.Repeat("b", 200), 201, "    7 | …" + strings.Repeat("a", 60) + "X" + strings.Repeat("b", 59) + "…\n      | " + strings.Repeat(" ", 61) + "^\n"},
		"no column": {"", 0, "    7 |\n      | ^\n"},
	} {
		f := Finding{Line: 7, Column: c.column, source: c.line}
		if diff := cmp.Diff(c.want, f.Excerpt()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestAFileThatIsSomethingElseGetsABoundedAnswer(t *testing.T) {
	r := Check("r.yaml", []byte("criteria: ["+strings.Repeat("1,", 10_000)+"]"))
	if n := len(r.Errors); n != mostFindings {
		t.Fatalf("%d findings", n)
	}
	if m := r.Errors[mostFindings-1].Message; !strings.HasSuffix(m, "(and 9800 findings after this one)") {
		t.Errorf("the last one says %q", m)
	}
}

func TestUnknownKeysNameTheNearest(t *testing.T) {
	for _, c := range []struct {
		known     []string
		key, want string
	}{
		{rubricKeys, "treshold", "threshold"}, {rubricKeys, "max-rounds", "max_rounds"}, {rubricKeys, "Title", "title"}, {rubricKeys, "criterias", "criteria"},
		{criterionKeys, "wieght", "weight"}, {criterionKeys, "level", "levels"}, {criterionKeys, "point", "points"},
		{itemKeys, "mach", "match"}, {itemKeys, "maxwords", "max_words"}, {itemKeys, "minwords", "min_words"}, {itemKeys, "link", "links"}, {itemKeys, strings.Repeat("x", 1<<20), "text"},
	} {
		if got, _ := nearest(c.key, c.known); got != c.want {
			t.Errorf("the nearest to %.20q is %q, want %q", c.key, got, c.want)
		}
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"wieght", "weight", 1}, {"kitten", "sitting", 3}, {"é", "e", 1}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q and %q are %d apart, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestWriteRefusesWhatParseWould(t *testing.T) {
	r := handbook()
	r.Criteria[1].Name = "two\nlines"
	if _, err := Write(&r, YAML); err == nil || err.Error() != "the rubric can't be written: criteria[1].name: name must be one line without control characters" {
		t.Errorf("the error is %v", err)
	}
	r = handbook()
	if _, err := Write(&r, "toml"); !errors.Is(err, ErrFormat) {
		t.Errorf("the error is %v", err)
	}
}
