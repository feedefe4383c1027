//go:build unix

package scripted

import (
	"sync"
	"time"
)

// Meeting holds conversations until a number of them are there, which proves that they run side by
// side: conversations that ran one after the other would never meet.
type Meeting struct {
	mu    sync.Mutex
	left  int
	full  chan struct{}
	limit time.Duration
}

// Meet makes a meeting of n conversations.
func Meet(n int) *Meeting { return &Meeting{left: n, full: make(chan struct{}), limit: time.Minute} }

// Wait returns true as soon as n calls are waiting, and false after a minute without that.
func (m *Meeting) Wait() bool {
	m.mu.Lock()
	if m.left--; m.left == 0 {
		close(m.full)
	}
	m.mu.Unlock()
	select {
	case <-m.full:
		return true
	case <-time.After(m.limit):
		return false
	}
}
