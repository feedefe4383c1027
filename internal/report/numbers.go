package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// points is a score with one decimal.
func points(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// against is a score as it stands to a bar. It has one decimal, and more only where one would show a
// score that missed the bar as one that reached it: 69.96 against 70 is not "70.0".
func against(v, bar float64) string {
	for digits := 1; digits < 9; digits++ {
		s := strconv.FormatFloat(v, 'f', digits, 64)
		if shown, _ := strconv.ParseFloat(s, 64); v >= bar || shown < bar {
			return s
		}
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// short is a number without decimals it does not need: a threshold, a floor, a weight.
func short(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

// change is a difference of two scores with its sign.
func change(from, to float64) string {
	d := math.Round((to-from)*10) / 10
	switch {
	case d > 0:
		return "+" + points(d)
	case d < 0:
		return "\u2212" + points(-d)
	}
	return "\u00b10.0"
}

// count is a whole number with its thousands apart.
func count[T int | int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// many is a number with its noun.
func many(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + more
}

// dollars is a cost. Small ones keep the digits that make them differ from nothing.
func dollars(v float64) string {
	if v > 0 && v < 0.01 {
		return "USD " + strconv.FormatFloat(v, 'f', 4, 64)
	}
	return "USD " + strconv.FormatFloat(v, 'f', 2, 64)
}

// duration is a time a person can grasp: two units at most.
func duration(d time.Duration) string {
	switch d = d.Round(time.Second); {
	case d <= 0:
		return ""
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
}

func seconds(s float64) string {
	if s > 0 && s < 10 {
		return points(s) + " s"
	}
	return duration(time.Duration(s * float64(time.Second)))
}

// took is how long the loop ran.
func (d Data) took() string {
	if d.Started.IsZero() || d.Ended.IsZero() {
		return ""
	}
	return duration(d.Ended.Sub(d.Started))
}

// score is a criterion's score against its floor, or a dash where nothing was answered.
func (c CriterionScore) score(floor float64) string {
	switch {
	case c.Score == nil:
		return "\u2013"
	case c.Below:
		return against(*c.Score, floor)
	}
	return points(*c.Score)
}

// overall is a round's score against the threshold, or a dash in a void round.
func (d Data) overall(r Round) string {
	if r.Void {
		return "\u2013"
	}
	return against(r.Overall, d.Threshold)
}
