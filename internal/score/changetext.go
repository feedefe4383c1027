package score

import (
	"fmt"
	"math"
	"strings"
)

// String is the change in one line for a person.
func (ch Change) String() string {
	var parts []string
	certain := exceeds(math.Abs(ch.Certain), 0)
	if ch.P == nil && !certain {
		return string(ch.Word) + ": no item moved for half of the judges or more"
	}
	if certain {
		parts = append(parts, fmt.Sprintf("%+.1f points by what the text and commands answer", ch.Certain))
	}
	if ch.P != nil {
		moved := fmt.Sprintf("%s better, %d worse", count(ch.Better, "item"), ch.Worse)
		if ch.Word != Underpowered {
			moved += fmt.Sprintf(" (p %s)", small(*ch.P))
		}
		parts = append(parts, moved)
	}
	text := string(ch.Word) + ": " + strings.Join(parts, ", ")
	if ch.Word == Underpowered {
		if need := ch.need(); need != "" {
			text += "; " + need
		}
	}
	return text
}

// need says what would decide.
func (ch Change) need() string {
	var ways []string
	switch {
	case ch.NeedItems > 0 && (ch.Better == 0 || ch.Worse == 0):
		ways = append(ways, fmt.Sprintf("%d that agree", ch.NeedItems))
	case ch.NeedItems > 0:
		ways = append(ways, fmt.Sprintf("%d in that ratio", ch.NeedItems))
	}
	if ch.NeedRepeats > 0 {
		ways = append(ways, "about "+count(ch.NeedRepeats, "repeat"))
	}
	if len(ways) == 0 {
		return ""
	}
	return ways[0] + " would decide" + strings.Join(append([]string{""}, ways[1:]...), ", or ")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// small shows a p value.
func small(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("= %.3f", p)
}
