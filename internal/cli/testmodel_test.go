package cli

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// testmodel stands for a model and its client in tests: `testmodel KIND [key=value]... -- ARGUMENTS`. KIND is
// claude, codex or gemini, whose output it prints then, or plain for a `command:` judge or improver.
//
// As a judge it says yes to an item when the artifact holds the word that stands in quotes in the item's
// text, as in: Names 'linux'. As an improver it adds the first such word of its task to the first file. Its
// keys: log=FILE appends what it was asked; flip=SHARE turns so many answers round, by a hash of seed=N, the
// item and how many prompts the log holds; sleep=TIME; touch=FILE makes an improver write that too; say=TEXT
// is the answer instead; usd=AMOUNT is what claude costs.
func testmodel() {
	kind, keys := os.Args[1], map[string]string{}
	rest := os.Args[2:]
	for i, arg := range rest {
		if arg == "--" {
			rest = rest[i+1:]
			break
		}
		key, value, _ := strings.Cut(arg, "=")
		keys[key] = value
	}
	asked, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	calls := 0
	if keys["log"] != "" {
		before, _ := os.ReadFile(keys["log"])
		const end = "\n=== end of a prompt ===\n"
		calls = strings.Count(string(before), end)
		if err := os.WriteFile(keys["log"], append(before, string(asked)+end...), 0o600); err != nil {
			panic(err)
		}
	}
	if d, err := time.ParseDuration(keys["sleep"]); err == nil {
		time.Sleep(d)
	}
	text := string(asked)
	var answer string
	switch {
	case strings.HasPrefix(text, "Improve one criterion"):
		answer = testImprove(text, keys)
	case keys["say"] != "":
		answer = keys["say"]
	default:
		answer = testJudge(text, keys, calls)
	}
	testPrint(kind, answer, keys, rest)
}

var quoted = regexp.MustCompile(`'([^']+)'`)

func testJudge(asked string, keys map[string]string, calls int) string {
	flip, _ := strconv.ParseFloat(keys["flip"], 64)
	artifact := between(asked, "BEGIN ARTIFACT]", "END ARTIFACT]")
	checklist, suggestions := map[string]map[string]any{}, map[string]string{}
	criterion := ""
	for line := range strings.Lines(between(asked, "BEGIN RUBRIC]", "END RUBRIC]")) {
		what, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		id, item, _ := strings.Cut(rest, ": ")
		switch what {
		case "criterion":
			criterion = id
			checklist[id], suggestions[id] = map[string]any{}, "Say more."
		case "item":
			word := quoted.FindStringSubmatch(item)
			yes := word != nil && strings.Contains(artifact, word[1])
			h := fnv.New64a()
			fmt.Fprintf(h, "%s/%d/%s/%s", keys["seed"], calls, criterion, id)
			// The low bits of a short FNV sum hardly mix; the middle ones do.
			if float64(h.Sum64()>>20%10007)/10007 < flip {
				yes = !yes
			}
			a := map[string]any{"verdict": map[bool]string{true: "yes", false: "no"}[yes]}
			if yes && word != nil && strings.Contains(artifact, word[1]) {
				a["evidence"] = word[1]
			}
			checklist[criterion][id] = a
		}
	}
	out, err := json.Marshal(map[string]any{"ticket": regexp.MustCompile(`rulph-[a-z2-7]{20}`).FindString(asked), "checklist": checklist, "suggestions": suggestions})
	if err != nil {
		panic(err)
	}
	return string(out)
}

func testImprove(asked string, keys map[string]string) string {
	file := strings.TrimSpace(strings.SplitN(between(asked, "Change only:\n", "\n\n"), "\n", 2)[0])
	word := quoted.FindStringSubmatch(between(asked, "These are not met yet:\n", "\n\n"))
	if word == nil {
		return "I found nothing to do."
	}
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, append(text, "\nIt is "+word[1]+".\n"...), 0o600)
	}
	if touch := keys["touch"]; touch != "" && err == nil {
		err = os.WriteFile(touch, []byte("more"), 0o600)
	}
	if err != nil {
		panic(err)
	}
	return "I named " + word[1] + "."
}

func between(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, _ = strings.Cut(text, to)
	return text
}

// testPrint prints an answer as the client does.
func testPrint(kind, answer string, keys map[string]string, args []string) {
	var out any
	switch kind {
	case "plain":
		fmt.Println(answer)
		return
	case "claude":
		usd, _ := strconv.ParseFloat(keys["usd"], 64)
		out = map[string]any{"type": "result", "subtype": "success", "result": answer, "total_cost_usd": usd,
			"modelUsage": map[string]any{"claude-test": map[string]int{"inputTokens": 900, "outputTokens": 100}}}
	case "gemini":
		out = map[string]any{"response": answer, "stats": map[string]any{"models": map[string]any{"gemini-test": map[string]any{"tokens": map[string]int{"prompt": 900, "candidates": 80, "thoughts": 20}}}}}
	case "codex":
		if i := slices.Index(args, "-o"); i >= 0 {
			if err := os.WriteFile(args[i+1], []byte(answer), 0o600); err != nil {
				panic(err)
			}
		}
		fmt.Println(`{"type":"turn.completed","usage":{"input_tokens":900,"cached_input_tokens":100,"output_tokens":100}}`)
		return
	default:
		panic("testmodel: " + kind)
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}
