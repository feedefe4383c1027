package evaluator

import "testing"

func TestUsageAddsUp(t *testing.T) {
	sum := Usage{Calls: 1, Input: 100, Cached: 40, Output: 10, USD: 0.5, Model: "a"}
	sum.Add(Usage{Calls: 1, Silent: 1})
	sum.Add(Usage{Calls: 1, Input: 1, Cached: 2, Output: 3, USD: 0.25, Unpriced: 4, Model: "b"})
	if want := (Usage{Calls: 3, Input: 101, Cached: 42, Output: 13, USD: 0.75, Unpriced: 4, Silent: 1, Model: "b"}); sum != want {
		t.Errorf("sum %+v, want %+v", sum, want)
	}
	if sum.Tokens() != 114 {
		t.Errorf("%d tokens, want 114", sum.Tokens())
	}
}

func TestPriceOfAPersonGoesBeforeTheClientsOwn(t *testing.T) {
	u := Usage{Input: 2_000_000, Cached: 1_000_000, Output: 500_000, USD: 9}
	price := &Price{In: 1.25, Out: 10}
	for _, c := range []struct {
		price    *Price
		told     bool
		usd      float64
		unpriced int64
	}{
		{nil, true, 9, 0},
		{nil, false, 0, 2_500_000},
		{price, true, 7.5, 0},
		{price, false, 7.5, 0},
		{&Price{}, false, 0, 0},
	} {
		if got := u.priced(c.price, c.told); got.USD != c.usd || got.Unpriced != c.unpriced {
			t.Errorf("price %v, told %v: %v USD and %d unpriced, want %v and %d", c.price, c.told, got.USD, got.Unpriced, c.usd, c.unpriced)
		}
	}
}

func TestUsageThatCannotBeIsNotCounted(t *testing.T) {
	for _, u := range []Usage{{Input: -1}, {Output: 1 << 62}, {Cached: -5, Input: 3}, {USD: -0.01}} {
		a := &asking{}
		a.count(answer{told: true, cost: true, usage: u})
		if want := (Usage{Calls: 1, Silent: 1}); a.reply.Usage != want {
			t.Errorf("%+v is counted as %+v, want %+v", u, a.reply.Usage, want)
		}
	}
}
