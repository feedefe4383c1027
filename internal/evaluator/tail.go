package evaluator

import "unicode/utf8"

// tail is a writer that keeps the last bytes written to it: a failing command says why at its end.
type tail struct {
	keep    int
	buf     []byte // up to twice keep, so that bytes move once per keep bytes written
	dropped int64
}

func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	if over := n - t.keep; over > 0 {
		t.dropped += int64(over)
		p = p[over:]
	}
	if len(t.buf)+len(p) > 2*t.keep {
		t.trim(t.keep - len(p))
	}
	t.buf = append(t.buf, p...)
	return n, nil
}

// trim drops all but the last n bytes.
func (t *tail) trim(n int) {
	over := len(t.buf) - n
	if over <= 0 {
		return
	}
	t.dropped += int64(over)
	t.buf = t.buf[:copy(t.buf, t.buf[over:])]
}

// bytes returns what was kept, and how many bytes came before it. A character that was cut at the
// front is dropped whole.
func (t *tail) bytes() ([]byte, int64) {
	t.trim(t.keep)
	if t.dropped > 0 {
		n := 0
		for n < len(t.buf) && n < utf8.UTFMax-1 && !utf8.RuneStart(t.buf[n]) {
			n++
		}
		t.trim(len(t.buf) - n)
	}
	return t.buf, t.dropped
}
