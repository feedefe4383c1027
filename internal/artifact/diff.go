package artifact

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff is a unified diff of two states of an artifact, file by file in the order of their paths; ""
// when nothing differs. A file that was added or removed stands against /dev/null.
func Diff(from, to Artifact) string {
	var out strings.Builder
	old, cur := from.Files, to.Files
	for len(old) > 0 || len(cur) > 0 {
		switch {
		case len(cur) == 0 || len(old) > 0 && old[0].Path < cur[0].Path:
			out.WriteString(diffFile(diffName("a/", old[0].Path), old[0].Data, noFile, nil))
			old = old[1:]
		case len(old) == 0 || cur[0].Path < old[0].Path:
			out.WriteString(diffFile(noFile, nil, diffName("b/", cur[0].Path), cur[0].Data))
			cur = cur[1:]
		default:
			out.Write(diff.Diff(diffName("a/", old[0].Path), old[0].Data, diffName("b/", cur[0].Path), cur[0].Data))
			old, cur = old[1:], cur[1:]
		}
	}
	return out.String()
}

const noFile = "/dev/null"

// diffFile is the diff of a file that one side lacks. An empty one has no lines to show, but its
// coming and going is a change all the same.
func diffFile(oldName string, old []byte, newName string, cur []byte) string {
	if d := diff.Diff(oldName, old, newName, cur); d != nil {
		return string(d)
	}
	return "diff " + oldName + " " + newName + "\n--- " + oldName + "\n+++ " + newName + "\n"
}

// diffName quotes a path that could end the header line or pass for another one.
func diffName(side, p string) string {
	if strings.ContainsFunc(p, func(r rune) bool { return !unicode.IsPrint(r) || r == '"' || r == '\\' }) {
		return strconv.Quote(side + p)
	}
	return side + p
}
