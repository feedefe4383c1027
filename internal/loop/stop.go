package loop

import (
	"fmt"
	"time"
)

// Stop says what a Stop hook has to do about an active loop: let go, with a result, or block, with the
// state in which the block is counted. mark is what state and artifact look like now (see Mark).
//
// Three limits hold whatever the client does: max_iterations blocks a round, idle blocks in a row
// without any change, and Patience since the last real progress.
func Stop(s State, mark string, now time.Time) (State, Decision) {
	if d := Decide(s, now); d.Over {
		return s, d
	}
	if s.ProgressAt.IsZero() {
		s.ProgressAt = now
	}
	if mark != s.Mark {
		s.Mark, s.IdleBlocks = mark, 0
	}
	switch {
	case s.IdleBlocks >= s.Idle:
		return s, over(Capped, plural(s.IdleBlocks, "stop")+" in a row changed neither the state nor the artifact")
	case s.Iteration >= s.MaxIterations:
		return s, over(Capped, fmt.Sprintf("the limit of %s in round %d is reached", plural(s.Iteration, "blocked stop"), s.Round))
	case now.Sub(s.ProgressAt) > Patience:
		return s, over(Capped, "nothing has progressed for "+span(now.Sub(s.ProgressAt).Round(time.Minute)))
	}
	s.Iteration++
	s.IdleBlocks++
	return s, Decision{}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
