package ui

import (
	"bytes"
	"os"
	"testing"
)

func env(pairs ...string) func(string) string {
	return func(key string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == key {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestLookFollowsTheTerminalAndTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		name  string
		env   func(string) string
		width int
		want  Look
	}{
		{"terminal", env("TERM", "xterm"), 100, Look{Live: true, Color: true, Width: 100}},
		{"NO_COLOR set", env("TERM", "xterm", "NO_COLOR", "1"), 100, Look{Live: true, Width: 100}},
		{"NO_COLOR empty counts as absent", env("TERM", "xterm", "NO_COLOR", ""), 100, Look{Live: true, Color: true, Width: 100}},
		{"dumb terminal", env("TERM", "dumb"), 100, Look{Width: 100}},
		{"unknown width", env("TERM", "xterm"), 0, Look{Live: true, Color: true, Width: 80}},
	} {
		if got := terminalLook(c.env, c.width); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestAPipeAndAFileGetNoColour(t *testing.T) {
	o := IO{Getenv: env("TERM", "xterm")}
	if got := o.Look(&bytes.Buffer{}); got != (Look{}) {
		t.Errorf("a buffer looks like %+v", got)
	}
	// The null device is a character device and yet no terminal.
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if got := o.Look(null); got != (Look{}) {
		t.Errorf("the null device looks like %+v", got)
	}
}

func TestPaintColoursOnlyWhereColourIsShown(t *testing.T) {
	if got := (Look{}).Paint(Wrong, "below floor"); got != "below floor" {
		t.Errorf("without colour: %q", got)
	}
	if got, want := (Look{Color: true}).Paint(Wrong, "below floor"), "\x1b[31mbelow floor\x1b[m"; got != want {
		t.Errorf("with colour: %q, want %q", got, want)
	}
	if got := (Look{Color: true}).Paint(Plain, "text"); got != "text" {
		t.Errorf("plain: %q", got)
	}
}

func TestPrintableShowsWhatWouldOtherwiseAct(t *testing.T) {
	for in, want := range map[string]string{
		"a\tb\nc":             "a\tb\nc",
		"two\r\nlines":        "two\nlines",
		"over\rwrite":         "over␍write",
		"\x1b]0;title\x07":    "␛]0;title␇",
		"nul\x00 del\x7f":     "nul␀ del␡",
		"admin\u202etxt.exe":  "admin<U+202E>txt.exe",
		"c1\u009b31m":         "c1<U+009B>31m",
		"separator\u2028line": "separator<U+2028>line",
		"tag\U000e0041":       "tag<U+E0041>",
		"bad \xff byte":       "bad \uFFFD byte",
		"한국어 – naïve — שלום 👩‍🔧": "한국어 – naïve — שלום 👩‍🔧",
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
	if got := OneLine("  a \n\n b\tc\x00 "); got != "a b c␀" {
		t.Errorf("OneLine: %q", got)
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b[2J\x00\r\n\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := Printable(s)
		if again := Printable(got); again != got {
			t.Fatalf("not stable: %q, then %q", got, again)
		}
		for _, r := range got {
			if (r < 0x20 && r != '\n' && r != '\t') || r == 0x7f || deceives(r) {
				t.Fatalf("%q still holds %U", got, r)
			}
		}
	})
}
