//go:build !unix

package skill

// syncDir has nothing to do where a folder cannot be opened as a file.
func syncDir(string) error { return nil }
