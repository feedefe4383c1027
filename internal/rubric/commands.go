package rubric

// Command is a shell command of an item, which runs only after its rubric is trusted.
type Command struct {
	Criterion string `json:"criterion"` // id
	Item      string `json:"item"`      // id
	Key       string `json:"key"`       // "check" or "fix"
	Line      string `json:"command"`   // may have several lines
}

// Commands lists every shell command of the rubric, in rubric order. A rubric without any needs no trust.
func (r Rubric) Commands() []Command {
	var cs []Command
	for _, c := range r.Criteria {
		for _, it := range c.Items {
			if it.Check != "" {
				cs = append(cs, Command{c.ID, it.ID, "check", it.Check})
			}
			if it.Fix != "" {
				cs = append(cs, Command{c.ID, it.ID, "fix", it.Fix})
			}
		}
	}
	return cs
}

// Count says how many answers of the rubric come from whom.
type Count struct {
	Criteria int `json:"criteria"`
	Text     int `json:"text"`    // items that the artifact answers
	Command  int `json:"command"` // items that a check answers
	Judge    int `json:"judge"`   // items, levels and points that each judge answers
}

// Count counts the answers of one round.
func (r Rubric) Count() Count {
	n := Count{Criteria: len(r.Criteria)}
	for _, c := range r.Criteria {
		if len(c.marks()) > 0 {
			n.Judge++
		}
		for _, it := range c.Items {
			switch it.Kind() {
			case ByText:
				n.Text++
			case ByCommand:
				n.Command++
			case ByJudge:
				n.Judge++
			}
		}
	}
	return n
}
