package lockless

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// question is a key and its true answer: yes from edge on, no below. An entry may
// hold weaker thresholds, but never wrong ones.
type question struct {
	key  Key
	edge int
}

// fact is a true statement about a question, not always the strongest.
func (q question) fact(random *rand.Rand, effort int) Bounds {
	b := Bounds{Yes: NeverYes, No: NeverNo, Effort: effort}
	switch slack := random.IntN(20); random.IntN(3) {
	case 0:
		b.Yes = q.edge + slack
	case 1:
		b.No = q.edge - 1 - slack
	default:
		b.Yes, b.No = q.edge+slack, q.edge-1-random.IntN(20)
	}
	return b
}

func (q question) contradicts(b Bounds) bool { return b.Yes < q.edge || b.No >= q.edge }

// questions draws distinct keys, at most perLine of them for each line of the
// table. The keys of a line differ in few bits.
func questions(table *Table, n, perLine int, random *rand.Rand) []question {
	room := make(map[uint64]int)
	seen := make(map[Key]bool)
	var list []question
	for try := 0; len(list) < n && try < 20*n; try++ {
		k := Key{random.Uint64(), random.Uint64() >> checkAt << checkAt}
		if len(list) > 0 && random.IntN(2) == 0 {
			k = list[random.IntN(len(list))].key
			k[random.IntN(2)] ^= 1 << (checkAt + random.IntN(checkBits))
		}
		line, _ := bits.Mul64(k[0], table.lines)
		if room[line] == perLine || seen[k] {
			continue
		}
		room[line]++
		seen[k] = true
		list = append(list, question{k, random.IntN(150) - 75})
	}
	return list
}

func newTable(t interface{ Fatal(...any) }, bytes int64) *Table {
	table, err := New(bytes)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// merge is the content of an entry after a further fact.
func merge(a, b Bounds) Bounds {
	return Bounds{Yes: min(a.Yes, b.Yes), No: max(a.No, b.No), Effort: max(a.Effort, b.Effort)}
}

// As long as no line overflows, the table is a map whose thresholds only get
// tighter.
func TestTableIsAMap(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		table := newTable(r, rapid.Int64Range(0, 1<<14).Draw(r, "bytes"))
		defer table.Close()
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 0))
		list := questions(table, rapid.IntRange(1, 300).Draw(r, "keys"), lineWords/2, random)
		want := make(map[Key]Bounds)
		for range 3 * len(list) {
			q := list[random.IntN(len(list))]
			b := q.fact(random, random.IntN(effortMask+1))
			table.Put(q.key, b)
			if old, ok := want[q.key]; ok {
				b = merge(old, b)
			}
			want[q.key] = b
			if got, ok := table.Get(q.key); !ok || got != b {
				r.Fatalf("after Put: %+v %v, want %+v", got, ok, b)
			}
		}
		for _, q := range list {
			b, known := want[q.key]
			if !known {
				b = Bounds{Yes: NeverYes, No: NeverNo}
			}
			if got, ok := table.Get(q.key); ok != known || got != b {
				r.Fatalf("%x: %+v %v, want %+v %v", q.key, got, ok, b, known)
			}
		}
		if table.Stored() != uint64(len(want)) {
			r.Fatalf("%d entries are counted, %d were put", table.Stored(), len(want))
		}
	})
}

// A table with too little room drops entries. The entries it holds are true, the
// last Put is among them, and their number stays within the capacity.
func TestOverfullTableOnlyForgets(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		table := newTable(r, rapid.Int64Range(0, 1<<12).Draw(r, "bytes"))
		defer table.Close()
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 0))
		list := questions(table, 4*int(table.Capacity()), 1<<30, random)
		for range 3 * len(list) {
			q := list[random.IntN(len(list))]
			b := q.fact(random, random.IntN(effortMask+1))
			table.Put(q.key, b)
			if got, ok := table.Get(q.key); !ok || merge(got, b) != got || q.contradicts(got) {
				r.Fatalf("after Put of %+v: %+v %v, the truth is %d", b, got, ok, q.edge)
			}
		}
		known := 0
		for _, q := range list {
			got, ok := table.Get(q.key)
			if ok {
				known++
			}
			if q.contradicts(got) {
				r.Fatalf("%x: %+v, the truth is %d", q.key, got, q.edge)
			}
		}
		if uint64(known) != table.Stored() || table.Stored() > table.Capacity() {
			r.Fatalf("%d entries found, %d counted, room for %d", known, table.Stored(), table.Capacity())
		}
	})
}

