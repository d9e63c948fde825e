package bucket

import (
	"iter"
	"slices"
)

const (
	windowBits  = 12      // codes are counted by their highest bits
	windowCodes = 4 << 20 // entries sorted at a time
)

// Ascend yields the flagged entries in ascending order of code. Mixing has
// scattered them. So it counts them by their leading bits, and then collects and
// sorts one range of codes after another. Each range takes one pass over the
// table and holds at most a few million entries, which bounds the memory.
func (t *Table) Ascend() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		shift := max(0, t.layout.keyBits-windowBits)
		var counts [1 << windowBits]int
		for r := range t.flaggedEntries() {
			counts[r.Code>>shift]++
		}
		for low := 0; low < len(counts); {
			high, total := low, 0
			for high < len(counts) && (high == low || total+counts[high] <= windowCodes) {
				total += counts[high]
				high++
			}
			if total > 0 && !t.yieldRange(uint64(low), uint64(high), shift, total, yield) {
				return
			}
			low = high
		}
	}
}

// yieldRange sorts and yields the entries whose leading bits lie in [low, high).
func (t *Table) yieldRange(low, high uint64, shift, total int, yield func(Entry) bool) bool {
	batch := make([]Entry, 0, total)
	for r := range t.flaggedEntries() {
		if w := r.Code >> shift; low <= w && w < high {
			batch = append(batch, r)
		}
	}
	slices.SortFunc(batch, func(a, b Entry) int {
		if a.Code < b.Code {
			return -1
		}
		return 1
	})
	for _, r := range batch {
		if !yield(r) {
			return false
		}
	}
	return true
}

func (t *Table) flaggedEntries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for r := range t.Entries() {
			if r.Flag && !yield(r) {
				return
			}
		}
	}
}
