package runs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/tidwall/gjson"
)

// Log is a log that this process alone may change until Close.
type Log struct {
	SetAside string // where Open has put a torn last line; empty where there was none

	path   string
	lock   *flock.Flock
	file   *os.File
	size   int64
	last   tail
	opened int // the segment of SegmentFile, 0 where there is none
	now    func() time.Time
}

// Append checks a record (one JSON object, see schemas/run.schema.json), completes it, and adds it to the log at path,
// which is made where it is missing; its folder must be there. It returns the record as it was written, once
// it is on the disk. A record that is refused (*Invalid, *RubricChanged) changes nothing. Whoever wants to tell
// of a torn line that was set aside uses Open.
func Append(path string, record []byte) (Record, error) {
	if err := Validate(record); err != nil {
		return Record{}, err
	}
	l, err := Open(path)
	if err != nil {
		return Record{}, err
	}
	line, rec, err := l.Prepare(record)
	if err == nil {
		err = l.Write(line)
	}
	return rec, errors.Join(err, l.Close())
}

// Open locks the log at path and makes it where it is missing. A last line that a crash has left unfinished is
// put into a file beside the log, SetAside, before it is taken off.
func Open(path string) (*Log, error) { return open(path, true) }

// Rewind is Log.Rewind for a program that has died since: a part of line that it has written is what is to be
// taken back, not to be set aside.
func Rewind(path string, size int64, line []byte) error {
	l, err := open(path, false)
	if err != nil {
		return err
	}
	return errors.Join(l.Rewind(size, line), l.Close())
}

func open(path string, mend bool) (l *Log, err error) {
	held, err := lock(path)
	if err != nil {
		return nil, err
	}
	l = &Log{path: path, lock: held, now: time.Now}
	defer func() {
		if err != nil {
			_ = l.Close()
		}
	}()
	if l.file, err = os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0); err != nil {
		return nil, err
	}
	info, err := l.file.Stat()
	if err != nil {
		return nil, err
	}
	if l.size = info.Size(); l.size == 0 {
		err = syncDir(filepath.Dir(path)) // it may be new
	} else if mend {
		err = l.mend()
	}
	if err != nil {
		return nil, err
	}
	if l.last, err = lastRecord(l.file, l.size); err != nil {
		return nil, err
	}
	l.opened, err = openedSegment(path)
	return l, err
}

// mend sees to it that the log ends in a line feed.
func (l *Log) mend() error {
	whole, err := wholeLines(l.file, l.size)
	if err != nil || whole == l.size {
		return err
	}
	torn := make([]byte, min(l.size-whole, maxLine+1))
	if _, err := l.file.ReadAt(torn, whole); err != nil && err != io.EOF {
		return err
	}
	var f fields
	if len(torn) <= maxLine && f.read(torn) { // an editor that writes no last line feed
		return l.put([]byte{'\n'})
	}
	if l.SetAside, err = setAside(l.path, io.NewSectionReader(l.file, whole, l.size-whole), l.now()); err != nil {
		return fmt.Errorf("the torn last line of %s cannot be set aside: %w", l.path, err)
	}
	if err := l.file.Truncate(whole); err != nil {
		return err
	}
	l.size = whole
	return l.file.Sync()
}

// Size is the length of the log in bytes: where Write puts its line.
func (l *Log) Size() int64 { return l.size }

// Segment is the one that the next record belongs to.
func (l *Log) Segment() int { return max(1, l.opened, l.last.segment) }

// Prepare checks and completes a record as the next one of the log: the line to write, with its line feed,
// and what it says.
func (l *Log) Prepare(record []byte) (line []byte, rec Record, err error) {
	if err := Validate(record); err != nil {
		return nil, Record{}, err
	}
	segment := countOf(gjson.GetBytes(record, "segment"))
	switch {
	case segment == 0:
		segment = l.Segment()
	case l.last.run > 0 && segment < l.Segment():
		return nil, Record{}, &Invalid{Problems: []Problem{{"segment", fmt.Sprintf("the log is at segment %d already; leave the key out", l.Segment())}}}
	case l.last.run > 0 && segment > l.last.segment+1 && segment != l.opened:
		return nil, Record{}, &Invalid{Problems: []Problem{{"segment", fmt.Sprintf("the log is at segment %d; the next one is %d", l.Segment(), l.last.segment+1)}}}
	}
	if rubric := gjson.GetBytes(record, "rubric_hash").Str; segment == l.last.segment && rubric != "" && l.last.rubric != "" && rubric != l.last.rubric {
		return nil, Record{}, &RubricChanged{Segment: segment, Was: l.last.rubric, Is: rubric}
	}
	line, err = complete(record, l.last.run+1, l.now().Format(time.DateOnly), segment)
	if err != nil {
		return nil, Record{}, err
	}
	rec, _ = Parse(line)
	return line, rec, nil
}

// Write appends a line of Prepare with one write and returns when it is on the disk. A line that does not
// follow the last record is refused; of a line that does not fit on the disk nothing stays.
func (l *Log) Write(line []byte) error {
	rec, ok := Parse(line)
	if !ok || bytes.IndexByte(line, '\n') != len(line)-1 || rec.Run != l.last.run+1 {
		return fmt.Errorf("%s: the line is not the one that follows run %d; prepare it again", l.path, l.last.run)
	}
	if err := l.put(line); err != nil {
		return err
	}
	l.last = tail{rec.Run, rec.Segment, rec.RubricHash}
	return nil
}

func (l *Log) put(text []byte) error {
	if info, err := l.file.Stat(); err != nil {
		return err
	} else if info.Size() != l.size {
		return fmt.Errorf("%s was changed by a program that does not lock it; try again", l.path)
	}
	if _, err := l.file.Write(text); err != nil {
		return errors.Join(fmt.Errorf("%s: nothing was appended: %w", l.path, err), l.file.Truncate(l.size))
	}
	if err := l.file.Sync(); err != nil {
		return err
	}
	l.size += int64(len(text))
	return nil
}

// Rewind takes line, or the part of it that was written, off the end again. It refuses where anything else
// stands behind size. A log that ends at size is left as it is.
func (l *Log) Rewind(size int64, line []byte) error {
	written := make([]byte, min(max(0, l.size-size), int64(len(line))+1))
	if _, err := l.file.ReadAt(written, size); err != nil && err != io.EOF {
		return err
	}
	if l.size < size || !bytes.HasPrefix(line, written) {
		return fmt.Errorf("%s does not end with the record to take back; it stays as it is", l.path)
	}
	if len(written) == 0 {
		return nil
	}
	if err := l.file.Truncate(size); err != nil {
		return err
	}
	if err := l.file.Sync(); err != nil {
		return err
	}
	l.size = size
	last, err := lastRecord(l.file, size)
	l.last = last
	return err
}

// Close unlocks the log.
func (l *Log) Close() error {
	var err error
	if l.file != nil {
		err = l.file.Close()
	}
	return errors.Join(err, l.lock.Close())
}
