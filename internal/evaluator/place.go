package evaluator

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// place is where a call runs: its working folder, and a folder of files that are for the client alone.
type place struct {
	dir     string   // the working folder
	private string   // files for the client alone
	made    []string // what is removed at the end
}

// newPlace makes the folders of a call, in the temporary folder of the environment. dir is the working
// folder; "" makes an empty one.
func newPlace(environ []string, dir string, improve bool) (place, error) {
	if improve && !filepath.IsAbs(dir) {
		return place{}, errors.New("has no folder to work in: Request.Dir has to be an absolute path")
	}
	p := place{dir: dir}
	var err error
	if p.private, err = p.make(privateBase(environ)); err == nil && dir == "" {
		p.dir, err = p.make(value(environ, "TMPDIR"))
	}
	if err != nil {
		p.remove()
		return place{}, fmt.Errorf("got no temporary folder: %w", err)
	}
	return p, nil
}

const placeName = "hoyeon-ask-"

func (p *place) make(base string) (string, error) {
	dir, err := os.MkdirTemp(base, placeName)
	if err != nil {
		return "", err
	}
	p.made = append(p.made, dir)
	return filepath.EvalSymlinks(dir) // clients resolve links before they compare paths
}

// privateBase is our part of the person's cache folder, where it can be made: the sandboxes of the
// clients leave the temporary folder open to their model. What a process that was killed has left there
// goes after a day.
func privateBase(environ []string) string {
	cache := value(environ, "XDG_CACHE_HOME")
	if home := value(environ, "HOME"); cache == "" && filepath.IsAbs(home) {
		cache = filepath.Join(home, ".cache")
	}
	base := filepath.Join(cache, "hoyeon", "ask")
	if !filepath.IsAbs(base) || os.MkdirAll(base, 0o700) != nil {
		return value(environ, "TMPDIR")
	}
	old, _ := filepath.Glob(filepath.Join(base, placeName+"*"))
	for _, dir := range old {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
			_ = os.RemoveAll(dir)
		}
	}
	return base
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

// remove tries again while a process that has left its group still writes there. What is left after
// that harms nobody.
func (p place) remove() {
	for _, dir := range p.made {
		for range 5 {
			if os.RemoveAll(dir) == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}
