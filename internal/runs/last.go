package runs

import (
	"bytes"
	"io"
)

// tail is the last record of a log, as far as the next one follows from it.
type tail struct {
	run, segment int // 0 and 0 where there is no record
	rubric       string
}

// lastRecord looks at the first size bytes of a log from their end, so that its cost does not grow with the
// log. Lines that are no record are passed over; a last line without a line feed counts if it is whole.
func lastRecord(r io.ReaderAt, size int64) (tail, error) {
	for window := int64(block / 4); ; window *= 4 {
		from := max(0, size-window)
		text := make([]byte, size-from)
		if _, err := r.ReadAt(text, from); err != nil && err != io.EOF {
			return tail{}, err
		}
		if from > 0 {
			_, text, _ = bytes.Cut(text, []byte{'\n'}) // the window begins inside a line
		}
		for len(text) > 0 {
			text = bytes.TrimSuffix(text, []byte{'\n'})
			start := bytes.LastIndexByte(text, '\n') + 1
			var f fields
			if line := text[start:]; len(line) <= maxLine && f.read(line) {
				if run, ok := whole(f.run); ok && run > 0 {
					return tail{run, segmentOf(f.segment), unquoted(f.rubric)}, nil
				}
				return lastOfAll(r, size)
			}
			text = text[:start]
		}
		if from == 0 {
			return tail{}, nil
		}
		if window > maxLine {
			return lastOfAll(r, size)
		}
	}
}

// lastOfAll reads the whole log, for one whose last record has no number or stands before megabytes of
// damage. The number it finds is at least that of any record, and at least their count.
func lastOfAll(r io.ReaderAt, size int64) (tail, error) {
	var t tail
	var f fields
	highest, count := 0, 0
	add := func(line []byte) error {
		if f.read(line) {
			run, _ := whole(f.run)
			highest, count = max(highest, run), count+1
			t = tail{0, segmentOf(f.segment), unquoted(f.rubric)}
		}
		return nil
	}
	rest, err := eachLine(io.NewSectionReader(r, 0, size), add)
	if err == nil {
		_ = add(rest)
	}
	t.run = max(highest, count)
	return t, err
}
