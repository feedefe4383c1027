package runs

import "errors"

var errUnbuilt = errors.New("not built yet")

// Context reads the log at path in one pass. A log that is not there is an empty one.
func Context(path string) (ContextJSON, error) { return ContextJSON{}, errUnbuilt }

// Append checks a record, completes it, and adds it to the log at path.
func Append(path string, record []byte) (Record, error) { return Record{}, errUnbuilt }

// Prepare is the pure part of Append: the line that would be written, with its line feed, and what it says.
func Prepare(path string, record []byte) (line []byte, rec Record, err error) {
	return nil, Record{}, errUnbuilt
}

// OpenSegment starts a new segment at once, whether or not a record follows, and returns its number.
func OpenSegment(path, reason string) (int, error) { return 0, errUnbuilt }

// Stamp adds the stamps that the record does not have itself.
func Stamp(record []byte, s Stamps) ([]byte, error) { return nil, errUnbuilt }

// Log is a log that this process alone may change until Close.
type Log struct{}

// Open locks the log at path and sets a torn last line aside.
func Open(path string) (*Log, error) { return nil, errUnbuilt }

// Prepare checks and completes a record as the next one of the log.
func (l *Log) Prepare(record []byte) (line []byte, rec Record, err error) {
	return nil, Record{}, errUnbuilt
}

// Size is the length of the log in bytes: where Write puts its line.
func (l *Log) Size() int64 { return 0 }

// Write appends a line of Prepare with one write and syncs it.
func (l *Log) Write(line []byte) error { return errUnbuilt }

// Rewind takes line, or the part of it that was written, off the end again, if it stands at size.
func (l *Log) Rewind(size int64, line []byte) error { return errUnbuilt }

// Close unlocks the log.
func (l *Log) Close() error { return nil }
