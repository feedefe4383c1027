package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"time"
)

// subject is one program that is measured.
type subject struct {
	name    string
	command func() *exec.Cmd                  // a new command each time
	prepare func() error                      // before each run, not measured; may be nil
	verify  func(stdout, stderr []byte) error // that it did what it is measured for
}

// measure runs each subject once a round, in turn, and returns the median processor time of each: user and
// system time of the process and of all it has waited for.
func measure(subjects []subject, rounds int) ([]time.Duration, error) {
	times := make([][]time.Duration, len(subjects))
	for round := range rounds + 1 {
		for i, s := range subjects {
			spent, err := s.run()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			if round > 0 { // the first round fills the caches of the file system
				times[i] = append(times[i], spent)
			}
		}
	}
	medians := make([]time.Duration, len(subjects))
	for i := range times {
		medians[i] = median(times[i])
	}
	return medians, nil
}

func (s subject) run() (time.Duration, error) {
	if s.prepare != nil {
		if err := s.prepare(); err != nil {
			return 0, err
		}
	}
	cmd := s.command()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%w: %s", err, stderr.Bytes())
	}
	if err := s.verify(stdout.Bytes(), stderr.Bytes()); err != nil {
		return 0, err
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// median is the middle value, the mean of the two middle ones where their number is even.
func median(values []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
