package verdict

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// FuzzParse checks what every caller relies on: an answer is a verdict of the form and survives JSON,
// or it is refused with a short printable reason.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		filled,
		"prose {x} ```json\n" + filled + "\n```",
		`{"scores":{"tone":50,"fidelity":1},"checklist":{"Set-up instructions":{"os":true,"install":{"verdict":"no"},"check":"unsure"},"links":{"issues":false,"licence":null}}}`,
		`{"items":{"setup":{"os":{"verdict":"YES","evidence":"a\u0000b\n\ufffd"},"install":"no","check":"no"},"links":{"issues":"no","licence":"no"}},"points":{"fidelity":-0},"levels":{"tone":1e2}}`,
		`{"checklist":{"setup":{"os":true,"os":false}}}`,
		`{"checklist":{"setup":{"ios":true}}}`,
		`{"levels":{"tone":74}}`,
		`{"checklist":`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := Parse(text, handbook)
		if err != nil {
			var m *Malformed
			if !errors.As(err, &m) {
				t.Fatalf("error of type %T", err)
			}
			if n := utf8.RuneCountInString(m.Reason); n == 0 || n > 400 {
				t.Errorf("reason of %d runes: %s", n, m.Reason)
			}
			if strings.ContainsFunc(m.Reason, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("unprintable reason %q", m.Reason)
			}
			return
		}
		checkVerdict(t, v)

		stored, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var back Verdict
		if err := json.Unmarshal(stored, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(v, back); diff != "" {
			t.Errorf("JSON changed the verdict:\n%s", diff)
		}
		again, err := Parse(stored, handbook)
		if err != nil {
			t.Fatalf("the stored verdict %s: %v", stored, err)
		}
		again.Claimed = v.Claimed // stored under a name of its own
		if diff := cmp.Diff(v, again); diff != "" {
			t.Errorf("the stored verdict reads otherwise:\n%s", diff)
		}
	})
}

func checkVerdict(t *testing.T, v Verdict) {
	t.Helper()
	answered := 0
	for id, items := range v.Items {
		c := slices.IndexFunc(handbook.Criteria, func(c FormCriterion) bool { return c.ID == id && c.scale() == nil })
		if c < 0 || len(items) == 0 {
			t.Fatalf("criterion %q with %d items", id, len(items))
		}
		for item, a := range items {
			answered++
			if !slices.ContainsFunc(handbook.Criteria[c].Items, func(it FormItem) bool { return it.ID == item }) {
				t.Errorf("item %q of %q is not in the form", item, id)
			}
			if a.Word != Yes && a.Word != No && a.Word != Unsure {
				t.Errorf("answer %q", a.Word)
			}
			checkText(t, a.Evidence)
		}
	}
	for id, level := range v.Levels {
		answered++
		c := slices.IndexFunc(handbook.Criteria, func(c FormCriterion) bool { return c.ID == id })
		if c < 0 || !slices.Contains(handbook.Criteria[c].scale(), level) {
			t.Errorf("level %v of %q", level, id)
		}
	}
	for _, s := range v.Suggestions {
		checkText(t, s)
	}
	if v.Missing != 7-answered || v.Missing > 1 {
		t.Errorf("%d missing with %d of 7 answered", v.Missing, answered)
	}
}

func checkText(t *testing.T, s string) {
	t.Helper()
	if len(s) > TextLimit || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		t.Errorf("text kept: %q", s)
	}
}
