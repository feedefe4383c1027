//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"rulph/internal/ui"
	"rulph/schemas/schematest"
)

// misbehave has judges that each go wrong in their own way answer side by side, in one evaluation, and gives
// the result by judge.
func misbehave(t *testing.T, scripts []string) (*bench, gjson.Result) {
	t.Helper()
	b := newBench(t, "Linux, make it please.\n")
	b.write("rubric.yaml", panelRubric)
	args := []string{"evaluate", "NOTES.md", "--rubric", "rubric.yaml", "--timeout", "10s", "--threshold", "0", "--json"}
	for i, script := range scripts {
		name := fmt.Sprintf("judge-%d.sh", i)
		b.write(name, "#!/bin/sh\nhere=$(dirname \"$0\")\n"+script+"\n")
		if err := os.Chmod(filepath.Join(b.dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--judge", "command:./"+name)
	}
	out := b.output(ui.OK, args...)
	schematest.Fits(t, "evaluation", []byte(out))
	return b, gjson.Parse(out)
}

const verdictOfAll = `{"checklist": {"setup": {"names-linux": "yes", "names-make": "yes"}, "style": {"says-please": "yes"}}}`

func TestJudgesThatAnswerOddlyAreReadOrRefusedByTheSameRules(t *testing.T) {
	say := func(text string) string {
		return "cat > /dev/null\ncat <<'END'\n" + text + "\nEND"
	}
	renamed := strings.NewReplacer("setup", "installation").Replace(verdictOfAll)
	cases := []struct{ name, script, state, overall, reason string }{
		{"a fence", say("```json\n" + verdictOfAll + "\n```"), "AVAILABLE", "100", ""},
		{"prose around it", say("Here it is:\n" + verdictOfAll + "\nI hope it helps."), "AVAILABLE", "100", ""},
		{"two objects: the last one counts", say(verdictOfAll + "\n" + strings.ReplaceAll(verdictOfAll, "yes", "no")), "AVAILABLE", "25", ""},
		{"scores that contradict the checklist", say(`{"scores": {"setup": 90}, ` + strings.Replace(verdictOfAll, `"names-make": "yes"`, `"names-make": "no"`, 1)[1:]), "AVAILABLE", "75", ""},
		{"a quotation that is not there", say(strings.Replace(verdictOfAll, `"names-linux": "yes"`, `"names-linux": {"verdict": "yes", "evidence": "Windows"}`, 1)), "AVAILABLE", "75", ""},
		{"renamed criteria", say(renamed), "DEGRADED", "", "installation"},
		{"prose", say("It is fine."), "DEGRADED", "", "no JSON object found"},
		{"exit 1 with a good reply", say(verdictOfAll) + "\nexit 1", "AVAILABLE", "100", ""},
		{"exit 0 with nothing", "cat > /dev/null", "DEGRADED", "", "gave no answer"},
	}
	var scripts []string
	for _, c := range cases {
		scripts = append(scripts, c.script)
	}
	_, got := misbehave(t, scripts)
	for i, c := range cases {
		j := got.Get(fmt.Sprintf("judges.%d", i))
		if j.Get("state").Str != c.state || j.Get("overall").Raw != c.overall || !strings.Contains(j.Get("reason").Str, c.reason) {
			t.Errorf("%s: %s", c.name, j)
		}
	}
	if item := got.Get("criteria.0.items.0"); item.Get("by_judge.command-5").Str != "unverified" {
		t.Errorf("the quotation that is not there: %s", item)
	}
	if warned := got.Get("warnings").String(); !strings.Contains(warned, "command-4 claims a score of 90.0 for setup; its own answers come to 50.0, which counts") {
		t.Errorf("the warnings are %s", warned)
	}
}

// One that hangs, one that floods, and two with children that outlive them cost the others nothing, and nothing
// of them is left.
func TestJudgesThatDoNotEndDoNotHoldUpTheOthers(t *testing.T) {
	answer := "cat > /dev/null\necho '" + verdictOfAll + "'"
	b, got := misbehave(t, []string{
		"trap '' TERM\necho $$ > \"$here/pid-0\"\nexec sleep 300",
		"cat > /dev/null\nhead -c 100000000 /dev/zero | tr '\\0' x",
		"sleep 300 &\necho $! > \"$here/pid-2\"\n" + answer,
		"sleep 300 > /dev/null 2>&1 &\necho $! > \"$here/pid-3\"\n" + answer,
		answer,
	})
	for i, want := range []struct{ state, reason string }{
		{"DEGRADED", "did not end within its time limit"}, {"DEGRADED", "more than the 4 MiB that are read"}, {"AVAILABLE", ""}, {"AVAILABLE", ""}, {"AVAILABLE", ""},
	} {
		j := got.Get(fmt.Sprintf("judges.%d", i))
		if j.Get("state").Str != want.state || !strings.Contains(j.Get("reason").Str, want.reason) {
			t.Errorf("judge %d: %s", i, j)
		}
		if i > 1 && j.Get("seconds").Float() >= got.Get("judges.0.seconds").Float() {
			t.Errorf("judge %d took %s s, as long as the one that hung", i, j.Get("seconds"))
		}
	}
	for _, name := range []string{"pid-0", "pid-2", "pid-3"} {
		for _, pid := range waitForPIDs(t, filepath.Join(b.dir, name)) {
			if running(pid) {
				t.Errorf("the process of %s is still there", name)
			}
		}
	}
	if got.Get("overall").Float() != 100 {
		t.Errorf("the score is %s", got.Get("overall"))
	}
}

// Judges whose flip rate is known are measured to have it: each answers an item wrongly in one of ten cases, so
// two of its answers differ in 2 x 0.1 x 0.9 of them.
func TestACalibrationFindsTheFlipRateThatJudgesHave(t *testing.T) {
	b := newBench(t, "word-0 word-1 word-2 word-3 word-4 word-5 word-6 word-7 word-8 word-9\n")
	var rubric strings.Builder
	rubric.WriteString("version: 1\ncriteria:\n")
	for c := range 4 {
		fmt.Fprintf(&rubric, "  - {id: c%d, name: Criterion %d, items: [", c, c)
		for i := range 5 {
			fmt.Fprintf(&rubric, `"Says 'word-%d' there", `, 5*c+i)
		}
		rubric.WriteString("]}\n")
	}
	b.write("rubric.yaml", rubric.String())
	judge := func(seed int) string {
		return fmt.Sprintf("command:testmodel plain flip=0.1 seed=%d log=%s --", seed, filepath.Join(b.dir, fmt.Sprint("log-", seed)))
	}
	out := b.output(ui.OK, "rulph", "calibrate", "NOTES.md", "--rubric", "rubric.yaml", "--judge", judge(1), "--judge", judge(2), "--repeat", "8", "--json")
	schematest.Fits(t, "calibration", []byte(out))
	var c struct {
		Items    int
		Flip     struct{ Value, Low, High float64 }
		SD, Band float64
		Judges   []struct{ SD float64 }
	}
	if err := json.Unmarshal([]byte(out), &c); err != nil {
		t.Fatal(err)
	}
	const rate = 2 * 0.1 * 0.9
	if c.Items != 20 || c.Flip.Low > rate || c.Flip.High < rate || c.Flip.Value < c.Flip.Low || c.Flip.Value > c.Flip.High || c.Flip.High-c.Flip.Low > 0.25 {
		t.Errorf("the rate of %.2f was measured as %+v over %d items", rate, c.Flip, c.Items)
	}
	// The deviation that independent flips give: of 20 items, judged by two.
	if c.Band < 5 || c.Band > 30 || len(c.Judges) != 2 || c.Judges[0].SD == 0 {
		t.Errorf("the band is %.1f, the deviations are %.1f and %+v", c.Band, c.SD, c.Judges)
	}
}

// What keeps nothing leaves nothing: the folder of a measurement without a loop goes away with it.
func TestACalibrationOfAFileLeavesNothingBehind(t *testing.T) {
	b := panelBench(t)
	b.env["HOME"] = b.dir
	b.output(ui.OK, "rulph", "calibrate", "NOTES.md", "--rubric", "rubric.yaml", "--judge", "command:./quick.sh", "--repeat", "2")
	left, err := os.ReadDir(filepath.Join(b.dir, ".cache", "hoyeon", "calls"))
	if err != nil || len(left) != 0 {
		t.Errorf("%v: %v is left", err, left)
	}
}
