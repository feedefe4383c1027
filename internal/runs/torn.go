package runs

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"time"
)

// wholeLines is where the last line feed of the first size bytes ends, 0 where there is none.
func wholeLines(r io.ReaderAt, size int64) (int64, error) {
	buf := make([]byte, block/4)
	for end := size; end > 0; {
		text := buf[:min(end, int64(len(buf)))]
		start := end - int64(len(text))
		if _, err := r.ReadAt(text, start); err != nil && err != io.EOF {
			return 0, err
		}
		if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
			return start + int64(i) + 1, nil
		}
		end = start
	}
	return 0, nil
}

// setAside copies torn into a new file beside the log, and returns when it is on the disk.
func setAside(path string, torn io.Reader, at time.Time) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".torn-"+at.UTC().Format("20060102T150405Z")+"-*")
	if err != nil {
		return "", err
	}
	if _, err = io.Copy(f, torn); err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = syncDir(filepath.Dir(path))
	}
	return f.Name(), err
}

// syncDir makes a new name in dir last through a power cut, where the system can do that.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync() // Windows and some network file systems cannot
	return d.Close()
}
