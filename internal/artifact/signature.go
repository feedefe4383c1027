package artifact

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
)

// Signature tells cheaply whether something was written since it was last taken: it covers the name,
// size and time of change of each path, and reads no file. Paths are absolute, their order does not
// matter; a missing one counts as missing. For a folder pass the folder too, whose time changes when a
// file comes or goes. A change within the clock tick of the file system that keeps the size goes
// unseen: it is a hint that work goes on, never proof that nothing changed.
func Signature(files []string) string {
	names := slices.Clone(files)
	slices.Sort(names)
	h := sha256.New()
	for _, name := range slices.Compact(names) {
		info, err := os.Stat(name)
		if err != nil {
			fmt.Fprintf(h, "%q missing\n", name)
			continue
		}
		size := info.Size()
		if info.IsDir() {
			size = 0 // its own size differs between file systems and says nothing
		}
		fmt.Fprintf(h, "%q %d %d\n", name, size, info.ModTime().UnixNano())
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
