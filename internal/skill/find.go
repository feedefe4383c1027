package skill

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Find lists the skills of that name in the order of the roots: plugins/*/skills, skills, .claude/skills and
// .agents/skills of each folder, then the user's. None is no error. name is the name of a skill's folder,
// plugin:name, or a path (it has a separator in it, or begins with a point) of a skill's folder or its SKILL.md;
// a relative path is taken from the first of roots.Dirs. "" lists all. A skill that is reached in two ways, by a link,
// is one skill.
func Find(roots Roots, name string) ([]Found, error) {
	if name != "" && (strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".")) {
		f, err := byPath(roots, name)
		if err != nil {
			return nil, err
		}
		return []Found{f}, nil
	}
	plugin, base, qualified := strings.Cut(name, ":")
	if !qualified {
		plugin, base = "", name
	}
	if base == "" && name != "" {
		return nil, fmt.Errorf("%q names no skill: it is NAME, PLUGIN:NAME or the path of its folder", name)
	}
	var found []Found
	seen := map[string]bool{}
	for _, s := range shelves(roots) {
		for _, dir := range s.skills(base) {
			real := realPath(dir)
			if seen[real] {
				continue
			}
			f, err := describe(roots, s, dir)
			if err != nil {
				return nil, err
			}
			if qualified && f.Plugin != plugin {
				continue
			}
			seen[real] = true
			found = append(found, f)
		}
	}
	refer(found)
	return found, nil
}

// Ambiguous is a name that several skills have.
type Ambiguous struct {
	Name  string
	Found []Found
}

func (e *Ambiguous) Error() string {
	refs := make([]string, len(e.Found))
	for i, f := range e.Found {
		refs[i] = f.Ref
	}
	return fmt.Sprintf("which %s do you mean: %s?", e.Name, strings.Join(refs, " or "))
}

// Missing is a name that no skill has.
type Missing struct {
	Name string
	Dir  string   // the folder without a SKILL.md that a path led to
	Near []string // names that are there, the nearest first; at most three
}

func (e *Missing) Error() string {
	if e.Dir != "" {
		return "there is no SKILL.md in " + e.Dir
	}
	if len(e.Near) > 0 {
		return fmt.Sprintf("there is no skill %s; there is %s", e.Name, strings.Join(e.Near, ", "))
	}
	return fmt.Sprintf("there is no skill %s in plugins/*/skills, skills, .claude/skills, .agents/skills or the user's folders", e.Name)
}

// One is Find where exactly one skill is wanted: *Ambiguous where there are several, *Missing where there is none. It
// first finishes what a killed command began, so that what is read next is whole; where that fails, Apply will say so.
func One(roots Roots, name string) (Found, error) {
	_, _ = RecoverAll(roots)
	if name == "" {
		return Found{}, errors.New("name the skill: NAME, PLUGIN:NAME or the path of its folder")
	}
	found, err := Find(roots, name)
	switch {
	case err != nil:
		return Found{}, err
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return Found{}, &Ambiguous{name, found}
	}
	all, err := Find(roots, "")
	if err != nil {
		return Found{}, &Missing{Name: name}
	}
	return Found{}, &Missing{Name: name, Near: near(name, all)}
}

// near are the names that share most with name, where any shares enough.
func near(name string, all []Found) []string {
	_, base, qualified := strings.Cut(name, ":")
	if !qualified {
		base = name
	}
	shared := map[string]int{}
	var names []string
	for _, f := range all {
		n := common(strings.ToLower(base), strings.ToLower(f.Name))
		begins := len(base) > 2 && strings.HasPrefix(f.Name, base)
		if (begins || 3*n >= 2*max(len(base), len(f.Name))) && shared[f.Name] == 0 && n > 0 {
			shared[f.Name], names = n, append(names, f.Name)
		}
	}
	sort.SliceStable(names, func(i, j int) bool { return shared[names[i]] > shared[names[j]] })
	return names[:min(3, len(names))]
}

// common is the length of the longest common subsequence.
func common(a, b string) int {
	row := make([]int, len(b)+1)
	for i := range len(a) {
		diagonal := 0
		for j := range len(b) {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// byPath describes the skill at a path, with the place it has where that is one of the usual.
func byPath(roots Roots, path string) (Found, error) {
	if !filepath.IsAbs(path) && len(roots.Dirs) > 0 {
		path = filepath.Join(roots.Dirs[0], filepath.FromSlash(path))
	}
	dir := filepath.Clean(path)
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	if skillFile(dir) == "" {
		return Found{}, &Missing{Name: path, Dir: dir}
	}
	if _, below := within(roots.Top, dir); !below && !onUserShelf(roots, dir) { // it is part of another project, and so is its log
		other := RootsOf(func(string) string { return "" }, dir)
		if other.Top == dir {
			other.Top = filepath.Dir(dir)
			if filepath.Base(other.Top) == "skills" {
				other.Top = filepath.Dir(other.Top)
			}
		}
		other.Dirs, other.User = []string{other.Top}, nil
		roots = other
	}
	for _, s := range shelves(roots) {
		if realPath(s.dir) == realPath(filepath.Dir(dir)) {
			f, err := describe(roots, s, dir)
			f.Ref = path
			return f, err
		}
	}
	s := shelf{dir: filepath.Dir(dir), where: ByPath}
	if filepath.Base(s.dir) == "skills" {
		s = inFolder(filepath.Dir(s.dir), ByPath)
	}
	f, err := describe(roots, s, dir)
	f.Ref = path
	return f, err
}

func onUserShelf(roots Roots, dir string) bool {
	for _, shelf := range roots.User {
		if realPath(shelf) == realPath(filepath.Dir(dir)) {
			return true
		}
	}
	return false
}

// within returns path relative to dir, links followed, and whether it is inside of it.
func within(dir, path string) (string, bool) {
	rel, err := filepath.Rel(realPath(dir), realPath(path))
	return rel, err == nil && filepath.IsLocal(rel)
}

// skillFile is the SKILL.md in dir, in either of the two spellings the specification allows; "": none.
func skillFile(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, name := range []string{"SKILL.md", "skill.md"} {
		for _, e := range entries { // not Stat: some file systems take one spelling for the other
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); e.Name() == name && err == nil && info.Mode().IsRegular() {
				return path
			}
		}
	}
	return ""
}

// refer gives each skill the shortest name that means it alone.
func refer(found []Found) {
	byName, byPlugin := map[string]int{}, map[string]int{}
	for _, f := range found {
		byName[f.Name]++
		byPlugin[f.Plugin+":"+f.Name]++
	}
	for i, f := range found {
		qualified := f.Plugin + ":" + f.Name
		switch {
		case byName[f.Name] == 1:
			found[i].Ref = f.Name
		case f.Plugin != "" && byPlugin[qualified] == 1:
			found[i].Ref = qualified
		default:
			found[i].Ref = f.Dir
		}
	}
}

// realPath is path with its links followed, where that can be done.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
