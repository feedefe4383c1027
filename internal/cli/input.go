package cli

import (
	"context"
	"errors"
	stdio "io"
	"os"
	"path/filepath"

	"rulph/internal/prompt"
	"rulph/internal/ui"
)

// absolute is a path that was given to the command, in full.
func absolute(io ui.IO, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(io.Cwd, path)
}

// readInput reads a file, or standard input for "-". More than most bytes are an error; nothing is cut.
func readInput(ctx context.Context, io ui.IO, file string, most int64) ([]byte, error) {
	in, from := io.In, "standard input"
	if file != "-" {
		f, err := os.Open(absolute(io, file))
		if errors.Is(err, os.ErrNotExist) {
			return nil, ui.Bad("there is no file %s", prompt.Quote(file))
		}
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in, from = f, file
	}
	data, err := readAll(ctx, in, most+1)
	if err == nil && int64(len(data)) > most {
		err = ui.Bad("%s is larger than the %d MiB that are read", from, most>>20)
	}
	return data, err
}

// readAll reads up to limit bytes, and gives up when ctx ends: the read itself cannot be interrupted, and a
// person at a terminal must be able to leave.
func readAll(ctx context.Context, in stdio.Reader, limit int64) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	read := make(chan result, 1)
	go func() {
		text, err := stdio.ReadAll(stdio.LimitReader(in, limit))
		read <- result{text, err}
	}()
	select {
	case r := <-read:
		return r.text, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
