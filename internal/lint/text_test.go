package lint

import (
	"bytes"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The folders of the machines this project is made on mean nothing on another. Written so that the pattern is
// no such path itself.
var machinePath = regexp.MustCompile(`(^|[^A-Za-z0-9._~$}/-])/(work|root)/[A-Za-z0-9._-]`)

// text checks one text file of the tree.
func text(path string, data []byte) (faults []string) {
	if bytes.ContainsRune(data, 0) {
		return nil // a picture or the like
	}
	for i, line := range strings.Split(string(data), "\n") {
		if strings.HasSuffix(line, "\r") && !strings.Contains(path, "testdata/") { // there it may be the point
			faultf(&faults, "%s:%d: a Windows line end: no POSIX shell runs such a script", path, i+1)
			break
		}
	}
	for i, line := range strings.Split(string(data), "\n") {
		if machinePath.MatchString(line) {
			faultf(&faults, "%s:%d: a path of one machine: %s", path, i+1, strings.TrimSpace(line))
		}
	}
	return faults
}

// script checks a file that starts with #!.
func script(f file, shells []string) (faults []string) {
	first, _, _ := bytes.Cut(f.data, []byte("\n"))
	if f.mode != "" && f.mode != "100755" {
		faultf(&faults, "%s: not executable in git's index; run git update-index --chmod=+x %[1]s", f.path)
	}
	if !regexp.MustCompile(`^#!(/bin/sh|/usr/bin/env bash|/bin/bash)$`).Match(first) {
		faultf(&faults, "%s: starts with %q; /bin/sh is everywhere", f.path, first)
		return faults
	}
	if bytes.HasSuffix(first, []byte("bash")) {
		shells = []string{"bash"}
	}
	for _, shell := range shells {
		cmd := exec.Command(shell, "-n")
		cmd.Stdin = bytes.NewReader(f.data)
		if out, err := cmd.CombinedOutput(); err != nil {
			faultf(&faults, "%s: %s -n: %v: %s", f.path, shell, err, bytes.TrimSpace(out))
		}
	}
	return faults
}

// shells are the POSIX shells of this machine.
func shells() []string {
	found := []string{"sh"}
	for _, name := range []string{"dash", "bash", "ksh", "mksh"} {
		if _, err := exec.LookPath(name); err == nil {
			found = append(found, name)
		}
	}
	return found
}

func TestTheTextsAreClean(t *testing.T) {
	for _, f := range files(t) {
		if strings.Contains(f.path, "testdata/fuzz/") {
			continue // inputs that broke something once, whatever is in them
		}
		clean(t, text(f.path, f.data))
	}
}

func TestTheScriptsRunAnywhere(t *testing.T) {
	found := 0
	for _, f := range files(t) {
		if bytes.HasPrefix(f.data, []byte("#!")) {
			found++
			clean(t, script(f, shells()))
		}
	}
	if found < 3 {
		t.Errorf("%d scripts were found; the launchers alone are two", found)
	}
}

func TestTheRulesForTextsCanFail(t *testing.T) {
	for _, dir := range []string{"work", "root"} { // below another folder each of them is somebody's own
		caught(t, "clean", text("a", []byte("see https://example.org/"+dir+"/x and $HOME/"+dir+"/x, ~/"+dir+"/y, docs/"+dir+"/z, /"+dir+"space/x\n")), "")
	}
	caught(t, "a Windows line end", text("a", []byte("one\r\ntwo\r\n")), "a:1: a Windows line end")
	caught(t, "a test's input", text("a/testdata/b", []byte("one\r\n")), "")
	for _, dir := range []string{"work", "root"} {
		for _, before := range []string{"", " ", "\"", "=", "(", ":"} {
			caught(t, dir+" after "+before, text("a", []byte("x\n"+before+"/"+dir+"/main\n")), "a:2: a path of one machine")
		}
	}
	caught(t, "a picture", text("a.png", []byte("\x89PNG\r\n\x00 /"+"work/x")), "")

	good := file{path: "x", mode: "100755", data: []byte("#!/bin/sh\nif true; then echo; fi\n")}
	caught(t, "a script", script(good, shells()), "")
	caught(t, "not executable", script(file{path: "x", mode: "100644", data: good.data}, shells()), "git update-index --chmod=+x x")
	caught(t, "another interpreter", script(file{path: "x", mode: "100755", data: []byte("#!/usr/local/bin/zsh\n")}, shells()), "/bin/sh is everywhere")
	caught(t, "a mistake", script(file{path: "x", mode: "100755", data: []byte("#!/bin/sh\nif true; then\n")}, []string{"sh"}), "x: sh -n: ")
	caught(t, "bash in a bash script", script(file{path: "x", mode: "100755", data: []byte("#!/bin/bash\na=(1 2)\n")}, []string{"sh"}), "")
}
