// Package bucket is the sorted bucket hash: an exact map from position codes to
// small values, made for searches that keep every position they decide.
//
// Different positions have different codes, and an entry identifies its whole code:
// part of the code is stored, the rest is the number of the bucket. Buckets are short
// sorted arrays in memory outside the Go heap. When the memory is used up, the table
// writes its contents to a sorted file and starts again with empty memory. Lookups
// search the memory first and then the files.
//
// An entry never changes once added. The table knows nothing of games, and it is for one
// goroutine at a time. Package lockless is the table for many goroutines; it may drop
// entries.
package bucket

import (
	"fmt"
	"math/bits"
	"os"

	"tengen/internal/solver"
)

// Value is what the table keeps for a code, in Options.ValueBits bits.
type Value uint8

// Missing means that the table does not hold the code.
const Missing Value = 0xff

// MaxValueBits leaves room in an entry's byte for the end mark.
const MaxValueBits = 6

// Entry is one entry in full.
type Entry struct {
	Code  uint64
	Value Value
}

// Options describe the codes and switch parts of the table on. The four switches
// change speed and memory, never an answer.
type Options struct {
	Codes     uint64  // codes are below this number
	ValueBits int     // width of a value
	Budget    *Budget // memory, possibly shared with other tables
	Dir       string  // where spilled files go

	Spread bool // scatter codes over the buckets by a bijection
	Sparse bool // allocate the bucket directory by pages, on demand
	Growth bool // let buckets grow with slack
	Disk   bool // spill to files when memory is used up
}

// Table is the map. Close returns its memory and removes its files.
type Table struct {
	options Options
	layout  layout
	mixer   mixer
	memory  tier
	runs    []*run // newest first
	stored  uint64 // distinct codes in memory and files
	err     error  // first failure to read a file
	block   [blockSize]byte
}

// tier is a memory tier; the implementations differ in the width of an entry.
type tier interface {
	get(code uint64) (Entry, bool)
	getMany(codes []uint64, out []Value)
	add(r Entry) bool
	cursor() cursor
	entries() uint64
	bytes() int64
	close()
}

// New prepares an empty table.
func New(o Options) (*Table, error) {
	if o.Codes == 0 || o.Codes > 1<<63 || o.ValueBits < 1 || o.ValueBits > MaxValueBits {
		return nil, fmt.Errorf("table of %d codes with values of %d bits: the limits are 2^63 codes and %d bits", o.Codes, o.ValueBits, MaxValueBits)
	}
	if o.Disk && o.Dir == "" {
		o.Dir = os.TempDir()
	}
	keyBits := max(1, bits.Len64(o.Codes-1))
	t := &Table{options: o, layout: chooseLayout(keyBits, o.ValueBits, o.Budget.limit)}
	if o.Spread {
		t.mixer = newMixer(t.layout.mixBits())
	}
	if err := t.openMemory(); err != nil {
		return nil, err
	}
	return t, nil
}

// openMemory starts an empty memory tier. If it cannot, the table still answers
// from its files.
func (t *Table) openMemory() error {
	memory, err := newTier(t.layout, t.options)
	if err != nil {
		t.memory = noTier{}
		return err
	}
	t.memory = memory
	return nil
}

func newTier(l layout, o Options) (tier, error) {
	switch l.width {
	case 2:
		return newBuckets[uint16](l, o)
	case 4:
		return newBuckets[uint32](l, o)
	}
	return newBuckets[uint64](l, o)
}

// Get is the value of a code, or Missing.
func (t *Table) Get(code uint64) Value {
	r, ok := t.find(t.mixer.mix(code))
	if !ok {
		return Missing
	}
	return r.Value
}

// MaxBatch is the largest number of codes GetMany takes.
const MaxBatch = 64

// GetMany looks up several codes at once, so that their cache misses overlap.
// It leaves codes in an unspecified state.
func (t *Table) GetMany(codes []uint64, out []Value) {
	t.mixer.mixAll(codes)
	t.memory.getMany(codes, out)
	if len(t.runs) == 0 {
		return
	}
	for i, v := range out[:len(codes)] {
		if v == Missing {
			if r, ok := t.findOnDisk(codes[i]); ok {
				out[i] = r.Value
			}
		}
	}
}

// find works on mixed codes, as everything below the exported methods does.
func (t *Table) find(code uint64) (Entry, bool) {
	if r, ok := t.memory.get(code); ok {
		return r, true
	}
	return t.findOnDisk(code)
}

func (t *Table) findOnDisk(code uint64) (Entry, bool) {
	for _, run := range t.runs {
		r, ok, err := run.get(code, &t.block)
		t.fail(err)
		if ok {
			return r, true
		}
	}
	return Entry{}, false
}

func (t *Table) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// Err is the first failure to read a spilled file. Lookups since then may have
// missed entries, which costs a search time but never makes it wrong.
func (t *Table) Err() error { return t.err }

// Add stores an entry. The caller must have checked that its code is not in the
// table.
func (t *Table) Add(r Entry) error {
	r.Code = t.mixer.mix(r.Code)
	if err := t.put(r); err != nil {
		return err
	}
	t.stored++
	return nil
}

// put inserts an entry into memory. If the memory is full, it spills first.
func (t *Table) put(r Entry) error {
	if t.memory.add(r) {
		return nil
	}
	if err := t.Spill(); err != nil {
		return err
	}
	if !t.memory.add(r) {
		return solver.ErrMemory
	}
	return nil
}

// Len is the number of codes in the table.
func (t *Table) Len() uint64 { return t.stored }

// Bytes is the memory in use: buckets, directory, free space between them, and the
// indices and filters of files.
func (t *Table) Bytes() int64 {
	n := t.memory.bytes()
	for _, r := range t.runs {
		n += r.bytes()
	}
	return n
}

// MemoryBytes is the part of Bytes that Spill would free.
func (t *Table) MemoryBytes() int64 { return t.memory.bytes() }

// DiskBytes is the total length of the files.
func (t *Table) DiskBytes() int64 {
	var n int64
	for _, r := range t.runs {
		n += r.size
	}
	return n
}

// Capacity estimates the number of entries that fit the memory, from the memory that
// the entries so far take. It is 0, for no limit, if the table may spill.
func (t *Table) Capacity() uint64 {
	if t.options.Disk {
		return 0
	}
	perEntry := 1.5*float64(t.layout.width) + 1
	if t.stored > 1<<16 {
		perEntry = float64(t.Bytes()) / float64(t.stored)
	}
	return uint64(float64(t.options.Budget.limit) / perEntry)
}

// Close frees the memory and removes the files.
func (t *Table) Close() error {
	t.memory.close()
	var first error
	for _, r := range t.runs {
		if err := r.close(); err != nil && first == nil {
			first = err
		}
	}
	t.runs = nil
	return first
}
