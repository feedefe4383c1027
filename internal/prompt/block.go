package prompt

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Fence is a word for the lines around blocks of foreign text. It occurs in none of the texts, so that none
// can end its own block. It follows from the ticket, which is random, so that a prompt read in parts is the
// same prompt each time.
func Fence(ticket string, texts ...string) string {
	for n := 0; ; n++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s/%d", ticket, n))
		word := "BLOCK-" + strings.ToUpper(hex.EncodeToString(sum[:8]))
		if !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, word) }) {
			return word
		}
	}
}

// Parts cuts a prompt into pieces of at most limit bytes, at line ends where it can, else between runes. A
// client cuts what a command prints, and an agent that saw half a text would answer for half a text. 0 gives
// the whole text as one part.
func Parts(text string, limit int) []string {
	var parts []string
	for limit > 0 && len(text) > limit {
		cut := strings.LastIndexByte(text[:limit], '\n') + 1
		if cut <= 0 {
			for cut = limit; cut > 1 && !utf8.RuneStart(text[cut]); cut-- {
			}
		}
		parts, text = append(parts, text[:cut]), text[cut:]
	}
	return append(parts, text)
}

// Part is the n-th (from 1) of a prompt's parts, with a line that says by which command the next one comes. It
// is an error when there is no such part.
func Part(text string, n, limit int, next func(n int) string) (string, error) {
	parts := Parts(text, limit)
	if n < 1 || n > len(parts) {
		return "", fmt.Errorf("--part %d: this prompt has parts 1 to %d", n, len(parts))
	}
	if n == len(parts) {
		return parts[n-1], nil
	}
	return parts[n-1] + fmt.Sprintf("[part %d of %d. Do not answer yet: run `%s` and read on.]\n", n, len(parts), next(n+1)), nil
}
