package rubric

import "slices"

// Clone returns a rubric that shares nothing with r.
func (r Rubric) Clone() Rubric {
	r.Criteria = slices.Clone(r.Criteria)
	for i := range r.Criteria {
		c := &r.Criteria[i]
		c.Stated, c.Floor = clonePointer(c.Stated), clonePointer(c.Floor)
		c.Levels, c.Points = slices.Clone(c.Levels), slices.Clone(c.Points)
		c.Items = slices.Clone(c.Items)
		for j := range c.Items {
			if p := clonePointer(c.Items[j].Probe); p != nil {
				p.MaxWords, p.MinWords = clonePointer(p.MaxWords), clonePointer(p.MinWords)
				c.Items[j].Probe = p
			}
		}
	}
	return r
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
