package evaluator

// Usage is what calls of a client took, as the client told. Nothing in it is guessed: a call that told
// nothing counts in Silent, and tokens without a price in Unpriced.
type Usage struct {
	Calls    int     `json:"calls,omitempty"`
	Input    int64   `json:"input,omitempty"`    // tokens, those read from a cache included
	Cached   int64   `json:"cached,omitempty"`   // of Input: read from a cache
	Output   int64   `json:"output,omitempty"`   // tokens, those of thinking included
	USD      float64 `json:"usd,omitempty"`      // as the client told, or by the price of the Spec
	Unpriced int64   `json:"unpriced,omitempty"` // tokens of which nobody told the price
	Silent   int     `json:"silent,omitempty"`   // calls that told no usage
	Model    string  `json:"model,omitempty"`    // the last one the client reported
}

// Tokens is Input and Output.
func (u Usage) Tokens() int64 { return u.Input + u.Output }

// Add adds what v took.
func (u *Usage) Add(v Usage) {
	u.Calls += v.Calls
	u.Input += v.Input
	u.Cached += v.Cached
	u.Output += v.Output
	u.USD += v.USD
	u.Unpriced += v.Unpriced
	u.Silent += v.Silent
	if v.Model != "" {
		u.Model = v.Model
	}
}

// credible is false for numbers that no call can have taken: a budget must not grow by them, and sums of
// them must not wrap around.
func (u Usage) credible() bool {
	const most = 1 << 40 // tokens
	for _, n := range []int64{u.Input, u.Cached, u.Output} {
		if n < 0 || n > most {
			return false
		}
	}
	return u.USD >= 0 && u.USD < most
}

// priced sets what the tokens cost. The price of the Spec goes before what the client told, because its
// user knows the contract; told says that USD is the client's own figure.
func (u Usage) priced(p *Price, told bool) Usage {
	switch {
	case p != nil:
		u.USD = (float64(u.Input)*p.In + float64(u.Output)*p.Out) / 1e6
	case !told:
		u.USD, u.Unpriced = 0, u.Tokens()
	}
	return u
}
