package report

import "strings"

// costWords is a cost for a table. What has no known price has no known cost, and is never shown as USD 0.
func costWords(a Agent) string {
	var parts []string
	if a.USD > 0 {
		parts = append(parts, dollars(a.USD))
	}
	if a.Unpriced > 0 {
		parts = append(parts, count(a.Unpriced)+" tokens without a known price")
	}
	if a.Silent > 0 {
		parts = append(parts, many(a.Silent, "call", "calls")+" that told no usage")
	}
	return strings.Join(parts, ", ")
}

// spentWords is the same with the tokens before the cost, empty where nothing is known to have been spent.
func spentWords(a Agent) string {
	var parts []string
	if a.Tokens > 0 {
		tokens := count(a.Tokens) + " tokens"
		switch {
		case a.Unpriced >= a.Tokens:
			tokens += " without a known price"
		case a.Unpriced > 0:
			tokens += " (" + count(a.Unpriced) + " without a known price)"
		}
		parts = append(parts, tokens)
		a.Unpriced = 0
	}
	if s := costWords(a); s != "" {
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

// all is what the loop spent as a whole.
func (d Data) all() Agent {
	return Agent{Tokens: d.Tokens, USD: d.USD, Unpriced: d.Unpriced, Silent: d.Silent}
}

func (d Data) spent() string { return spentWords(d.all()) }

// budget is each limit with what was spent of it, empty where there is none.
func (d Data) budget() string {
	var parts []string
	all := d.all()
	least := func(figure string, unknown bool) string {
		if unknown {
			return "at least " + figure
		}
		return figure
	}
	if l := d.Limits.Tokens; l > 0 {
		parts = append(parts, least(count(all.Tokens), all.Silent > 0)+" of "+count(l)+" tokens")
	}
	if l := d.Limits.USD; l > 0 {
		unknown := all.Unpriced > 0 || all.Silent > 0
		figure := least(dollars(all.USD), unknown)
		if all.USD == 0 && (unknown || all.Tokens > 0) {
			figure = "an unknown cost" // it is not known to be nothing
		}
		parts = append(parts, figure+" of "+dollars(l))
	}
	if l := d.Limits.Seconds; l > 0 {
		used := seconds(d.Limits.Used)
		if used == "" {
			used = "no time"
		}
		parts = append(parts, used+" of "+seconds(l))
	}
	return strings.Join(parts, ", ")
}
