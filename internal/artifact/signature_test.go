package artifact

import (
	"os"
	"testing"
	"time"
)

func TestSignatureChangesWithTheFilesAndNothingElse(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "a", "b.md": "b"})
	a, b := dir+"/a.md", dir+"/b.md"
	past := time.Now().Add(-time.Hour)
	for _, p := range []string{a, b, dir} {
		if err := os.Chtimes(p, past, past); err != nil {
			t.Fatal(err)
		}
	}
	before := Signature([]string{a, b})
	if before != Signature([]string{b, a, b}) {
		t.Error("the order of the names counts")
	}
	if before == Signature([]string{a}) {
		t.Error("the number of names does not count")
	}
	folderBefore := Signature([]string{dir})
	seen := map[string]string{before: "the start"}
	change := func(what string) {
		t.Helper()
		s := Signature([]string{a, b})
		if old, ok := seen[s]; ok {
			t.Errorf("%s: the same as at %s", what, old)
		}
		seen[s] = what
	}
	write(t, dir, "a.md", "longer")
	change("another size")
	if err := os.Chtimes(a, past, past.Add(time.Nanosecond*1000)); err != nil {
		t.Fatal(err)
	}
	change("another time")
	remover(t, dir, "b.md")
	change("a missing file")
	if Signature([]string{dir}) == folderBefore {
		t.Error("a file that went does not change the folder's signature")
	}
}
