package report

import (
	"fmt"
	"math"
	"strings"

	"rulph/internal/ui"
)

// The chart of scores by round, in the units of its viewBox. The right margin holds the names of the
// threshold and floor lines.
const (
	chartWidth  = 960.0
	chartHeight = 340.0
	chartLeft   = 46.0
	chartRight  = 128.0
	chartTop    = 26.0
	chartBottom = 48.0

	labelHeight = 16.0 // two labels closer than this would overlap
)

// chart is where everything in the picture goes. Each round has a column of its own. The overall
// scores of rounds that were kept are joined by a line; a round that was rolled back hangs off the one
// it was built on. Beside each overall score stand the criteria as dots in the order of the rubric, so
// that the floor line has something to compare with.
type chart struct {
	Width, Height float64
	Left, Right   float64 // ends of the plot
	Bottom        float64
	Title, Desc   string
	Grid          []chartLabel
	Bars          []chartBar
	Band          *chartBand // nil where the noise was not measured
	Columns       []chartLabel
	Lines         []chartLine
	Area          string // points of the polygon below the line of kept rounds
	Dots          []chartDot
	Points        []chartPoint
}

// PlotWidth is how wide the plot is.
func (c chart) PlotWidth() float64 { return c.Right - c.Left }

type chartLabel struct {
	X, Y float64
	Text string
	Sub  string
}

// chartBar is a horizontal line to reach: the threshold or the floor.
type chartBar struct {
	Y, LabelY float64
	Text      string
	Kind      string // threshold floor
}

// chartBand is where a score that differs from the kept one by noise alone would be.
type chartBand struct {
	Y, Height float64
	Text      string
}

type chartLine struct {
	X1, Y1, X2, Y2 float64
	Kind           string // kept back
}

type chartDot struct {
	X, Y, R float64
	Below   bool
	Text    string
}

type chartPoint struct {
	X, Y, LabelY float64
	Text, Title  string
	Kind         string // kept best back void
}

// chartY is the height of a score; one outside 0-100 is drawn at the edge.
func chartY(score float64) float64 {
	score = min(100, max(0, score))
	return tenth(chartTop + (100-score)/100*(chartHeight-chartTop-chartBottom))
}

// chartX is the middle of the i-th of n columns.
func chartX(i, n int) float64 {
	step := (chartWidth - chartLeft - chartRight) / float64(n)
	return tenth(chartLeft + (float64(i)+0.5)*step)
}

// tenth keeps the file small and the same on every machine.
func tenth(v float64) float64 { return math.Round(v*10) / 10 }

// scoreChart lays out the scores of all rounds.
func scoreChart(d Data) chart {
	c := chart{
		Width: chartWidth, Height: chartHeight,
		Left: chartLeft, Right: chartWidth - chartRight, Bottom: chartHeight - chartBottom,
		Title: "Score by round",
		Desc:  chartDesc(d),
		Bars:  chartBars(d.Threshold, d.Floor),
	}
	if best, ok := d.best(); ok && d.Calibration != nil && d.Calibration.Band > 0 {
		c.Band = bandAround(best.Overall, d.Calibration.Band)
	}
	for v := 0.0; v <= 100; v += 20 {
		c.Grid = append(c.Grid, chartLabel{X: chartLeft - 10, Y: chartY(v), Text: short(v)})
	}
	n := len(d.Rounds)
	last := -1 // index of the kept round the next one is built on
	var kept []string
	for i, r := range d.Rounds {
		x := pointX(i, n, len(d.Criteria))
		c.Columns = append(c.Columns, chartLabel{X: chartX(i, n), Y: chartHeight - chartBottom + 20, Text: r.label(), Sub: chartSub(d, r)})
		p := chartPoint{X: x, Y: chartY(r.Overall), Text: d.overall(r), Title: r.label() + ": " + d.overall(r), Kind: "kept"}
		switch {
		case r.Void:
			p.X, p.Y, p.Kind, p.Text, p.Title = chartX(i, n), c.Bottom, "void", "void", r.label()+": void, no judge answered"
		case r.RolledBack:
			p.Kind = "back"
		case r.Number == d.Best:
			p.Kind = "best"
		}
		p.LabelY = tenth(p.Y - 13)
		if p.Kind == "back" || p.LabelY < chartTop-8 {
			p.LabelY = tenth(p.Y + 23) // a branch comes down from above, and above 100 there is no room
		}
		c.Points = append(c.Points, p)
		if r.Void {
			continue
		}
		if last >= 0 {
			kind := "kept"
			if r.RolledBack {
				kind = "back"
			}
			c.Lines = append(c.Lines, chartLine{pointX(last, n, len(d.Criteria)), chartY(d.Rounds[last].Overall), x, p.Y, kind})
		}
		if !r.RolledBack {
			last = i
			kept = append(kept, fmt.Sprintf("%g,%g", x, p.Y))
		}
		c.Dots = append(c.Dots, chartDots(d, r, x, n)...)
	}
	if len(kept) > 1 {
		first, _, _ := strings.Cut(kept[0], ",")
		end, _, _ := strings.Cut(kept[len(kept)-1], ",")
		c.Area = fmt.Sprintf("%s,%g %s %s,%g", first, c.Bottom, strings.Join(kept, " "), end, c.Bottom)
	}
	return c
}

