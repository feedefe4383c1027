//go:build unix

package markdown

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// Each text made a naive scanner, or an early version of a known one, take the square of its length:
// eight times the text took 64 times as long. Processor time is measured, which a busy machine does not stretch.
func TestScanTakesLinearTime(t *testing.T) {
	for name, text := range map[string]func(n int) string{
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
	} {
		took := func(n int) time.Duration {
			s := text(n)
			start := processorTime(t)
			Scan(s)
			return processorTime(t) - start
		}
		// The collector takes its time when it likes: the best of the large is held against the worst of
		// the small.
		const n = 1 << 19
		large := min(took(n), took(n), took(n))
		if large < 200*time.Millisecond {
			continue
		}
		if small := max(took(n/8), took(n/8), took(n/8)); large > 30*small {
			t.Errorf("%s: %d bytes took %s, an eighth of them %s", name, n, large, small)
		}
	}
}

func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func rep(s string, n int) string { return strings.Repeat(s, n/len(s)) }
