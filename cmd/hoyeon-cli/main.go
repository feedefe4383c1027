// Command hoyeon-cli scores artifacts with rubrics and drives the loop that improves them.
package main

import (
	"os"

	"rulph/internal/cli"
)

func main() {
	os.Exit(int(cli.Main()))
}
