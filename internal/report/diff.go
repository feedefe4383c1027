package report

import (
	"strconv"
	"strings"

	"rulph/internal/ui"
)

// diffFile is the part of a unified diff that belongs to one file.
type diffFile struct {
	Name           string
	Added, Removed int
	Lines          []diffLine
}

// diffLine is one line of it. Pre, Mid and Post are its text without the sign; Mid is what differs
// from the line it replaces, empty where nothing or everything does.
type diffLine struct {
	Kind           string // hunk add del same note
	Old, New       int    // line numbers, 0 where the line is not in that version
	Pre, Mid, Post string
}

// Sign is the character a unified diff puts before the line.
func (l diffLine) Sign() string {
	switch l.Kind {
	case "add":
		return "+"
	case "del":
		return "-"
	case "same":
		return " "
	}
	return ""
}

// parseDiff reads a unified diff. It counts the lines of each hunk, so that a removed line that
// starts with "-- " is not taken for a file's header. What is no diff comes back as notes: nothing
// is dropped.
func parseDiff(text string) []diffFile {
	text = strings.TrimSuffix(ui.Printable(text), "\n")
	if text == "" {
		return nil
	}
	var files []diffFile
	file := func() *diffFile {
		if len(files) == 0 {
			files = append(files, diffFile{})
		}
		return &files[len(files)-1]
	}
	var old, now, oldLeft, nowLeft int
	headed := false // the "--- " of a header was seen, its "+++ " is due
	for line := range strings.SplitSeq(text, "\n") {
		inHunk := oldLeft > 0 || nowLeft > 0
		switch {
		case inHunk && strings.HasPrefix(line, "+"):
			file().add(diffLine{Kind: "add", New: now, Pre: line[1:]})
			now, nowLeft = now+1, nowLeft-1
		case inHunk && strings.HasPrefix(line, "-"):
			file().add(diffLine{Kind: "del", Old: old, Pre: line[1:]})
			old, oldLeft = old+1, oldLeft-1
		case inHunk && (strings.HasPrefix(line, " ") || line == ""):
			file().add(diffLine{Kind: "same", Old: old, New: now, Pre: strings.TrimPrefix(line, " ")})
			old, now, oldLeft, nowLeft = old+1, now+1, oldLeft-1, nowLeft-1
		case strings.HasPrefix(line, "@@ "):
			old, oldLeft, now, nowLeft = hunk(line)
			file().add(diffLine{Kind: "hunk", Pre: line})
		case strings.HasPrefix(line, "--- "):
			files = append(files, diffFile{Name: fileName(line)})
			headed = true
		case headed && strings.HasPrefix(line, "+++ "):
			if name := fileName(line); name != "/dev/null" {
				file().Name = name
			}
			headed = false
		case strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "index "):
			// The file's name comes with the header that follows.
		default:
			file().add(diffLine{Kind: "note", Pre: line})
		}
	}
	for i := range files {
		markChanges(files[i].Lines)
	}
	return files
}

func (f *diffFile) add(l diffLine) {
	switch l.Kind {
	case "add":
		f.Added++
	case "del":
		f.Removed++
	}
	f.Lines = append(f.Lines, l)
}

// fileName is the path in a header line, without the a/ or b/ git adds and the time diff adds.
func fileName(line string) string {
	name, _, _ := strings.Cut(line[len("--- "):], "\t")
	if len(name) > 2 && (name[:2] == "a/" || name[:2] == "b/") {
		name = name[2:]
	}
	return name
}

// hunk reads "@@ -12,3 +12,4 @@": first line and number of lines in each version.
func hunk(line string) (old, oldLines, now, nowLines int) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return 0, 0, 0, 0
	}
	old, oldLines = hunkRange(fields[1], "-")
	now, nowLines = hunkRange(fields[2], "+")
	return old, oldLines, now, nowLines
}

func hunkRange(field, sign string) (first, lines int) {
	field, ok := strings.CutPrefix(field, sign)
	if !ok {
		return 0, 0
	}
	start, n, counted := strings.Cut(field, ",")
	first, err := strconv.Atoi(start)
	if err != nil || first < 0 {
		return 0, 0
	}
	if !counted {
		return first, 1
	}
	lines, err = strconv.Atoi(n)
	if err != nil || lines < 0 {
		return 0, 0
	}
	return first, lines
}

// markChanges pairs the lines of each block of as many removed as added ones and marks what differs
// inside a pair.
func markChanges(lines []diffLine) {
	for i := 0; i < len(lines); {
		dels := run(lines[i:], "del")
		adds := run(lines[i+dels:], "add")
		if dels == adds {
			for k := range dels {
				markPair(&lines[i+k], &lines[i+dels+k])
			}
		}
		i += max(1, dels+adds)
	}
}

func run(lines []diffLine, kind string) int {
	n := 0
	for n < len(lines) && lines[n].Kind == kind {
		n++
	}
	return n
}

// markPair splits two lines into a common start, what differs, and a common end. Lines with less than
// a third in common were rewritten, and marking nearly all of them would say nothing.
func markPair(a, b *diffLine) {
	x, y := []rune(a.Pre), []rune(b.Pre)
	start := 0
	for start < min(len(x), len(y)) && x[start] == y[start] {
		start++
	}
	end := 0
	for end < min(len(x), len(y))-start && x[len(x)-1-end] == y[len(y)-1-end] {
		end++
	}
	if 3*(start+end) < max(len(x), len(y)) {
		return
	}
	a.Pre, a.Mid, a.Post = string(x[:start]), string(x[start:len(x)-end]), string(x[len(x)-end:])
	b.Pre, b.Mid, b.Post = string(y[:start]), string(y[start:len(y)-end]), string(y[len(y)-end:])
}
