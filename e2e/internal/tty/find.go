//go:build unix

package tty

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rulph/e2e/internal/clients"
)

// find returns tmux and what its environment needs: the one on PATH, else Debian's packages unpacked
// into the cache, which takes no root.
func find(t testing.TB) (program string, env []string) {
	t.Helper()
	if path, err := exec.LookPath("tmux"); err == nil {
		return path, nil
	}
	program, env, err := Debian(filepath.Join(clients.Cache(t), "tmux"))
	if err != nil {
		t.Fatalf("tty: tmux is not on PATH and cannot be fetched: %v; install tmux", err)
	}
	return program, env
}

// Debian unpacks the distribution's tmux, and the libraries it wants that the machine lacks, into dir.
// It works where apt-get and dpkg are.
func Debian(dir string) (program string, env []string, err error) {
	for _, tool := range []string{"apt-get", "dpkg", "dpkg-deb"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", nil, fmt.Errorf("%s is not here either", tool)
		}
	}
	if err := clients.Once(dir, unpack); err != nil {
		return "", nil, err
	}
	libs, err := filepath.Glob(filepath.Join(dir, "usr", "lib", "*-linux-*"))
	if err != nil {
		return "", nil, err
	}
	return filepath.Join(dir, "usr", "bin", "tmux"), []string{"LD_LIBRARY_PATH=" + strings.Join(libs, ":")}, nil
}

func unpack(dir string) error {
	debs := filepath.Join(dir, "debs")
	if err := os.MkdirAll(filepath.Join(debs, "lists", "partial"), 0o755); err != nil {
		return err
	}
	if err := fetch(debs, "tmux"); err != nil {
		// The machine's package lists are missing or old: fetch lists of our own.
		own := []string{"-o", "Dir::State::Lists=" + filepath.Join(debs, "lists"), "-o", "Dir::Cache=" + debs}
		if _, err := command(debs, "apt-get", append(own, "-q", "update")...); err != nil {
			return err
		}
		if err := fetch(debs, "tmux", own...); err != nil {
			return err
		}
	}
	missing, err := wanted(debs)
	if err != nil {
		return err
	}
	for _, name := range missing {
		if err := fetch(debs, name); err != nil {
			if err := fetch(debs, name, "-o", "Dir::State::Lists="+filepath.Join(debs, "lists")); err != nil {
				return err
			}
		}
	}
	all, _ := filepath.Glob(filepath.Join(debs, "*.deb"))
	for _, deb := range all {
		if _, err := command(debs, "dpkg", "-x", deb, dir); err != nil {
			return err
		}
	}
	return os.RemoveAll(debs)
}

func fetch(dir, name string, options ...string) error {
	_, err := command(dir, "apt-get", append(options, "-o", "APT::Sandbox::User=", "-q", "download", name)...)
	return err
}

var packageName = regexp.MustCompile(`^[a-z0-9][a-z0-9+.-]+`)

// wanted lists the packages that the fetched tmux depends on and the machine has not installed.
func wanted(debs string) ([]string, error) {
	found, _ := filepath.Glob(filepath.Join(debs, "tmux_*.deb"))
	if len(found) == 0 {
		return nil, errors.New("apt-get download tmux left no package")
	}
	out, err := command(debs, "dpkg-deb", "-f", found[0], "Depends")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, dep := range strings.Split(out, ",") {
		name := packageName.FindString(strings.TrimSpace(dep))
		if name == "" {
			continue
		}
		status, err := command(debs, "dpkg-query", "-W", "-f", "${Status}", name)
		if err != nil || !strings.Contains(status, "ok installed") {
			names = append(names, name)
		}
	}
	return names, nil
}

func command(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, errs.Bytes())
	}
	return out.String(), nil
}
