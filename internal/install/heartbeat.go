package install

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rulph/internal/session"
)

// heartbeat is the sign that the hook of a prompt leaves when the prompt names one of our skills:
// <home>/heartbeat/<session>.json.
type heartbeat struct {
	At      time.Time `json:"at"`
	Event   string    `json:"event"`
	Version string    `json:"version"`
}

// pulse is what the heartbeats say of the hooks.
type pulse struct {
	alive   bool // in this session; outside of one, in some session
	finding Finding
}

// sid is the id of the session this process runs in, or "" where it runs in none.
func (m Machine) sid() string {
	sid, err := session.SID("", m.Getenv)
	if err != nil {
		return ""
	}
	return sid
}

// heartbeat looks for the sign of this session's hooks, or for the newest of all outside of a session.
func (d doctor) heartbeat() pulse {
	beat, found := d.newest()
	f := Finding{ID: "hooks", Health: OK}
	if !found {
		f.Health = Note
		f.Fix = "name a skill of rulph in a prompt (for instance /rulph) and look again; if it stays so, the client runs no hooks: see above"
		f.Detail = "no session has left a sign of its hooks yet"
		if d.session != "" {
			f.Detail = "this session has left no sign of its hooks yet"
		}
		return pulse{finding: f}
	}
	f.Detail = fmt.Sprintf("%s ran at %s", beat.Event, beat.At.UTC().Format(time.RFC3339))
	if beat.Version != d.version {
		f.Health = Note
		f.Detail += fmt.Sprintf(", as version %s; this is %s", beat.Version, d.version)
		f.Fix = "start the session anew after an update"
	}
	return pulse{alive: true, finding: f}
}

func (d doctor) newest() (best heartbeat, found bool) {
	for _, store := range session.Homes(d.Getenv, d.Cwd) {
		dir := filepath.Join(store.Home, "heartbeat")
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, entry := range entries {
			sid, isBeat := strings.CutSuffix(entry.Name(), ".json")
			if !isBeat || d.session != "" && sid != d.session {
				continue
			}
			data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
			if err != nil {
				continue
			}
			if beat, ok := readHeartbeat(data); ok && (!found || beat.At.After(best.At)) {
				best, found = beat, true
			}
		}
	}
	return best, found
}

// readHeartbeat reads one sign. One that a crash left half written is none.
func readHeartbeat(data []byte) (heartbeat, bool) {
	var beat heartbeat
	if err := json.Unmarshal(data, &beat); err != nil || beat.At.IsZero() {
		return heartbeat{}, false
	}
	return beat, true
}
