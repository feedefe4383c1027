package artifact

import (
	"strings"
	"testing"
)

func TestQuotesOccurWhateverTypographyChanged(t *testing.T) {
	a := texts(
		"a.md", "Run `make install`\r\nand wait\u00a0…  It’s “ready” – or\n\n\tnot—yet. Soft\u00adhyphen, zero\u200bwidth. Größe: 5\u202f%.",
		"b.md", "\ufeffThe first words of b.")
	for _, quote := range []string{
		"Run `make install` and wait",
		"make install`\nand",
		"and wait ... It's \"ready\" - or not-yet.",
		"“ready” — or",
		"  wait … It's  ",
		"Softhyphen, zerowidth",
		"Größe: 5 %",
		"The first words",
		"5",
	} {
		if !a.Contains(quote) {
			t.Errorf("%q does not occur", quote)
		}
	}
}

func TestQuotesThatSayAnythingElseDoNotOccur(t *testing.T) {
	a := texts("a.md", "Run `make install` and **wait** ... then go", "b.md", "on.")
	for name, quote := range map[string]string{
		"empty":                "",
		"blank":                " \n\u00a0",
		"without a letter":     "...",
		"marks that do occur":  "` ** ...",
		"another case":         "run `make",
		"marks left out":       "make install and",
		"emphasis left out":    "and wait",
		"a gap":                "Run ... then go",
		"across two files":     "go on.",
		"spaces left out":      "makeinstall",
		"spaces that are new":  "make in stall",
		"words in their place": "install make",
		"another hyphenation":  "Run `make-install`",
	} {
		if a.Contains(quote) {
			t.Errorf("%s: %q occurs", name, quote)
		}
	}
}

// BenchmarkQuoted looks a quotation up in an artifact of the largest size, prepared once.
func BenchmarkQuoted(b *testing.B) {
	quoted := texts("a.md", strings.Repeat("Some words, “quoted” – and more.\n", MaxBytes/40)).Quoted()
	for b.Loop() {
		if quoted("nothing like it") {
			b.Fatal("it occurs")
		}
	}
}

func FuzzContains(f *testing.F) {
	f.Add("some text", "more text", 2, 7)
	f.Add("a\u00a0\u00adb – “c”\r\n", "…", 0, 9)
	f.Add("\xff\xfe\x80x", " ", 1, 2)
	f.Add("ﬁ Ⅷ ٣", "\u2028", 0, 3)
	f.Fuzz(func(t *testing.T, text, other string, from, length int) {
		folded := fold(text)
		if again := fold(folded); again != folded {
			t.Errorf("fold(%q) = %q, and again %q", text, folded, again)
		}
		a := texts("a.md", other, "b.md", text)
		// Every passage that says something occurs.
		runes := []rune(strings.ToValidUTF8(text, "?"))
		a.Files[1].Data = []byte(string(runes))
		if from < 0 || length < 0 || from > len(runes) || length > len(runes)-from {
			return
		}
		quote := string(runes[from : from+length])
		says := strings.ContainsFunc(quote, saysSomething)
		if got := a.Contains(quote); got != says {
			t.Errorf("Contains(%q) = %v in %q", quote, got, text)
		}
	})
}
