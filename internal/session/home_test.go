package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func mkdir(t testing.TB, path ...string) string {
	t.Helper()
	dir := filepath.Join(path...)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func homesOf(getenv func(string) string, cwd string) string {
	var list []string
	for _, s := range Homes(getenv, cwd) {
		list = append(list, s.Home)
	}
	return strings.Join(list, " ")
}

func TestHomesInOrder(t *testing.T) {
	root := t.TempDir()
	user := mkdir(t, root, "user")
	repo := mkdir(t, root, "repo")
	if err := os.WriteFile(filepath.Join(mkdir(t, repo, ".git"), "HEAD"), []byte("ref: refs/heads/main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	deep := mkdir(t, repo, "a", "b")
	linked := mkdir(t, root, "linked")
	if err := os.WriteFile(filepath.Join(linked, ".git"), []byte("gitdir: ../repo/.git/worktrees/linked\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	plain := mkdir(t, root, "plain", "sub")
	hostile := mkdir(t, root, "hostile")
	if err := os.Symlink(user, filepath.Join(hostile, ".hoyeon")); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name   string
		getenv func(string) string
		cwd    string
		want   string
	}{
		{"HOYEON_HOME stands alone", env("HOYEON_HOME", "/h", "HOME", user), deep, "/h"},
		{"a relative HOYEON_HOME starts at the working folder", env("HOYEON_HOME", "h/./x", "HOME", user), deep, deep + "/h/x"},
		{"user, then the top of the work tree", env("HOME", user), deep, user + "/.hoyeon " + repo + "/.hoyeon"},
		{"a work tree whose .git is a file", env("HOME", user), linked, user + "/.hoyeon " + linked + "/.hoyeon"},
		{"no work tree: the working folder", env("HOME", user), plain, user + "/.hoyeon " + plain + "/.hoyeon"},
		{"the user's folder as working folder counts once", env("HOME", user), user, user + "/.hoyeon"},
		{"no user folder", env(), plain, plain + "/.hoyeon"},
		{"a user folder that is no absolute path", env("HOME", "user"), plain, plain + "/.hoyeon"},
		{"a link in a project chooses no home", env("HOME", user), hostile, user + "/.hoyeon"},
		{"a working folder that is gone", env("HOME", user), filepath.Join(plain, "gone", "deeper"), user + "/.hoyeon " + filepath.Join(plain, "gone", "deeper") + "/.hoyeon"},
		{"no working folder", env("HOME", user), "", user + "/.hoyeon"},
		{"nothing at all", env(), "", ""},
		{"a relative HOYEON_HOME without a working folder", env("HOYEON_HOME", "h", "HOME", user), "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := homesOf(c.getenv, c.cwd); got != c.want {
				t.Errorf("Homes = %q, want %q", got, c.want)
			}
		})
	}
	if got := names(t, user); got != "" {
		t.Errorf("looking has created %q", got)
	}
}

func TestWritablePrefersTheUsersHome(t *testing.T) {
	user, project := t.TempDir(), t.TempDir()
	s, err := Writable(env("HOME", user), project)
	if err != nil || s.Home != filepath.Join(user, ".hoyeon") {
		t.Fatalf("Writable = %v, %v", s, err)
	}
	if info, err := os.Stat(s.Home); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("home: %v, %v; want mode 0700", info, err)
	}
	if got := names(t, s.Home); got != "" {
		t.Errorf("trying has left %q", got)
	}
	if got := names(t, project); got != "" {
		t.Errorf("the project was written: %q", got)
	}
}

func TestWritableFallsThroughToTheProject(t *testing.T) {
	user, project := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(user, ".hoyeon"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Writable(env("HOME", user), project)
	if err != nil || s.Home != filepath.Join(project, ".hoyeon") {
		t.Fatalf("Writable = %v, %v", s, err)
	}
	if got := read(t, filepath.Join(s.Home, ".gitignore")); got != "*\n" {
		t.Errorf(".gitignore = %q", got)
	}
	// Somebody's own rules stay.
	if err := os.WriteFile(filepath.Join(s.Home, ".gitignore"), []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Writable(env("HOME", user), project); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(s.Home, ".gitignore")); got != "mine\n" {
		t.Errorf(".gitignore = %q", got)
	}
}

func TestWritableSaysWhatToDoWhenNothingCanBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Writable(env("HOYEON_HOME", file), "/")
	want := "no home can be written: mkdir " + file + ": not a directory; set HOYEON_HOME to a folder you can write"
	if err == nil || err.Error() != want {
		t.Errorf("Writable = %v, want %q", err, want)
	}
	_, err = Writable(env(), "")
	if want := "there is no home for sessions: set HOYEON_HOME to a folder you can write"; err == nil || err.Error() != want {
		t.Errorf("Writable = %v, want %q", err, want)
	}
}

func TestLocateTakesTheFirstHomeWithAnArmedLoop(t *testing.T) {
	user, project := t.TempDir(), t.TempDir()
	getenv := env("HOME", user)
	first, second := Store{Home: filepath.Join(user, ".hoyeon")}, Store{Home: filepath.Join(project, ".hoyeon")}
	if _, ok := Current(getenv, project, "s1"); ok {
		t.Fatal("a session without a state was found")
	}

	put(t, second, "s1", `{"rulph":{"status":"completed"}}`)
	put(t, first, "s1", `{"rulph":{`)
	if s, _, ok := Locate(getenv, project, "s1", func([]byte) bool { return true }); !ok || s != second {
		t.Errorf("a damaged state was not passed over: %v %v", s, ok)
	}
	if s, ok := Current(getenv, project, "s1"); !ok || s != second {
		t.Errorf("Current = %v, %v", s, ok)
	}

	put(t, first, "s1", `{"skill":"other"}`)
	if s, ok := Current(getenv, project, "s1"); !ok || s != first {
		t.Errorf("Current = %v, %v; want the first home", s, ok)
	}
	put(t, second, "s1", `{"rulph":{"status":"active"}}`)
	s, state, ok := Locate(getenv, project, "s1", Active)
	if !ok || s != second || string(state) != `{"rulph":{"status":"active"}}` {
		t.Errorf("Locate = %v %s %v", s, state, ok)
	}
	if s, err := HomeFor(getenv, project, "s1"); err != nil || s != second {
		t.Errorf("HomeFor = %v, %v; want the home of the active loop", s, err)
	}

	if _, _, ok := Locate(getenv, project, "../s1", func([]byte) bool { return true }); ok {
		t.Error("an id that is none was found")
	}
}

func TestASessionWithOnlyADamagedStateHasAHome(t *testing.T) {
	user, project := t.TempDir(), t.TempDir()
	second := Store{Home: filepath.Join(project, ".hoyeon")}
	put(t, second, "s1", "")
	if s, err := HomeFor(env("HOME", user), project, "s1"); err != nil || s != second {
		t.Errorf("HomeFor = %v, %v; want %v, where the file to set aside is", s, err, second)
	}
}

// Codex's sandbox leaves an empty .git in /tmp: it must not make /tmp a project.
func TestAnEmptyGitFolderIsNoWorkTree(t *testing.T) {
	root := t.TempDir()
	mkdir(t, root, ".git")
	deep := mkdir(t, root, "a", "b")
	if top, ok := WorkTree(deep); ok && strings.HasPrefix(top, root) {
		t.Errorf("%s counts as a work tree", top)
	}
	if got := workTree(deep); got != deep {
		t.Errorf("the project of %s is %s", deep, got)
	}
}
