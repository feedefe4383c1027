package lint

import (
	"path/filepath"
	"testing"

	"rulph/internal/skill/skilllint"
)

// ours is what a skill here is held to beyond the rules for all: details belong into references/.
var ours = skilllint.Options{MaxLines: 200}

// skills checks every skill of the tree; warnings count.
func skills(dir string) (faults []string, checked int) {
	for _, pattern := range []string{"skills/*", "plugins/*/skills/*"} {
		dirs, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			faultf(&faults, "%v", err)
		}
		for _, skill := range dirs {
			found, err := skilllint.Skill(skill, ours)
			faults = append(faults, shown(skill+"/", found, err)...)
			checked++
		}
	}
	return faults, checked
}

// agents checks every sub-agent of the tree.
func agents(dir string) (faults []string, checked int) {
	for _, entry := range list(filepath.Join(dir, "agents")) {
		found, err := skilllint.Agent(filepath.Join(dir, "agents", entry.Name()))
		faults = append(faults, shown(filepath.Join(dir, "agents")+"/", found, err)...)
		checked++
	}
	return faults, checked
}

func shown(dir string, found []skilllint.Finding, err error) (faults []string) {
	if err != nil {
		faultf(&faults, "%v", err)
	}
	for _, f := range found {
		faults = append(faults, f.At(dir)+"\n"+f.Excerpt())
	}
	return faults
}

func TestTheSkillsKeepTheRules(t *testing.T) {
	faults, checked := skills(root(t))
	clean(t, faults)
	if checked < 3 {
		t.Errorf("%d skills were found; rulph, skill-score and release-notes are three", checked)
	}
}

func TestTheAgentsKeepTheRules(t *testing.T) {
	faults, checked := agents(root(t))
	clean(t, faults)
	if checked < 2 {
		t.Errorf("%d agents were found", checked)
	}
}

func TestTheRulesForSkillsAndAgentsCanFail(t *testing.T) {
	const good = "---\nname: demo\ndescription: \"Counts words. Use when a text may be too long.\"\n---\n\nCount.\n"
	const agent = "---\nname: judge\ndescription: \"Judges.\"\ntools: \"Bash\"\n---\n\nJudge.\n"
	tree := map[string]string{"skills/demo/SKILL.md": good, "plugins/p/skills/demo/SKILL.md": good, "agents/judge.md": agent}
	check := func(change map[string]string) []string {
		dir := lay(t, with(tree, change))
		first, _ := skills(dir)
		second, _ := agents(dir)
		return append(first, second...)
	}
	caught(t, "a good tree", check(nil), "")
	caught(t, "an error", check(map[string]string{"skills/demo/SKILL.md": "x\n"}), "no-frontmatter")
	caught(t, "an error in a plugin", check(map[string]string{"plugins/p/skills/demo/SKILL.md": "x\n"}), "no-frontmatter")
	caught(t, "a warning", check(map[string]string{"skills/demo/SKILL.md": good + "\n!`date`\n"}), "inline-command")
	caught(t, "a folder without a skill", check(map[string]string{"skills/other/x": "x"}), "no-file")
	long := good
	for range ours.MaxLines {
		long += "\nCount.\n"
	}
	caught(t, "a long skill", check(map[string]string{"skills/demo/SKILL.md": long}), "this house asks for fewer than 200")
	caught(t, "an agent", check(map[string]string{"agents/judge.md": "---\nname: judge\ndescription: \"Judges.\"\n---\n\nJudge.\n"}), "agent-tools")
}
