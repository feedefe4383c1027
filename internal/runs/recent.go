package runs

import "hash/maphash"

// recent holds the newest of many texts, each once, at the place where it first came up. It takes no more
// memory for a million of them than for its limits.
//
// A log may hold a new text in every line, so finding, adding and dropping one has to cost no more than reading it: the
// texts are a ring, and slots is a hash table of places in it with linear probing.
type recent struct {
	mostBytes int

	ring    []entry // a power of two
	slots   []int32 // 1 + the index in ring; 0 is free. Four times as many
	first   int     // index of the oldest
	n       int
	bytes   int
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

// newRecent has room for that many texts, a power of two, and that many bytes of them.
func newRecent(most, mostBytes int) *recent {
	return &recent{mostBytes: mostBytes, ring: make([]entry, most), slots: make([]int32, 4*most)}
}

// at is the i-th entry, the oldest first.
func (r *recent) at(i int) *entry { return &r.ring[(r.first+i)&(len(r.ring)-1)] }

// home is the slot where the search for a hash begins.
func (r *recent) home(hash uint64) int { return int(hash) & (len(r.slots) - 1) }

// add returns the entry of text, good until the next call; text is copied. Texts are told apart by a hash of
// 64 bits.
func (r *recent) add(text []byte) *entry {
	hash := maphash.Bytes(seed, text)
	for s := r.home(hash); r.slots[s] != 0; s = (s + 1) & (len(r.slots) - 1) {
		if e := &r.ring[r.slots[s]-1]; e.hash == hash {
			return e
		}
	}
	return r.push(text, hash)
}

// append adds a text even where it is there already.
func (r *recent) append(text []byte) { r.push(text, maphash.Bytes(seed, text)) }

func (r *recent) push(text []byte, hash uint64) *entry {
	for r.n > 0 && (r.n == len(r.ring) || r.bytes+len(text) > r.mostBytes) {
		r.drop()
	}
	i := (r.first + r.n) & (len(r.ring) - 1)
	e := &r.ring[i]
	*e = entry{text: append(e.text[:0], text...), hash: hash}
	r.n++
	r.bytes += len(text)
	s := r.home(hash)
	for r.slots[s] != 0 {
		s = (s + 1) & (len(r.slots) - 1)
	}
	r.slots[s] = int32(i + 1)
	return e
}

// drop takes the oldest text out. What stands behind its slot in the table moves up where it may, so that no
// search ends early.
func (r *recent) drop() {
	e := r.at(0)
	s := r.home(e.hash)
	for int(r.slots[s]) != r.first+1 {
		s = (s + 1) & (len(r.slots) - 1)
	}
	for next := s; ; {
		next = (next + 1) & (len(r.slots) - 1)
		if r.slots[next] == 0 {
			break
		}
		home := r.home(r.ring[r.slots[next]-1].hash)
		if (next-home)&(len(r.slots)-1) >= (next-s)&(len(r.slots)-1) {
			r.slots[s], s = r.slots[next], next
		}
	}
	r.slots[s] = 0
	r.bytes -= len(e.text)
	if cap(e.text) > spare {
		e.text = nil
	}
	r.first = (r.first + 1) & (len(r.ring) - 1)
	r.n--
	r.dropped++
}
