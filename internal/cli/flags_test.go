package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"rulph/internal/ui"
)

// What a flag tells of its value, the flag takes: a command line is handed on so.
func TestAFlagTellsItsValueInTheWayItTakesIt(t *testing.T) {
	type value interface {
		String() string
		Set(string) error
	}
	for name, c := range map[string]struct {
		fresh func() value
		cases map[string]string // what is given, what it tells
	}{
		"percent": {func() value { return percentFlag{new(*float64)} }, map[string]string{"0": "0", "72.5": "72.5", "1e2": "100"}},
		"count":   {func() value { return countFlag{new(*int), 100} }, map[string]string{"0": "0", "7": "7"}},
		"span":    {func() value { return spanFlag{new(time.Duration)} }, map[string]string{"5m": "5m", "1h": "1h", "90m": "1h30m", "100s": "1m40s", "300ms": "300ms", "1h0m5s": "1h0m5s"}},
		"tokens":  {func() value { return tokensFlag{new(int64)} }, map[string]string{"200000": "200000"}},
		"usd":     {func() value { return usdFlag{new(float64)} }, map[string]string{"2.50": "2.5", "0.00001": "0.00001", "12345678": "12345678"}},
	} {
		if got := c.fresh().String(); got != "" {
			t.Errorf("%s: one that was not given tells %q", name, got)
		}
		for given, want := range c.cases {
			f := c.fresh()
			if err := f.Set(given); err != nil || f.String() != want {
				t.Errorf("%s %s: %v, it tells %q, want %q", name, given, err, f.String(), want)
			}
			if again := c.fresh(); again.Set(f.String()) != nil || again.String() != want {
				t.Errorf("%s: it does not take %q, which it tells", name, f.String())
			}
		}
	}
}

func TestNoDefaultIsNamedTwice(t *testing.T) {
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Flags().FlagUsages()) {
			if strings.Count(line, "default") > 1 {
				t.Errorf("%s: %s", cmd.CommandPath(), line)
			}
		}
		for _, c := range cmd.Commands() {
			look(c)
		}
	}
	look(newRoot(ui.IO{}))
}
