package gosearch

import "sync/atomic"

// busy holds states that are being searched, so that a thread puts off a move that
// another one is at (ABDADA). It may forget some.
type busy [1 << 14]atomic.Uint64

const (
	sharedPlies = 6       // with fewer plies left threads do not look at each other
	putOff      = 1 << 40 // worse than every move that is not put off
)

func (b *busy) at(key uint64) *atomic.Uint64 { return &b[key>>50] }

func (b *busy) has(key uint64) bool { return b.at(key).Load() == key }

func (b *busy) enter(key uint64) { b.at(key).Store(key) }

func (b *busy) leave(key uint64) { b.at(key).CompareAndSwap(key, 0) }
