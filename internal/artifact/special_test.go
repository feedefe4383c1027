//go:build unix

package artifact

import (
	"net"
	"path/filepath"
	"syscall"
	"testing"
)

// A read that waited for a writer would hang this test.
func TestPipesSocketsAndDevicesAreRefusedWithoutWaiting(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "a", "sub/b.md": "b"})
	pipe := filepath.Join(dir, "sub", "pipe.md")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := NewSpec(dir, []string{"a.md", "sub/pipe.md"}, nil)
	wantError(t, err, "sub/pipe.md is a named pipe")
	_, err = Read(spec(t, dir, []string{"sub"}))
	wantError(t, err, "pipe.md is a named pipe", "leave it out")
	// The file became a pipe after it was looked at.
	_, _, err = readFile(pipe, 10)
	wantError(t, err, "is a named pipe")
	s := spec(t, dir, []string{"a.md"})
	remover(t, dir, "a.md")
	if err := syscall.Mkfifo(filepath.Join(dir, "a.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Read(s)
	wantError(t, err, "a.md is a named pipe")

	t.Chdir(dir) // the name of a socket is short
	l, err := net.Listen("unix", "sock.md")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, err = NewSpec(dir, []string{"sock.md"}, nil)
	wantError(t, err, "sock.md is a socket")
}