// A full line drops the entry that cost least, never the new one.
func TestTableKeepsEffort(t *testing.T) {
	table := newTable(t, lineWords*8)
	defer table.Close()
	for i, effort := range []int{9, 3, 7, 5, 1, 8} {
		table.Put(Key{uint64(i)}, Bounds{Yes: 1, No: 0, Effort: effort})
	}
	for i, want := range []bool{true, false, true, true, false, true} {
		if _, ok := table.Get(Key{uint64(i)}); ok != want {
			t.Errorf("entry %d: known %v, want %v", i, ok, want)
		}
	}
}

// Efforts that are too large for the bits of an entry, and the extreme integers.
func TestTableAtItsLimits(t *testing.T) {
	table := newTable(t, 1<<12)
	defer table.Close()
	for _, c := range []struct{ put, want Bounds }{
		{Bounds{NeverYes, NeverNo, 0}, Bounds{NeverYes, NeverNo, 0}},
		{Bounds{NeverNo, NeverNo, effortMask}, Bounds{NeverNo, NeverNo, effortMask}},
		{Bounds{NeverYes, NeverYes - 1, 1000}, Bounds{NeverYes, NeverYes - 1, effortMask}},
	} {
		for _, key := range []Key{{}, {^uint64(0), ^uint64(0)}, {1 << 63, 1}} {
			table.Put(key, c.put)
			if got, ok := table.Get(key); !ok || got != c.want {
				t.Errorf("%x: %+v %v, want %+v", key, got, ok, c.want)
			}
			clear(table.words)
		}
	}
}

// Readers and writers share a table of a few lines, where the Puts collide. No
// reader ever gets a wrong answer.
func TestTableUnderContention(t *testing.T) {
	rounds := 40_000
	if testing.Short() {
		rounds = 10_000
	}
	for _, lines := range []int64{1, 3, 64} {
		table := newTable(t, lines*lineWords*8)
		list := questions(table, int(lines)*6, 1<<30, rand.New(rand.NewPCG(1, 1)))
		var all sync.WaitGroup
		for id := range uint64(4) {
			all.Go(func() {
				random := rand.New(rand.NewPCG(2, id))
				for range rounds {
					q := list[random.IntN(len(list))]
					switch random.IntN(16) {
					case 0:
						if err := table.Save(io.Discard, 0); err != nil {
							t.Error(err)
							return
						}
					case 1, 2, 3, 4, 5:
						table.Put(q.key, q.fact(random, random.IntN(effortMask+1)))
					default:
						if got, _ := table.Get(q.key); q.contradicts(got) {
							t.Errorf("%x: %+v, the truth is %d", q.key, got, q.edge)
							return
						}
					}
				}
			})
		}
		all.Wait()
		for _, q := range list {
			if got, _ := table.Get(q.key); q.contradicts(got) {
				t.Errorf("afterwards %x: %+v, the truth is %d", q.key, got, q.edge)
			}
		}
		table.Close()
	}
}

// Every entry that is saved while others write is true of a key that was put. An
// entry made of words of two different writes would have a key that nobody put.
func TestSaveUnderContention(t *testing.T) {
	saves := 4_000
	if testing.Short() {
		saves = 1_000
	}
	for _, lines := range []int64{1, 3, 64} {
		table := newTable(t, lines*lineWords*8)
		list := questions(table, int(lines)*6, 1<<30, rand.New(rand.NewPCG(3, 3)))
		truth := make(map[Key]question)
		for _, q := range list {
			truth[q.key] = q
			table.Put(q.key, Bounds{Yes: q.edge, No: q.edge - 1})
		}
		var done atomic.Bool
		var writers sync.WaitGroup
		for id := range uint64(3) {
			writers.Go(func() {
				random := rand.New(rand.NewPCG(4, id))
				for !done.Load() {
					q := list[random.IntN(len(list))]
					table.Put(q.key, q.fact(random, random.IntN(effortMask+1)))
				}
			})
		}
		var file bytes.Buffer
		entries, wrong := 0, 0
		for range saves / int(lines) {
			file.Reset()
			if err := table.Save(&file, 0); err != nil {
				t.Fatal(err)
			}
			for saved := file.Bytes(); len(saved) > 0; saved = saved[EntryBytes:] {
				data := binary.LittleEndian.Uint64(saved[8:])
				q, known := truth[Key{binary.LittleEndian.Uint64(saved), data >> checkAt << checkAt}]
				if entries++; !known || q.contradicts(unpackBounds(data)) {
					wrong++
				}
			}
		}
		done.Store(true)
		writers.Wait()
		if wrong > 0 || entries == 0 {
			t.Errorf("%d lines: %d of %d saved entries were never put", lines, wrong, entries)
		}
		table.Close()
	}
}

