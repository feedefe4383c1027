package ui

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// screen is as much of a terminal as Progress needs: it wraps, scrolls, moves its cursor up, clears, and
// wraps what it shows again when it is made narrower. Everything that scrolled off stays in rows, as in
// the memory of a terminal.
type screen struct {
	t             *testing.T
	width, height int
	rows          []screenRow
	x, y          int // y counts from the first row that ever was
}

type screenRow struct {
	cells   []string // one for each column; "" behind a wide character
	wrapped bool     // goes on in the next row
}

func newScreen(t *testing.T, width, height int) *screen {
	return &screen{t: t, width: width, height: height, rows: make([]screenRow, 1)}
}

// Write takes what a program prints, with a line feed that also returns, as terminals are set up.
func (s *screen) Write(p []byte) (int, error) {
	rest := string(p)
	for rest != "" {
		switch {
		case rest[0] == '\n':
			s.x, rest = 0, rest[1:]
			s.down()
		case rest[0] == '\r':
			s.x, rest = 0, rest[1:]
		case strings.HasPrefix(rest, "\x1b["):
			end := strings.IndexFunc(rest[2:], func(r rune) bool { return r >= '@' && r <= '~' })
			if end < 0 {
				s.t.Fatalf("an unfinished sequence: %q", rest)
			}
			s.control(rest[2:2+end], rest[2+end])
			rest = rest[3+end:]
		default:
			_, n := utf8.DecodeRuneInString(rest)
			s.put(rest[:n])
			rest = rest[n:]
		}
	}
	return len(p), nil
}

func (s *screen) put(char string) {
	w := ansi.StringWidth(char)
	if s.x+w > s.width {
		s.rows[s.y].wrapped = true
		s.x = 0
		s.down()
	}
	row := &s.rows[s.y]
	for len(row.cells) < s.x+w {
		row.cells = append(row.cells, " ")
	}
	row.cells[s.x] = char
	for i := 1; i < w; i++ {
		row.cells[s.x+i] = ""
	}
	s.x += w
}

func (s *screen) down() {
	if s.y++; s.y == len(s.rows) {
		s.rows = append(s.rows, screenRow{})
	}
}

func (s *screen) control(argument string, final byte) {
	n, err := strconv.Atoi(argument)
	if err != nil {
		n = 1
	}
	row := &s.rows[s.y]
	switch final {
	case 'A':
		s.y = max(s.y-n, max(0, len(s.rows)-s.height)) // nothing gets back what has scrolled off
		s.x = min(s.x, s.width-1)
	case 'K':
		row.cells, row.wrapped = row.cells[:min(s.x, len(row.cells))], false
	case 'J':
		row.cells, row.wrapped = row.cells[:min(s.x, len(row.cells))], false
		for i := s.y + 1; i < len(s.rows); i++ {
			s.rows[i] = screenRow{}
		}
	case 'm':
	default:
		s.t.Fatalf("an unknown sequence: %q %c", argument, final)
	}
}

// narrow changes the width and wraps all lines again, the cursor staying behind the same character.
func (s *screen) narrow(width int) {
	old := s.rows
	at := s.y
	*s = screen{t: s.t, width: width, height: s.height, rows: make([]screenRow, 1)}
	x, y := 0, 0
	for i, row := range old {
		for _, cell := range row.cells {
			if cell != "" {
				s.put(cell)
			}
		}
		if i == at {
			x, y = s.x, s.y
		}
		if !row.wrapped && i < len(old)-1 {
			s.x = 0
			s.down()
		}
	}
	s.x, s.y = x, y
}

