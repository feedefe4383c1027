package report

import (
	"fmt"
	"math"
)

// finite collects numbers by name and refuses what no format can show: JSON has no NaN and no infinity.
type finite map[string]float64

func (f finite) add(name string, v *float64) {
	if v != nil {
		f[name] = *v
	}
}

func (f finite) check() error {
	for name, v := range f {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s is %v: a report takes finite numbers", name, v)
		}
	}
	return nil
}

func (d Data) check() error {
	numbers := finite{"threshold": d.Threshold, "floor": d.Floor, "usd": d.USD, "limit of seconds": d.Limits.Seconds, "limit of usd": d.Limits.USD}
	for _, c := range d.Criteria {
		numbers["weight of "+c.ID] = c.Weight
		numbers["floor of "+c.ID] = c.Floor
	}
	for _, a := range d.Agents {
		numbers["usd of "+a.Role+" "+a.Name] = a.USD
	}
	if c := d.Calibration; c != nil {
		for name, v := range map[string]float64{"flip rate": c.FlipRate, "low flip rate": c.FlipLow, "high flip rate": c.FlipHigh, "sd": c.SD, "band": c.Band} {
			numbers["calibration: "+name] = v
		}
		for _, j := range c.Judges {
			numbers["calibration: flip rate of "+j.Name] = j.FlipRate
			numbers["calibration: sd of "+j.Name] = j.SD
		}
	}
	for _, r := range d.Rounds {
		r.numbers(numbers)
	}
	return numbers.check()
}

func (r Round) numbers(numbers finite) {
	at := fmt.Sprintf("round %d: ", r.Number)
	numbers[at+"overall"] = r.Overall
	numbers[at+"usd"] = r.USD
	numbers[at+"seconds"] = r.Seconds
	numbers.add(at+"agreement", r.Agreement)
	numbers.add(at+"alpha", r.Alpha)
	numbers.add(at+"independent", r.Independent)
	numbers.add(at+"shown", r.Shown)
	numbers.add(at+"held", r.Held)
	for _, j := range r.Judges {
		numbers[at+"seconds of "+j.Name] = j.Seconds
	}
	for _, c := range r.Criteria {
		numbers.add(at+"score of "+c.ID, c.Score)
		for judge, v := range c.ByJudge {
			numbers[at+"score of "+c.ID+" by "+judge] = v
		}
	}
	for _, g := range r.Disagreements {
		numbers[at+"gap of "+g.Criterion] = g.Gap
	}
}
