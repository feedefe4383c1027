package skill

import (
	"fmt"
	"io/fs"
	"os"
)

// readText reads a SKILL.md, and the permissions it has.
func readText(path string) ([]byte, fs.FileMode, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is no file", path)
	}
	if info.Size() > MaxSize {
		return nil, 0, refuse(TooLarge, "%s has %d bytes; at most %d are read", path, info.Size(), MaxSize)
	}
	data, err := os.ReadFile(path)
	return data, info.Mode(), err
}

// Stage returns what Change makes of the file, which stays as it is.
func Stage(file string, d Diff) (variant []byte, err error) {
	text, _, err := readText(file)
	if err != nil {
		return nil, err
	}
	return Change(text, d)
}
