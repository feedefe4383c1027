package rubric

import (
	"slices"
)

// A phrase that Lint looks for, in lower case, and a wording to learn from. The tables are arrays of
// strings, which cost nothing at start.
type phrase struct{ words, instead string }

// subjectivePhrases ask for a taste. Words with a measurable use as well ("clear", "short", "simple",
// "consistent") are left out: a warning that is often wrong is not read.
var subjectivePhrases = [...]phrase{
	{"beautiful", "visual hierarchy is clear and consistent"},
	{"beautifully", "visual hierarchy is clear and consistent"},
	{"ugly", "body text has a contrast of at least 4.5:1"},
	{"attractive", "every image has a caption"},
	{"elegant", "no function has more than 40 lines"},
	{"clean", "all functions have explicit return types"},
	{"cleanly", "all functions have explicit return types"},
	{"nice", "every heading says what its section answers"},
	{"nicely", "every heading says what its section answers"},
	{"good", "every claim has a source"},
	{"great", "every claim has a source"},
	{"excellent", "every claim has a source"},
	{"awesome", "every claim has a source"},
	{"bad", "no sentence has more than 30 words"},
	{"better", "names one advantage over the version before"},
	{"best", "names the rule it follows"},
	{"high quality", "every claim has a source"},
	{"high-quality", "every claim has a source"},
	{"feel right", "every step has an expected result"},
	{"feels right", "every step has an expected result"},
	{"looks right", "every step has an expected result"},
	{"feels", "the first sentence says what the reader gets"},
	{"gut check", "every step has an expected result"},
	{"intuitive", "every command is followed by its output"},
	{"user-friendly", "every error message names the next step"},
	{"user friendly", "every error message names the next step"},
	{"easy to read", "no sentence has more than 30 words"},
	{"easy to follow", "the steps are numbered"},
	{"easy to understand", "every abbreviation is spelled out once"},
	{"easy to use", "the first example runs without a set-up"},
	{"readable", "no sentence has more than 30 words"},
	{"well written", "no sentence has more than 30 words"},
	{"well-written", "no sentence has more than 30 words"},
	{"well structured", "every section has a heading of its own"},
	{"well-structured", "every section has a heading of its own"},
	{"well organized", "every section has a heading of its own"},
	{"well-organized", "every section has a heading of its own"},
	{"well designed", "every public function has a doc comment"},
	{"well-designed", "every public function has a doc comment"},
	{"engaging", "the first paragraph states a problem of the reader"},
	{"compelling", "the conclusion names one next action"},
	{"convincing", "every claim has a source"},
	{"interesting", "the first paragraph states a problem of the reader"},
	{"impressive", "every result has a number"},
	{"delightful", "every empty state says what to do next"},
	{"polished", "no heading is empty"},
	{"professional", "no sentence uses slang or an exclamation mark"},
	{"sounds natural", "no sentence repeats the wording of the one before"},
	{"naturally", "no sentence repeats the wording of the one before"},
	{"concise", "has at most 400 words"},
	{"appropriate", "names the case in which it is used"},
	{"appropriately", "names the case in which it is used"},
	{"adequate", "names at least three cases"},
	{"adequately", "names at least three cases"},
	{"sufficient", "names at least three cases"},
	{"sufficiently", "names at least three cases"},
	{"reasonable", "states a limit as a number"},
	{"reasonably", "states a limit as a number"},
	{"properly", "follows the template section by section"},
	{"robust", "every call that can fail has its error handled"},
	{"sensible", "states a limit as a number"},
}

// Neighbours with which "clean" is no praise.
var (
	cleanBefore = [...]string{"make", "git", "to"}
	cleanAfter  = [...]string{"up", "install", "build", "checkout", "clone", "slate", "room", "machine", "system", "environment", "exit", "target", "shutdown"}
)

func (l *linter) subjective(path, text string, suggest bool) {
	ws := words(blankQuotes(text))
	for _, p := range subjectivePhrases {
		at := findPhrase(ws, p.words)
		if at < 0 || p.words == "clean" && technicalClean(ws, at) {
			continue
		}
		if suggest {
			l.add(path, "%q is hard to score objectively. Consider rewording to something measurable, e.g., %q", p.words, p.instead)
		} else {
			l.add(path, "%q is hard to score objectively. Consider a name for something measurable; a judge reads it beside the items", p.words)
		}
		return
	}
}

func technicalClean(ws []string, at int) bool {
	return at > 0 && slices.Contains(cleanBefore[:], ws[at-1]) ||
		at+1 < len(ws) && slices.Contains(cleanAfter[:], ws[at+1])
}

// unseenPhrases claim something that happened, or happens, outside the artifact.
var unseenPhrases = [...]phrase{
	{"intends", "the first paragraph states the goal"},
	{"intended by", "the first paragraph states the goal"},
	{"the author wanted", "the first paragraph states the goal"},
	{"was tested", "names the systems it was run on, with versions"},
	{"were tested", "names the systems it was run on, with versions"},
	{"been tested", "names the systems it was run on, with versions"},
	{"is tested on", "names the systems it was run on, with versions"},
	{"was reviewed", "names who reviewed it, with a date"},
	{"been reviewed", "names who reviewed it, with a date"},
	{"was approved", "names who approved it, with a date"},
	{"been approved", "names who approved it, with a date"},
	{"users like", "every command has an example"},
	{"users love", "every command has an example"},
	{"users enjoy", "every command has an example"},
	{"users prefer", "every command has an example"},
	{"users understand", "every abbreviation is spelled out once"},
	{"users find", "every command has an example"},
	{"readers like", "every section has an example"},
	{"readers enjoy", "every section has an example"},
	{"readers understand", "every abbreviation is spelled out once"},
	{"customers like", "every command has an example"},
	{"customers love", "every command has an example"},
	{"in production", "names the load it is meant for, as a number"},
	{"is fast", "states a time limit, with the input it was measured on"},
	{"runs fast", "states a time limit, with the input it was measured on"},
	{"loads fast", "states a size limit for the page"},
	{"loads quickly", "states a size limit for the page"},
	{"is performant", "states a time limit, with the input it was measured on"},
	{"performs well", "states a time limit, with the input it was measured on"},
	{"scales well", "names the load it is meant for, as a number"},
	{"works correctly", "every public function has a test"},
	{"works as expected", "every public function has a test"},
	{"works well", "every public function has a test"},
	{"has no bugs", "every public function has a test"},
	{"is bug-free", "every public function has a test"},
	{"the team agrees", "names who took the decision"},
	{"everyone agrees", "names who took the decision"},
}

// topicVerbs open an item about what the artifact says. What follows is then a topic and seen by any
// reader: "States which systems it was tested on".
var topicVerbs = [...]string{
	"says", "states", "names", "explains", "describes", "lists", "shows", "gives", "documents", "mentions",
	"warns", "defines", "tells", "notes", "reports", "records", "declares", "specifies", "includes",
	"contains", "links", "quotes", "cites", "has", "covers", "discusses", "asks", "identifies", "outlines",
	"recommends", "requires", "provides", "compares", "justifies", "summarizes", "answers",
}

func (l *linter) unseen(path, text string) {
	ws := words(blankQuotes(text))
	if len(ws) == 0 || slices.Contains(topicVerbs[:], ws[0]) {
		return
	}
	for _, p := range unseenPhrases {
		if findPhrase(ws, p.words) >= 0 {
			l.add(path, "no reader of the text sees whether %q is true. Consider asking for what the text shows, e.g., %q, or give the item a check", p.words, p.instead)
			return
		}
	}
}
