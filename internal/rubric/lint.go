package rubric

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The number of items of a checklist that gives a score with some grain and is still read with care.
const (
	fewItems  = 5
	manyItems = 10
)

// Lint returns what makes the rubric hard to judge, in rubric order. The words it looks for are English;
// a rubric in another language gets the other warnings alone.
func (r Rubric) Lint() []Problem {
	var l linter
	names := map[string]string{}
	for i, c := range r.Criteria {
		path := fmt.Sprintf("criteria[%d]", i)
		if other, twice := names[Fold(c.Name)]; twice {
			l.add(path+".name", "%q is also the name of criterion %s; a judge and a report can't tell them apart", c.Name, other)
		}
		names[Fold(c.Name)] = c.ID
		if !l.long(path+".name", c.Name) {
			l.subjective(path+".name", c.Name, false)
		}
		l.checklist(path, c.Items)
		l.marks(path+".levels", c.Levels)
		l.marks(path+".points", c.Points)
	}
	return l.problems
}

type linter struct{ problems []Problem }

func (l *linter) add(path, format string, args ...any) {
	l.problems = append(l.problems, Problem{Path: path, Message: fmt.Sprintf(format, args...)})
}

func (l *linter) checklist(path string, items []Item) {
	switch n := len(items); {
	case n == 0:
		return
	case n < fewItems:
		l.add(path+".items", "%d items give a coarse score: one answer moves it by %s points. Consider %d to %d items, from basic to advanced", n, Number(100/float64(n), 0), fewItems, manyItems)
	case n > manyItems:
		l.add(path+".items", "%d items are more than a judge answers with care. Consider %d to %d items, or a second criterion", n, fewItems, manyItems)
	}
	texts := map[string]string{}
	for i, it := range items {
		itemPath := fmt.Sprintf("%s.items[%d].text", path, i)
		if other, twice := texts[Fold(it.Text)]; twice {
			l.add(itemPath, "asks the same as item %s. Consider removing one of them", other)
			continue
		}
		texts[Fold(it.Text)] = it.ID
		if it.Kind() != ByJudge {
			continue // its answer does not hang on how the text is understood
		}
		if l.long(itemPath, it.Text) {
			continue
		}
		l.subjective(itemPath, it.Text, true)
		l.unseen(itemPath, it.Text)
		l.joined(itemPath, it.Text)
	}
}

// marks asks of a level what the seed of this format asks: one concrete observable indicator.
func (l *linter) marks(path string, marks []Level) {
	texts := map[string]int{}
	for _, m := range marks {
		markPath := fmt.Sprintf("%s.%d", path, m.At)
		if other, twice := texts[Fold(m.Text)]; twice {
			l.add(markPath, "%d has the same indicator as %d, so a judge can't choose. Consider saying what sets them apart", m.At, other)
			continue
		}
		texts[Fold(m.Text)] = m.At
		if isLatin(m.Text) && len(strings.Fields(m.Text)) < 3 {
			l.add(markPath, "%q names a grade, not something a reader sees. Consider one concrete indicator, e.g., %q", m.Text, `every section opens with what it is for`)
			continue
		}
		if !l.long(markPath, m.Text) {
			l.subjective(markPath, m.Text, true)
		}
	}
}

// longText is the length in runes past which a text is no single question. The checks below are not made
// for tens of kilobytes on one line.
const longText = 400

func (l *linter) long(path, text string) bool {
	n := utf8.RuneCountInString(text)
	if n > longText {
		l.add(path, "%d characters are too many for one question. Consider at most %d, or several items", n, longText)
	}
	return n > longText
}

// isLatin reports whether the text is in a script that puts spaces between words, as far as a letter
// tells.
func isLatin(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
			return false
		}
	}
	return true
}
