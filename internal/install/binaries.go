package install

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2"
)

// A first build fetches the modules and compiles everything.
const buildTimeout = 15 * time.Minute

// noGo is how scripts/build says that it found no Go.
const noGo = 3

// installBinaries puts both binaries of version into dir: copied from the plugin's own build where the plugin
// came as a release with one, else built from its sources. A checkout is always built: its own build may be
// older than its sources.
func (m Machine) installBinaries(ctx context.Context, root, dir, version string, dry bool) Step {
	step := Step{ID: "binaries", Detail: dir}
	script := filepath.Join(root, "scripts", "build")
	release := filepath.Join(root, "bin", ".build", m.platform())
	before := fingerprint(dir)
	finish := func() Step {
		step.Status = Done
		if fingerprint(dir) == before {
			step.Status = Unchanged
		}
		return step
	}
	if built(release, version) && !exists(filepath.Join(root, ".git")) {
		if dry {
			step.Status = Planned
			return step
		}
		if err := copyBuild(release, dir, root); err != nil {
			return m.failed("binaries", err, "see to it that "+dir+" can be written")
		}
		return finish()
	}
	if exists(script) && exists(filepath.Join(root, "go.mod")) {
		step.Commands = []string{"sh " + quote(script) + " " + quote(dir)}
		if dry {
			step.Status = Planned
			return step
		}
		_, err := capture(ctx, buildTimeout, "/bin/sh", script, dir)
		if err == nil {
			return finish()
		}
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != noGo {
			return m.failed("binaries", fmt.Errorf("building: %w", err), "run `"+step.Commands[0]+"` to see all that Go says; the first build needs the network")
		}
		step.Commands = nil
	}
	if built(dir, version) {
		step.Status = Unchanged
		return step
	}
	return m.failed("binaries", errNoSource, "install Go 1.26 or newer (https://go.dev/dl/) and run `hoyeon-cli install` again")
}

var errNoSource = errors.New("there is neither Go to build the binaries with nor a build to copy")

// copyBuild copies a build, each file whole: a hook may be starting from dir at this moment. The file that
// says the version comes last, since it vouches for the others.
func copyBuild(from, dir, root string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range binaries {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := renameio.WriteFile(filepath.Join(dir, name), data, 0o755, renameio.IgnoreUmask()); err != nil {
			return err
		}
	}
	if err := renameio.WriteFile(filepath.Join(dir, "source"), []byte(root+"\n"), 0o644); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(from, "version"))
	if err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(dir, "version"), data, 0o644)
}

// fingerprint tells two states of a folder of binaries apart by what is in them.
func fingerprint(dir string) string {
	sum := sha256.New()
	for _, name := range append(binaries[:len(binaries):len(binaries)], "version", "source") {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return ""
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(data))
		sum.Write(data)
	}
	return string(sum.Sum(nil))
}
