package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// Each text made a naive scanner, or an early version of a known one, take the square of its length:
// eight times the text took 64 times as long.
var floods = map[string]func(n int) string{
	"backtick runs": func(n int) string {
		var out strings.Builder
		for i := 1; out.Len() < n; i++ {
			out.WriteString(strings.Repeat("`", i) + " ")
		}
		return out.String()
	},
	"open brackets":        func(n int) string { return rep("[", n) },
	"closed brackets":      func(n int) string { return rep("[", n) + rep("]", n) },
	"links in brackets":    func(n int) string { return rep("[", n) + rep("[a](b)", n) },
	"open targets":         func(n int) string { return rep("[a](", n) },
	"open angle targets":   func(n int) string { return rep("[a](<", n) },
	"open titles":          func(n int) string { return rep("[a](b \"", n) },
	"open comments":        func(n int) string { return rep("x <!-- ", n) },
	"html comments":        func(n int) string { return rep("<!--", n) },
	"open tags":            func(n int) string { return rep("<a x=\"", n) },
	"attributes":           func(n int) string { return "x <a" + rep(" b", n) + rep("<a b", n) },
	"emphasis marks":       func(n int) string { return rep("*a _b ", n) },
	"quotes":               func(n int) string { return rep("> ", n) + "\n" + rep("a\n", n) },
	"items":                func(n int) string { return rep("- ", n) + "a\n" + rep("\n", n) },
	"definitions":          func(n int) string { return rep("[a]: b\n", n) },
	"open labels":          func(n int) string { return rep("[a][b", n) },
	"empty lines in items": func(n int) string { return "- a\n" + rep("\n", n) + "  b" },
	"headings":             func(n int) string { return rep("# a\n", n) },
}

func TestScanComesToAnEndOnFloods(t *testing.T) {
	for name, text := range floods {
		s := text(1 << 16)
		if doc := Scan(s); len(doc.Headings) > strings.Count(s, "#") {
			t.Errorf("%s: %d headings", name, len(doc.Headings))
		}
	}
}

// BenchmarkScan shows whether a flood of eight times the size takes eight times as long.
func BenchmarkScan(b *testing.B) {
	for name, text := range floods {
		for _, n := range []int{1 << 16, 1 << 19} {
			s := text(n)
			b.Run(fmt.Sprintf("%s/%d", strings.ReplaceAll(name, " ", "-"), n), func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				for b.Loop() {
					Scan(s)
				}
			})
		}
	}
}

func rep(s string, n int) string { return strings.Repeat(s, n/len(s)) }
