package skill

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// relative makes the paths of what was found readable.
func relative(top string, f Found) Found {
	cut := func(p string) string { return filepath.ToSlash(strings.TrimPrefix(p, top+string(filepath.Separator))) }
	f.Dir, f.File, f.PluginDir, f.Evals, f.State, f.Ref = cut(f.Dir), cut(f.File), cut(f.PluginDir), cut(f.Evals), cut(f.State), cut(f.Ref)
	for i := range f.Manifests {
		f.Manifests[i] = cut(f.Manifests[i])
	}
	for i := range f.Differing {
		f.Differing[i] = cut(f.Differing[i])
	}
	return f
}

func TestASkillIsFoundWithAllThatBelongsToIt(t *testing.T) {
	top := project(t)
	put(t, top, map[string]string{"plugins/starter/gemini-extension.json": `{"name": "starter", "version": "1.0.0"}`})
	for _, name := range []string{"release-notes", "starter:release-notes", "plugins/starter/skills/release-notes", "./plugins/starter/skills/release-notes/SKILL.md",
		filepath.Join(top, "plugins", "starter", "skills", "release-notes")} {
		found, err := Find(roots(top), name)
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %v, %v", name, found, err)
		}
		got := relative(top, found[0])
		if !strings.ContainsAny(name, `/\`) {
			name = "release-notes"
		} else {
			name = got.Ref
		}
		want := Found{
			Name: "release-notes", Ref: name, Dir: "plugins/starter/skills/release-notes", File: "plugins/starter/skills/release-notes/SKILL.md",
			Where: InPlugin, Plugin: "starter", PluginDir: "plugins/starter", Version: "1.2.9",
			Manifests: []string{"plugins/starter/.claude-plugin/plugin.json", "plugins/starter/.codex-plugin/plugin.json", ".claude-plugin/marketplace.json"},
			Differing: []string{"plugins/starter/gemini-extension.json"},
			Evals:     "evals/starter/release-notes", State: "evals/.hoyeon",
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}

func TestEveryPlaceIsLookedInFromAnyFolderOfTheProject(t *testing.T) {
	top := t.TempDir()
	const text = "---\nname: x\ndescription: \"x\"\n---\nx\n"
	put(t, top, map[string]string{
		".git":                           "gitdir: elsewhere\n", // a linked work tree
		".claude-plugin/plugin.json":     `{"name": "whole", "version": "0.1.0"}`,
		"skills/a/SKILL.md":              text,
		"plugins/p/skills/b/skill.md":    text,
		".claude/skills/c/SKILL.md":      text,
		".agents/skills/d/SKILL.md":      text,
		"sub/.agents/skills/e/SKILL.md":  text,
		"sub/skills/f/SKILL.md":          text,
		"home/.claude/skills/g/SKILL.md": text,
		"home/.agents/skills/h/SKILL.md": text,
		"home/.codex/skills/i/SKILL.md":  text,
		"skills/none/README.md":          text,
		"skills/.hidden/SKILL.md":        text,
		"sub/deep/x":                     "",
	})
	found, err := Find(roots(filepath.Join(top, "sub", "deep")), "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		r := relative(top, f)
		got = append(got, strings.Join([]string{r.Name, string(r.Where), r.Plugin, r.Version, r.Evals}, " "))
	}
	want := []string{ // the working folder's home is no home here
		"f skills   evals/_project/f", "e agents   evals/_project/e",
		"b plugin p  evals/p/b", "a plugin whole 0.1.0 evals/whole/a", "c claude   evals/_project/c", "d agents   evals/_project/d",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for name, want := range map[string]string{"g": "home/.claude/skills/.hoyeon", "h": "home/.agents/skills/.hoyeon", "i": "home/.codex/skills/.hoyeon"} {
		if got := relative(top, one(t, top, name)); got.State != want || got.Evals != "evals/_user/"+name || got.Where != InUser {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestTheClientsOwnFoldersMoveWithTheirVariables(t *testing.T) {
	got := RootsOf(func(name string) string {
		return map[string]string{"HOME": "/h", "CODEX_HOME": "/c", "CLAUDE_CONFIG_DIR": "/k"}[name]
	}, t.TempDir())
	if want := []string{"/k/skills", "/h/.agents/skills", "/c/skills"}; !reflect.DeepEqual(got.User, want) {
		t.Errorf("%q", got.User)
	}
	if got := RootsOf(func(string) string { return "" }, t.TempDir()); len(got.User) != 0 {
		t.Errorf("%q", got.User)
	}
}

func TestTwoSkillsOfANameAreAQuestion(t *testing.T) {
	top := project(t)
	put(t, top, map[string]string{".claude/skills/release-notes/SKILL.md": skillText, "plugins/other/skills/release-notes/SKILL.md": skillText})
	_, err := One(roots(top), "release-notes")
	question, ok := errors.AsType[*Ambiguous](err)
	if !ok || len(question.Found) != 3 {
		t.Fatalf("%v", err)
	}
	want := "which release-notes do you mean: other:release-notes or starter:release-notes or " + filepath.Join(top, ".claude", "skills", "release-notes") + "?"
	if err.Error() != want {
		t.Errorf("%v", err)
	}
	for _, f := range question.Found {
		if got := one(t, top, f.Ref); got.Dir != f.Dir {
			t.Errorf("%s leads to %s, not to %s", f.Ref, got.Dir, f.Dir)
		}
	}
}

func TestASkillThatIsLinkedIsOneSkill(t *testing.T) {
	top := project(t)
	for _, dir := range []string{".claude", ".agents"} {
		put(t, top, map[string]string{dir + "/skills/x": ""})
		if err := os.Symlink(filepath.Join("..", "..", "plugins", "starter", "skills", "release-notes"), filepath.Join(top, dir, "skills", "release-notes")); err != nil {
			t.Fatal(err)
		}
	}
	if f := one(t, top, "release-notes"); f.Where != InPlugin {
		t.Errorf("%+v", f)
	}
}

func TestAnUnknownNameSaysWhatIsThere(t *testing.T) {
	top := project(t)
	for name, want := range map[string]string{
		"relase-note":     "there is no skill relase-note; there is release-notes",
		"starter:release": "there is no skill starter:release; there is release-notes",
		"zzz":             "there is no skill zzz in plugins/*/skills",
		"./plugins":       "there is no SKILL.md in ",
		"":                "name the skill",
		":x":              "there is no skill :x",
		"starter:":        "names no skill",
		"../../etc":       "there is no SKILL.md in ",
	} {
		if _, err := One(roots(top), name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
}

func TestASkillOfAnotherProjectKeepsItsLogThere(t *testing.T) {
	here, there := project(t), project(t)
	f := one(t, here, filepath.Join(there, "plugins", "starter", "skills", "release-notes"))
	if got := relative(there, f); got.Evals != "evals/starter/release-notes" || got.State != "evals/.hoyeon" || got.Plugin != "starter" {
		t.Errorf("%+v", got)
	}
	bare := t.TempDir()
	put(t, bare, map[string]string{"x/SKILL.md": skillText})
	if got := relative(bare, one(t, here, filepath.Join(bare, "x"))); got.Evals != "evals/_project/x" || got.Where != ByPath {
		t.Errorf("%+v", got)
	}
}

func TestAManifestThatTwoReadersReadDifferentlyIsAnError(t *testing.T) {
	for what, test := range map[string]struct{ text, want string }{
		"no JSON":         {`{"name": "starter",}`, "no JSON document"},
		"cut off":         {`{"name": "starter"`, "no JSON document"},
		"a list":          {`[]`, "no JSON object"},
		"a version twice": {`{"version": "1.0.0", "version": "2.0.0"}`, `"version" occurs twice`},
		"two documents":   {`{} {}`, "something follows"},
		"very deep":       {`{"a":` + strings.Repeat("[", 100000) + strings.Repeat("]", 100000) + `}`, "nested"},
		"a folder's name": {`{"name": "../../x"}`, "no folder can be called"},
		"large":           {`{"a":"` + strings.Repeat("x", manifestSize) + `"}`, "at most"},
	} {
		top := project(t)
		put(t, top, map[string]string{"plugins/starter/.claude-plugin/plugin.json": test.text})
		if _, err := One(roots(top), "release-notes"); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", what, err, test.want)
		}
	}
}
