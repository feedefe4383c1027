package cli

import (
	"github.com/spf13/cobra"

	"rulph/internal/ui"
)

// commands lists the groups of the program, each built in a file of its own.
func commands(io ui.IO) []*cobra.Command {
	return []*cobra.Command{
		newRulphCmd(io),
		newEvaluateCmd(io),
		newSkillScoreCmd(io),
		newSkillCmd(io),
		newRunsCmd(io),
		newSessionCmd(io),
		newRubricCmd(io),
		newInstallCmd(io),
		newDoctorCmd(io),
	}
}
