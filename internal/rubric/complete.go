package rubric

import (
	"math"
	"strings"
)

// Complete fills in what an author may leave out, in place: ids, equal weights, the scaled weights. It
// trims texts and commands. What it cannot complete it leaves as it is, for Validate to refuse. Doing it
// again changes nothing.
func (r *Rubric) Complete() {
	r.Title, r.Target = strings.TrimSpace(r.Title), strings.TrimSpace(r.Target)
	for i := range r.Criteria {
		r.Criteria[i].trim()
	}
	r.giveIDs()
	r.scaleWeights()
}

func (c *Criterion) trim() {
	c.ID, c.Name = strings.TrimSpace(c.ID), strings.TrimSpace(c.Name)
	for i := range c.Items {
		it := &c.Items[i]
		it.ID, it.Text = strings.TrimSpace(it.ID), strings.TrimSpace(it.Text)
		it.Check, it.Fix = strings.TrimSpace(it.Check), strings.TrimSpace(it.Fix)
		if it.Probe != nil {
			it.Probe.Heading = strings.TrimSpace(it.Probe.Heading)
		}
	}
	for _, marks := range [][]Level{c.Levels, c.Points} {
		for i := range marks {
			marks[i].Text = strings.TrimSpace(marks[i].Text)
		}
	}
}

// giveIDs takes the written ids first, so that a derived one never takes the name of a written one.
func (r *Rubric) giveIDs() {
	taken := idGiver{}
	for _, c := range r.Criteria {
		taken[c.ID] = c.ID != ""
	}
	for i := range r.Criteria {
		c := &r.Criteria[i]
		if c.ID == "" {
			c.ID = taken.give(CriterionID(c.Name, i+1))
		}
		takenItems := idGiver{}
		for _, it := range c.Items {
			takenItems[it.ID] = it.ID != ""
		}
		for j := range c.Items {
			if it := &c.Items[j]; it.ID == "" {
				it.ID = takenItems.give(ItemID(it.Text, j+1))
			}
		}
	}
}

// weightSlack is how far from 100 the written weights may add up: 33/33/33 is meant as thirds.
const weightSlack = 1

// scaleWeights sets Weight from Stated. A rubric built in code may have only Weight: weights that differ
// are then what was stated, equal ones are none.
func (r *Rubric) scaleWeights() {
	if len(r.Criteria) == 0 {
		return
	}
	if !r.anyStated() && r.weightsDiffer() {
		for i := range r.Criteria {
			w := r.Criteria[i].Weight
			r.Criteria[i].Stated = &w
		}
	}
	if !r.anyStated() {
		for i := range r.Criteria {
			r.Criteria[i].Weight = 100 / float64(len(r.Criteria))
		}
		return
	}
	sum := r.statedSum()
	for i := range r.Criteria {
		c := &r.Criteria[i]
		if c.Stated == nil {
			c.Weight = 0
			continue
		}
		c.Weight = *c.Stated
		if nearHundred(sum) {
			c.Weight = *c.Stated * 100 / sum
		}
	}
}

func (r *Rubric) anyStated() bool {
	for _, c := range r.Criteria {
		if c.Stated != nil {
			return true
		}
	}
	return false
}

func (r *Rubric) weightsDiffer() bool {
	for _, c := range r.Criteria {
		if c.Weight != r.Criteria[0].Weight {
			return true
		}
	}
	return false
}

func (r *Rubric) statedSum() float64 {
	sum := 0.0
	for _, c := range r.Criteria {
		if c.Stated != nil {
			sum += *c.Stated
		}
	}
	return sum
}

// nearHundred allows for weights such as 33.3 that no float holds exactly.
func nearHundred(sum float64) bool {
	return math.Abs(sum-100) <= weightSlack+1e-9
}
