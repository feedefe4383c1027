package rubricfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"rulph/internal/rubric"
)

// Write returns the rubric in a format: YAML, Markdown or JSON. Parse gives the same rubric back, whatever
// its texts hold; what Complete can fill in again is left out. A rubric that is not valid is refused.
func Write(r *rubric.Rubric, format string) ([]byte, error) {
	c := r.Clone()
	c.Complete()
	if problems := c.Validate(); len(problems) > 0 {
		return nil, fmt.Errorf("the rubric can't be written: %s", problems[0])
	}
	switch FormatOf(format) {
	case YAML:
		return writeYAML(c), nil
	case Markdown:
		return writeMarkdown(c), nil
	case JSON:
		return writeJSON(c)
	}
	return nil, fmt.Errorf("%w; it is %q", ErrFormat, format)
}

// pair is one key of a mapping as it is written: the value is a string, a number, or true.
type pair struct {
	key   string
	value any
}

// head is what stands above the criteria.
func head(r rubric.Rubric) []pair {
	ps := []pair{{"version", r.Version}}
	if r.Title != "" {
		ps = append(ps, pair{"title", r.Title})
	}
	ps = append(ps,
		pair{"threshold", r.Threshold}, pair{"floor", r.Floor},
		pair{"max_rounds", r.MaxRounds}, pair{"evidence", string(r.Evidence)})
	if r.Target != "" {
		ps = append(ps, pair{"target", r.Target})
	}
	if r.Holdout != 0 {
		ps = append(ps, pair{"holdout", r.Holdout})
	}
	return ps
}

// criterionPairs is what stands above the questions of a criterion, place counted from 1.
func criterionPairs(c rubric.Criterion, place int) []pair {
	var ps []pair
	if c.ID != rubric.CriterionID(c.Name, place) {
		ps = append(ps, pair{"id", c.ID})
	}
	ps = append(ps, pair{"name", c.Name})
	if c.Stated != nil {
		ps = append(ps, pair{"weight", *c.Stated})
	}
	if c.Floor != nil {
		ps = append(ps, pair{"floor", *c.Floor})
	}
	return ps
}

// itemPairs is an item: its text first, then what Complete would not give it.
func itemPairs(it rubric.Item, place int) []pair {
	ps := []pair{{"text", it.Text}}
	if it.ID != rubric.ItemID(it.Text, place) {
		ps = append(ps, pair{"id", it.ID})
	}
	if p := it.Probe; p != nil {
		for _, s := range []pair{{"match", p.Match}, {"lacks", p.Lacks}, {"heading", p.Heading}} {
			if s.value != "" {
				ps = append(ps, s)
			}
		}
		if p.MaxWords != nil {
			ps = append(ps, pair{"max_words", *p.MaxWords})
		}
		if p.MinWords != nil {
			ps = append(ps, pair{"min_words", *p.MinWords})
		}
		if p.Links {
			ps = append(ps, pair{"links", true})
		}
	}
	if it.Check != "" {
		ps = append(ps, pair{"check", it.Check})
	}
	if it.Fix != "" {
		ps = append(ps, pair{"fix", it.Fix})
	}
	return ps
}

func number(v any) (string, bool) {
	switch v := v.(type) {
	case int:
		return strconv.Itoa(v), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

func writeYAML(r rubric.Rubric) []byte {
	var b bytes.Buffer
	writePairs(&b, head(r), "", "")
	b.WriteString("criteria:\n")
	for i, c := range r.Criteria {
		if i > 0 {
			b.WriteString("\n")
		}
		writePairs(&b, criterionPairs(c, i+1), "  - ", "    ")
		if len(c.Items) > 0 {
			b.WriteString("    items:\n")
		}
		for j, it := range c.Items {
			if ps := itemPairs(it, j+1); len(ps) > 1 {
				writePairs(&b, ps, "      - ", "        ")
			} else {
				b.WriteString("      - " + quoted(it.Text) + "\n")
			}
		}
		writeMarks(&b, "levels", c.Levels)
		writeMarks(&b, "points", c.Points)
	}
	return b.Bytes()
}

func writeMarks(b *bytes.Buffer, key string, marks []rubric.Level) {
	if len(marks) == 0 {
		return
	}
	b.WriteString("    " + key + ":\n")
	for _, m := range marks {
		fmt.Fprintf(b, "      %d: %s\n", m.At, quoted(m.Text))
	}
}

// writePairs writes a block mapping whose first line begins with first and the others with indent.
func writePairs(b *bytes.Buffer, ps []pair, first, indent string) {
	for i, p := range ps {
		begin := indent
		if i == 0 {
			begin = first
		}
		if n, ok := number(p.value); ok {
			fmt.Fprintf(b, "%s%s: %s\n", begin, p.key, n)
			continue
		}
		s := p.value.(string)
		if !literal(s) {
			fmt.Fprintf(b, "%s%s: %s\n", begin, p.key, quoted(s))
			continue
		}
		fmt.Fprintf(b, "%s%s: |-\n", begin, p.key)
		for line := range strings.SplitSeq(s, "\n") {
			b.WriteString(strings.TrimSuffix(indent+"  "+line, indent+"  ") + "\n")
		}
	}
}

// literal reports whether s has several lines and can be written as a literal block as it is. YAML takes
// the indentation of the first line for that of the block, and blanks at line ends get lost in editors.
func literal(s string) bool {
	if !strings.Contains(s, "\n") || strings.HasPrefix(s, " ") || strings.HasPrefix(s, "\t") {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if strings.TrimRight(line, " \t") != line {
			return false
		}
	}
	return printable(s)
}

func printable(s string) bool {
	for _, r := range s {
		if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
			return false
		}
	}
	return true
}

// quoted is s as a YAML scalar on one line, in quotes only where it needs them.
func quoted(s string) string {
	if !strings.Contains(s, "\n") && printable(s) {
		if out, err := yaml.Marshal(s); err == nil {
			return strings.TrimSuffix(string(out), "\n")
		}
	}
	return jsonString(s)
}

// jsonString is s as JSON, which YAML reads too.
func jsonString(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
