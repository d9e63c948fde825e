package sums

import (
	"sync/atomic"

	"tengen/table"
)

// marks tell workers what others are searching, so that they take different
// moves of the same position. They are hints: a wrong one costs time only. A
// nil *marks marks nothing, for a worker that is alone.
type marks struct {
	slots [1 << 14]atomic.Uint64
}

// markPoints is the size below which a position is not worth a mark.
const markPoints = 7

func (m *marks) has(k table.Key) bool {
	return m != nil && m.slots[k[1]>>50].Load() == k[0]
}

// set returns the slot to clear, or nil if nothing was marked.
func (m *marks) set(k table.Key, points int) *atomic.Uint64 {
	if m == nil || points < markPoints {
		return nil
	}
	slot := &m.slots[k[1]>>50]
	slot.Store(k[0])
	return slot
}

func (m *marks) clear(slot *atomic.Uint64) {
	if slot != nil {
		slot.Store(0)
	}
}
