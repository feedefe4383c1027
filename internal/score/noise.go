package score

import (
	"cmp"
	"math"
	"slices"

	"rulph/internal/rubric"
)

// shakyLimit is how many shaky units a calibration names.
const shakyLimit = 10

// noise is what repeated scorings of one artifact show.
type noise struct {
	judges []JudgeNoise
	series []series
	units  []ItemNoise // with an answer given twice by one judge, in rubric order
	pairs  int         // disjoint pairs of answers
}

// series are the answers of one judge to one unit, 0-100, in the order of the repeats.
type series struct {
	values []float64
	share  float64 // how many points of the panel's overall score one point of the unit makes
	step   float64 // points between two neighbouring values
}

func measure(r rubric.Rubric, repeats []Result) noise {
	var n noise
	var took [][]JudgeResult // by judge
	for _, name := range names(repeats) {
		if mine := scorings(repeats, name); len(mine) >= 2 {
			took = append(took, mine)
			n.judges = append(n.judges, JudgeNoise{Name: name, Repeats: len(mine), SD: ownDeviation(mine)})
		}
	}
	rates := make([][]float64, len(n.judges))
	var scored []float64 // weights of the criteria that somebody answered
	for _, c := range r.Criteria {
		known := map[int]float64{} // units of the criterion with an answer, fixed ones too, by judge
		of := map[int][]series{}
		for _, u := range units(c) {
			var flips []float64
			for j, mine := range took {
				values := given(mine, c, u.item)
				if len(values) > 0 {
					known[j]++
				}
				if u.fixed || len(values) < 2 {
					continue
				}
				s := series{values: values, step: step(c)}
				of[j] = append(of[j], s)
				n.pairs += len(values) / 2
				flips, rates[j] = append(flips, s.flip()), append(rates[j], s.flip())
			}
			if len(flips) > 0 {
				n.units = append(n.units, ItemNoise{c.ID, u.item, average(flips)})
			}
		}
		if len(known) > 0 {
			scored = append(scored, c.Weight)
		}
		for j := range n.judges {
			for _, s := range of[j] {
				s.share = c.Weight / float64(len(known)) / known[j]
				n.series = append(n.series, s)
			}
		}
	}
	for i := range n.series {
		n.series[i].share /= sum(scored)
	}
	for j := range n.judges {
		n.judges[j].FlipRate = average(rates[j])
	}
	return n
}

// names are the judges of all repeats, each once, in the order in which they appear.
func names(repeats []Result) (list []string) {
	for _, res := range repeats {
		for _, j := range res.Judges {
			if !slices.Contains(list, j.Name) {
				list = append(list, j.Name)
			}
		}
	}
	return list
}

// scorings are those in which a judge was available.
func scorings(repeats []Result, name string) (mine []JudgeResult) {
	for _, res := range repeats {
		for _, j := range res.Judges {
			if j.Name == name && j.State == Available {
				mine = append(mine, j)
			}
		}
	}
	return mine
}

func ownDeviation(mine []JudgeResult) float64 {
	var scores []float64
	for _, j := range mine {
		if j.Overall != nil {
			scores = append(scores, *j.Overall)
		}
	}
	return deviation(scores)
}

// given are a judge's answers to a unit.
func given(mine []JudgeResult, c rubric.Criterion, item string) (values []float64) {
	for _, j := range mine {
		if v, ok := j.value(c, item); ok {
			values = append(values, v)
		}
	}
	return values
}

// step is how many points lie between two neighbouring answers.
func step(c rubric.Criterion) float64 {
	switch c.Scale() {
	case rubric.Levels:
		return 25
	case rubric.Points:
		return 50
	}
	return 100
}

// flip is the share of the pairs of answers that differ, each pair counted once. It is the unbiased
// estimate of the probability that two answers differ; for y yes among n it is 2y(n-y) / (n(n-1)).
func (s series) flip() float64 {
	differ, n := 0, len(s.values)
	for i, a := range s.values {
		for _, b := range s.values[:i] {
			if a != b {
				differ++
			}
		}
	}
	return float64(differ) / float64(n*(n-1)/2)
}

// flip is the mean over all judges and units.
func (n noise) flip() float64 {
	rates := make([]float64, len(n.series))
	for i, s := range n.series {
		rates[i] = s.flip()
	}
	return average(rates)
}

// variance is that of the panel's overall score, in points squared, as the single answers predict it
// where judges and items err independently:
//
//	sum over judges j and units u of   share_ju² var_ju
//
// var is the sample variance of the answers, which for yes and no is 100² flip/2. Where not one answer
// flipped, half a flip among all pairs is put in place of none.
func (n noise) variance() float64 {
	quiet := n.flip() == 0
	terms := make([]float64, len(n.series))
	for i, s := range n.series {
		d := deviation(s.values)
		v := d * d
		if quiet {
			v = s.step * s.step * (0.5 / float64(n.pairs)) / 2
		}
		terms[i] = s.share * s.share * v
	}
	return sum(terms)
}

// shaky are the units that flip, the worst first.
func (n noise) shaky() []ItemNoise {
	worst := slices.DeleteFunc(slices.Clone(n.units), func(u ItemNoise) bool { return u.FlipRate == 0 })
	slices.SortStableFunc(worst, func(a, b ItemNoise) int { return cmp.Compare(b.FlipRate, a.FlipRate) })
	if len(worst) == 0 {
		return nil
	}
	return worst[:min(len(worst), shakyLimit)]
}

// average is the mean of any numbers; 0 of none.
func average(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return sum(values) / float64(len(values))
}

// deviation is the sample standard deviation; 0 of fewer than two values.
func deviation(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	m := average(values)
	squares := make([]float64, len(values))
	for i, v := range values {
		squares[i] = (v - m) * (v - m)
	}
	return math.Sqrt(sum(squares) / float64(len(values)-1))
}
