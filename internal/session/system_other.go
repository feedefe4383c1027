//go:build !unix

package session

import "io/fs"

// userFolder is the variable that names the user's folder.
const userFolder = "USERPROFILE"

// ownedByUs cannot be answered from a file mode here; the system's own access lists guard the folder.
func ownedByUs(fs.FileInfo) bool { return true }

// syncDir has no counterpart here: a folder cannot be opened for it.
func syncDir(string) error { return nil }
