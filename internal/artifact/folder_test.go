package artifact

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func listed(t *testing.T, dir string) string {
	t.Helper()
	return paths(read(t, spec(t, dir, []string{"."})))
}

func TestIgnoredFilesAreLeftOutWithAndWithoutGit(t *testing.T) {
	files := map[string]string{
		".gitignore": "*.log\nbuild/\n/top.md\n!keep.log\n", "a.md": "a", "x.log": "x", "keep.log": "k", "build/out.md": "o",
		"docs/.gitignore": "draft*\n!draft-kept.md\n", "docs/b.md": "b", "docs/draft.md": "d", "docs/draft-kept.md": "d", "docs/top.md": "t", "top.md": "t",
		".hoyeon/s/state.json": "{}", "sub/.hoyeon/x": "x",
	}
	const want = ".gitignore a.md docs/.gitignore docs/b.md docs/draft-kept.md docs/top.md keep.log"

	dir := folder(t, files)
	if got := listed(t, dir); got != want {
		t.Errorf("without a work tree:\n got %s\nwant %s", got, want)
	}
	repository(t, dir)
	if got := listed(t, dir); got != want {
		t.Errorf("asking git:\n got %s\nwant %s", got, want)
	}
	docs := filepath.Join(dir, "docs")
	const below = ".gitignore b.md draft-kept.md top.md"
	if got := listed(t, docs); got != below {
		t.Errorf("a folder below, asking git:\n got %s\nwant %s", got, below)
	}
	t.Setenv("PATH", "")
	if got := listed(t, dir); got != want {
		t.Errorf("in a work tree without git:\n got %s\nwant %s", got, want)
	}
	if got := listed(t, docs); got != below {
		t.Errorf("a folder below, without git:\n got %s\nwant %s", got, below)
	}
}

func TestTrackedDeletedAndNestedFiles(t *testing.T) {
	dir := folder(t, map[string]string{".gitignore": "*.log\n", "tracked.log": "t", "gone.md": "g", "a.md": "a", "nested/n.md": "n", "nested/x.tmp": "x"})
	repository(t, filepath.Join(dir, "nested"))
	write(t, filepath.Join(dir, "nested"), ".gitignore", "*.tmp\n")
	repository(t, dir, "add -f tracked.log gone.md", "commit -qm x")
	remover(t, dir, "gone.md")
	const want = ".gitignore a.md nested/.gitignore nested/n.md tracked.log"
	if got := listed(t, dir); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The work copy of a run can lie in .hoyeon of the repository, which ignores everything in it.
func TestIgnoredFolderThatIsNamedIsRead(t *testing.T) {
	dir := folder(t, map[string]string{".gitignore": "*\n", "copy/a.md": "a", "copy/.gitignore": "*.log\n", "copy/x.log": "x"})
	repository(t, dir)
	copied := filepath.Join(dir, "copy")
	if got := listed(t, copied); got != ".gitignore a.md" {
		t.Errorf("asking git: %q", got)
	}
	t.Setenv("PATH", "")
	if got := listed(t, copied); got != ".gitignore a.md" {
		t.Errorf("without git: %q", got)
	}
}

func TestBrokenRepositoryDoesNotExposeIgnoredFiles(t *testing.T) {
	dir := folder(t, map[string]string{".gitignore": "secret.md\n", "a.md": "a", "secret.md": "s"})
	write(t, dir, ".git", "gitdir: nowhere\n")
	if got := listed(t, dir); got != ".gitignore a.md" {
		t.Errorf("a .git that leads nowhere: %q", got)
	}
	remover(t, dir, ".git")
	repository(t, dir)
	write(t, dir, ".git/index", "garbage")
	_, err := Read(spec(t, dir, []string{"."}))
	wantError(t, err, "git cannot list the files", "index")
}

func TestRepositoryCannotStartProgramsOrBeRedirected(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "a"})
	other := folder(t, map[string]string{"b.md": "b"})
	repository(t, other)
	mark := filepath.Join(dir, "ran")
	repository(t, dir, "config core.fsmonitor "+writeHook(t, mark))
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	if got := listed(t, dir); got != "a.md" {
		t.Errorf("files %q", got)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("listing the files started the repository's own program")
	}
}

