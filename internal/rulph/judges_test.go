//go:build unix

package rulph

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rulph/internal/evaluator"
	"rulph/internal/loop"
)

// withClients puts programs of these names on a PATH of the engine's own.
func (l *lab) withClients(names ...string) {
	l.t.Helper()
	bin := l.t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
			l.t.Fatal(err)
		}
	}
	l.Environ = []string{"PATH=" + bin, "HOME=" + l.t.TempDir()}
}

func TestAJudgeSitsOnceHoweverOftenItIsNamed(t *testing.T) {
	l := newLab(t, "", twoCriteria)
	l.withClients("codex", "gemini")
	for text, want := range map[string]string{
		"auto":                    "judge-1 codex gemini",
		"auto auto":               "judge-1 codex gemini",
		"judge-1 auto":            "judge-1 codex gemini",
		"gemini auto":             "gemini judge-1 codex",
		"gemini:model=m auto":     "gemini judge-1 codex gemini-2",
		"codex codex":             "codex codex-2",
		"checks judge-2":          "judge-2",
		"a codex:effort=high b":   "a codex b",
		"command:./j command:./j": "command command-2",
	} {
		p, err := l.sessionPanel(strings.Fields(text))
		if err != nil || strings.Join(p.names, " ") != want {
			t.Errorf("%s: %v: %v, want %s", text, err, p.names, want)
		}
	}
	for _, text := range []string{"judge-1 judge-1", "Judge", "gpt:model=x", "codex:modle=x", "a b c d e f g h i j"} {
		if p, err := l.sessionPanel(strings.Fields(text)); err == nil {
			t.Errorf("%s gives %v", text, p.names)
		}
	}
}

func TestTheFamilyOfTheSessionIsNotAskedAgain(t *testing.T) {
	l := newLab(t, "", twoCriteria)
	l.withClients("codex", "gemini", "claude")
	for client, want := range map[evaluator.Kind]string{evaluator.Claude: "judge-1 codex gemini", evaluator.Codex: "judge-1 gemini claude", "": "judge-1 codex gemini claude"} {
		l.Client = client
		if p, err := l.sessionPanel([]string{Auto}); err != nil || strings.Join(p.names, " ") != want {
			t.Errorf("%q: %v: %v", client, err, p.names)
		}
	}
}

func TestARunIsJudgedByOtherFamiliesThanItsImprovers(t *testing.T) {
	l := newLab(t, "", twoCriteria)
	for _, c := range []struct{ clients, improver, judges, improves, caveat string }{
		{"codex gemini claude", "", "codex gemini", "claude", ""},
		{"codex gemini claude", "codex", "gemini claude", "codex", ""},
		{"codex gemini", "", "codex", "gemini", ""},
		{"claude", "", "claude", "claude", "claude judges what claude has improved"},
		{"claude", "fix", "claude", "fix", ""},
		{"", "", "", "fix", ""},
	} {
		l.withClients(strings.Fields(c.clients)...)
		r, err := l.readRubric(filepath.Dir(l.file), "rubric.yaml")
		if err != nil {
			t.Fatal(err)
		}
		improver, err := l.improverOf(c.improver, *r)
		if err != nil || improver.String() != c.improves {
			t.Errorf("%+v: %v: %s improves", c, err, improver)
			continue
		}
		p, caveat, err := l.runPanel(nil, improver)
		if err != nil || strings.Join(p.names, " ") != c.judges || !strings.HasPrefix(caveat, c.caveat) || (caveat == "") != (c.caveat == "") {
			t.Errorf("%+v: %v: %v judge, %q", c, err, p.names, caveat)
		}
	}
}

func TestPathsOfACommandBeginWhereItWasNamed(t *testing.T) {
	l := newLab(t, "", twoCriteria)
	l.Dir = "/home/me"
	got := l.located(evaluator.Spec{Kind: evaluator.CommandLine, Argv: []string{"bin/judge", "./a.py", "../b", "c.py", "/d", "-o=./e"}})
	if want := []string{"/home/me/bin/judge", "/home/me/a.py", "/home/b", "c.py", "/d", "-o=./e"}; !slices.Equal(got.Argv, want) {
		t.Errorf("got %q", got.Argv)
	}
	if got := l.located(evaluator.Spec{Kind: evaluator.CommandLine, Argv: []string{"python3"}}); got.Argv[0] != "python3" {
		t.Errorf("a program of PATH became %q", got.Argv)
	}
}

