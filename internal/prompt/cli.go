// Package prompt is how a program and the agents it asks speak to each other: how a command line is to be
// called from an agent's shell, the tickets by which an answer is known, the lines between which a text is
// only material, and the parts of a prompt that a client shows whole. It knows nothing of what is asked.
package prompt

import "strings"

// CLI is how the command line is to be called from an agent's shell.
type CLI struct {
	Program string // a bare name that is on PATH, or an absolute path quoted for a shell
	SID     string // set where the session has to be named, "" where the environment names it
}

// Rulph is the line that calls a verb of `rulph`.
func (c CLI) Rulph(verb string) string { return c.line("rulph", verb) }

// SkillScore is the line that calls a verb of `skill-score`.
func (c CLI) SkillScore(verb string) string { return c.line("skill-score", verb) }

func (c CLI) line(group, verb string) string {
	line := c.Program + " " + group + " " + verb
	if c.SID != "" {
		line += " --sid " + c.SID
	}
	return line
}

// Quote quotes a path for a POSIX shell; a path that needs no quotes stays as it is.
func Quote(path string) string {
	if path != "" && strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%:=") == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
