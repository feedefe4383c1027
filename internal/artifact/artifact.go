// Package artifact knows the text that is scored: one file, several files or a folder. It reads,
// hashes, snapshots, restores and compares it, finds quotes in it, and answers the questions of a
// rubric that need no judge. It changes no byte of what it reads, and refuses what a judge could not
// read whole: binary files, more than a mebibyte, links that leave the folder.
package artifact

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
)

// MaxBytes is the size limit of an artifact, all files together. A larger one would be cut by a
// model's context window, and a judge that saw half a text says nothing about the whole.
const MaxBytes = 1 << 20

// Spec says what an artifact consists of. Make one with NewSpec.
type Spec struct {
	Targets []string `json:"targets"`           // absolute: one folder, or files
	Include []string `json:"include,omitempty"` // globs on the slash path below a folder; none: every file
	Root    string   `json:"root"`              // absolute; File.Path is relative to it
}

// File is one text as it lies on the disk, byte for byte.
type File struct {
	Path string // relative to Artifact.Root, separated by slashes
	Data []byte
	Mode fs.FileMode // permission bits
}

// Artifact is what a Spec named at one moment.
type Artifact struct {
	Root  string
	Files []File // sorted by Path
}

// Hash identifies the paths and contents, whatever the root and the modes: "sha256:" and 64 hex
// digits. Every part is preceded by its length, so that no two different artifacts write the same
// bytes.
func (a Artifact) Hash() string {
	h := sha256.New()
	part := func(b []byte) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(b)))
		h.Write(n[:])
		h.Write(b)
	}
	for _, f := range a.Files {
		part([]byte(f.Path))
		part(f.Data)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// Size is the number of bytes of all files.
func (a Artifact) Size() int {
	n := 0
	for _, f := range a.Files {
		n += len(f.Data)
	}
	return n
}
