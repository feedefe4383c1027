package score

import "math"

// SignTest is the exact one-sided p value of the sign test: the probability that of wins+losses fair
// coins at least wins show heads,
//
//	p = sum over i = wins ... n of C(n, i) / 2^n,    n = wins + losses
//
// It is 1 without any. Neither count may be negative; neither is too large.
func SignTest(wins, losses int) float64 {
	n := wins + losses
	if n == 0 || wins == 0 {
		return 1
	}
	if wins <= losses { // the other tail is the small one, and its terms do not underflow
		return 1 - SignTest(losses+1, wins-1)
	}
	// The largest term comes first, from logarithms because C(n, i) overflows; each of the others is
	// the one before it times (n-i)/(i+1), and they fall until they add nothing.
	lg := func(k int) float64 { v, _ := math.Lgamma(float64(k) + 1); return v }
	term := math.Exp(lg(n) - lg(wins) - lg(losses) - float64(n)*math.Ln2)
	p := term
	for i := wins; i < n && term > p*1e-17; i++ {
		term *= float64(n-i) / float64(i+1)
		p += term
	}
	return min(p, 1)
}

// z95 is the standard normal quantile of 0.975.
const z95 = 1.959963984540054

// wilson is the 95 % score interval of a proportion p seen in n trials, both 0-1, with the correction for
// continuity (Wilson 1927; Newcombe 1998, method 4):
//
//	(2np + z² ± 1 ± z sqrt(z² ± 2 - 1/n + 4p (n(1-p) ± 1))) / 2(n + z²)
//
// with + everywhere for the upper end and - for the lower one, but inside the root 4p(n(1-p)+1) and -2 for
// the lower one. Unlike p ± z sqrt(p(1-p)/n) it is no point where p is 0 or 1, and thanks to the
// correction it does not hold the truth less often than it says. It is 0 to 1 without trials.
func wilson(p float64, n int) (low, high float64) {
	low, high = 0, 1
	if n <= 0 {
		return low, high
	}
	t, q, z2 := float64(n), 1-p, z95*z95
	if 2*t*p > 1 { // the correction takes half a trial away
		root := math.Sqrt(max(z2-2-1/t+4*p*(t*q+1), 0))
		low = max((2*t*p+z2-1-z95*root)/(2*(t+z2)), 0)
	}
	if 2*t*q > 1 {
		root := math.Sqrt(max(z2+2-1/t+4*p*(t*q-1), 0))
		high = min((2*t*p+z2+1+z95*root)/(2*(t+z2)), 1)
	}
	return low, high
}

// student is the 0.975 quantile of Student's t with df degrees of freedom, at least 1: 95 % of the
// distribution lies within ± student(df). It inverts the closed form for whole df (Abramowitz and Stegun
// 26.7.3 and 26.7.4) by bisection.
func student(df int) float64 {
	low, high := 0.0, math.Pi/2
	for range 60 {
		middle := (low + high) / 2
		if within(middle, df) < 0.95 {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Sqrt(float64(df)) * math.Tan((low+high)/2)
}

// within is P(|t| <= sqrt(df) tan(theta)).
func within(theta float64, df int) float64 {
	sin, cos := math.Sincos(theta)
	if df%2 == 0 {
		// sin (1 + 1/2 cos² + 1·3/2·4 cos⁴ + ... up to cos^(df-2))
		term, total := 1.0, 1.0
		for k := 2; k <= df-2; k += 2 {
			term *= float64(k-1) / float64(k) * cos * cos
			total += term
		}
		return sin * total
	}
	// 2/pi (theta + sin (cos + 2/3 cos³ + 2·4/3·5 cos⁵ + ... up to cos^(df-2)))
	total := 0.0
	for k, term := 1, cos; k <= df-2; k += 2 {
		total += term
		term *= float64(k+1) / float64(k+2) * cos * cos
	}
	return 2 / math.Pi * (theta + sin*total)
}
