package evaluator

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestACommandEndsWithUsWhenWeAreKilled(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "pid")
	us := exec.Command(installFake(t, dir, "fake"), "run", "echo $$ > "+file+".new; mv "+file+".new "+file+"; exec sleep 600")
	if err := us.Start(); err != nil {
		t.Fatal(err)
	}
	var text []byte
	for range 500 {
		if text, _ = os.ReadFile(file); len(text) > 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatalf("the command was not started: %q", text)
	}
	if err := us.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = us.Wait()
	if !gone(pid) {
		t.Errorf("process %d lives on", pid)
	}
}
