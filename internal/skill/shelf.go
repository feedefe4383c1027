package skill

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A shelf is one folder that holds skills.
type shelf struct {
	dir    string
	where  Where
	plugin string // folder of the plugin it belongs to; "" for none
}

// shelves are the folders with skills, in the order in which they are listed.
func shelves(roots Roots) []shelf {
	var all []shelf
	for _, dir := range roots.Dirs {
		plugins, _ := os.ReadDir(filepath.Join(dir, "plugins")) // no such folder: no plugins
		for _, p := range plugins {
			plugin := filepath.Join(dir, "plugins", p.Name())
			all = append(all, shelf{filepath.Join(plugin, "skills"), InPlugin, plugin})
		}
		all = append(all, inFolder(dir, InSkills),
			shelf{dir: filepath.Join(dir, ".claude", "skills"), where: InClaude},
			shelf{dir: filepath.Join(dir, ".agents", "skills"), where: InAgents})
	}
	for _, dir := range roots.User {
		all = append(all, shelf{dir: dir, where: InUser})
	}
	return all
}

// inFolder is the shelf skills/ of a folder, which may be a plugin itself.
func inFolder(dir string, where Where) shelf {
	s := shelf{dir: filepath.Join(dir, "skills"), where: where}
	for _, path := range manifestPaths {
		if isFile(filepath.Join(dir, path)) {
			s.where, s.plugin = InPlugin, dir
		}
	}
	return s
}

// skills are the folders on the shelf that are a skill of that name; of any for "".
func (s shelf) skills(name string) []string {
	if name != "" {
		if dir := filepath.Join(s.dir, name); skillFile(dir) != "" {
			return []string{dir}
		}
		return nil
	}
	entries, _ := os.ReadDir(s.dir) // no such folder: no skills
	var dirs []string
	for _, e := range entries {
		if dir := filepath.Join(s.dir, e.Name()); !strings.HasPrefix(e.Name(), ".") && skillFile(dir) != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// What the logs of skills without a plugin are kept under. No plugin can be called so.
const (
	ofProject = "_project"
	ofUser    = "_user"
)

// hidden is the folder of what is not to be committed.
const hidden = ".hoyeon"

// describe reads what belongs to the skill in dir.
func describe(roots Roots, s shelf, dir string) (Found, error) {
	f := Found{
		Name: filepath.Base(dir), Dir: dir, File: skillFile(dir), Where: s.where, Ref: dir,
		Manifests: []string{}, Differing: []string{},
		State: filepath.Join(roots.Top, "evals", hidden),
	}
	group := ofProject
	switch {
	case s.where == InUser:
		group = ofUser
		f.State = filepath.Join(s.dir, hidden) // two projects may score the same skill
	case s.plugin != "":
		if err := f.readPlugin(s.plugin); err != nil {
			return Found{}, err
		}
		group = f.Plugin
	}
	if !plainName(group) || !plainName(f.Name) {
		return Found{}, fmt.Errorf("%s: no folder can be called evals/%s/%s; rename the plugin or the skill", f.File, group, f.Name)
	}
	f.Evals = filepath.Join(roots.Top, "evals", group, f.Name)
	return f, nil
}

// plainName reports whether name is one step of a path.
func plainName(name string) bool {
	return name != "" && !strings.HasPrefix(name, ".") && !strings.ContainsAny(name, "/\\\x00") && filepath.IsLocal(name)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
