package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"rulph/internal/ui"
	"rulph/schemas/schematest"
)

// Each situation is brought about by the commands themselves; bench holds all documents to their schemas,
// and these tests hold the documents to the situation.

func is(t *testing.T, doc gjson.Result, want map[string]string) {
	t.Helper()
	for path, value := range want {
		if got := doc.Get(path).String(); got != value {
			t.Errorf("%s is %q, want %q\n%s", path, got, value, doc)
		}
	}
}

func TestTheDocumentsOfARoundFitTheirSchemas(t *testing.T) {
	b := newBench(t, "Hello. TODO\n")
	is(t, b.start(), map[string]string{"status": "active", "best": "-1", "next.act": "judge", "next.judges.#": "2",
		"warnings.0": "unknown answers: 1, since the commands of the rubric are not trusted; look at them, then run: hoyeon-cli rubric trust " + filepath.Join(b.dir, "rubric.yaml")})
	b.trust()

	b.judge("judge-1", "no", "no")
	is(t, b.json(ui.OK, "status"), map[string]string{"seats.judge-1": "AVAILABLE", "seats.judge-2": "not started", "next.judges.0": "judge-2"})
	p := b.document("rulph-prompt", ui.OK, "", "prompt", "--judge", "judge-2")
	is(t, p, map[string]string{"judge": "judge-2", "round": "0"})
	is(t, b.json(ui.OK, "status"), map[string]string{"seats.judge-2": "reading"})
	is(t, b.document("rulph-submit", ui.BadInput, "It is fine.", "submit", "--judge", "judge-2"), map[string]string{"intake": "mend", "next.act": "judge"})
	is(t, b.json(ui.OK, "next"), map[string]string{"seats.judge-2": "asked to mend its answer"})
	is(t, b.document("rulph-submit", ui.BadInput, "It is fine.", "submit", "--judge", "judge-2"), map[string]string{"intake": "degraded", "next.act": "score"})

	v := b.json(ui.OK, "score")
	is(t, v, map[string]string{"rounds.0.low_confidence": "true", "rounds.0.judges.1.state": "DEGRADED", "score": "20", "criteria.0.below_floor": "true",
		"criteria.0.open.1": "Gives an install command", "open.0.item": "done", "open.0.outcome": "no", "next.act": "improve", "next.criterion": "setup", "warnings": ""})
	b.document("rulph-brief", ui.OK, "", "next", "--brief")
	is(t, b.json(ui.OK, "next", "--wait"), map[string]string{"next.act": "improve"})
	is(t, b.json(ui.OK, "report", "--out", "out"), map[string]string{"status": "active", "result": ""})

	b.write("NOTES.md", "Linux.\n")
	b.judge("judge-1", "yes", "yes")
	b.judge("judge-2", "unsure", "no")
	is(t, b.json(ui.OK, "score"), map[string]string{"rounds.1.disagreements.0.gap": "100", "rounds.1.agreement": "0", "rounds.1.kept": "true", "rounds.1.improved": "setup", "criteria.1.score": "100"})

	b.write("NOTES.md", "Worse. TODO\n")
	b.judges("no", "no")
	is(t, b.json(ui.OK, "score"), map[string]string{"round": "2", "best": "1", "rounds.2.rolled_back": "true"})

	b.write("NOTES.md", "Linux: make install\n")
	b.judges("yes", "yes")
	is(t, b.json(ui.OK, "score"), map[string]string{"status": "completed", "result": "PASSED", "score": "100", "next.act": "done"})
}

