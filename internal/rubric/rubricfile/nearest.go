package rubricfile

import "strings"

// nearest returns the known key the fewest edits away from key, the first of several, and how many edits
// that are.
func nearest(key string, known []string) (string, int) {
	best, least := "", -1
	for _, k := range known {
		if d := distance(strings.ToLower(key), k); least < 0 || d < least {
			best, least = k, d
		}
	}
	return best, least
}

// keyLimit is far above the length of any known key; what is longer is cut before it is compared.
const keyLimit = 64

// distance is the optimal string alignment distance: insertions, deletions, substitutions, and swaps of
// neighbours, which are the usual slip in a key ("wieght").
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	x, y = x[:min(len(x), keyLimit)], y[:min(len(y), keyLimit)]
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(x)][len(y)]
}