func writeHook(t *testing.T, mark string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "hook")
	if err := os.WriteFile(name, []byte("#!/bin/sh\n: > '"+mark+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

// git decides what a rule means. Each rule is tried against the same tree.
func TestIgnoreRulesMeanWhatTheyMeanToGit(t *testing.T) {
	tree := []string{
		"a.md", "b.txt", "foo", "foo.md", "#hash", "!bang", "sp ace", "trail ", "x[1].md", "x1.md", "docs/a.md", "docs/foo/a.md", "docs/foo/b/c.md",
		"deep/docs/a.md", "deep/x/y/foo", "a/b/c/d.md", "a/d.md", "node_modules/m/x.js", "A.md", "ü.md",
	}
	files := map[string]string{}
	for _, p := range tree {
		files[p] = "x"
	}
	dir := folder(t, files)
	repository(t, dir)
	for _, rules := range []string{
		"*.md", "/*.md", "foo", "foo/", "/foo", "docs/foo", "docs/foo/", "docs/*", "docs/**", "**/foo", "a/**/d.md", "a/**", "**/docs/*.md", "*", "*/", "**",
		"!a.md", "*.md\n!a.md", "docs/\n!docs/a.md", "docs/*\n!docs/foo", "\\#hash", "#hash", "\\!bang", "trail\\ ", "trail ", "sp ace   ", "x[1].md", "x[!1].md",
		"x\\[1\\].md", "[a-c].*", "?.txt", "foo*", "*oo", "/", "//", "", "\r\n*.txt\r\n", "a.md\\", "[", "a/b/", "./a.md", "deep/**/foo", "**/a/*", "***", "a**", "*.md/", "docs/foo/**\n!docs/foo/b/",
	} {
		write(t, dir, ".git/info/exclude", rules)
		out, err := git(dir, "ls-files", "-z", "--others", "--exclude-standard")
		if err != nil {
			t.Fatalf("%q: %v", rules, err)
		}
		want := strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
		if len(out) == 0 {
			want = nil
		}
		w := walker{top: dir}
		if err := w.dir("", parseIgnore("", rules)); err != nil {
			t.Fatalf("%q: %v", rules, err)
		}
		slices.Sort(want)
		slices.Sort(w.paths)
		if !slices.Equal(w.paths, want) {
			t.Errorf("%q: left %q, git leaves %q", rules, w.paths, want)
		}
	}
}

func TestUnreadableIgnoreFileIsAnError(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "a", ".gitignore/x": "a folder"})
	_, err := Read(spec(t, dir, []string{"."}))
	wantError(t, err, "cannot be listed", ".gitignore")
}

func TestGlobsMatchSlashPaths(t *testing.T) {
	for _, c := range []struct {
		pattern string
		yes, no []string
	}{
		{"*.md", []string{"a.md", ".md"}, []string{"docs/a.md", "a.txt", "a.md/x"}},
		{"**/*.md", []string{"a.md", "docs/a.md", "a/b/c.md"}, []string{"a.mdx", "a.md/x"}},
		{"docs/**", []string{"docs/a.md", "docs/a/b"}, []string{"docs2/a", "x/docs/a"}},
		{"docs/", []string{"docs/a.md", "docs/a/b"}, []string{"doc/a"}},
		{"**/docs/**/x?.md", []string{"docs/x1.md", "a/docs/b/c/xy.md"}, []string{"docs/x.md", "x1.md"}},
		{"**", []string{"a", "a/b"}, nil},
		{"a/**/**/b", []string{"a/b", "a/x/b", "a/x/y/b"}, []string{"b", "a/b/c"}},
		{"[a-c]/\\*.md", []string{"b/*.md"}, []string{"d/*.md", "b/x.md"}},
		{"./a.md", []string{"a.md"}, []string{"b.md"}},
	} {
		g, err := parseGlob(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range c.yes {
			if !g.match(p) {
				t.Errorf("%s does not match %s", c.pattern, p)
			}
		}
		for _, p := range c.no {
			if g.match(p) {
				t.Errorf("%s matches %s", c.pattern, p)
			}
		}
	}
}

func FuzzGlob(f *testing.F) {
	for _, s := range [][2]string{{"**/*.md", "a/b.md"}, {"a/**/b/**/c", "a/b/c"}, {"[", "x"}, {strings.Repeat("**/*/", 40) + "x", strings.Repeat("a/", 200)}, {"\\", "\\"}, {"!#a/ ", "a"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, pattern, p string) {
		for _, r := range parseIgnore("", pattern) {
			ignored([]ignoreRule{r}, p, true)
		}
		g, err := parseGlob(pattern)
		if err != nil {
			return
		}
		if g.match(p) && !append(glob{"**"}, g...).match("x/"+p) {
			t.Errorf("%q matches %q, and with **/ before it nothing deeper", pattern, p)
		}
	})
}
