package runs

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The chart has three rows above one another, which share the columns of the runs.
const (
	chartWidth = 960.0
	chartLeft  = 92.0
	chartRight = 24.0
	chartTop   = 68.0
	rowHeight  = 120.0
	rowGap     = 34.0
)

// chartStyle has colours of its own for light and dark, since the picture stands alone.
const chartStyle = `svg{font:13px system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif;background:#fff}` +
	`text{fill:#59626d}.head{fill:#1b1f24;font-weight:600}.title{font-size:16px}.grid{stroke:#dfe2e6}.segment{stroke:#59626d;stroke-dasharray:3 4}` +
	`.line{fill:none;stroke:#3554c8;stroke-width:2}.applied{fill:#0f6e4d;stroke:#0f6e4d}.ignored{fill:#fff;stroke:#a8301a;stroke-width:2}` +
	`.relaunched{fill:#fff;stroke:#7a5200;stroke-width:2}.other{fill:#59626d;stroke:#59626d}.bar{fill:#526fd0}.estimated{fill:#b4c4ec}.questions{fill:#7a5200}` +
	`@media(prefers-color-scheme:dark){svg{background:#1a1d23}text{fill:#9da6b3}.head{fill:#e6e9ee}.grid{stroke:#2f343d}.segment{stroke:#9da6b3}` +
	`.line{stroke:#8fa8ff}.applied{fill:#7fd9b2;stroke:#7fd9b2}.ignored{fill:#1a1d23;stroke:#ff9f8a}.relaunched{fill:#1a1d23;stroke:#f0c46a}` +
	`.other{fill:#9da6b3;stroke:#9da6b3}.bar{fill:#6380dc}.estimated{fill:#324580}.questions{fill:#f0c46a}}`

// drawing writes one chart. What comes from a record passes through escape.
type drawing struct {
	strings.Builder
	records []Record
	step    float64 // width of a column
}

