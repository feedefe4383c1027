package score

import "slices"

// sum adds in ascending order, so that the order of the terms does not change the last bits.
func sum(terms []float64) float64 {
	sorted := slices.Clone(terms)
	slices.Sort(sorted)
	total := 0.0
	for _, t := range sorted {
		total += t
	}
	return total
}

// mean of scores; false when there are none.
func mean(scores []float64) (float64, bool) {
	if len(scores) == 0 {
		return 0, false
	}
	return inRange(sum(scores) / float64(len(scores))), true
}

// weighted is the mean of a score for each weight, over those that have one. It is false when none has,
// or when the weights of those that have add up to nothing.
func weighted(scores []*float64, weights []float64) (float64, bool) {
	var products, used []float64
	for i, s := range scores {
		if s != nil {
			products = append(products, weights[i]**s)
			used = append(used, weights[i])
		}
	}
	total := sum(used)
	if !(total > 0) {
		return 0, false
	}
	return inRange(sum(products) / total), true
}

// inRange cuts off what rounding adds beyond the ends of the scale: a mean of scores of 100 is 100.
func inRange(score float64) float64 {
	return min(max(score, 0), 100)
}