func TestLimitsThatCannotSeeAProgramSaySo(t *testing.T) {
	s := loop.State{Programs: map[string]string{"codex": "codex", "gemini": "gemini:price=1/2", "claude": "claude", "command": "command:./j"}, Limits: &loop.Limits{USD: 1}}
	got := strings.Join(unseen(s), "\n")
	if !strings.HasPrefix(got, "codex tells tokens and no price") || !strings.Contains(got, "\ncommand:./j tells neither") || strings.Contains(got, "gemini") {
		t.Errorf("in dollars: %s", got)
	}
	s.Limits = &loop.Limits{Tokens: 1}
	if got := unseen(s); len(got) != 1 || !strings.HasPrefix(got[0], "command:./j tells neither") {
		t.Errorf("in tokens: %s", got)
	}
	s.Limits = &loop.Limits{Seconds: 1}
	if got := unseen(s); len(got) != 0 {
		t.Errorf("in time: %s", got)
	}
}

// What is left of a budget in dollars is for all that can be told of it together.
func TestJudgesSideBySideShareWhatIsLeft(t *testing.T) {
	if n := limitable([]chair{{program: "claude"}, {program: "codex"}, {program: "claude:model=m"}, {program: "command:claude"}}); n != 2 {
		t.Errorf("%d are told", n)
	}
	s := loop.State{Limits: &loop.Limits{USD: 2}, Spent: &loop.Spent{USD: 0.5}}
	if got := left(s); got != 1.5 {
		t.Errorf("%v is left", got)
	}
}

func TestNobodyAnswersForAProgram(t *testing.T) {
	l := newLab(t, "Linux\n", twoCriteria)
	l.start(func(o *StartOptions) { o.Judges = []string{"judge-1", "command:./j"} })
	_, err := l.Prompt("command", false)
	badInput(t, err, "command is a program, and answers for itself")
	if _, err := l.Prompt("judge-1", false); err != nil {
		t.Fatal(err)
	}
	_, err = l.Submit("command", []byte("{}"))
	badInput(t, err, "command is a program, and answers for itself")
}

// hanging is a loop whose one judge never answers, and tells when it has begun.
func (l *lab) hanging(change ...func(*StartOptions)) (began string) {
	l.t.Helper()
	began = filepath.Join(l.t.TempDir(), "began")
	path := filepath.Join(filepath.Dir(l.file), "hang.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\ntouch '"+began+"'\nexec sleep 60\n"), 0o755); err != nil {
		l.t.Fatal(err)
	}
	l.Environ, l.Dir = os.Environ(), filepath.Dir(l.file)
	l.start(append([]func(*StartOptions){func(o *StartOptions) { o.Judges = []string{"command:./hang.sh"} }}, change...)...)
	return began
}

func waitFor(t *testing.T, path string) {
	t.Helper()
	for range 500 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s did not come", path)
}

// Judges of a loop that somebody ends are not paid on, and those of a loop that was replaced leave the new one
// alone.
func TestJudgesStopWhenTheirLoopIsOver(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*lab, Engine) error
		want string
	}{
		"cancelled": {func(_ *lab, e Engine) error { _, err := e.Cancel(""); return err }, "the loop is over: CANCELLED"},
		"replaced": {func(l *lab, e Engine) error {
			_, err := e.Start(context.Background(), StartOptions{Cwd: filepath.Dir(l.file), Targets: []string{l.file}, Rubric: "rubric.yaml", Judges: []string{"command:./hang.sh"}, Replace: true})
			return err
		}, errReplaced.Error()},
	} {
		l := newLab(t, "Linux\n", twoCriteria)
		began := l.hanging()
		ended := make(chan error, 1)
		go func() { _, err := l.Evaluate(context.Background(), EvaluateOptions{}); ended <- err }()
		waitFor(t, began)
		other := l.Engine
		other.Now = time.Now
		if err := c.end(l, other); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		before, err := l.Store.Load("s1")
		if err != nil {
			t.Fatal(err)
		}
		badInput(t, <-ended, c.want)
		// What the judge took of the loop that was cancelled is counted, and nothing else changes.
		charged := strings.Replace(string(before), `,"idle":5`, `,"spent":{"calls":1,"silent":1},"took":{"judge command":{"calls":1,"silent":1}},"idle":5`, 1)
		if after, err := l.Store.Load("s1"); err != nil || string(after) != string(before) && (name == "replaced" || string(after) != charged) {
			t.Errorf("%s: %v: the state was changed from\n%s\nto\n%s", name, err, before, after)
		}
	}
}

func TestABudgetHoldsOverAResume(t *testing.T) {
	l := newLab(t, "TODO\n", worded)
	o, _ := l.options(inPlace, l.improver("echo more >> NOTES.md\n"))
	o.Limits.Seconds = 2
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.Budget {
		t.Fatalf("%v: %s", err, v.Result)
	}
	o.Resume, o.Limits = true, loop.Limits{}
	_, err = l.Run(context.Background(), o)
	badInput(t, err, "the budget of this loop is spent: the time limit of 2s is reached")
	o.Limits.Tokens = 5
	_, err = l.Run(context.Background(), o)
	badInput(t, err, "the budget of this loop is spent")
	o.Limits.Seconds = 3600
	if _, err = l.Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	s, err := l.load()
	if err != nil || s.Limits.Seconds != 3600 || s.Limits.Tokens != 5 {
		t.Errorf("%v: the limits are %+v", err, s.Limits)
	}
}

