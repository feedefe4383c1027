package prompt

import (
	"crypto/rand"
	"encoding/base32"
	"slices"
	"strings"
)

// TicketPrefix begins every ticket. What follows are 20 characters of a-z and 2-7.
const TicketPrefix = "rulph-"

const ticketRandom = 20

// NewTicket is a ticket that no prompt had before.
func NewTicket() string { return TicketPrefix + Token(ticketRandom) }

// Token is n random characters of a-z and 2-7.
func Token(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return strings.ToLower(base32.StdEncoding.EncodeToString(b))[:n]
}

// Tickets finds the tickets in a text, in their order, each once.
func Tickets(text string) []string {
	var found []string
	for rest := text; ; {
		i := strings.Index(rest, TicketPrefix)
		if i < 0 {
			return found
		}
		rest = rest[i+len(TicketPrefix):]
		if len(rest) < ticketRandom {
			return found
		}
		if body := rest[:ticketRandom]; strings.Trim(body, "abcdefghijklmnopqrstuvwxyz234567") == "" {
			if t := TicketPrefix + body; !slices.Contains(found, t) {
				found = append(found, t)
			}
		}
	}
}

// Intake is what became of an answer that a prompt asked for.
type Intake string

const (
	Taken    Intake = "taken"    // the answer is in
	Mend     Intake = "mend"     // malformed; it may be corrected once
	Degraded Intake = "degraded" // malformed again: whoever gave it counts for nothing here
)
