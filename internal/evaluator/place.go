package evaluator

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// place is where a call runs: its working folder, and a folder of files that are for the client alone.
type place struct {
	dir     string // the working folder
	private string // files for the client alone
	temp    string // the client's temporary folder: some leave reports with the whole prompt there
	root    string // what is removed at the end
}

// newPlace makes the folders of a call. dir is the working folder; "" makes an empty one.
func newPlace(environ []string, dir string, improve bool) (place, error) {
	if improve && !filepath.IsAbs(dir) {
		return place{}, errors.New("has no folder to work in: Request.Dir has to be an absolute path")
	}
	root, err := Scratch(environ)
	if err != nil {
		return place{}, err
	}
	p := place{root: root, dir: dir}
	p.private = filepath.Join(p.root, "private")
	p.temp = filepath.Join(p.root, "temp")
	folders := []string{p.private, p.temp}
	if p.dir == "" {
		p.dir = filepath.Join(p.root, "empty")
		folders = append(folders, p.dir)
	}
	for _, folder := range folders {
		if err := os.Mkdir(folder, 0o700); err != nil {
			p.remove()
			return place{}, fmt.Errorf("got no temporary folder: %w", err)
		}
	}
	return p, nil
}

func (p place) file(name string) string { return filepath.Join(p.private, name) }

// write makes a private file.
func (p place) write(name string, content []byte) (string, error) {
	path := p.file(name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return "", fmt.Errorf("got no temporary file: %w", err)
	}
	return path, nil
}

func (p place) remove() { RemoveScratch(p.root) }
