package cgt

// memo remembers answers about pairs of games. Eight entries share a cache line.
// It doubles as it fills, up to a size. From then on a new entry may replace an
// old one, which costs time but no answer changes. A yes or no is kept in the
// lowest bit of the key, a game in values.
type memo struct {
	keys   []uint64 // 0 for none: nobody asks about the pair (0, 0)
	values []Game   // nil if the keys carry the answers
	count  int
	most   int // entries
	clock  uint32
}

const line = 8

// newMemo makes a memo of at most about this number of bytes.
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

// find is the index of the entry with this key, or -1. The lowest bit is
// ignored.
func (m *memo) find(key uint64) int {
	at := m.line(key)
	for i, k := range m.keys[at : at+line] {
		if k&^1 == key {
			return at + i
		}
	}
	return -1
}

// insert adds an entry that is not there.
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
		switch {
		case k == 0:
		case values == nil:
			m.place(k, 0)
		default:
			m.place(k, values[i])
		}
	}
}