// A saved table can be loaded into a table of any size. With enough room all saved
// entries are there. With less room those that are there are true.
func TestSavedTableFitsAnySize(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		size := rapid.Int64Range(64, 1<<14).Draw(r, "bytes")
		table := newTable(r, size)
		defer table.Close()
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 0))
		list := questions(table, rapid.IntRange(0, 300).Draw(r, "keys"), lineWords/2, random)
		for _, q := range list {
			table.Put(q.key, q.fact(random, random.IntN(10)))
		}
		least := rapid.IntRange(0, 10).Draw(r, "least effort")
		var file bytes.Buffer
		if err := table.Save(&file, least); err != nil {
			r.Fatal(err)
		}
		for _, bytesNow := range []int64{size, 8 * size, 64 * 1024, size / 3, 0} {
			loaded := newTable(r, bytesNow)
			if err := loaded.Load(bytes.NewReader(file.Bytes())); err != nil {
				r.Fatal(err)
			}
			lossless := bytesNow == size
			for _, q := range list {
				want, _ := table.Get(q.key)
				got, ok := loaded.Get(q.key)
				switch {
				case ok && (got != want || want.Effort < least):
					r.Fatalf("from %d into %d bytes: %x is %+v, was %+v, least effort %d", size, bytesNow, q.key, got, want, least)
				case !ok && lossless && want.Effort >= least:
					r.Fatalf("%x is missing: it was %+v, least effort %d", q.key, want, least)
				}
			}
			loaded.Close()
		}
	})
}

// Load merges the saved entries with those of the table.
func TestLoadMerges(t *testing.T) {
	key := Key{5, 1 << 40}
	one, other := newTable(t, 1<<10), newTable(t, 1<<12)
	defer one.Close()
	defer other.Close()
	one.Put(key, Bounds{Yes: 4, No: NeverNo, Effort: 3})
	other.Put(key, Bounds{Yes: NeverYes, No: 2, Effort: 6})
	var file bytes.Buffer
	if err := one.Save(&file, 0); err != nil {
		t.Fatal(err)
	}
	if err := other.Load(&file); err != nil {
		t.Fatal(err)
	}
	if got, _ := other.Get(key); got != (Bounds{Yes: 4, No: 2, Effort: 6}) {
		t.Errorf("%+v", got)
	}
}

func TestLoadRefusesDamage(t *testing.T) {
	table := newTable(t, 1<<12)
	defer table.Close()
	for i := range uint64(10) {
		table.Put(Key{i << 60, 1 << 50}, Bounds{Yes: 1, No: 0, Effort: 1})
	}
	var file bytes.Buffer
	if err := table.Save(&file, 0); err != nil {
		t.Fatal(err)
	}
	for cut := range file.Len() + 1 {
		err := newEmpty(t).Load(bytes.NewReader(file.Bytes()[:cut]))
		if whole := cut%EntryBytes == 0; whole != (err == nil) {
			t.Errorf("cut after %d bytes: %v", cut, err)
		}
		if err != nil && !strings.Contains(err.Error(), "cut short") {
			t.Errorf("cut after %d bytes: the error does not say so: %v", cut, err)
		}
	}
	if err := newEmpty(t).Load(bytes.NewReader(make([]byte, EntryBytes))); err == nil {
		t.Error("an entry of zeros was read")
	}
	full := func(int) (int, error) { return 0, io.ErrShortWrite }
	if err := table.Save(writerFunc(full), 0); err == nil {
		t.Error("an error of the writer was lost")
	}
}

