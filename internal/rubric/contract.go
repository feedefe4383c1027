package rubric

import (
	"fmt"
	"strconv"
	"strings"
)

// Number writes a number as a person would, with at most so many decimals and no zeros at the end.
func Number(n float64, decimals int) string {
	s := strconv.FormatFloat(n, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// Contract is the evaluation contract, in Markdown: what is scored, how, and when it passes. An empty
// target means the rubric's own.
func (r Rubric) Contract(target string) string {
	if target == "" {
		target = r.Target
	}
	if target == "" {
		target = "not chosen yet"
	}
	var b strings.Builder
	b.WriteString("## Evaluation Contract\n\n")
	fmt.Fprintf(&b, "**Target**: %s\n", flat(target))
	fmt.Fprintf(&b, "**Threshold**: %s/100\n", Number(r.Threshold, 2))
	fmt.Fprintf(&b, "**Per-criterion floor**: %s\n", r.floorLine())
	fmt.Fprintf(&b, "**Max rounds**: %d\n", r.MaxRounds)
	fmt.Fprintf(&b, "**Scoring method**: %s\n\n", r.method())
	b.WriteString("| # | Criterion | Weight | Sub-items | Formula |\n|---|---|---|---|---|\n")
	for i, c := range r.Criteria {
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %s |\n", i+1, cell(c.Name), c.weightText(), cell(c.questions()), c.formula())
	}
	fmt.Fprintf(&b, "\nPass condition: %s\nRubric locked. Starting evaluation.\n", r.passCondition())
	return b.String()
}

func (r Rubric) floorLine() string {
	line := outOfHundred(r.Floor)
	var own []string
	for _, c := range r.otherFloors() {
		own = append(own, flat(c.Name)+": "+outOfHundred(*c.Floor))
	}
	if len(own) > 0 {
		line += " (" + strings.Join(own, ", ") + ")"
	}
	return line
}

func outOfHundred(floor float64) string {
	if floor == 0 {
		return "off"
	}
	return Number(floor, 2) + "/100"
}

func (r Rubric) passCondition() string {
	condition := "overall >= " + Number(r.Threshold, 2)
	var own []string
	for _, c := range r.otherFloors() {
		switch {
		case *c.Floor > 0:
			own = append(own, fmt.Sprintf("%s >= %s", flat(c.Name), Number(*c.Floor, 2)))
		default:
			own = append(own, flat(c.Name)+" without a floor")
		}
	}
	switch exceptions := strings.Join(own, ", "); {
	case r.Floor > 0 && exceptions != "":
		return condition + " AND every criterion >= " + Number(r.Floor, 2) + " (" + exceptions + ")"
	case r.Floor > 0:
		return condition + " AND every criterion >= " + Number(r.Floor, 2)
	case exceptions != "":
		return condition + " AND " + strings.Join(own, " AND ")
	}
	return condition
}

// otherFloors are the criteria whose floor is not the rubric's.
func (r Rubric) otherFloors() []Criterion {
	var cs []Criterion
	for _, c := range r.Criteria {
		if c.Floor != nil && *c.Floor != r.Floor {
			cs = append(cs, c)
		}
	}
	return cs
}

func (r Rubric) method() string {
	used := map[Scale]bool{}
	for _, c := range r.Criteria {
		used[c.Scale()] = true
	}
	var names []string
	for _, m := range []struct {
		scale Scale
		name  string
	}{{Checklist, "Checklist Decomposition"}, {Levels, "5-Level Anchors"}, {Points, "3-Point Scale"}} {
		if used[m.scale] {
			names = append(names, m.name)
		}
	}
	return strings.Join(names, " + ")
}

// weightText is the weight as it was written, or the equal share.
func (c Criterion) weightText() string {
	if c.Stated != nil {
		return Number(*c.Stated, 2) + "%"
	}
	return Number(c.Weight, 1) + "%"
}

func (c Criterion) questions() string {
	var parts []string
	for _, it := range c.Items {
		parts = append(parts, "□ "+it.Text)
	}
	for _, m := range c.marks() {
		parts = append(parts, fmt.Sprintf("%d=%s", m.At, m.Text))
	}
	return strings.Join(parts, " · ")
}

func (c Criterion) marks() []Level {
	if len(c.Levels) > 0 {
		return c.Levels
	}
	return c.Points
}

func (c Criterion) formula() string {
	switch c.Scale() {
	case Levels:
		return "level"
	case Points:
		return "(points/2) × 100"
	}
	return fmt.Sprintf("(checked/%d) × 100", len(c.Items))
}

// cell makes a text fit for a cell of a Markdown table.
func cell(s string) string {
	return strings.ReplaceAll(flat(s), "|", `\|`)
}

// flat makes a text one line.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }
