package report

import "strings"

// mdAgents is who judged and improved, with what each spent.
func mdAgents(d Data) string {
	if len(d.Agents) == 0 {
		return ""
	}
	var rows [][]string
	for _, a := range d.Agents {
		row := a.cells()
		for i := range row {
			row[i] = md(row[i])
		}
		rows = append(rows, row)
	}
	return "## Agents\n\n" + mdTable([]string{"Agent", "Role", "Program", "Model", ">Calls", ">Tokens", "Cost"}, rows)
}

// mdNoise is how much the judges' answers change by themselves.
func mdNoise(d Data) string {
	c := d.Calibration
	if c == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("## Noise of the judges\n\n")
	for _, f := range c.facts() {
		b.WriteString("- " + f.Name + ": " + md(f.Value) + "\n")
	}
	var rows [][]string
	for _, j := range c.Judges {
		rows = append(rows, []string{md(j.Name), share(j.FlipRate), points(j.SD)})
	}
	if len(rows) > 0 {
		b.WriteString("\n" + mdTable([]string{"Judge", ">Flip rate", ">Standard deviation"}, rows))
	}
	return b.String()
}
