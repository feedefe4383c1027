package rubricfile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTrustIsForTheseBytesAtThisPlace(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	path, copied := filepath.Join(dir, "rubric.yaml"), filepath.Join(dir, "copy.yaml")
	if Trusted(home, path, []byte("a")) {
		t.Error("trusted before it was allowed")
	}
	if err := Allow(home, path, []byte("a")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		home, path, data string
		want             bool
	}{
		{home, path, "a", true},
		{home, dir + "/./rubric.yaml", "a", true},
		{home, path, "b", false},
		{home, path, "", false},
		{home, copied, "a", false},
		{t.TempDir(), path, "a", false},
		{"", path, "a", false},
		{".", path, "a", false},
	} {
		if got := Trusted(c.home, c.path, []byte(c.data)); got != c.want {
			t.Errorf("%s with %q in home %q: trusted %v, want %v", c.path, c.data, c.home, got, c.want)
		}
	}
}

func TestTrustInAnOlderContentEnds(t *testing.T) {
	home, path := t.TempDir(), filepath.Join(t.TempDir(), "rubric.yaml")
	for _, data := range []string{"a", "b"} {
		if err := Allow(home, path, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	if Trusted(home, path, []byte("a")) || !Trusted(home, path, []byte("b")) {
		t.Error("the first content is trusted still, or the second is not")
	}
	all, err := ListTrust(home)
	if err != nil || len(all) != 1 || filepath.Base(all[0].Path) != "rubric.yaml" || all[0].At.IsZero() {
		t.Errorf("the list is %v, %v", all, err)
	}
}

func TestALinkAndItsFileAreOne(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	path, link := filepath.Join(dir, "rubric.yaml"), filepath.Join(dir, "link.yaml")
	if err := os.WriteFile(path, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := Allow(home, link, []byte("a")); err != nil {
		t.Fatal(err)
	}
	if !Trusted(home, path, []byte("a")) {
		t.Error("the file behind the link is not trusted")
	}
	if n, err := Revoke(home, path); n != 1 || err != nil {
		t.Errorf("revoked %d, %v", n, err)
	}
	if Trusted(home, link, []byte("a")) {
		t.Error("trusted after it was revoked")
	}
}

func TestTrustOutlivesItsFileUntilItIsRevoked(t *testing.T) {
	home, path := t.TempDir(), filepath.Join(t.TempDir(), "rubric.yaml")
	if err := os.WriteFile(path, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Allow(home, path, []byte("a")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if n, err := Revoke(home, path); n != 1 || err != nil {
		t.Errorf("revoked %d, %v", n, err)
	}
	if n, err := Revoke(home, path); n != 0 || err != nil {
		t.Errorf("revoked %d once more, %v", n, err)
	}
}

// A record is believed only under the name that its path and content give it.
func TestAForgedRecordIsNoTrust(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	path, other := filepath.Join(dir, "rubric.yaml"), filepath.Join(dir, "other.yaml")
	if err := Allow(home, path, []byte("a")); err != nil {
		t.Fatal(err)
	}
	all, err := ListTrust(home)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	record, err := os.ReadFile(trustPath(home, all[0].Hash))
	if err != nil {
		t.Fatal(err)
	}
	real, err := realPath(other)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(trustPath(home, trustHash(real, []byte("b"))), record, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, trustFolder, "junk"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if Trusted(home, other, []byte("b")) {
		t.Error("a copied record is believed")
	}
	if all, err = ListTrust(home); err != nil || len(all) != 1 {
		t.Errorf("the list is %v, %v", all, err)
	}
}

func TestTrustIsReadableByItsOwnerAlone(t *testing.T) {
	home, path := t.TempDir(), filepath.Join(t.TempDir(), "rubric.yaml")
	if err := Allow(home, path, []byte("a")); err != nil {
		t.Fatal(err)
	}
	all, err := ListTrust(home)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	for file, want := range map[string]os.FileMode{filepath.Join(home, trustFolder): 0o700, trustPath(home, all[0].Hash): 0o600} {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %v, want %v", file, got, want)
		}
	}
	if err := Allow("relative", path, []byte("a")); err == nil {
		t.Error("a relative home is written to")
	}
}
