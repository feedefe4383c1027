package rubric

import (
	"slices"
	"strings"
)

// joined warns of two claims in one item. A judge that sees one of them met tends to say yes, which is
// the first thing an improver learns to exploit (arXiv 2605.12474). "And" between two nouns or adjectives
// is no second claim, so three signs are looked for:
//
//	a semicolon between two groups of words      Names the owner; lists the steps
//	"and" before a verb, or "and it", "and no"   Names the owner and explains the steps
//	"and" before an article or a question word,  Has a summary and a list of steps
//	where the item opens with a verb of saying
func (l *linter) joined(path, text string) {
	plain := blankQuotes(text)
	if i := strings.Index(plain, "; "); i >= 0 && twoWords(plain[:i]) && twoWords(plain[i+1:]) {
		l.addSplit(path, text[:i], text[i+1:])
		return
	}
	for from := 0; ; {
		i := strings.Index(plain[from:], " and ")
		if i < 0 {
			return
		}
		i += from
		from = i + len(" and")
		before, after := words(plain[:i]), words(plain[from:])
		if secondClaim(before, after) {
			l.addSplit(path, text[:i], text[from:])
			return
		}
	}
}

func (l *linter) addSplit(path, first, second string) {
	first = strings.TrimRight(strings.TrimSpace(first), ",")
	second = strings.TrimSpace(second)
	for _, filler := range []string{"also ", "that it ", "it "} {
		second = strings.TrimPrefix(second, filler)
	}
	if articles(second) {
		verb, _, _ := strings.Cut(first, " ")
		second = verb + " " + second
	}
	l.add(path, "asks two things at once, and a judge may say yes to one of them. Consider an item for each, e.g., %q and %q", first, upperFirst(second))
}

func articles(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	return slices.Contains(objectOpeners[:], strings.ToLower(word))
}

// claimVerbs are third-person verbs that are no usual plural noun.
var claimVerbs = [...]string{
	"is", "are", "has", "have", "does", "do", "can", "must", "should", "was", "were", "contains", "explains",
	"describes", "gives", "includes", "shows", "says", "tells", "defines", "uses", "provides", "mentions",
	"covers", "avoids", "follows", "compiles", "passes", "runs", "works", "starts", "ends", "begins", "warns",
	"handles", "returns", "fits", "keeps", "identifies", "compares", "justifies", "cites", "refers", "contrasts",
	"doesn't", "isn't", "aren't", "hasn't",
}

// doubtfulVerbs are plural nouns as well; an article or a question word after them tells.
var doubtfulVerbs = [...]string{
	"names", "lists", "states", "links", "documents", "notes", "reports", "records", "checks", "tests",
	"quotes", "outlines", "requires", "answers", "asks", "points", "marks", "sets", "needs", "offers",
}

// objectOpeners begin the object of a verb.
var objectOpeners = [...]string{
	"a", "an", "the", "its", "their", "each", "every", "one", "two", "three", "how", "what", "why", "when",
	"where", "which", "who", "whether", "no", "all", "any",
}

// pairWords need both sides of their "and".
var pairWords = [...]string{"between", "both", "either", "from", "with"}

func secondClaim(before, after []string) bool {
	if len(before) == 0 || len(after) == 0 {
		return false
	}
	if after[0] == "also" && len(after) > 1 {
		after = after[1:]
	}
	switch next := after[0]; {
	case slices.Contains(claimVerbs[:], next), next == "it", next == "that" && len(after) > 1 && after[1] == "it":
		return len(after) > 1 || len(before) > 1
	case slices.Contains(doubtfulVerbs[:], next):
		return len(after) > 1 && (slices.Contains(objectOpeners[:], after[1]) || after[1] == "to")
	case slices.Contains(objectOpeners[:], next):
		return len(before) > 2 && slices.Contains(topicVerbs[:], before[0]) && !slices.ContainsFunc(before, isPairWord)
	}
	return false
}

func isPairWord(w string) bool { return slices.Contains(pairWords[:], w) }

func twoWords(s string) bool { return len(words(s)) >= 2 }
