package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"rulph/internal/ui"
)

// GitHub takes 65,536 characters as a comment and 1 MiB as a step's summary. Markdown stays below the
// smaller, with room for what is written around it.
const longestMarkdown = 60_000 // bytes

// In Markdown a text of others is cut to so many characters; the JSON and JUnit forms have it whole.
const longestCell = 240

// Markdown is the evaluation for a step's summary or a comment on a pull request: CommonMark with
// GitHub's tables, at most 60,000 bytes. No text of a rubric, an artifact or a judge becomes markup in
// it, nor a link, nor a mention or a reference that GitHub would tell somebody of.
func (e Evaluation) Markdown() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s: %s\n\n", quiet(clip(e.title(), longestCell)), e.verdict())
	if !e.Void {
		fmt.Fprintf(&b, "**%s** of 100, threshold %s\n\n", e.overall(), short(e.Threshold))
	}
	b.WriteString(quietTarget(e) + "\n\n")
	if s := e.measured(); s != "" {
		b.WriteString(quiet(s) + "\n\n")
	}
	for _, section := range []func(Evaluation) []string{evalGates, evalCriteria, evalOpen, evalJudges, evalNotes} {
		lines := section(e)
		for _, line := range lines {
			if b.Len()+len(line) > longestMarkdown-100 {
				b.WriteString("\nThere is more, which the JSON form has.\n")
				return []byte(b.String())
			}
			b.WriteString(line + "\n")
		}
		if len(lines) > 0 {
			b.WriteByte('\n')
		}
	}
	return []byte(strings.TrimRight(b.String(), "\n") + "\n")
}

// quietTarget says what was scored with which rubric.
func quietTarget(e Evaluation) string {
	s := mdCode(clip(ui.OneLine(e.Target), longestCell))
	if s == "" {
		s = many(len(e.Files), "file", "files")
	}
	if rubric := mdCode(clip(ui.OneLine(e.Rubric), longestCell)); rubric != "" {
		s += " scored with " + rubric
	}
	return s
}

func evalGates(e Evaluation) []string {
	var lines []string
	for _, g := range e.gates() {
		if g.Reason != "" {
			lines = append(lines, "- **missed**: "+quiet(clip(g.Reason, longestCell)))
		}
	}
	return lines
}

func evalCriteria(e Evaluation) []string {
	var rows [][]string
	for _, c := range e.Criteria {
		score := c.score()
		if c.Below {
			score = belowMark + " " + score
		}
		yes := ""
		if n := len(c.Items); n > 0 {
			yes = fmt.Sprintf("%d of %d", n-len(c.open()), n)
		}
		rows = append(rows, []string{cell(c.Name), short(c.Weight) + "%", score, floorWord(c.Floor), yes})
	}
	return tableLines([]string{"Criterion", ">Weight", ">Score", ">Floor", ">Items met"}, rows)
}

func evalOpen(e Evaluation) []string {
	var lines []string
	for _, c := range e.Criteria {
		for _, item := range c.open() {
			s := fmt.Sprintf("- %s: %s \u2013 %s", cell(c.Name), cell(item.Text), cell(item.reason()))
			if said := item.said(); said != "" {
				s += " (" + cell(said) + ")"
			}
			if quote := mdCode(clip(ui.OneLine(item.Evidence), longestCell)); quote != "" {
				s += " " + quote
			}
			lines = append(lines, s)
		}
		for _, g := range c.Suggestions {
			s := fmt.Sprintf("- %s: suggestion: %s", cell(c.Name), cell(g.Text))
			if g.Judge != "" {
				s += " (" + cell(g.Judge) + ")"
			}
			lines = append(lines, s)
		}
	}
	if len(lines) > 0 {
		lines = append([]string{"### Still open", ""}, lines...)
	}
	return lines
}

func evalJudges(e Evaluation) []string {
	var rows [][]string
	for _, j := range e.Judges {
		overall := "\u2013"
		if j.Overall != nil {
			overall = points(*j.Overall)
		}
		tokens := ""
		if j.Tokens > 0 {
			tokens = count(j.Tokens)
		}
		state := cell(j.State)
		if j.Reason != "" {
			state += ": " + cell(j.Reason)
		}
		rows = append(rows, []string{cell(j.Name), cell(j.Model), state, overall, seconds(j.Seconds), tokens, j.cost()})
	}
	return tableLines([]string{"Judge", "Model", "State", ">Overall", ">Time", ">Tokens", "Cost"}, rows)
}

func evalNotes(e Evaluation) []string {
	var lines []string
	for _, n := range e.notes() {
		lines = append(lines, "- "+cell(n))
	}
	if len(e.Disagreements) > 0 {
		lines = append(lines, "- "+twoReadings)
	}
	if len(lines) > 0 {
		lines = append([]string{"### Notes", ""}, lines...)
	}
	return lines
}

func tableLines(titles []string, rows [][]string) []string {
	if len(rows) == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(mdTable(titles, rows), "\n"), "\n")
}

func cell(s string) string { return quiet(clip(ui.OneLine(s), longestCell)) }

// quiet is md without what GitHub finds in the text once it is rendered, where a backslash no longer
// helps: a mention, an issue by its number. A space without width keeps the sign apart from the name.
func quiet(s string) string {
	s = ui.OneLine(s)
	var b strings.Builder
	for i, r := range s {
		if refers(s, i) {
			b.WriteRune('\u200b')
		}
		b.WriteRune(r)
	}
	return md(b.String())
}

// refers reports whether the character at i follows a sign that makes a name or a number a reference.
func refers(s string, i int) bool {
	if i == 0 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	switch s[i-1] {
	case '@':
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	case '#':
		return unicode.IsDigit(r)
	case '-': // GH-12
		return unicode.IsDigit(r) && i > 2 && strings.EqualFold(s[i-3:i], "gh-")
	}
	return false
}
