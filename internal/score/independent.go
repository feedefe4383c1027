package score

import "math"

// independent is the effective number of independent judges among those that answered:
//
//	n_eff = k / (1 + (k-1) rho)
//
// where k judges answered an item that judges answer, and rho, cut off below 0 and above 1, is the mean
// over the pairs of judges of the Pearson correlation (phi) of their answers to the items both answered.
// A pair in which one judge gave the same answer throughout has no correlation and is left out; without
// a pair n_eff is nil.
//
// Judges also agree because the artifact is plainly one thing or the other, which is no dependence. So
// rho is an upper bound of what they have in common beside the truth, and n_eff a lower bound (Nine
// Judges, Two Effective Votes, arXiv 2605.29800, measures it on known truth).
func (in Input) independent(sheets []sheet) *float64 {
	var answers [][]int
	for _, s := range sheets {
		if a, some := in.answers(s); some {
			answers = append(answers, a)
		}
	}
	var all []float64
	for i, a := range answers {
		for _, b := range answers[:i] {
			if v, ok := phi(a, b); ok {
				all = append(all, v)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	rho := min(max(sum(all)/float64(len(all)), 0), 1)
	k := float64(len(answers))
	n := k / (1 + (k-1)*rho)
	return &n
}

// answers are the judge's own to each item that judges answer: 1 is yes, 0 is no or an unverified yes,
// and -1 is none. some is false when it gave none at all.
func (in Input) answers(s sheet) (list []int, some bool) {
	for _, c := range in.Rubric.Criteria {
		for _, it := range c.Items {
			if !in.judged(c, it) {
				continue
			}
			v := -1
			switch s.items[c.ID][it.ID] {
			case Yes:
				v = 1
			case No, Unverified:
				v = 0
			}
			list, some = append(list, v), some || v >= 0
		}
	}
	return list, some
}

// phi is the correlation of two judges' answers over the items both answered:
//
//	(n11 n00 - n10 n01) / sqrt(n1. n0. n.1 n.0)
//
// It is false when either gave them all the same answer.
func phi(a, b []int) (float64, bool) {
	var n [2][2]float64
	for i := range a {
		if a[i] >= 0 && b[i] >= 0 {
			n[a[i]][b[i]]++
		}
	}
	margins := (n[1][0] + n[1][1]) * (n[0][0] + n[0][1]) * (n[0][1] + n[1][1]) * (n[0][0] + n[1][0])
	if margins == 0 {
		return 0, false
	}
	return (n[1][1]*n[0][0] - n[1][0]*n[0][1]) / math.Sqrt(margins), true
}
