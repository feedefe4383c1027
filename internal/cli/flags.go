package cli

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// percentFlag, countFlag and spanFlag are settings that may be left out: what they point at stays nil or 0,
// so that the rubric's own value counts. They refuse a wrong value where it is given, in words, and tell the
// one they have in a form that they take.

type percentFlag struct{ to **float64 }

func (f percentFlag) String() string {
	if f.to == nil || *f.to == nil {
		return ""
	}
	return digits(**f.to)
}
func (f percentFlag) Type() string { return "number" }
func (f percentFlag) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= 100) { // NaN is neither
		return errors.New("it takes a number from 0 to 100")
	}
	*f.to = &v
	return nil
}

type countFlag struct {
	to   **int
	most int
}

func (f countFlag) String() string {
	if f.to == nil || *f.to == nil {
		return ""
	}
	return strconv.Itoa(**f.to)
}
func (f countFlag) Type() string { return "number" }
func (f countFlag) Set(text string) error {
	v, err := strconv.Atoi(text)
	if err != nil || v < 0 || v > f.most {
		return errors.New("it takes a whole number from 0 to " + strconv.Itoa(f.most))
	}
	*f.to = &v
	return nil
}

type spanFlag struct{ to *time.Duration }

func (f spanFlag) String() string {
	if f.to == nil || *f.to == 0 {
		return ""
	}
	text := f.to.String() // 10m0s
	if short, ok := strings.CutSuffix(text, "m0s"); ok {
		text = short + "m"
	}
	if short, ok := strings.CutSuffix(text, "h0m"); ok {
		text = short + "h"
	}
	return text
}
func (f spanFlag) Type() string { return "duration" }
func (f spanFlag) Set(text string) error {
	v, err := time.ParseDuration(text)
	if err != nil || v <= 0 {
		return errors.New("it takes a duration such as 45m or 1h30m")
	}
	*f.to = v
	return nil
}

// tokensFlag and usdFlag are limits; one of nothing would be none, and is refused.

type tokensFlag struct{ to *int64 }

func (f tokensFlag) String() string {
	if f.to == nil || *f.to == 0 {
		return ""
	}
	return strconv.FormatInt(*f.to, 10)
}
func (f tokensFlag) Type() string { return "number" }
func (f tokensFlag) Set(text string) error {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v <= 0 {
		return errors.New("it takes a whole number of tokens, such as 200000")
	}
	*f.to = v
	return nil
}

type usdFlag struct{ to *float64 }

func (f usdFlag) String() string {
	if f.to == nil || *f.to == 0 {
		return ""
	}
	return digits(*f.to)
}
func (f usdFlag) Type() string { return "amount" }
func (f usdFlag) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0) || math.IsInf(v, 0) {
		return errors.New("it takes an amount in US dollars, such as 2.50")
	}
	*f.to = v
	return nil
}

// digits are a value with all its digits.
func digits(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// given lists those of the named flags that are on the command line.
func given(cmd *cobra.Command, names ...string) (found []string) {
	for _, n := range names {
		if cmd.Flags().Changed(n) {
			found = append(found, "--"+n)
		}
	}
	return found
}
