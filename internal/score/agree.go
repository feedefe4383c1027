package score

// units lists, for each item that judges answer, what the available ones said: 1 is yes, 0 is no or an
// unverified yes. Unsure and missing are missing data.
func (in Input) units(sheets []sheet) (units [][]int) {
	for _, c := range in.Rubric.Criteria {
		for _, it := range c.Items {
			if !in.judged(c, it) {
				continue
			}
			var values []int
			for _, s := range sheets {
				switch s.items[c.ID][it.ID] {
				case Yes:
					values = append(values, 1)
				case No, Unverified:
					values = append(values, 0)
				}
			}
			units = append(units, values)
		}
	}
	return units
}

// agreement is the percent of pairs of values of one unit that are equal, each pair counted once; nil
// without a pair.
func agreement(units [][]int) *float64 {
	equal, pairs := 0, 0
	for _, values := range units {
		pairs += len(values) * (len(values) - 1) / 2
		for _, n := range histogram(values) {
			equal += n * (n - 1) / 2
		}
	}
	if pairs == 0 {
		return nil
	}
	percent := 100 * float64(equal) / float64(pairs)
	return &percent
}

// alpha is Krippendorff's alpha for nominal data with any number of observers and missing values
// (Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, section C):
//
//	alpha = 1 - D_o/D_e
//	D_o = 1/n sum over units u, values c of n_uc (m_u - n_uc) / (m_u - 1)
//	D_e = sum over values c of n_c (n - n_c) / (n (n - 1))
//
// where unit u has m_u values, n_uc of them c, units with fewer than two values are left out, and n
// and n_c count over the units that remain. It is nil without such units, and when all values are the
// same: D_o and D_e are then both 0, and nothing tells agreement from a habit of saying yes.
func alpha(units [][]int) *float64 {
	var disagreeing []float64
	n, totals := 0, map[int]int{}
	for _, values := range units {
		m := len(values)
		if m < 2 {
			continue
		}
		n += m
		different := 0
		for c, count := range histogram(values) {
			totals[c] += count
			different += count * (m - count)
		}
		disagreeing = append(disagreeing, float64(different)/float64(m-1))
	}
	expected := 0
	for _, count := range totals {
		expected += count * (n - count)
	}
	if expected == 0 {
		return nil
	}
	a := 1 - sum(disagreeing)*float64(n-1)/float64(expected) // the n of D_o and of D_e cancel out
	return &a
}

func histogram(values []int) map[int]int {
	h := make(map[int]int, 2)
	for _, v := range values {
		h[v]++
	}
	return h
}
