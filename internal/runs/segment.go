package runs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/google/renameio/v2"
)

// opened is the file beside a log that keeps a new segment until its first record follows. It is a file of
// its own, since a line without scores in the log would be a run to every other reader of it.
type opened struct {
	Segment int    `json:"segment"`
	Date    string `json:"date"`
	Reason  string `json:"reason,omitempty"`
}

// SegmentFile is the path of that file: runs.segment.json for runs.jsonl.
func SegmentFile(path string) string { return strings.TrimSuffix(path, ".jsonl") + ".segment.json" }

// openedSegment is 0 where no segment was opened.
func openedSegment(path string) (int, error) {
	data, err := os.ReadFile(SegmentFile(path))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var o opened
	if err := json.Unmarshal(data, &o); err != nil || o.Segment < 1 {
		return 0, fmt.Errorf("%s does not hold a segment; remove it, or write {\"segment\": N} into it", SegmentFile(path))
	}
	return o.Segment, nil
}

// OpenSegment starts a new segment of the log at path at once, whether or not a record follows, and returns its
// number. Where the last segment has no record yet, that one is it.
func OpenSegment(path, reason string) (int, error) {
	l, err := Open(path)
	if err != nil {
		return 0, err
	}
	defer l.Close()
	if l.last.run == 0 || l.Segment() > l.last.segment {
		return l.Segment(), nil
	}
	o := opened{Segment: l.last.segment + 1, Date: time.Now().Format(time.DateOnly), Reason: reason}
	data, err := json.Marshal(o)
	if err != nil {
		return 0, err
	}
	if err := renameio.WriteFile(SegmentFile(path), append(data, '\n'), 0o644); err != nil {
		return 0, err
	}
	l.opened = o.Segment
	return o.Segment, nil
}
