package cgt

import "iter"

// mix spreads a word over all its bits.
func mix(x uint64) uint64 {
	x ^= x >> 32
	x *= 0x9fb21c651e98df25
	x ^= x >> 29
	x *= 0xd6e8feb86659fd93
	return x ^ x>>32
}

// hashForm is the same for the same options in the same order.
func hashForm(left, right []Game) uint32 {
	h := uint64(len(left))<<32 | uint64(len(right))
	for _, g := range left {
		h = mix(h ^ uint64(g))
	}
	for _, g := range right {
		h = mix(h ^ uint64(g))
	}
	return uint32(mix(h))
}

// unique finds games by the hash of their options: open addressing with linear
// probing, at most three quarters full. A slot is a hash above a game; the game 0
// is never in it, so that 0 is an empty slot.
type unique struct {
	slots []uint64
	count int
}

func (u *unique) init() { u.slots = make([]uint64, 1<<10) }

// candidates are the games inserted with this hash.
func (u *unique) candidates(hash uint32) iter.Seq[Game] {
	return func(yield func(Game) bool) {
		mask := len(u.slots) - 1
		for i := int(hash) & mask; u.slots[i] != 0; i = (i + 1) & mask {
			if s := u.slots[i]; uint32(s>>32) == hash && !yield(Game(s)) {
				return
			}
		}
	}
}

func (u *unique) insert(hash uint32, g Game) {
	if u.count++; u.count > len(u.slots)/4*3 {
		old := u.slots
		u.slots = make([]uint64, 2*len(old))
		for _, s := range old {
			if s != 0 {
				u.place(s)
			}
		}
	}
	u.place(uint64(hash)<<32 | uint64(g))
}

func (u *unique) place(s uint64) {
	mask := len(u.slots) - 1
	i := int(s>>32) & mask
	for u.slots[i] != 0 {
		i = (i + 1) & mask
	}
	u.slots[i] = s
}

// memo remembers a word for pairs of games, in lines of eight entries that share
// a cache line. It doubles as it fills, up to a size; from then on a new entry
// may push out an old one, which costs work and never an answer.
type memo struct {
	keys   []uint64 // 0 for none: the pair (0, 0) is never asked
	values []Game   // beside the keys; nil if the keys carry the answer
	count  int
	most   int // entries
	clock  uint32
}

const line = 8

// newMemo makes a memo of about this many bytes at most.
func newMemo(bytes int64, values bool) memo {
	size := int64(8)
	if values {
		size = 12
	}
	m := memo{most: 1 << 10}
	for int64(m.most)*2*size <= bytes {
		m.most *= 2
	}
	m.resize(1<<10, values)
	return m
}

func (m *memo) resize(entries int, values bool) {
	m.keys = make([]uint64, entries)
	m.values = nil
	if values {
		m.values = make([]Game, entries)
	}
	m.count = 0
}

// pairKey leaves the lowest bit free. Handles have 31 bits.
func pairKey(g, h Game) uint64 { return uint64(g)<<32 | uint64(h)<<1 }

func (m *memo) line(key uint64) int {
	return int(mix(key)) & (len(m.keys) - 1) &^ (line - 1)
}

// find returns the index of the entry whose key is this one but for the lowest
// bit, or -1.
func (m *memo) find(key uint64) int {
	at := m.line(key)
	for i, k := range m.keys[at : at+line] {
		if k&^1 == key {
			return at + i
		}
	}
	return -1
}

// insert adds an entry. The hash is that of the key without its lowest bit.
func (m *memo) insert(key uint64, value Game) {
	if m.count > len(m.keys)/2 && len(m.keys) < m.most {
		m.grow()
	}
	m.place(key, value)
}

func (m *memo) place(key uint64, value Game) {
	at := m.line(key &^ 1)
	slot := -1
	for i, k := range m.keys[at : at+line] {
		if k == 0 {
			slot = at + i
			m.count++
			break
		}
	}
	if slot < 0 {
		m.clock++
		slot = at + int(m.clock%line)
	}
	m.keys[slot] = key
	if m.values != nil {
		m.values[slot] = value
	}
}

func (m *memo) grow() {
	keys, values := m.keys, m.values
	m.resize(2*len(keys), values != nil)
	for i, k := range keys {
		if k == 0 {
			continue
		}
		if values != nil {
			m.place(k, values[i])
		} else {
			m.place(k, 0)
		}
	}
}