// text is all that is and was shown, without the empty rows at the end.
func (s *screen) text() string {
	var lines []string
	for _, row := range s.rows {
		lines = append(lines, strings.TrimRight(strings.Join(row.cells, ""), " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func onScreen(t *testing.T, width, height int) (*screen, *Progress) {
	s := newScreen(t, width, height)
	p := NewProgress(s, Look{Live: true, Color: true, Width: 80})
	p.size = func() (int, int) { return s.width, s.height }
	return s, p
}

func shows(t *testing.T, s *screen, want ...string) {
	t.Helper()
	if got := s.text(); got != strings.Join(want, "\n") {
		t.Errorf("the screen shows\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestLiveLinesAreRewrittenInPlace(t *testing.T) {
	s, p := onScreen(t, 40, 10)
	p.Lines([]string{"codex   asked    1 s", "gemini  asked    1 s", "0 of 2"})
	shows(t, s, "codex   asked    1 s", "gemini  asked    1 s", "0 of 2")
	p.Lines([]string{"codex   answered 2 s", "gemini  asked    2 s", "1 of 2"})
	shows(t, s, "codex   answered 2 s", "gemini  asked    2 s", "1 of 2")
	p.Lines([]string{"gemini  asked    3 s", "1 of 2"})
	shows(t, s, "gemini  asked    3 s", "1 of 2")
	p.Lines([]string{"a", "b", "c", "d"})
	shows(t, s, "a", "b", "c", "d")
	p.Livef("one line")
	shows(t, s, "one line")
	p.Livef("")
	shows(t, s, "")
}

func TestEventsArePrintedAboveTheLiveBlockAndStay(t *testing.T) {
	s, p := onScreen(t, 40, 10)
	p.Eventf(Strong, "run s1")
	p.Lines([]string{"codex asked", "0 of 1"})
	p.Eventf(Good, "codex: 80.0")
	shows(t, s, "run s1", "codex: 80.0", "codex asked", "0 of 1")
	p.Lines([]string{"codex answered", "1 of 1"})
	p.Eventf(Plain, "round 0: 80.0")
	shows(t, s, "run s1", "codex: 80.0", "round 0: 80.0", "codex answered", "1 of 1")
	p.Done()
	shows(t, s, "run s1", "codex: 80.0", "round 0: 80.0")
	p.Done()
	p.Eventf(Plain, "report")
	shows(t, s, "run s1", "codex: 80.0", "round 0: 80.0", "report")
}

func TestTheBlockScrollsWithTheEvents(t *testing.T) {
	s, p := onScreen(t, 20, 4)
	var want []string
	for i := range 9 {
		p.Lines([]string{fmt.Sprintf("working %d", i), "total"})
		p.Eventf(Plain, "event %d", i)
		want = append(want, fmt.Sprintf("event %d", i))
	}
	shows(t, s, append(want, "working 8", "total")...)
	p.Done()
	shows(t, s, want...)
}

func TestLinesAreCutToTheWidth(t *testing.T) {
	s, p := onScreen(t, 12, 10)
	p.Lines([]string{"waiting for three judges", "설치 안내 설치 안내", "exactly eleven"[:11], "twelve chars"})
	shows(t, s, "waiting fo…", "설치 안내 …", "exactly ele", "twelve cha…")
	p.Eventf(Plain, "an event is never cut, however long it is")
	p.Done()
	shows(t, s, "an event is", "never cut, h", "owever long", "it is")
}

func TestATerminalThatWasMadeNarrowerIsLeftClean(t *testing.T) {
	for _, width := range []int{39, 20, 19, 10, 7} {
		s, p := onScreen(t, 40, 30)
		p.Eventf(Plain, "before")
		p.Lines([]string{"codex   asked   12 s   1,200 tokens", "gemini  asked   12 s", "0 of 2"})
		s.narrow(width)
		p.Eventf(Plain, "after")
		p.Lines([]string{"codex   done    14 s   1,900 tokens", "1 of 2"})
		p.Done()
		shows(t, s, "before", "after")
	}
}

func TestTheBlockIsNeverTallerThanTheTerminal(t *testing.T) {
	lines := []string{"codex", "gemini", "claude", "script", "1 of 4"}
	for height, want := range map[int][]string{
		7: {"start", "codex", "gemini", "claude", "script", "1 of 4"},
		6: {"start", "codex", "gemini", "claude", "script", "1 of 4"},
		5: {"start", "codex", "gemini", "… 2 more", "1 of 4"},
		3: {"start", "… 4 more", "1 of 4"},
		2: {"start", "1 of 4"},
		1: {"start", "1 of 4"},
	} {
		s, p := onScreen(t, 40, height)
		p.Eventf(Plain, "start")
		for range 3 {
			p.Lines(lines)
		}
		shows(t, s, want...)
		p.Eventf(Plain, "end")
		p.Done()
		shows(t, s, "start", "end")
	}
}

func TestASizeThatIsNotToldIsTheUsualOne(t *testing.T) {
	s := newScreen(t, 80, 24)
	p := NewProgress(s, Look{Live: true})
	p.Lines(strings.Split(strings.Repeat(strings.Repeat("x", 90)+"\n", 30), "\n"))
	lines := strings.Split(s.text(), "\n")
	if len(lines) != usualHeight-2 || ansi.StringWidth(lines[0]) != usualWidth-1 { // the last of the 23 is empty
		t.Errorf("%d lines of %d columns", len(lines), ansi.StringWidth(lines[0]))
	}
	p.Done()
	shows(t, s, "")
}
