package evaluator

import (
	"strings"
	"testing"
	"time"
)

func TestOnlyZeroAndOneAreAnswers(t *testing.T) {
	for _, c := range []struct {
		out            Outcome
		answer, reason string
	}{
		{Outcome{Code: 0, Stderr: []byte("noise")}, Yes, ""},
		{Outcome{Code: 1}, No, ""},
		{Outcome{Code: 2, Stderr: []byte("first\ngrep: x.md: No such file\n\n")}, Unknown,
			"the check exited 2; 0 means yes and 1 means no: grep: x.md: No such file"},
		{Outcome{Code: 127, Stderr: []byte("sh: 1: jq: not found\n")}, Unknown,
			"the check needs a command that is not there (exit 127): sh: 1: jq: not found"},
		{Outcome{Code: 126}, Unknown, "the check needs a command that may not be run (exit 126)"},
		{Outcome{Code: 137}, Unknown, "the check was ended by signal 9"},
		{Outcome{Code: -1}, Unknown, "the check exited -1; 0 means yes and 1 means no"},
		{Outcome{Code: 0, TimedOut: true, Duration: 61 * time.Second}, Unknown,
			"the check did not end within its time limit (stopped after 1m1s)"},
	} {
		answer, reason := Answer(c.out)
		if answer != c.answer || reason != c.reason {
			t.Errorf("Answer(%+v) = %q, %q; want %q, %q", c.out, answer, reason, c.answer, c.reason)
		}
	}
}

func TestAnythingButZeroIsAFaultOfAFix(t *testing.T) {
	for _, c := range []struct {
		out  Outcome
		want string
	}{
		{Outcome{Code: 0, Stderr: []byte("noise")}, ""},
		{Outcome{Code: 1, Stderr: []byte("sed: no such file\n")}, "it exited 1: sed: no such file"},
		{Outcome{Code: 127}, "it needs a command that is not there (exit 127)"},
		{Outcome{Code: 143}, "it was ended by signal 15"},
		{Outcome{Code: 0, TimedOut: true, Duration: time.Minute}, "it did not end within its time limit (stopped after 1m0s)"},
	} {
		if got := Fault(c.out); got != c.want {
			t.Errorf("Fault(%+v) = %q, want %q", c.out, got, c.want)
		}
	}
}

func TestReasonIsOneHarmlessLine(t *testing.T) {
	_, reason := Answer(Outcome{Code: 3, Stderr: []byte("\x1b[31m" + strings.Repeat("ä", 300))})
	if strings.ContainsAny(reason, "\x1b\n") || !strings.HasSuffix(reason, "ä...") || len([]rune(reason)) > 260 {
		t.Errorf("reason %q", reason)
	}
}

func TestTailKeepsTheLastBytesWhateverTheWrites(t *testing.T) {
	text := strings.Repeat("0123456789", 50)
	for _, size := range []int{1, 3, 7, 16, 17, 40, 500} {
		w := tail{keep: 16}
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if wrote, err := w.Write([]byte(rest[:n])); wrote != n || err != nil {
				t.Fatalf("Write = %d, %v", wrote, err)
			}
			rest = rest[n:]
		}
		kept, dropped := w.bytes()
		if string(kept) != text[len(text)-16:] || dropped != int64(len(text)-16) {
			t.Errorf("writes of %d: kept %q, dropped %d", size, kept, dropped)
		}
	}
}

func TestTailStartsWithAWholeCharacter(t *testing.T) {
	w := tail{keep: 4}
	w.Write([]byte("aäöü"))
	if kept, dropped := w.bytes(); string(kept) != "öü" || dropped != 3 {
		t.Errorf("kept %q, dropped %d", kept, dropped)
	}
	w = tail{keep: 3}
	w.Write([]byte("aäöü"))
	if kept, dropped := w.bytes(); string(kept) != "ü" || dropped != 5 {
		t.Errorf("kept %q, dropped %d", kept, dropped)
	}
}

func FuzzTail(f *testing.F) {
	f.Add([]byte("hello, world"), 5, 3)
	f.Add([]byte("äöü€😀"), 4, 1)
	f.Add([]byte{0x80, 0x80, 0x80, 0x80, 0x80, 'x'}, 4, 2)
	f.Fuzz(func(t *testing.T, text []byte, keep, size int) {
		if keep < 1 || size < 1 {
			return
		}
		w := tail{keep: keep}
		for rest := text; len(rest) > 0; {
			n := min(size, len(rest))
			w.Write(rest[:n])
			rest = rest[n:]
		}
		kept, dropped := w.bytes()
		if len(kept) > keep || int(dropped)+len(kept) != len(text) || !strings.HasSuffix(string(text), string(kept)) {
			t.Errorf("of %q, %d bytes: kept %q, dropped %d", text, keep, kept, dropped)
		}
		_, reason := Answer(Outcome{Code: 2, Stderr: kept})
		if strings.ContainsAny(reason, "\n\r\x1b\x00") {
			t.Errorf("reason %q of %q", reason, kept)
		}
	})
}