// SVG draws quality and cost by run: one picture that stands alone, without script or network, with a title and a
// description in words. A record without scores leaves its column empty. leftOut is how many earlier
// records there are; the title says so.
func SVG(name string, records []Record, leftOut int) []byte {
	d := &drawing{records: records, step: (chartWidth - chartLeft - chartRight) / float64(max(1, len(records)))}
	height := chartTop + 3*rowHeight + 3*rowGap + 30
	title := "Quality and cost by run"
	if name != "" {
		title += ": " + name
	}
	if leftOut > 0 {
		title += fmt.Sprintf(" (the last %d of %d runs)", len(records), len(records)+leftOut)
	}
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" role="img" aria-labelledby="title desc">`+"\n", chartWidth, height)
	fmt.Fprintf(d, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n<style>%s</style>\n", escape(title), escape(Describe(records)), chartStyle)
	fmt.Fprintf(d, `<text class="head title" x="%g" y="26">%s</text>`+"\n", chartLeft, escape(title))
	if len(records) == 0 {
		fmt.Fprintf(d, `<text x="%g" y="%g">no runs yet</text>`+"\n", chartLeft, chartTop+20)
	} else {
		d.segments(height)
		d.quality(chartTop)
		d.tokens(chartTop + rowHeight + rowGap)
		d.calls(chartTop + 2*(rowHeight+rowGap))
		d.runs(chartTop + 3*rowHeight + 2*rowGap + 20)
		d.legend(height - 12)
	}
	d.WriteString("</svg>\n")
	return []byte(d.String())
}

// Describe says in words what a chart of the records shows.
func Describe(records []Record) string {
	if len(records) == 0 {
		return "There are no runs yet."
	}
	decisions := map[string]int{}
	var scored []Record
	for _, r := range records {
		decisions[r.Decision]++
		if r.Scores.QualityMax > 0 {
			scored = append(scored, r)
		}
	}
	words := fmt.Sprintf("Runs %d to %d: %d applied, %d ignored, %d relaunched.", records[0].Run, records[len(records)-1].Run,
		decisions[Applied], decisions[Ignored], decisions[Relaunched])
	if n := len(scored); n > 0 {
		words += fmt.Sprintf(" Quality %s at first and %s at last.", scored[0].Scores.Points(), scored[n-1].Scores.Points())
	}
	return words
}

// Points is the quality as "9/12", and "-" where it is not known.
func (s Scores) Points() string {
	if s.QualityMax <= 0 {
		return "-"
	}
	return plain(s.Quality) + "/" + plain(s.QualityMax)
}

func (d *drawing) x(i int) float64 { return tenth(chartLeft + (float64(i)+0.5)*d.step) }

// row draws the frame of a row: its name, and lines at nothing and at the top.
func (d *drawing) row(y float64, name, top string) {
	fmt.Fprintf(d, `<text class="head" x="%g" y="%g">%s</text>`+"\n", chartLeft, y-10, name)
	for _, line := range []struct {
		y    float64
		text string
	}{{y, top}, {y + rowHeight, "0"}} {
		fmt.Fprintf(d, `<line class="grid" x1="%g" y1="%g" x2="%g" y2="%g"/><text text-anchor="end" x="%g" y="%g">%s</text>`+"\n",
			chartLeft, line.y, chartWidth-chartRight, line.y, chartLeft-8, line.y+4, line.text)
	}
}

// segments marks where a new one begins: scores left and right of the line are not to be compared.
func (d *drawing) segments(height float64) {
	labelled := -chartWidth
	for i, r := range d.records {
		if i > 0 && d.records[i-1].Segment == r.Segment {
			continue
		}
		x := tenth(d.x(i) - d.step/2)
		if i > 0 {
			fmt.Fprintf(d, `<line class="segment" x1="%g" y1="%g" x2="%g" y2="%g"/>`, x, chartTop-6, x, height-50)
		}
		if x-labelled > 72 {
			labelled = x
			fmt.Fprintf(d, `<text x="%g" y="%g" dx="4" font-size="11">segment %d</text>`+"\n", x, height-36, r.Segment)
		}
	}
}

func (d *drawing) quality(y float64) {
	d.row(y, "Quality, share of the maximum", "100%")
	at := func(s Scores) float64 {
		return tenth(y + rowHeight*(1-min(1, max(0, s.Quality/s.QualityMax))))
	}
	var line []string
	end := func() {
		if len(line) > 1 {
			fmt.Fprintf(d, `<polyline class="line" points="%s"/>`+"\n", strings.Join(line, " "))
		}
		line = nil
	}
	for i, r := range d.records {
		if i > 0 && r.Segment != d.records[i-1].Segment {
			end()
		}
		if r.Scores.QualityMax > 0 {
			line = append(line, fmt.Sprintf("%g,%g", d.x(i), at(r.Scores)))
		}
	}
	end()
	size := min(5, max(1.5, d.step/3))
	for i, r := range d.records {
		if r.Scores.QualityMax <= 0 {
			continue
		}
		d.mark(d.x(i), at(r.Scores), size, r)
		if d.step >= 36 {
			fmt.Fprintf(d, `<text text-anchor="middle" font-size="11" x="%g" y="%g">%s</text>`+"\n", d.x(i), at(r.Scores)+18, r.Scores.Points())
		}
	}
}

// mark has a shape for each decision, for those who see no colours.
func (d *drawing) mark(x, y, size float64, r Record) {
	class, shape := "other", fmt.Sprintf(`<rect x="%g" y="%g" width="%g" height="%[3]g"`, tenth(x-size), tenth(y-size), tenth(2*size))
	switch r.Decision {
	case Applied, Ignored:
		class, shape = r.Decision, fmt.Sprintf(`<circle cx="%g" cy="%g" r="%g"`, x, y, tenth(size))
	case Relaunched:
		class, shape = r.Decision, fmt.Sprintf(`<path d="M%g %gl%g %gh%gz"`, x, tenth(y-1.2*size), tenth(1.2*size), tenth(2.1*size), tenth(-2.4*size))
	}
	what := fmt.Sprintf("run %d, segment %d: %s, %s", r.Run, r.Segment, r.Scores.Points(), r.Decision)
	if r.Change != nil {
		what += ": " + *r.Change
	}
	fmt.Fprintf(d, "%s class=%q><title>%s</title>%s\n", shape, class, escape(what), "</"+shape[1:strings.IndexByte(shape, ' ')]+">")
}

func (d *drawing) tokens(y float64) {
	top := 0
	for _, r := range d.records {
		top = max(top, orZero(r.Scores.TokensInjected))
	}
	d.row(y, "Tokens injected", tallest(top))
	for i, r := range d.records {
		d.bar(i, y, 0, orZero(r.Scores.TokensInjected), top, barClass(r, "bar"), "run %d: %d tokens", r)
	}
}

func (d *drawing) calls(y float64) {
	top := 0
	for _, r := range d.records {
		top = max(top, orZero(r.Scores.MCPCalls)+orZero(r.Scores.AskUserQuestion))
	}
	d.row(y, "Outside calls, and questions to the user on top of them", tallest(top))
	for i, r := range d.records {
		calls := orZero(r.Scores.MCPCalls)
		d.bar(i, y, 0, calls, top, barClass(r, "bar"), "run %d: %d calls", r)
		d.bar(i, y, calls, orZero(r.Scores.AskUserQuestion), top, "questions", "run %d: %d questions", r)
	}
}

// tallest labels the top of a row of bars; a row without bars has none.
func tallest(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func barClass(r Record, class string) string {
	if r.Scores.Estimated {
		return "estimated"
	}
	return class
}

func (d *drawing) bar(i int, y float64, below, n, top int, class, words string, r Record) {
	if n == 0 {
		return
	}
	scale := rowHeight / float64(top)
	width := min(28, max(0.5, d.step*0.7))
	fmt.Fprintf(d, `<rect class="%s" x="%g" y="%g" width="%g" height="%g"><title>%s</title></rect>`+"\n", class,
		tenth(d.x(i)-width/2), tenth(y+rowHeight-scale*float64(below+n)), tenth(width), tenth(scale*float64(n)), fmt.Sprintf(words, r.Run, n))
}

// runs numbers the columns, as many as there is room for.
func (d *drawing) runs(y float64) {
	every := int(math.Ceil(34 / d.step))
	for i, r := range d.records {
		if i%every == 0 {
			fmt.Fprintf(d, `<text text-anchor="middle" x="%g" y="%g">%d</text>`+"\n", d.x(i), y, r.Run)
		}
	}
}

func (d *drawing) legend(y float64) {
	x := chartLeft
	for _, decision := range []string{Applied, Ignored, Relaunched, "other"} {
		d.mark(x+5, y-4, 5, Record{Decision: decision})
		fmt.Fprintf(d, `<text x="%g" y="%g">%s</text>`+"\n", x+16, y, decision)
		x += 106
	}
	fmt.Fprintf(d, `<rect class="estimated" x="%g" y="%g" width="10" height="10"/><text x="%g" y="%g">estimated</text>`+"\n", x, y-9, x+16, y)
}

func orZero(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// tenth keeps the file small and the same on every machine.
func tenth(v float64) float64 { return math.Round(v*10) / 10 }

func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// escape makes text safe in the picture. XML has no way to write most control characters at all.
func escape(text string) string {
	return escaper.Replace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' || r == 0xfffe || r == 0xffff || r == '\u007f' {
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd")))
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")
