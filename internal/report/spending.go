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

// spentWords is costWords with the tokens before it, empty where nothing is known to have been spent.
func spentWords(a Agent) string {
	var parts []string
	if a.Tokens > 0 {
		parts = append(parts, count(a.Tokens)+" tokens")
	}
	if s := costWords(a); s != "" {
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

// spent is what the loop spent as a whole.
func (d Data) spent() string {
	all := Agent{Tokens: d.Tokens, USD: d.USD}
	for _, a := range d.Agents {
		all.Unpriced += a.Unpriced
		all.Silent += a.Silent
	}
	return spentWords(all)
}

// budget is each limit with what was spent of it, empty where there is none.
func (d Data) budget() string {
	var parts []string
	if l := d.Limits.Tokens; l > 0 {
		parts = append(parts, count(d.Tokens)+" of "+count(l)+" tokens")
	}
	if l := d.Limits.USD; l > 0 {
		of := dollars(d.USD)
		if d.USD == 0 && d.Tokens > 0 {
			of = "an unknown cost" // it is not known to be nothing
		}
		parts = append(parts, of+" of "+dollars(l))
	}
	if l := d.Limits.Seconds; l > 0 {
		took := d.took()
		if took == "" {
			took = "an unknown time"
		}
		parts = append(parts, took+" of "+seconds(l))
	}
	return strings.Join(parts, ", ")
}