// chartSub is what to know of a round below its name: nothing where it was simply kept.
func chartSub(d Data, r Round) string {
	var words []string
	for _, f := range d.badges(r) {
		if f.Text != "kept" && f.Text != "passed" && f.Text != "void" {
			words = append(words, f.Text)
		}
	}
	return strings.Join(words, ", ")
}

// dotGap is how far the first dot of a round stands from its overall score.
const dotGap = 15.0

// dotStep is the distance of two dots, less where a column is narrow.
func dotStep(columns, criteria int) float64 {
	column := (chartWidth - chartLeft - chartRight) / float64(columns)
	return min(9, max(0, column-2*dotGap)/float64(max(1, criteria)))
}

// pointX is where the overall score of the i-th of n rounds stands: it and the dots right of it are
// centred in the column together.
func pointX(i, n, criteria int) float64 {
	if criteria == 0 {
		return chartX(i, n)
	}
	return tenth(chartX(i, n) - (dotGap+float64(criteria-1)*dotStep(n, criteria))/2)
}

// chartDots are the criteria of one round, side by side right of x in the order of the rubric.
func chartDots(d Data, r Round, x float64, columns int) []chartDot {
	step := dotStep(columns, len(d.Criteria))
	var dots []chartDot
	for i, c := range d.Criteria {
		s := r.criterion(c.ID)
		if s.Score == nil {
			continue
		}
		dots = append(dots, chartDot{
			X: tenth(x + dotGap + float64(i)*step), Y: chartY(*s.Score), R: tenth(max(1.5, min(3, step/2.4))),
			Below: s.Below, Text: ui.OneLine(c.Name) + ": " + s.score(c.Floor),
		})
	}
	return dots
}

// bandAround is the band around a score, as far as scores go.
func bandAround(score, band float64) *chartBand {
	top, bottom := chartY(score+band), chartY(score-band)
	return &chartBand{Y: top, Height: tenth(bottom - top), Text: "noise band \u00b1" + points(band) + " around " + points(score)}
}

// chartBars are the threshold and, where there is one, the floor, their labels moved apart where they
// would overlap.
func chartBars(threshold, floor float64) []chartBar {
	t := chartBar{Y: chartY(threshold), LabelY: chartY(threshold), Text: "threshold " + short(threshold), Kind: "threshold"}
	if floor == 0 {
		return []chartBar{t}
	}
	f := chartBar{Y: chartY(floor), LabelY: chartY(floor), Text: "floor " + short(floor), Kind: "floor"}
	upper, lower := &t, &f
	if floor > threshold {
		upper, lower = &f, &t
	}
	if gap := lower.LabelY - upper.LabelY; gap < labelHeight {
		upper.LabelY = tenth(upper.LabelY - (labelHeight-gap)/2)
		lower.LabelY = tenth(lower.LabelY + (labelHeight-gap)/2)
	}
	return []chartBar{t, f}
}

// chartDesc says in words what the picture shows.
func chartDesc(d Data) string {
	parts := make([]string, len(d.Rounds))
	for i, r := range d.Rounds {
		parts[i] = strings.ToLower(r.label()) + " " + d.overall(r)
		switch {
		case r.Void:
			parts[i] = strings.ToLower(r.label()) + " void"
		case r.RolledBack:
			parts[i] += " (rolled back)"
		}
	}
	s := "Overall score: " + strings.Join(parts, ", ") + ". Threshold " + short(d.Threshold)
	if d.Floor != 0 {
		s += ", floor " + short(d.Floor)
	}
	if best, ok := d.best(); ok && d.Calibration != nil && d.Calibration.Band > 0 {
		s += ", " + bandAround(best.Overall, d.Calibration.Band).Text
	}
	return s + "."
}
