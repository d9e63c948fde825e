package table

import (
	"iter"
	"slices"
)

const (
	windowBits  = 12      // codes are counted by their highest bits
	windowCodes = 4 << 20 // records sorted at a time
)

// Ascend yields the flagged records in ascending order of code. Mixing has
// scattered them, so it counts them by their leading bits, and then collects and
// sorts one range of codes after another: a pass over the table for every few
// million records, and memory for no more than those.
func (t *Table) Ascend() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		shift := max(0, t.layout.keyBits-windowBits)
		var counts [1 << windowBits]int
		for r := range t.flaggedRecords() {
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

// yieldRange sorts and yields the records whose leading bits lie in [low, high).
func (t *Table) yieldRange(low, high uint64, shift, total int, yield func(Record) bool) bool {
	batch := make([]Record, 0, total)
	for r := range t.flaggedRecords() {
		if w := r.Code >> shift; low <= w && w < high {
			batch = append(batch, r)
		}
	}
	slices.SortFunc(batch, func(a, b Record) int {
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

func (t *Table) flaggedRecords() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		for r := range t.Records() {
			if r.Flag && !yield(r) {
				return
			}
		}
	}
}
