package verdict

import (
	"fmt"
	"strings"
)

// names finds the entry of a list that a model means: by id, else by its text or id after folding case
// and white space. A folded spelling that two entries share means neither.
type names struct {
	ids, texts []string
	exact      map[string]int
	folded     map[string]int // -1: shared
}

const ambiguous = -1

func newNames(ids, texts []string) names {
	n := names{ids: ids, texts: texts, exact: map[string]int{}, folded: map[string]int{}}
	for i, id := range ids {
		n.exact[id] = i
	}
	for i := range ids {
		for _, spelling := range []string{fold(texts[i]), fold(ids[i])} {
			if j, ok := n.folded[spelling]; ok && j != i {
				n.folded[spelling] = ambiguous
			} else {
				n.folded[spelling] = i
			}
		}
	}
	return n
}

// find returns the index of the entry, or the reason why there is none; what names the kind of entry
// and where it belongs.
func (n names) find(key, what, where string) (int, refusal) {
	if i, ok := n.exact[key]; ok {
		return i, nil
	}
	i, ok := n.folded[fold(key)]
	switch {
	case !ok:
		return 0, func() string {
			if len(n.ids) == 0 {
				return fmt.Sprintf("unknown %s %s%s: no %s is asked for here", what, echo(key), where, what)
			}
			hint := ""
			if id := n.nearest(key); id != "" {
				hint = fmt.Sprintf("; the nearest is %q", id)
			}
			return fmt.Sprintf("unknown %s %s%s%s; use only these ids: %s", what, echo(key), where, hint, n.list())
		}
	case i == ambiguous:
		return 0, func() string {
			return fmt.Sprintf("%s %s%s could mean more than one; use only these ids: %s", what, echo(key), where, n.list())
		}
	}
	return i, nil
}

// list names the ids for a reason, the first dozen of them.
func (n names) list() string {
	const most = 12
	if len(n.ids) > most {
		return strings.Join(n.ids[:most], ", ") + fmt.Sprintf(" and %d more", len(n.ids)-most)
	}
	return strings.Join(n.ids, ", ")
}

// nearest returns the id of the entry whose id or text is the fewest edits away from key, the first of
// several; none when that would change more than half of it.
func (n names) nearest(key string) string {
	best, least := "", -1
	wanted := head(key)
	for i, id := range n.ids {
		for _, known := range []string{id, n.texts[i]} {
			k := head(known)
			d := distance(wanted, k)
			if 2*d <= max(len(wanted), len(k)) && (least < 0 || d < least) {
				best, least = id, d
			}
		}
	}
	return best
}

// distance is the Levenshtein distance between two texts.
func distance(x, y []rune) int {
	row := make([]int, len(y)+1) // of the matrix, for one more rune of x at a time
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			swap := diagonal
			if x[i] != y[j] {
				swap++
			}
			diagonal = row[j+1]
			row[j+1] = min(swap, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}

// head is the beginning of a text, folded: enough to tell names apart, and little enough that a
// distance is quick to find.
func head(s string) []rune {
	const most = 100
	r := []rune(fold(s[:min(len(s), 4*most)]))
	return r[:min(len(r), most)]
}
