package runs

import (
	"bytes"
	"errors"
	"io"
)

const (
	block   = 256 << 10 // bytes read at once
	maxLine = 4 << 20   // bytes of a line that is read; a longer one is no record
)

// eachLine calls f for every line of r without its line feed, and returns what follows the last line feed.
// A line is valid during the call. One that is too long comes as nil.
func eachLine(r io.Reader, f func(line []byte) error) (rest []byte, err error) {
	buf := make([]byte, block)
	held, long := 0, false // bytes of an unfinished line at the start of buf; it is too long already
	for {
		n, readErr := r.Read(buf[held:])
		text := buf[:held+n]
		for from := held; ; {
			end := bytes.IndexByte(text[from:], '\n')
			if end < 0 {
				break
			}
			line := text[:from+end]
			if long || len(line) > maxLine {
				line, long = nil, false
			}
			if err := f(line); err != nil {
				return nil, err
			}
			text, from = text[from+end+1:], 0
		}
		held = copy(buf, text)
		if held > maxLine || long {
			held, long = 0, true
		} else if held == len(buf) {
			buf = append(buf, make([]byte, len(buf))...)
		}
		if errors.Is(readErr, io.EOF) {
			if long {
				return nil, nil
			}
			return buf[:held], nil
		}
		if readErr != nil {
			return nil, readErr
		}
	}
}
