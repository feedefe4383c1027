package score

import (
	"fmt"
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if !(math.Abs(got-want) <= by) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestSignTestIsExact(t *testing.T) {
	for _, c := range []struct {
		wins, losses int
		want         float64
	}{
		{0, 0, 1}, {0, 7, 1}, {1, 0, 0.5}, {1, 1, 0.75}, {2, 1, 0.5}, {3, 0, 0.125}, {4, 0, 0.0625}, {5, 0, 0.03125},
		{7, 1, 9.0 / 256}, {9, 1, 11.0 / 1024}, {1, 2, 7.0 / 8}, {8, 2, 56.0 / 1024}, {5, 5, 638.0 / 1024},
	} {
		near(t, fmt.Sprintf("SignTest(%d, %d)", c.wins, c.losses), SignTest(c.wins, c.losses), c.want, 1e-14)
	}
}

// All 2^n results of n coins, counted.
func TestSignTestAgreesWithCounting(t *testing.T) {
	for n := 1; n <= 14; n++ {
		heads := make([]int, n+1)
		for bits := range 1 << n {
			k := 0
			for b := bits; b > 0; b &= b - 1 {
				k++
			}
			heads[k]++
		}
		tail := 0
		for wins := n; wins >= 0; wins-- {
			tail += heads[wins]
			near(t, fmt.Sprintf("SignTest(%d, %d)", wins, n-wins), SignTest(wins, n-wins), float64(tail)/float64(int(1)<<n), 1e-13)
		}
	}
}

func TestSignTestOfManyOverflowsNothing(t *testing.T) {
	// 1,000,000 fair coins are 1,000 = 2 standard deviations or more above the mean: 1 - Phi(1.999), with
	// the half for the whole numbers.
	near(t, "501000 of 1000000", SignTest(501_000, 499_000), 0.5*math.Erfc(999.5/500/math.Sqrt2), 1e-6)
	near(t, "499000 of 1000000", SignTest(499_000, 501_000), 1-0.5*math.Erfc(1000.5/500/math.Sqrt2), 1e-6)
	if p := SignTest(1_000_000, 0); p != 0 {
		t.Errorf("a million of a million: %v", p)
	}
	if p := SignTest(1, 1_000_000); p != 1 {
		t.Errorf("one of a million: %v", p)
	}
	if p := SignTest(1000, 0); math.Abs(p/math.Pow(2, -1000)-1) > 1e-9 {
		t.Errorf("1000 of 1000: %v", p)
	}
}

// The intervals of Newcombe, Two-sided confidence intervals for the single proportion (1998), table I,
// method 4.
func TestWilsonGivesThePublishedIntervals(t *testing.T) {
	for _, c := range []struct {
		r, n      int
		low, high string
	}{{81, 263, "0.2535", "0.3682"}, {15, 148, "0.0598", "0.1644"}, {0, 20, "0.0000", "0.2005"}, {1, 29, "0.0018", "0.1963"}} {
		low, high := wilson(float64(c.r)/float64(c.n), c.n)
		if l, h := fmt.Sprintf("%.4f", low), fmt.Sprintf("%.4f", high); l != c.low || h != c.high {
			t.Errorf("%d of %d: %s to %s, published %s to %s", c.r, c.n, l, h, c.low, c.high)
		}
		low2, high2 := wilson(1-float64(c.r)/float64(c.n), c.n)
		near(t, "mirrored", low2, 1-high, 1e-12)
		near(t, "mirrored", high2, 1-low, 1e-12)
	}
	if low, high := wilson(0, 0); low != 0 || high != 1 {
		t.Errorf("without trials: %v to %v", low, high)
	}
}

func TestWilsonHoldsItsProportion(t *testing.T) {
	for n := 1; n <= 60; n++ {
		for k := range 101 {
			p := float64(k) / 100
			if low, high := wilson(p, n); !(0 <= low && low <= p && p <= high && high <= 1) {
				t.Errorf("%v in %d: %v to %v", p, n, low, high)
			}
		}
	}
}

// From the table that every textbook prints.
func TestStudentQuantiles(t *testing.T) {
	for df, want := range map[int]string{1: "12.706", 2: "4.303", 3: "3.182", 4: "2.776", 5: "2.571", 9: "2.262", 10: "2.228", 29: "2.045", 30: "2.042",
		60: "2.000", 120: "1.980", 100_000: "1.960"} {
		if got := fmt.Sprintf("%.3f", student(df)); got != want {
			t.Errorf("%d degrees of freedom: %s, want %s", df, got, want)
		}
	}
}
