package report

import (
	"fmt"
	"strings"
)

// The small pictures of one criterion, in the units of their viewBox.
const (
	sparkWidth  = 120.0
	sparkHeight = 34.0
	sparkMargin = 4.0
	meterWidth  = 120.0
	headWidth   = 260.0 // of the meter in the head of the page
)

// spark is one criterion's score by round with its floor.
type spark struct {
	Width, Height float64
	Desc          string
	Floor         float64  // height of the floor line, 0 where there is none
	Paths         []string // points of each unbroken stretch of rounds that were not rolled back
	Dots          []sparkDot
}

type sparkDot struct {
	X, Y float64
	Kind string // kept back best below
}

// trend draws the rounds of one criterion. A round without a score leaves its place empty and breaks
// the line.
func trend(d Data, c CriterionInfo) spark {
	s := spark{Width: sparkWidth, Height: sparkHeight}
	if c.Floor != 0 {
		s.Floor = sparkY(c.Floor)
	}
	var stretch, words []string
	end := func() {
		if len(stretch) > 1 {
			s.Paths = append(s.Paths, strings.Join(stretch, " "))
		}
		stretch = nil
	}
	for i, r := range d.Rounds {
		score := r.criterion(c.ID)
		if r.Void || score.Score == nil {
			end()
			continue
		}
		dot := sparkDot{X: sparkX(i, len(d.Rounds)), Y: sparkY(*score.Score), Kind: "kept"}
		switch {
		case r.RolledBack:
			dot.Kind = "back"
		case score.Below:
			dot.Kind = "below"
		case r.Number == d.Best:
			dot.Kind = "best"
		}
		s.Dots = append(s.Dots, dot)
		word := score.score(c.Floor)
		if r.RolledBack {
			word += " (rolled back)"
		} else {
			stretch = append(stretch, fmt.Sprintf("%g,%g", dot.X, dot.Y))
		}
		words = append(words, word)
	}
	end()
	s.Desc = "By round: " + strings.Join(words, ", ")
	if len(words) == 0 {
		s.Desc = "Never scored"
	}
	return s
}

func sparkY(score float64) float64 {
	score = min(100, max(0, score))
	return tenth(sparkMargin + (100-score)/100*(sparkHeight-2*sparkMargin))
}

func sparkX(i, n int) float64 {
	if n < 2 {
		return sparkWidth / 2
	}
	return tenth(sparkMargin + float64(i)/float64(n-1)*(sparkWidth-2*sparkMargin))
}

// meter is a score as a bar, with a tick at the number it has to reach.
type meter struct {
	Width, Filled, Tick float64 // Tick is 0 where nothing has to be reached
	Below               bool
}

func scoreMeter(width float64, score *float64, bar float64, below bool) meter {
	m := meter{Width: width, Below: below, Tick: tenth(min(100, max(0, bar)) / 100 * width)}
	if score != nil {
		m.Filled = tenth(min(100, max(0, *score)) / 100 * width)
	}
	return m
}