func TestTheDocumentsOfEveryEndFitTheirSchemas(t *testing.T) {
	for want, run := range map[string]func(*bench){
		"PASSED": func(b *bench) {
			b.start("--threshold", "0", "--floor", "0")
			b.judges("no", "no")
			b.json(ui.OK, "score")
		},
		"CIRCUIT_BREAKER": func(b *bench) {
			b.start("--max-rounds", "0")
			b.judges("no", "no")
			b.json(ui.NotPassed, "score")
		},
		"STAGNATED": func(b *bench) {
			b.start("--max-rounds", "9")
			for _, text := range []string{"a\n", "b\n", "c\n"} {
				b.judges("no", "no")
				b.json(ui.OK, "score")
				b.write("NOTES.md", text)
			}
			b.judges("no", "no")
			b.json(ui.NotPassed, "score")
		},
		"BLOCKED": func(b *bench) { // nobody can judge, twice
			b.start()
			b.document("rulph-prompt", ui.OK, "", "prompt")
			is(b.t, b.json(ui.OK, "score", "--partial"), map[string]string{"rounds.0.void": "true", "rounds.0.note": "void: nothing was scored", "next.act": "judge"})
			b.document("rulph-prompt", ui.OK, "", "prompt")
			b.json(ui.NoJudge, "score", "--partial")
		},
		"BUDGET": func(b *bench) {
			b.start("--max-time", "1ms")
			b.judges("no", "no")
			b.json(ui.BudgetSpent, "score")
		},
		"CANCELLED": func(b *bench) {
			b.start()
			is(b.t, b.json(ui.OK, "cancel", "--reason", "enough"), map[string]string{"reason": "enough", "status": "cancelled"})
		},
		"CAPPED": func(b *bench) {
			b.start("--idle", "1")
			is(b.t, b.stop(), map[string]string{"decision": "block"})
			if message := b.stop().Get("systemMessage").Str; !strings.HasPrefix(message, "rulph: the loop ended CAPPED: 1 stop in a row changed") {
				b.t.Errorf("the person is told %q", message)
			}
		},
	} {
		t.Run(want, func(t *testing.T) {
			b := newBench(t, "Hello. TODO\n")
			run(b)
			for _, verb := range []string{"status", "next", "report"} {
				v := b.json(ui.OK, verb)
				is(t, v, map[string]string{"result": want, "next.act": "done"})
				report, err := os.ReadFile(filepath.Join(v.Get("report").Str, "report.json"))
				if err != nil {
					t.Fatal(err)
				}
				schematest.Fits(t, "report", report)
			}
		})
	}
}

func TestTheDocumentsOfAResumedLoopFitTheirSchemas(t *testing.T) {
	b := newBench(t, "Hello. TODO\n")
	b.start("--max-rounds", "0")
	b.judges("no", "no")
	b.json(ui.NotPassed, "score")
	is(t, b.json(ui.OK, "resume"), map[string]string{"status": "active", "max_rounds": "5", "report": "", "next.act": "improve"})
	is(t, b.json(ui.OK, "resume", "--max-rounds", "2"), map[string]string{"max_rounds": "2"})
	b.env["CLAUDE_CODE_SESSION_ID"] = "s2"
	is(t, b.json(ui.OK, "resume", "--from", "s1"), map[string]string{"session": "s2", "status": "active", "rounds.#": "1"})
	is(t, b.json(ui.OK, "status", "--sid", "s1"), map[string]string{"result": "CANCELLED", "reason": "it goes on in session s2"})
}

func TestTheDocumentsOfALoopWithoutARubricFitTheirSchemas(t *testing.T) {
	for state, want := range map[string]map[string]string{
		`{"rulph":{"status":"active","score":10,"threshold":70}}`: {"status": "active", "next.act": "improve", "target": "", "rubric": ""},
		`{"rulph":{"status":"init"}}`:                             {"status": "init", "next.act": "start"},
		`{"rulph":{"status":"paused"}}`:                           {"status": "paused", "next.act": "start"},
		`{"rulph":{"status":"completed"}}`:                        {"status": "completed", "result": "", "next.act": "done"},
		`{"rulph":{"score":91.65,"threshold":90}}`:                {"status": "completed", "result": "PASSED", "next.act": "done"},
	} {
		b := newBench(t, "")
		b.do(ui.OK, "", "session", "set", "--json", state)
		b.json(ui.OK, "status")
		is(t, b.json(ui.OK, "next"), want)
		is(t, b.json(ui.OK, "status"), want)
	}
}

func TestTheDocumentsOfARunFitTheirSchemas(t *testing.T) {
	b := newBench(t, "TODO\n")
	is(t, b.json(ui.NoJudge, "run", "NOTES.md", "--rubric", "rubric.yaml"), map[string]string{"result": "BLOCKED", "judges": "", "open.#": "3", "criteria.0.score": "", "warnings.#": "2"})
	b.write("rubric.yaml", strings.NewReplacer("text: Names the operating system", "text: Names it, match: Linux, fix: 'echo Linux >> \"$TARGET\"'",
		"text: Gives an install command", "text: Gives one, check: 'exit 3'").Replace(handRubric))
	is(t, b.json(ui.NotPassed, "run", "NOTES.md", "--rubric", "rubric.yaml", "--trust-checks", "--max-rounds", "1", "--threshold", "90"), map[string]string{"result": "CIRCUIT_BREAKER", "rounds.1.improved": "setup",
		"warnings.0": "unknown answer: setup/install: the check exited 3; 0 means yes and 1 means no"})
}