// Take merges appended entries with those of a table of any size.
func TestTakeMerges(t *testing.T) {
	table := newEmpty(t)
	random := rand.New(rand.NewPCG(5, 5))
	list := questions(table, 30, lineWords/2, random)
	want := make(map[Key]Bounds)
	var entries []byte
	for _, q := range list {
		known, told := q.fact(random, 1), q.fact(random, 2)
		table.Put(q.key, known)
		entries = Append(entries, q.key, told)
		want[q.key] = merge(known, told)
	}
	if err := table.Take(entries); err != nil {
		t.Fatal(err)
	}
	for key, b := range want {
		if got, ok := table.Get(key); !ok || got != b {
			t.Errorf("%x: %+v %v, want %+v", key, got, ok, b)
		}
	}
	table.Clear()
	for key := range want {
		if got, ok := table.Get(key); ok {
			t.Errorf("%x: %+v in a table that was cleared", key, got)
		}
	}
	if table.Stored() != 0 {
		t.Errorf("%d entries are counted in a table that was cleared", table.Stored())
	}
}

// Take puts nothing if one entry of the list is damaged.
func TestTakeRefusesDamage(t *testing.T) {
	good := Append(nil, Key{1, 2 << checkAt}, Bounds{Yes: 3, No: 2, Effort: 1})
	for name, list := range map[string][]byte{
		"cut short":             append(good[:len(good):len(good)], 1),
		"not in use":            append(good[:len(good):len(good)], make([]byte, EntryBytes)...),
		"yes and no in one":     Append(good[:len(good):len(good)], Key{}, Bounds{Yes: 3, No: 3}),
		"yes below what is no":  Append(good[:len(good):len(good)], Key{}, Bounds{Yes: -3, No: 3}),
		"all the bits that are": append(good[:len(good):len(good)], bytes.Repeat([]byte{255}, EntryBytes)...),
	} {
		table := newEmpty(t)
		if err := table.Take(list); err == nil || table.Stored() != 0 {
			t.Errorf("%s: %v, and %d entries were taken", name, err, table.Stored())
		}
	}
}

// Disputes finds the facts that contradict the table and no others.
func TestDisputes(t *testing.T) {
	table := newTable(t, 1<<12)
	defer table.Close()
	known, other := Key{1, 1 << 40}, Key{2, 1 << 41}
	table.Put(known, Bounds{Yes: 3, No: -2, Effort: 5})
	for _, test := range []struct {
		key  Key
		b    Bounds
		want bool
	}{
		{known, Bounds{Yes: 3, No: -2}, false},
		{known, Bounds{Yes: 10, No: -10}, false},
		{known, Bounds{Yes: -1, No: -2}, false}, // yes is possible there
		{known, Bounds{Yes: 4, No: 2}, false},
		{known, Bounds{Yes: 4, No: 3}, true},
		{known, Bounds{Yes: -2, No: -3}, true},
		{known, Bounds{Yes: NeverYes, No: 3}, true},
		{known, Bounds{Yes: -2, No: NeverNo}, true},
		{other, Bounds{Yes: -2, No: NeverNo}, false},
	} {
		list := Append(Append(nil, other, Bounds{Yes: 1, No: 0}), test.key, test.b)
		if got := table.Disputes(list); got != test.want {
			t.Errorf("%+v: disputed %t", test.b, got)
		}
		if table.Disputes(list[:len(list)-1]) {
			t.Errorf("%+v: half an entry is disputed", test.b)
		}
	}
}

func FuzzTake(f *testing.F) {
	f.Add(Append(nil, Key{1, 2 << checkAt}, Bounds{Yes: 3, No: 2, Effort: 1}))
	f.Add(Append(Append(nil, Key{}, Bounds{Yes: NeverYes, No: 5}), Key{}, Bounds{Yes: 7, No: NeverNo}))
	f.Add(make([]byte, EntryBytes))
	f.Add([]byte{1})
	f.Fuzz(func(t *testing.T, list []byte) {
		table := newEmpty(t)
		if err := table.Take(list); err != nil {
			if table.Stored() != 0 {
				t.Fatalf("%d entries of a list that is refused: %v", table.Stored(), err)
			}
			return
		}
		if len(list) > 0 && table.Stored() == 0 {
			t.Fatal("nothing was taken")
		}
		for ; len(list) > 0; list = list[EntryBytes:] {
			_, b, ok := readEntry(list)
			if !ok || b.Yes <= b.No {
				t.Fatalf("%+v was taken", b)
			}
		}
	})
}

func newEmpty(t *testing.T) *Table {
	t.Helper()
	table := newTable(t, 1<<10)
	t.Cleanup(table.Close)
	return table
}

// writerFunc is a writer that gets only the number of bytes.
type writerFunc func(n int) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(len(p)) }
