package artifact

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// glob is a pattern over slash paths: `*`, `?` and `[a-z]` stay within one segment, as in path.Match,
// and a segment `**` stands for any number of segments, none included.
type glob []string

// parseGlob reads a glob of --include. A final slash means everything below the folder.
func parseGlob(pattern string) (glob, error) {
	switch {
	case strings.HasPrefix(pattern, "!"):
		return nil, fmt.Errorf("include %q: a glob only includes; name what belongs to the artifact", pattern)
	case strings.HasPrefix(pattern, "/"):
		return nil, fmt.Errorf("include %q: a glob starts below the folder; leave the first slash out", pattern)
	case strings.HasSuffix(pattern, "/"):
		pattern += "**"
	}
	g := newGlob(strings.TrimPrefix(pattern, "./"))
	for _, s := range g {
		if s == "" || s == "." || s == ".." {
			return nil, fmt.Errorf("include %q: a glob has no empty, . or .. segment", pattern)
		}
		if _, err := path.Match(s, ""); errors.Is(err, path.ErrBadPattern) {
			return nil, fmt.Errorf("include %q: %q is no glob: %w", pattern, s, err)
		}
	}
	return g, nil
}

// newGlob splits a pattern and folds runs of `**`, which mean the same as one.
func newGlob(pattern string) glob {
	var g glob
	for s := range strings.SplitSeq(pattern, "/") {
		if s == "**" && len(g) > 0 && g[len(g)-1] == "**" {
			continue
		}
		g = append(g, s)
	}
	return g
}

// match keeps, segment by segment of the path, the set of pattern positions reached so far. That
// costs len(g) x segments at most, where the usual recursion is exponential in the number of `**`.
func (g glob) match(slashPath string) bool {
	reached := make([]bool, len(g)+1)
	reached[0] = true
	g.skip(reached)
	for seg := range strings.SplitSeq(slashPath, "/") {
		next := make([]bool, len(g)+1)
		for i, p := range g {
			if !reached[i] {
				continue
			}
			if p == "**" {
				next[i] = true
			} else if ok, err := path.Match(p, seg); ok && err == nil {
				next[i+1] = true
			}
		}
		g.skip(next)
		reached = next
	}
	return reached[len(g)]
}

// skip lets every `**` that was reached stand for no segment.
func (g glob) skip(reached []bool) {
	for i, p := range g {
		if reached[i] && p == "**" {
			reached[i+1] = true
		}
	}
}
