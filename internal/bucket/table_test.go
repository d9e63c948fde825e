package bucket

import (
	"errors"
	"os"
	"testing"

	"pgregory.net/rapid"

	"tengen/internal/solver"
)

// anyOptions draws a table of any shape and any combination of parts.
func anyOptions(r *rapid.T, dir string) Options {
	return Options{
		Codes:     rapid.Uint64Range(1, 1<<rapid.IntRange(1, 63).Draw(r, "key bits")).Draw(r, "codes"),
		ValueBits: rapid.IntRange(1, MaxValueBits).Draw(r, "value bits"),
		Budget:    NewBudget(rapid.SampledFrom([]int64{16 << 10, 40 << 10, 8 << 20}).Draw(r, "memory")),
		Dir:       dir,
		Spread:    rapid.Bool().Draw(r, "spread"),
		Sparse:    rapid.Bool().Draw(r, "sparse"),
		Growth:    rapid.Bool().Draw(r, "growth"),
		Disk:      rapid.Bool().Draw(r, "disk"),
	}
}

// A table is a map, whatever its parts and however small its memory.
func TestTableIsAMap(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		o := anyOptions(r, dir)
		table, err := New(o)
		if err != nil {
			r.Fatal(err)
		}
		defer table.Close()
		want := make(map[uint64]Entry)
		seed := rapid.Uint64().Draw(r, "seed")
		full := fill(r, table, o, seed, rapid.IntRange(0, 20000).Draw(r, "entries"), want)
		if full && o.Disk {
			r.Fatal("a table with a disk is full")
		}
		compare(r, table, o, want)
	})
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Fatalf("files left behind: %v %v", left, err)
	}
}

// fill adds random entries until the table is full, and reports whether it was.
func fill(r *rapid.T, table *Table, o Options, seed uint64, n int, want map[uint64]Entry) bool {
	for range n {
		seed = seed*6364136223846793005 + 1442695040888963407
		code := (seed >> 20) % o.Codes
		if seed&1 == 0 { // half of them close together, as codes of positions are
			code = (seed >> 20) % min(o.Codes, 5000)
		}
		if _, there := want[code]; there {
			continue
		}
		entry := Entry{Code: code, Value: Value(seed>>8) & (1<<o.ValueBits - 1)}
		err := table.Add(entry)
		if errors.Is(err, solver.ErrMemory) {
			return true
		}
		if err != nil {
			r.Fatal(err)
		}
		want[code] = entry
	}
	return false
}

func compare(r *rapid.T, table *Table, o Options, want map[uint64]Entry) {
	if table.Len() != uint64(len(want)) {
		r.Fatalf("%d entries, want %d", table.Len(), len(want))
	}
	for code, entry := range want {
		if got := table.Get(code); got != entry.Value {
			r.Fatalf("code %d: value %d, want %+v", code, got, entry)
		}
	}
	compareBatches(r, table, o, want)
	seen, last := 0, uint64(0)
	all := table.mergeAll()
	for entry, ok := all.next(); ok; entry, ok = all.next() {
		if seen > 0 && entry.Code <= last {
			r.Fatalf("code %d after %d", entry.Code, last)
		}
		seen, last = seen+1, entry.Code
		entry.Code = table.mixer.unmix(entry.Code)
		if want[entry.Code] != entry {
			r.Fatalf("entry %+v, want %+v", entry, want[entry.Code])
		}
	}
	if seen != len(want) || all.err() != nil {
		r.Fatalf("%d entries, want %d, error %v", seen, len(want), all.err())
	}
	if err := table.Err(); err != nil {
		r.Fatal(err)
	}
}

func compareBatches(r *rapid.T, table *Table, o Options, want map[uint64]Entry) {
	var codes [MaxBatch]uint64
	var out [MaxBatch]Value
	for start := uint64(0); start < min(o.Codes, 5000); start += MaxBatch {
		n := min(MaxBatch, o.Codes-start)
		for i := range n {
			codes[i] = start + i
		}
		table.GetMany(codes[:n], out[:n])
		for i := range n {
			entry, there := want[start+i]
			if there != (out[i] != Missing) || there && out[i] != entry.Value {
				r.Fatalf("code %d in a batch: %d, want %+v (%v)", start+i, out[i], entry, there)
			}
		}
	}
}

// Buckets, directory, filters and indices of files together stay within the
// budget.
func TestMemoryStaysWithinTheBudget(t *testing.T) {
	const limit = 1 << 20
	b := NewBudget(limit)
	table, err := New(Options{Codes: 1 << 40, ValueBits: 5, Budget: b, Dir: t.TempDir(), Spread: true, Sparse: true, Growth: true, Disk: true})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	for i := range uint64(1_000_000) {
		if err := table.Add(Entry{Code: i * 977}); err != nil {
			t.Fatal(err)
		}
		if table.Bytes() > limit*21/20 {
			t.Fatalf("%d bytes after %d entries, the limit is %d", table.Bytes(), i, limit)
		}
	}
	if table.DiskBytes() == 0 || len(table.runs) > 8 {
		t.Errorf("%d bytes in %d files", table.DiskBytes(), len(table.runs))
	}
	table.Close()
	if b.used != 0 {
		t.Errorf("%d bytes of the budget are gone after Close", b.used)
	}
}

func TestMixIsABijection(t *testing.T) {
	for width := 1; width <= 63; width++ {
		m := newMixer(width)
		for _, x := range []uint64{0, 1, m.mask, 0x123456789abcdef, 1<<63 - 1} {
			if y := m.mix(x); y&^m.mask != x&^m.mask || m.unmix(y) != x {
				t.Errorf("%d bits: %x mixes to %x and back to %x", width, x, y, m.unmix(y))
			}
		}
	}
}

func TestLayoutFits(t *testing.T) {
	for keyBits := 1; keyBits <= 63; keyBits++ {
		for valueBits := 1; valueBits <= MaxValueBits; valueBits++ {
			for _, memory := range []int64{4 << 10, 1 << 20, 1 << 30, 1 << 38} {
				l := chooseLayout(keyBits, valueBits, memory)
				if l.indexBits+l.validation != keyBits || l.indexBits < 0 || l.validation < 0 {
					t.Errorf("%+v does not split the code", l)
				}
				if l.validation+1+valueBits > 8*l.width {
					t.Errorf("%+v: the entry is too wide", l)
				}
				if keyBits < 57 && int64(4)<<l.indexBits > memory/directoryShare {
					t.Errorf("%+v: the directory takes too much of %d bytes", l, memory)
				}
			}
		}
	}
}

func TestPaperLayout(t *testing.T) {
	got := chooseLayout(40, 5, 32<<30)
	if want := (layout{40, 30, 10, 5, 2}); got != want {
		t.Errorf("5x5 in 32 GiB: %+v, want %+v", got, want)
	}
}

func BenchmarkGetMany(b *testing.B) {
	table, err := New(Options{Codes: 3486784401, ValueBits: 5, Budget: NewBudget(1 << 30), Spread: true, Sparse: true, Growth: true})
	if err != nil {
		b.Fatal(err)
	}
	defer table.Close()
	for i := range uint64(8 << 20) {
		if err := table.Add(Entry{Code: i * 397}); err != nil {
			b.Fatal(err)
		}
	}
	var codes [8]uint64
	var out [8]Value
	x := uint64(1)
	for b.Loop() {
		for i := range codes {
			x = x*6364136223846793005 + 1442695040888963407
			codes[i] = x >> 33
		}
		table.GetMany(codes[:], out[:])
	}
	b.ReportMetric(float64(table.Bytes())/float64(table.Len()), "bytes/entry")
}
