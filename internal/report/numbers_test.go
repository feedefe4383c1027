package report

import (
	"testing"
	"time"
)

func TestAScoreThatMissedItsBarIsNeverShownAsReachingIt(t *testing.T) {
	for _, c := range []struct {
		score, bar float64
		want       string
	}{
		{69.96, 70, "69.96"},
		{69.999, 70, "69.999"},
		{69.94, 70, "69.9"},
		{70, 70, "70.0"},
		{70.04, 70, "70.0"},
		{91.75, 90, "91.8"},
		{0, 0, "0.0"},
		{79.99999999999, 80, "79.99999999999"},
	} {
		if got := against(c.score, c.bar); got != c.want {
			t.Errorf("against(%v, %v) = %q, want %q", c.score, c.bar, got, c.want)
		}
	}
}

func TestNumbersReadTheWayPeopleWriteThem(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{points(66.666667), "66.7"},
		{short(70), "70"},
		{short(33.333333), "33.3"},
		{short(0), "0"},
		{change(62.5, 54.166667), "−8.3"},
		{change(54, 62.5), "+8.5"},
		{change(50, 50.01), "±0.0"},
		{count(7), "7"},
		{count(1000), "1,000"},
		{count(int64(1234567)), "1,234,567"},
		{count(-1234), "-1,234"},
		{many(1, "round", "rounds"), "1 round"},
		{many(2, "round", "rounds"), "2 rounds"},
		{dollars(0.4172), "USD 0.42"},
		{dollars(0.0042), "USD 0.0042"},
		{dollars(12), "USD 12.00"},
		{duration(0), ""},
		{duration(59 * time.Second), "59 s"},
		{duration(877 * time.Second), "14 min 37 s"},
		{duration(72 * time.Minute), "1 h 12 min"},
		{seconds(0.04), "0.0 s"},
		{seconds(3.14), "3.1 s"},
		{seconds(0), ""},
		{seconds(71.9), "1 min 12 s"},
		{share(0.0833), "8.3%"},
		{dashed(nil), "–"},
		{dashed(ptr(71.44)), "71.4"},
		{floorWord(0), "off"},
		{floorWord(62.5), "62.5"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