// The time in which nobody drove a run is not its own.
func TestAPauseIsNoPartOfTheTimeOfARun(t *testing.T) {
	l := newLab(t, "TODO\n", worded)
	o, _ := l.options(inPlace, l.improver("echo Linux make > NOTES.md\n"))
	o.Limits.Seconds = 600
	_, release, err := l.begin(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	release()
	l.now = l.now.Add(24 * time.Hour)
	o.Resume, o.Limits = true, loop.Limits{}
	if v, err := l.Run(context.Background(), o); err != nil || v.Result != loop.Passed {
		t.Errorf("%v: %s %s", err, v.Result, v.Reason)
	}
}

// What was answered before the time was over is scored, and the loop ends with it.
func TestTheTimeOfALoopCutsItsJudgesShortAndKeepsWhatIsThere(t *testing.T) {
	l := newLab(t, "Linux\n", twoCriteria)
	quick := l.quick()
	l.Now = time.Now
	began := l.hanging(func(o *StartOptions) { o.Limits.Seconds = 3 }, func(o *StartOptions) { o.Judges = []string{quick, "command:./hang.sh"} })
	v, err := l.Evaluate(context.Background(), EvaluateOptions{})
	if err != nil || v.Result != loop.Budget || len(v.Rounds) != 1 || v.Rounds[0].Overall != 70 || !v.Rounds[0].LowConfidence || v.Report == "" {
		t.Fatalf("%v: %+v", err, v)
	}
	waitFor(t, began)
	if j := v.Rounds[0].Judges; j[0].State != "AVAILABLE" || j[1].State != "DEGRADED" {
		t.Errorf("the judges are %+v", j)
	}
}

// Whoever finds the budget spent first, what was answered is scored.
func TestWhatWasAnsweredIsScoredWhoeverFindsTheBudgetSpent(t *testing.T) {
	for name, find := range map[string]func(*lab) (View, error){
		"next and score": func(l *lab) (View, error) {
			if v, err := l.Next(); err != nil || v.Result != "" {
				return v, err
			}
			return l.Score(context.Background(), ScoreOptions{Partial: true})
		},
		"a second evaluation": func(l *lab) (View, error) { return l.Evaluate(context.Background(), EvaluateOptions{}) },
	} {
		l := newLab(t, "Linux\n", twoCriteria)
		path := filepath.Join(filepath.Dir(l.file), "quick.sh")
		if err := os.WriteFile(path, []byte("#!/bin/sh\ncat > /dev/null\necho '"+`{"checklist": {"setup": {"os": "yes", "install": "no"}}}`+"'\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		l.Environ, l.Dir = os.Environ(), filepath.Dir(l.file)
		l.start(func(o *StartOptions) {
			o.Judges, o.Limits.Tokens = []string{"command:./quick.sh", "command:./quick.sh"}, 100
		})
		if _, err := l.Evaluate(context.Background(), EvaluateOptions{Judges: []string{"command"}}); err != nil {
			t.Fatal(err)
		}
		if _, err := l.update(func(s loop.State) (loop.State, error) {
			return loop.Charge(s, "judge command", loop.Spent{Tokens: 100}), nil
		}); err != nil {
			t.Fatal(err)
		}
		v, err := find(l)
		if err != nil || v.Result != loop.Budget || len(v.Rounds) != 1 || v.Rounds[0].Overall != 70 || v.Rounds[0].Judges[1].State != "DEGRADED" {
			t.Errorf("%s: %v: %s, rounds %+v", name, err, v.Result, v.Rounds)
		}
		// The table of the report is what was spent.
		s, err := l.load()
		if err != nil {
			t.Fatal(err)
		}
		d := l.data(s)
		if len(d.Agents) != 1 || d.Agents[0].Tokens != d.Tokens || d.Agents[0].Silent != d.Silent || d.Tokens != 100 || d.Silent != 1 {
			t.Errorf("%s: the agents are %+v of %d tokens and %d silent calls", name, d.Agents, d.Tokens, d.Silent)
		}
		// Whoever waits is told how it ended.
		if v, err := l.Await(context.Background(), time.Second); err != nil || v.Result != loop.Budget {
			t.Errorf("%s: waiting says %v: %s", name, err, v.Result)
		}
	}
}

func TestACalibrationAsksNobodyWhenTheBudgetIsSpent(t *testing.T) {
	l := newLab(t, "Linux\n", twoCriteria)
	began := l.hanging(func(o *StartOptions) { o.Limits.Tokens = 1 })
	if _, err := l.update(func(s loop.State) (loop.State, error) {
		return loop.Charge(s, "judge command", loop.Spent{Tokens: 1}), nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Calibrate(context.Background(), CalibrateOptions{Repeats: 3}); err == nil || !strings.Contains(err.Error(), "the budget does not last for the calibration: 1 of 1 tokens are spent") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(began); err == nil {
		t.Error("a judge was asked")
	}
}

// A run that ended for another reason than a missing answer is not judged again as it is: that tells nothing and
// costs a round.
func TestAResumedRunGoesOnWithTheImprovement(t *testing.T) {
	l := newLab(t, "TODO\n", worded)
	o, _ := l.options(inPlace, l.improver("echo \"more $(wc -l < NOTES.md)\" >> NOTES.md\n"))
	rounds := 1
	o.MaxRounds = &rounds
	v, err := l.Run(context.Background(), o)
	if err != nil || v.Result != loop.CircuitBreaker || len(v.Rounds) != 2 {
		t.Fatalf("%v: %s", err, v.Result)
	}
	rounds = 2
	o.Resume = true
	if v, err = l.Run(context.Background(), o); err != nil || len(v.Rounds) != 3 || v.Rounds[2].Improved == "" {
		t.Errorf("%v: the rounds are %+v", err, v.Rounds)
	}
}

// A resume may give more time; the time that nobody used is no part of it, in either direction.
func TestTheTimeOfAResumedRunIsNeverLongerThanWhatWasGiven(t *testing.T) {
	l := newLab(t, "TODO\n", worded)
	o, _ := l.options(inPlace, l.improver("echo Linux make > NOTES.md\n"))
	o.Limits.Seconds = 3600
	_, release, err := l.begin(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	release()
	l.now = l.now.Add(24 * time.Hour)
	o.Resume, o.Limits.Seconds = true, 600
	for range 2 { // the second one gives nothing new
		_, release, err := l.begin(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		release()
		o.Limits = loop.Limits{}
	}
	s, err := l.load()
	if at, ok := s.Deadline(); err != nil || !ok || at.Sub(l.now) > 600*time.Second {
		t.Errorf("%v: its time ends in %s", err, at.Sub(l.now))
	}
}

// quick is a judge that says yes to the operating system alone, at once.
func (l *lab) quick() string {
	l.t.Helper()
	path := filepath.Join(filepath.Dir(l.file), "quick.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\ncat > /dev/null\necho '"+`{"checklist": {"setup": {"os": "yes", "install": "no"}}}`+"'\n"), 0o755); err != nil {
		l.t.Fatal(err)
	}
	l.Environ, l.Dir = os.Environ(), filepath.Dir(l.file)
	return "command:./quick.sh"
}

// A run that was killed between the answers and their scoring, and whose artifact somebody has changed since, is
// judged anew.
func TestAnswersForAVersionThatIsGoneAreAskedForAgain(t *testing.T) {
	l := newLab(t, "Linux\n", twoCriteria)
	o, _ := l.options(inPlace)
	o.Judges, o.Improver = []string{l.quick()}, "fix"
	_, release, err := l.begin(context.Background(), withTarget(l, o))
	if err == nil {
		_, err = l.Evaluate(context.Background(), EvaluateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	release()
	l.write("Linux. TODO\n")
	o.Resume = true
	v, err := l.Run(context.Background(), o)
	if err != nil || len(v.Rounds) != 1 || v.Rounds[0].Overall != 50 {
		t.Errorf("%v: the rounds are %+v", err, v.Rounds)
	}
}

func withTarget(l *lab, o RunOptions) RunOptions {
	o.Targets = []string{l.file}
	return o
}

// Each scoring is told once, also where a budget ends the run between two.
func TestEachScoringOfARunIsToldOnce(t *testing.T) {
	ended := 0
	for limit := 4.0; limit < 30; limit++ {
		l := newLab(t, "Linux\n", twoCriteria)
		o, _ := l.options(inPlace, l.improver("echo more >> NOTES.md\n"))
		o.Judges, o.Limits.Seconds = []string{l.quick()}, limit // of a clock that goes on a second each time it is looked at
		told := 0
		o.Scored = func(View) { told++ }
		v, err := l.Run(context.Background(), withTarget(l, o))
		if err != nil {
			t.Fatal(err)
		}
		if told != len(v.Rounds) {
			t.Errorf("after %v s: %d scorings, %d were told", limit, len(v.Rounds), told)
		}
		if v.Result == loop.Budget && len(v.Rounds) > 0 {
			ended++
		}
	}
	if ended == 0 {
		t.Error("no budget ended a run between two scorings")
	}
}
