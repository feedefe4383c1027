// Command bench measures what a user pays for rulph, as ratios of processor time within one run: absolute times
// say more about the machine than about the program. The programs that are compared take turns, so that
// whatever else the machine does falls on all of them. What a panel of judges takes beside its slowest one is the
// exception: that is wall time.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	runs := flag.Int("runs", 40, "how often each program is measured")
	records := flag.Int("records", 1_000_000, "how long the log is that 'runs context' reads; 0 leaves it out")
	panel := flag.Bool("panel", true, "measure what 'evaluate' takes beside its slowest judge")
	check := flag.Bool("check", false, "exit with 1 where a limit is missed")
	flag.Parse()
	if *runs < 1 || *records < 0 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "bench: usage: scripts/bench [-runs N] [-records N] [-panel=false] [-check], at least 1 run")
		os.Exit(2)
	}
	within, err := stopHook(os.Stdout, *runs)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	if *records > 0 {
		fmt.Println()
		// A long log needs fewer turns: the noise of starting a process is small beside it.
		fast, err := runsContext(os.Stdout, *records, min(*runs, 7), 1000)
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		within = within && fast
	}
	if *panel {
		fmt.Println()
		quick, err := panelTime(os.Stdout, judgeTimes, min(*runs, 9))
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		within = within && quick
	}
	if *check && !within {
		os.Exit(1)
	}
}
