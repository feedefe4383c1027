package session

import (
	"errors"
	"fmt"
	"strings"
)

// SIDPattern says what a session id looks like, for messages and schemas. CheckSID is the check: a
// compiled pattern would cost every hook call its construction.
const SIDPattern = `^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`

const maxSID = 128 // bytes

// reservedSIDs are the entries a home has beside its sessions. An id of that name would make
// `session clear` remove every report. Whoever adds an entry to the home adds its name here.
var reservedSIDs = [...]string{"reports", "trust", "heartbeat", "hook.log"}

// noSIDs are what a script or a hook writes where it found no id. Two sessions without an id would
// share such a state.
var noSIDs = [...]string{"null", "undefined", "unknown"}

// CheckSID returns an error unless sid matches SIDPattern, is not the name of something a home keeps
// beside its sessions, and is not a word that stands for a missing id.
func CheckSID(sid string) error {
	if sid == "" {
		return errors.New("the session id is empty")
	}
	if len(sid) > maxSID {
		return fmt.Errorf("session id %.40q... has %d characters; at most %d are taken", sid, len(sid), maxSID)
	}
	for i := 0; i < len(sid); i++ {
		c := sid[i]
		plain := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !plain && (i == 0 || c != '.' && c != '_' && c != '-') {
			return fmt.Errorf("session id %q is not taken: it must match %s", sid, SIDPattern)
		}
	}
	for _, name := range reservedSIDs {
		if strings.EqualFold(sid, name) {
			return fmt.Errorf("session id %q is not taken: the home keeps something else under that name", sid)
		}
	}
	for _, word := range noSIDs {
		if strings.EqualFold(sid, word) {
			return fmt.Errorf("session id %q is not taken: it stands for a missing id, and sessions without one would share a state", sid)
		}
	}
	return nil
}

// sidSources are the variables in which a client tells its commands the session, first that is set.
var sidSources = [...]string{"CLAUDE_CODE_SESSION_ID", "CODEX_SESSION_ID"}

// SID returns the id of the session: flag, else $CLAUDE_CODE_SESSION_ID, else $CODEX_SESSION_ID. There
// is no shared fallback: without any of them the error says how to pass one.
func SID(flag string, getenv func(string) string) (string, error) {
	if flag != "" {
		if err := CheckSID(flag); err != nil {
			return "", err
		}
		return flag, nil
	}
	for _, name := range sidSources {
		if sid := getenv(name); sid != "" {
			if err := CheckSID(sid); err != nil {
				return "", fmt.Errorf("$%s: %w", name, err)
			}
			return sid, nil
		}
	}
	return "", fmt.Errorf("no session id: pass --sid ID, or set $%s", strings.Join(sidSources[:], " or $"))
}
