package tablebase

import (
	"io"

	"tengen/board"
	"tengen/internal/wholefile"
)

// Entry is a board and its bans.
type Entry struct {
	Board
	Bans []Ban
}

// Entries lists what a table keeps.
func Entries(t *Table) ([]Entry, error) {
	var list []Entry
	for n := range t.header.frames() {
		f, err := t.load(n)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		for at, code := range t.codes(n, f) {
			list = append(list, Entry{f.board(code, at), f.bansOf(code, at)})
		}
	}
	return list, nil
}

// Write makes a table of entries; its header is h with their numbers.
func Write(path string, h Header, list []Entry) error {
	h.Boards, h.Bans = uint64(len(list)), 0
	for _, e := range list {
		h.Bans += uint64(len(e.Bans))
	}
	return wholefile.Disk{}.Stream(path, func(out io.Writer) error { return writeAll(out, h, list) })
}

func writeAll(out io.Writer, h Header, list []Entry) error {
	w, err := NewWriter(out, h)
	if err != nil {
		return err
	}
	for _, e := range list {
		if err := w.Add(e.Board); err != nil {
			return err
		}
		for _, ban := range e.Bans {
			if err := w.AddBan(ban); err != nil {
				return err
			}
		}
	}
	return w.Close()
}

func (f *frame) board(code uint64, at int) Board {
	b := Board{Code: code}
	for i, v := range f.values {
		b.Values[i/2][i%2] = int8(int(v[at]) - valueOffset)
	}
	for i, far := range f.far {
		b.Distance[i/2][i%2] = far[at]
	}
	return b
}

func (f *frame) bansOf(code uint64, at int) []Ban {
	var list []Ban
	for j, key := range f.bans {
		if int(key>>8) != at {
			continue
		}
		ban := Ban{Code: code, Side: uint8(key >> 7 & 1), Digit: uint8(key & 0x7f)}
		for plane, v := range f.banned {
			ban.Values[plane] = int8(int(v[j]) - valueOffset)
		}
		for plane, far := range f.banFar {
			ban.Distance[plane] = far[j]
		}
		list = append(list, ban)
	}
	return list
}

// DecodeFrame is decodeFrame for the fuzzer.
func DecodeFrame(h Header, raw []byte) error {
	f, err := decodeFrame(h, raw)
	if err != nil {
		return err
	}
	again, err := decodeFrame(h, f.encode(nil))
	if err == nil && len(again.bans) != len(f.bans) {
		panic("a frame does not survive being written and read")
	}
	return err
}

// Evict empties the cache.
func (t *Table) Evict() {
	for _, number := range t.cache.ring {
		t.cache.frames[number].Store(nil)
	}
	t.cache.ring, t.cache.held = t.cache.ring[:0], 0
}

// DistanceAfter is the distance that a check asks of the only best stone, if the position
// after it has this distance.
func DistanceAfter(far uint8) int {
	h := Header{Size: board.Size{Rows: 2, Cols: 2}, Distance: true}
	c := &checker{t: &Table{header: h}, next: [2][]successor{{{outcome: outcome{value: [2]int8{-3}, far: [2]uint8{far}}}}}}
	return c.distance(0, 0, 3, -1)
}
