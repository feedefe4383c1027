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
	slots   []slot  // four times as many; nil where a text may be there twice
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

// slot is a place in the table. It holds a part of the hash, so that a search seldom has to look into the ring.
type slot struct {
	place int32 // 1 + the index in the ring; 0 is free
	part  uint32
}

// spare is as much of a dropped text's memory as is kept for the next one in its place.
const spare = 1 << 10

var seed = maphash.MakeSeed()

// newRecent has room for that many texts, a power of two, and that many bytes of them.
func newRecent(most, mostBytes int) *recent {
	return &recent{mostBytes: mostBytes, ring: make([]entry, most), slots: make([]slot, 4*most)}
}

// at is the i-th entry, the oldest first.
func (r *recent) at(i int) *entry { return &r.ring[(r.first+i)&(len(r.ring)-1)] }

// home is the slot where the search for a hash begins.
func (r *recent) home(part uint32) int { return int(part) & (len(r.slots) - 1) }

// add returns the entry of text, good until the next call; text is copied. Texts are told apart by a hash of
// 64 bits.
func (r *recent) add(text []byte) *entry {
	hash := maphash.Bytes(seed, text)
	for s := r.home(uint32(hash)); r.slots[s].place != 0; s = (s + 1) & (len(r.slots) - 1) {
		if r.slots[s].part != uint32(hash) {
			continue
		}
		if e := &r.ring[r.slots[s].place-1]; e.hash == hash {
			return e
		}
	}
	return r.push(text, hash)
}

// newList keeps each text however often it comes; it takes push alone.
func newList(most, mostBytes int) *recent {
	return &recent{mostBytes: mostBytes, ring: make([]entry, most)}
}

func (r *recent) push(text []byte, hash uint64) *entry {
	for r.n > 0 && (r.n == len(r.ring) || r.bytes+len(text) > r.mostBytes) {
		r.drop()
	}
	i := (r.first + r.n) & (len(r.ring) - 1)
	e := &r.ring[i]
	*e = entry{text: append(e.text[:0], text...), hash: hash}
	r.n++
	r.bytes += len(text)
	if r.slots != nil {
		s := r.home(uint32(hash))
		for r.slots[s].place != 0 {
			s = (s + 1) & (len(r.slots) - 1)
		}
		r.slots[s] = slot{int32(i + 1), uint32(hash)}
	}
	return e
}

// drop takes the oldest text out.
func (r *recent) drop() {
	e := r.at(0)
	if r.slots != nil {
		r.unlink(e)
	}
	r.bytes -= len(e.text)
	if cap(e.text) > spare {
		e.text = nil
	}
	r.first = (r.first + 1) & (len(r.ring) - 1)
	r.n--
	r.dropped++
}

// unlink takes the oldest text out of the table. What stands behind its slot moves up where it may, so that no
// search ends early.
func (r *recent) unlink(e *entry) {
	s := r.home(uint32(e.hash))
	for int(r.slots[s].place) != r.first+1 {
		s = (s + 1) & (len(r.slots) - 1)
	}
	for next := s; ; {
		next = (next + 1) & (len(r.slots) - 1)
		if r.slots[next].place == 0 {
			break
		}
		home := r.home(r.slots[next].part)
		if (next-home)&(len(r.slots)-1) >= (next-s)&(len(r.slots)-1) {
			r.slots[s], s = r.slots[next], next
		}
	}
	r.slots[s] = slot{}
}
