package runs

import "hash/maphash"

// recent holds the newest of many texts, each once, at the place where it first came up. It takes no more
// memory for a million of them than for its limits.
type recent struct {
	most, mostBytes int

	ring    []entry
	first   int // slot of the oldest
	n       int
	bytes   int
	places  map[uint64]int // hash of a text -> how many texts came before it
	dropped int
}

// entry is a text with what became of it.
type entry struct {
	text    []byte
	hash    uint64
	applied bool
	tried   string // the last decision
}

// spare is as much of a dropped text's memory as is kept for the next one in its place.
const spare = 1 << 10

var seed = maphash.MakeSeed()

func newRecent(most, mostBytes int) *recent {
	return &recent{most: most, mostBytes: mostBytes, places: map[uint64]int{}}
}

// add returns the entry of text, until the next call; text is copied. Texts are told apart by a hash of 64 bits.
func (r *recent) add(text []byte) *entry {
	hash := maphash.Bytes(seed, text)
	if place, there := r.places[hash]; there {
		return r.at(place - r.dropped)
	}
	r.places[hash] = r.dropped + r.n
	return r.push(text, hash)
}

// append adds a text even where it is there already.
func (r *recent) append(text []byte) { r.push(text, 0) }

func (r *recent) push(text []byte, hash uint64) *entry {
	for r.n > 0 && (r.n == r.most || r.bytes+len(text) > r.mostBytes) {
		oldest := r.at(0)
		if oldest.hash != 0 {
			delete(r.places, oldest.hash)
		}
		r.bytes -= len(oldest.text)
		if cap(oldest.text) > spare {
			oldest.text = nil
		}
		r.first = (r.first + 1) % len(r.ring)
		r.n--
		r.dropped++
	}
	if r.n == len(r.ring) {
		r.grow()
	}
	e := r.at(r.n)
	*e = entry{text: append(e.text[:0], text...), hash: hash}
	r.n++
	r.bytes += len(text)
	return e
}

func (r *recent) grow() {
	ring := make([]entry, min(r.most, max(16, 2*len(r.ring))))
	for i := range r.n {
		ring[i] = *r.at(i)
	}
	r.ring, r.first = ring, 0
}

// at is the i-th entry, the oldest first.
func (r *recent) at(i int) *entry { return &r.ring[(r.first+i)%len(r.ring)] }