func TestWrongDocumentsDoNotFit(t *testing.T) {
	b := newBench(t, "Hello. TODO\n")
	b.trust()
	b.start()
	b.judge("judge-1", "yes", "yes")
	b.judge("judge-2", "no", "no")
	view := []byte(b.do(ui.OK, "", "rulph", "score", "--json"))
	b.write("NOTES.md", "Linux.\n")
	prompt := []byte(b.do(ui.OK, "", "rulph", "prompt", "--json"))
	mend := []byte(b.do(ui.BadInput, "prose", "rulph", "submit", "--judge", "judge-1", "--json"))
	brief := []byte(b.do(ui.OK, "", "rulph", "next", "--brief", "--json"))
	state := b.state("s1")
	for _, c := range []struct {
		schema   string
		document []byte
		old, new string
	}{
		{"rulph", view, `"status":"active"`, `"state":"active"`},
		{"rulph", view, `"score":50,"threshold"`, `"score":"50","threshold"`},
		{"rulph", view, `"threshold":80`, `"threshold":180`},
		{"rulph", view, `"best":0`, `"best":-2`},
		{"rulph", view, `"status":"active"`, `"status":"active","result":"WON","reason":"r"`},
		{"rulph", view, `"status":"active"`, `"status":"active","result":"PASSED"`},
		{"rulph", view, `"kept":true`, `"kept":true,"void":true`},
		{"rulph", view, `"state":"AVAILABLE"`, `"state":"FINE"`},
		{"rulph", view, `"gap":100`, `"gap":20`},
		{"rulph", view, `"act":"improve"`, `"act":"rest"`},
		{"rulph", view, `"act":"improve"`, `"act":"judge"`},
		{"rulph", view, `"outcome":"no"`, `"outcome":"yes"`},
		{"rulph", view, `"rubric_hash":"sha256:`, `"rubric_hash":"md5:`},
		{"rulph-prompt", prompt, `"ticket":"rulph-`, `"ticket":"RULPH-`},
		{"rulph-prompt", prompt, `"round":1`, `"round":-1`},
		{"rulph-submit", mend, `"intake":"mend"`, `"intake":"taken"`},
		{"rulph-submit", mend, `"reason":"no JSON object found`, `"why":"no JSON object found`},
		{"rulph-submit", mend, `"session":"s1"`, `"session":"../s1"`},
		{"rulph-brief", brief, `"brief":"`, `"text":"`},
		{"state", state, `"round":0`, `"round":0.5`},
		{"state", state, `"artifact":"sha256:`, `"artifact":"`},
		{"state", state, `"overall":50`, `"overall":500`},
		{"state", state, `"os":"yes"`, `"os":"perhaps"`},
		{"state", state, `"evidence":"optional"`, `"evidence":"some"`},
		{"state", state, `"ticket":"rulph-`, `"ticket":"-`},
		{"state", state, `"malformed":1`, `"malformed":"once"`},
		{"state", state, `"rubric":{"path"`, `"rubric":{"way"`},
	} {
		schematest.Refuses(t, c.schema, c.document, c.old, c.new)
	}
	// What a newer version has added to the state stays valid, in every object of it.
	for _, old := range []string{`{"rulph":{`, `"target":{`, `"body":{`, `"result":{`, `"pending":{`, `"judge-1":{"ticket"`} {
		more := strings.Replace(old, "{", `{"of_tomorrow":[1],`, 1)
		if old == `{"rulph":{` {
			more = `{"of_tomorrow":[1],"rulph":{"of_tomorrow":[1],`
		}
		if old == `"judge-1":{"ticket"` {
			more = `"judge-1":{"of_tomorrow":[1],"ticket"`
		}
		grown := strings.Replace(string(state), old, more, 1)
		if grown == string(state) {
			t.Fatalf("no %s in %s", old, state)
		}
		schematest.Fits(t, "state", []byte(grown))
	}
}
