package session

import "os"

// ClearEmpty removes the folder of a session that holds nothing but its lock, as EnsureDir makes it, and
// reports whether it did. Anything else in it, a state first of all, keeps the folder.
func (s Store) ClearEmpty(sid string) (bool, error) {
	return s.remove(sid, func() bool {
		entries, err := os.ReadDir(s.Dir(sid))
		return err == nil && len(entries) == 1 && entries[0].Name() == lockFile
	})
}
