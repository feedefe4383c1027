package report

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var colour = regexp.MustCompile(`--([a-z0-9-]+): #([0-9a-f]{6})([0-9a-f]{2})?;`)

// palettes are the colours of the light and the dark page by name.
func palettes(t *testing.T) map[string]map[string]string {
	t.Helper()
	css, err := pageFiles.ReadFile("page/style.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark, ok := strings.Cut(string(css), "@media (prefers-color-scheme: dark)")
	if !ok {
		t.Fatal("the style sheet has no dark palette")
	}
	both := map[string]map[string]string{"light": {}, "dark": {}}
	for name, text := range map[string]string{"light": light, "dark": strings.Split(dark, "\n}")[0]} {
		for _, m := range colour.FindAllStringSubmatch(text, -1) {
			if m[3] == "" {
				both[name][m[1]] = m[2]
			}
		}
	}
	return both
}

// contrast is the ratio of WCAG 2.2: relative luminances, each plus 0.05.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(hex string) float64 {
		n, err := strconv.ParseUint(hex, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		linear := func(c uint64) float64 {
			v := float64(c&0xff) / 255
			if v <= 0.04045 {
				return v / 12.92
			}
			return math.Pow((v+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(n>>16) + 0.7152*linear(n>>8) + 0.0722*linear(n)
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// WCAG asks for 4.5 between text and what is behind it, and 3 for lines and shapes that mean something.
func TestTextAndShapesStandOutFromWhatIsBehindThem(t *testing.T) {
	text := [][2]string{
		{"ink", "ground"}, {"ink", "card"}, {"soft", "ground"}, {"soft", "card"}, {"accent", "card"}, {"accent", "ground"},
		{"good", "card"}, {"bad", "card"}, {"warn", "card"},
		{"good", "good-ground"}, {"bad", "bad-ground"}, {"warn", "warn-ground"}, {"soft", "plain-ground"}, {"other", "other-ground"},
		{"ink", "good-ground"}, {"ink", "bad-ground"}, {"soft", "good-ground"}, {"soft", "bad-ground"}, {"card", "good"}, {"card", "bad"},
		{"s-low", "s0"}, {"s-low", "s1"}, {"s-low", "s2"}, {"s-high", "s3"}, {"s-high", "s4"},
	}
	shapes := [][2]string{{"accent", "track"}, {"bad", "track"}, {"good", "card"}, {"soft", "card"}}
	for palette, colours := range palettes(t) {
		if len(colours) < 20 {
			t.Fatalf("%s: only %d colours were found", palette, len(colours))
		}
		for least, pairs := range map[float64][][2]string{4.5: text, 3: shapes} {
			for _, p := range pairs {
				a, b := colours[p[0]], colours[p[1]]
				if a == "" || b == "" {
					t.Fatalf("%s: no colour %s or %s", palette, p[0], p[1])
				}
				if got := contrast(t, a, b); got < least {
					t.Errorf("%s: %s on %s has %.2f, needs %v", palette, p[0], p[1], got, least)
				}
			}
		}
	}
	if got := contrast(t, "000000", "ffffff"); math.Abs(got-21) > 1e-9 {
		t.Errorf("black on white is %v, want 21", got)
	}
}
