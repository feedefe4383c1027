package artifact

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A snapshot is a folder: manifest.json, and below files/ each text under its own path, so that a
// person can look into it with any editor.
const (
	manifestName   = "manifest.json"
	filesName      = "files"
	snapshotSchema = 1
	manifestLimit  = 8 << 20
)

type manifest struct {
	Schema int             `json:"schema"`
	Hash   string          `json:"hash"` // of the artifact
	Sum    string          `json:"sum"`  // of the files' entries below, as they are written
	Files  json.RawMessage `json:"files"`
}

type manifestFile struct {
	Path   string      `json:"path"`
	Mode   fs.FileMode `json:"mode"` // permission bits
	Link   bool        `json:"link,omitempty"`
	Size   int         `json:"size"`
	SHA256 string      `json:"sha256"`
}

// Save keeps the artifact as a snapshot in dir: whole, or not at all. The folder is written beside
// dir, synced and renamed. A snapshot that dir holds already is replaced; anything else there is an
// error. Folders are 0700 and files 0600, because a snapshot is a copy of someone's text.
func (a Artifact) Save(dir string) error {
	if len(a.Files) == 0 {
		return errors.New("snapshot: the artifact has no file")
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return fmt.Errorf("snapshot %s cannot be written: %w", dir, err)
	}
	tmp, err := os.MkdirTemp(parent, temporaryPrefix(filepath.Base(dir))+"*")
	if err != nil {
		return fmt.Errorf("snapshot %s cannot be written: %w", dir, err)
	}
	err = a.writeSnapshot(tmp)
	if err == nil {
		err = moveIn(tmp, dir)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("snapshot %s cannot be written: %w", dir, err), os.RemoveAll(tmp))
	}
	return syncDir(parent)
}

func (a Artifact) writeSnapshot(tmp string) error {
	files := filepath.Join(tmp, filesName)
	list := make([]manifestFile, 0, len(a.Files))
	dirs := map[string]bool{tmp: true, files: true}
	if err := os.Mkdir(files, 0o700); err != nil {
		return err
	}
	for _, f := range a.Files {
		if err := checkPath(f.Path); err != nil {
			return err
		}
		name := filepath.Join(files, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		for d := filepath.Dir(name); !dirs[d]; d = filepath.Dir(d) {
			dirs[d] = true
		}
		if err := writeSynced(name, f.Data, 0o600); err != nil {
			return err
		}
		list = append(list, manifestFile{f.Path, f.Mode.Perm(), f.Mode&fs.ModeSymlink != 0, len(f.Data), sha(f.Data)})
	}
	raw, err := json.Marshal(list)
	if err != nil {
		return err
	}
	doc, err := json.Marshal(manifest{snapshotSchema, a.Hash(), sha(raw), raw})
	if err != nil {
		return err
	}
	if _, _, err := parseManifest(doc); err != nil {
		return fmt.Errorf("it could not be loaded again: %w", err)
	}
	if err := writeSynced(filepath.Join(tmp, manifestName), append(doc, '\n'), 0o600); err != nil {
		return err
	}
	for d := range dirs {
		if err := syncDir(d); err != nil {
			return err
		}
	}
	return nil
}

// moveIn renames tmp to dir. A folder cannot be renamed over one with content, so an older snapshot
// steps aside first and comes back when its successor does not get in.
func moveIn(tmp, dir string) error {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(tmp, dir)
	}
	if _, err := os.Lstat(filepath.Join(dir, manifestName)); err != nil {
		return fmt.Errorf("%s exists and is no snapshot: name another place", dir)
	}
	old := tmp + "-old"
	if err := os.Rename(dir, old); err != nil {
		return err
	}
	if err := os.Rename(tmp, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	os.RemoveAll(old) // the new one is in place: a leftover beside it is no reason to report a failure
	return nil
}

// Load reads a snapshot back as an artifact below root. It refuses one that is damaged: a manifest
// that does not parse or does not fit its sums, a file that is missing, changed or more than the
// manifest says.
func Load(dir, root string) (Artifact, error) {
	a, err := load(dir, root)
	if err != nil {
		return Artifact{}, fmt.Errorf("snapshot %s cannot be used: %w", dir, err)
	}
	return a, nil
}

func load(dir, root string) (Artifact, error) {
	list, hash, err := readManifest(filepath.Join(dir, manifestName))
	if err != nil {
		return Artifact{}, err
	}
	a := Artifact{Root: root}
	for _, m := range list {
		data, _, err := readFile(filepath.Join(dir, filesName, filepath.FromSlash(m.Path)), m.Size)
		if err != nil && !errors.Is(err, errGrew) {
			return Artifact{}, fmt.Errorf("it is damaged: %w", err)
		}
		if err != nil || len(data) != m.Size || sha(data) != m.SHA256 {
			return Artifact{}, fmt.Errorf("it is damaged: %s is not what the manifest says", m.Path)
		}
		mode := m.Mode.Perm()
		if m.Link {
			mode |= fs.ModeSymlink
		}
		a.Files = append(a.Files, File{Path: m.Path, Data: data, Mode: mode})
	}
	if a.Hash() != hash {
		return Artifact{}, errors.New("it is damaged: the files do not add up to its hash")
	}
	return a, nil
}

func readManifest(name string) ([]manifestFile, string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	doc, err := io.ReadAll(io.LimitReader(f, manifestLimit+1))
	if err != nil {
		return nil, "", err
	}
	return parseManifest(doc)
}

// parseManifest checks everything that can be checked without the files: the sum over the entries,
// sizes, and paths that stay below the folder, sorted and without a repetition.
func parseManifest(doc []byte) ([]manifestFile, string, error) {
	var m manifest
	if len(doc) > manifestLimit {
		return nil, "", fmt.Errorf("its manifest is larger than %d MiB", manifestLimit>>20)
	}
	if err := json.Unmarshal(doc, &m); err != nil {
		return nil, "", fmt.Errorf("it is damaged: manifest: %w", err)
	}
	if m.Schema != snapshotSchema {
		return nil, "", fmt.Errorf("its schema is %d, and this program knows %d: update the program", m.Schema, snapshotSchema)
	}
	if sha(bytes.TrimSpace(m.Files)) != m.Sum {
		return nil, "", errors.New("it is damaged: the manifest's entries do not fit their sum")
	}
	var list []manifestFile
	if err := json.Unmarshal(m.Files, &list); err != nil {
		return nil, "", fmt.Errorf("it is damaged: manifest: %w", err)
	}
	total := 0
	for i, f := range list {
		if err := checkPath(f.Path); err != nil {
			return nil, "", fmt.Errorf("it is damaged: manifest: %w", err)
		}
		if f.Size < 0 || f.Size > MaxBytes-total {
			return nil, "", fmt.Errorf("it is damaged: manifest: the size of %s is %d", f.Path, f.Size)
		}
		total += f.Size
		if i > 0 && f.Path <= list[i-1].Path {
			return nil, "", errors.New("it is damaged: manifest: the paths are not a sorted list")
		}
	}
	if len(list) == 0 {
		return nil, "", errors.New("it is damaged: manifest: it names no file")
	}
	return list, m.Hash, nil
}

// checkPath refuses a path that would be read or written outside its root.
func checkPath(p string) error {
	if p == "." || strings.HasSuffix(p, "/") || !filepath.IsLocal(filepath.FromSlash(p)) {
		return fmt.Errorf("the path %q leads out of the folder", p)
	}
	return nil
}

func sha(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
