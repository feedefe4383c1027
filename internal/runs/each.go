package runs

import (
	"errors"
	"io/fs"
	"os"
)

// Each calls f with every record of the log at path as it stands there, oldest first; a line is good during the
// call. Segment 0 is all of them. It returns how many lines are no record, a torn last one included. A log that is not
// there is an empty one.
func Each(path string, segment int, f func(line []byte) error) (damaged int, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	var found fields
	one := func(line []byte) error {
		if !found.read(line) {
			if line == nil || space(line, 0) < len(line) {
				damaged++
			}
			return nil
		}
		if segment != 0 && segmentOf(found.segment) != segment {
			return nil
		}
		return f(line)
	}
	rest, err := eachLine(file, one)
	if err == nil && len(rest) > 0 {
		err = one(rest)
	}
	return damaged, err
}

// Last are the last n records of the log at path, of one segment or, with 0, of all; leftOut is how many more
// there are. With n 0 it is all of them.
func Last(path string, n, segment int) (records []Record, leftOut int, err error) {
	var ring [][]byte
	count := 0
	_, err = Each(path, segment, func(line []byte) error {
		if n == 0 || count < n {
			ring = append(ring, append([]byte(nil), line...))
		} else {
			ring[count%n] = append(ring[count%n][:0], line...)
		}
		count++
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	for i := range ring {
		if len(ring) < count {
			i = (count + i) % n
		}
		if rec, ok := Parse(ring[i]); ok {
			records = append(records, rec)
		}
	}
	return records, count - len(ring), nil
}
