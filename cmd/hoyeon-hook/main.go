// Command hoyeon-hook answers one hook event of Claude Code or Codex. It always exits 0.
package main

import (
	"os"

	"rulph/internal/hook"
)

func main() {
	_, _ = os.Stdout.Write(hook.Run(os.Stdin, hook.System()))
}
