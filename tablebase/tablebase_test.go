package tablebase_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver/retro"
	"tengen/tablebase"
	"tengen/weiqi"
)

func sizeOf(t testing.TB, text string) board.Size {
	t.Helper()
	size, err := board.ParseSize(text)
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// built holds the tables that tests have asked for.
var built = map[string][]byte{}

// file writes a table to a new file for one test. The table is built only once.
func file(t testing.TB, size string, loops tablebase.Loops, distance bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	key := fmt.Sprint(size, loops, distance)
	if data, ok := built[key]; ok {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	_, err := retro.Build(context.Background(), path, retro.Options{Size: sizeOf(t, size), Loops: loops, Distance: distance})
	if err == nil {
		built[key], err = os.ReadFile(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string, cache int64) *tablebase.Table {
	t.Helper()
	table, err := tablebase.Open(path, cache)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = table.Close() })
	return table
}

// Only the number of legal boards is published. The other counts must add up and
// agree with the colour symmetry of the game.
func TestStats(t *testing.T) {
	longtest.Alone(t)
	for size, positions := range map[string]uint64{"3x3": 12675, "2x5": 35117, "3x4": 321689, "1x9": 6649} {
		table := open(t, file(t, size, tablebase.Range, true), 0)
		s, err := table.Stats(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		sum := uint64(0)
		for _, n := range s.Histogram {
			sum += n
		}
		if s.Positions != positions || sum != positions || s.Wins+s.Draws+s.Losses != positions || s.Draws != s.Histogram[0] {
			t.Errorf("%s: %+v does not add up to %d", size, s, positions)
		}
		if s.Longest == 0 || s.LoopsMatter == 0 || s.LoopsMatter > positions {
			t.Errorf("%s: %+v", size, s)
		}
	}
}

// The same counts from the positions themselves.
func TestStatsOneByOne(t *testing.T) {
	longtest.Alone(t)
	table := open(t, file(t, "2x4", tablebase.Drawn, false), 0)
	size := table.Header().Size
	want := map[int]uint64{}
	var fill func(points []board.Point, s board.Stones)
	fill = func(points []board.Point, s board.Stones) {
		if len(points) > 0 {
			fill(points[1:], s)
			for c := range s {
				u := s
				u[c].Add(points[0])
				fill(points[1:], u)
			}
			return
		}
		p := weiqi.NewPosition(size)
		p.Stones = s
		if p.Validate() == nil {
			v, err := table.Value(p)
			if err != nil {
				t.Fatal(err)
			}
			want[v.Score]++
		}
	}
	fill(size.All(), board.Stones{})
	s, err := table.Stats(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for score := -size.Points(); score <= size.Points(); score++ {
		if s.Histogram[score] != want[score] {
			t.Errorf("%d positions are worth %d, want %d", s.Histogram[score], score, want[score])
		}
	}
}

// The checksums find any single change to a sound table.
func TestDamage(t *testing.T) {
	longtest.Alone(t)
	raw, err := os.ReadFile(file(t, "2x3", tablebase.Range, true))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "damaged")
	sound := func(raw []byte) bool {
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := tablebase.Open(path, 0)
		if err != nil {
			return false
		}
		defer table.Close()
		_, err = table.Checksum(context.Background())
		return err == nil
	}
	if !sound(raw) {
		t.Fatal("the table is refused as it is")
	}
	for i := range raw {
		bad := bytes.Clone(raw)
		bad[i] ^= 1 << (i % 8)
		if sound(bad) {
			t.Errorf("a change of byte %d of %d is not found", i, len(raw))
		}
		if sound(raw[:i]) {
			t.Errorf("a file cut to %d of %d bytes is accepted", i, len(raw))
		}
	}
	if sound(append(bytes.Clone(raw), 0)) {
		t.Error("a byte too many is accepted")
	}
	for version, want := range map[byte]string{0: "version 0", 1: "build it again", 3: "version 3"} {
		other := bytes.Clone(raw)
		other[8] = version
		if err := os.WriteFile(path, other, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := tablebase.Open(path, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("version %d: %v", version, err)
		}
	}
	if _, err := tablebase.Open(filepath.Join(t.TempDir(), "none"), 0); err == nil {
		t.Error("a table that does not exist was opened")
	}
	if _, err := tablebase.Open(t.TempDir(), 0); err == nil {
		t.Error("a directory was opened")
	}
}

// forge writes a table of these entries and expects a verification to find a fault.
func forge(t *testing.T, h tablebase.Header, list []tablebase.Entry, what string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "forged")
	if err := tablebase.Write(path, h, list); err != nil {
		t.Fatal(err)
	}
	forged := open(t, path, 0)
	for _, memory := range []int64{0, 1} {
		var wrong *tablebase.Wrong
		if _, err := forged.Verify(context.Background(), tablebase.Verification{Threads: 2, Memory: memory}); !errors.As(err, &wrong) {
			t.Errorf("%s, %s: %s passes in memory %d: %v", h.Size, h.Loops, what, memory, err)
		}
	}
}

// entries lists a table of 2x4, a copy each time.
func entries(t *testing.T, loops tablebase.Loops, distance bool) (tablebase.Header, func() []tablebase.Entry) {
	t.Helper()
	table := open(t, file(t, "2x4", loops, distance), 0)
	return table.Header(), func() []tablebase.Entry {
		list, err := tablebase.Entries(table)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
}

// A wrong value in a file with good checksums is found by the rules.
func TestVerifyFindsWrongValues(t *testing.T) {
	longtest.Alone(t)
	rnd := rand.New(rand.NewPCG(4, 5))
	for _, c := range []struct {
		loops    tablebase.Loops
		distance bool
	}{{tablebase.Drawn, false}, {tablebase.Drawn, true}, {tablebase.Range, true}} {
		h, fresh := entries(t, c.loops, c.distance)
		banned := slices.DeleteFunc(fresh(), func(e tablebase.Entry) bool { return len(e.Bans) == 0 })
		for range 20 {
			plane, side := rnd.IntN(c.loops.Planes()), rnd.IntN(2)
			list := fresh()
			e := &list[rnd.IntN(len(list))]
			e.Values[plane][side] ^= 1
			forge(t, h, list, fmt.Sprintf("a wrong value of board %d", e.Code))

			list = fresh()
			e = &list[rnd.IntN(len(list))]
			e.Values[plane][side] = 100
			forge(t, h, list, fmt.Sprintf("an impossible value of board %d", e.Code))

			list = fresh()
			code := banned[rnd.IntN(len(banned))].Code
			at := slices.IndexFunc(list, func(e tablebase.Entry) bool { return e.Code == code })
			list[at].Bans[0].Values[plane] ^= 1
			forge(t, h, list, fmt.Sprintf("a wrong value of a ban on board %d", code))

			if c.distance {
				list = fresh()
				e = &list[rnd.IntN(len(list))]
				e.Distance[plane][side]++
				forge(t, h, list, fmt.Sprintf("a wrong distance of board %d", e.Code))
			}
		}
	}
}

// The scores with loops drawn are a claim about both ends of the range that agrees with
// itself: no value contradicts those after its moves. Without distances nothing is wrong with
// it; distances show that it is false.
func TestVerifyFindsCircles(t *testing.T) {
	drawn := func(e *tablebase.Entry) {
		middle := func(lo, hi int8) int8 { return max(lo, min(hi, 0)) }
		for side := range 2 {
			m := middle(e.Values[0][side], e.Values[1][side])
			e.Values[0][side], e.Values[1][side] = m, m
		}
		for i := range e.Bans {
			m := middle(e.Bans[i].Values[0], e.Bans[i].Values[1])
			e.Bans[i].Values = [2]int8{m, m}
		}
	}
	h, fresh := entries(t, tablebase.Range, false)
	list := fresh()
	for i := range list {
		drawn(&list[i])
	}
	if slices.EqualFunc(list, fresh(), func(a, b tablebase.Entry) bool { return a.Values == b.Values }) {
		t.Fatal("loops decide nothing on this board")
	}
	path := filepath.Join(t.TempDir(), "circle")
	if err := tablebase.Write(path, h, list); err != nil {
		t.Fatal(err)
	}
	if v, err := open(t, path, 0).Verify(t.Context(), tablebase.Verification{}); err != nil || !v.Complete {
		t.Errorf("without distances it does not agree with itself: %v", err)
	}
	h, fresh = entries(t, tablebase.Range, true)
	for _, far := range []uint8{0, 1, 100} {
		list := fresh()
		for i := range list {
			drawn(&list[i])
			for plane := range 2 {
				for side, v := range list[i].Values[plane] {
					if d := &list[i].Distance[plane][side]; v == 0 && *d == 0 {
						*d = far
					}
				}
			}
		}
		forge(t, h, list, fmt.Sprintf("a circle of values with distances of %d", far))
	}
}

// A distance of 255 would read as "no stone", and a circle of values could hide behind it.
func TestLongestDistance(t *testing.T) {
	if got := tablebase.DistanceAfter(253); got != 254 {
		t.Errorf("after 253 moves it is %d", got)
	}
	if got := tablebase.DistanceAfter(254); got <= 255 {
		t.Errorf("after 254 moves it is %d, which a table can hold", got)
	}
}

// Boards and bans too many or too few are found as well.
func TestVerifyFindsWrongBoards(t *testing.T) {
	longtest.Alone(t)
	h, fresh := entries(t, tablebase.Drawn, false)
	list := fresh()
	banned := slices.IndexFunc(list, func(e tablebase.Entry) bool { return len(e.Bans) > 0 })

	forge(t, h, list[:len(list)-1], "a table without its last board")
	forge(t, h, slices.Delete(fresh(), 0, 1), "a table without the empty board")

	list[banned].Bans = list[banned].Bans[1:]
	forge(t, h, list, "a board without its ban")

	list = fresh()
	list[0].Bans = []tablebase.Ban{{Code: list[0].Code, Digit: 3}}
	forge(t, h, list, "a ban on the empty board")

	list = fresh()
	for code := range uint64(6561) {
		at, kept := slices.BinarySearchFunc(list, code, func(e tablebase.Entry, code uint64) int { return cmp.Compare(e.Code, code) })
		if !kept && code%101 == 0 { // no liberty, or an image of another
			extra := tablebase.Entry{Board: tablebase.Board{Code: code}}
			forge(t, h, slices.Insert(slices.Clone(list), at, extra), fmt.Sprintf("board %d, which should not be there,", code))
		}
	}
}

// The same boards are checked and found right whether all values are in memory or
// frames are decoded on demand.
func TestVerifyInAnyMemory(t *testing.T) {
	for _, size := range []string{"1x1", "1x2", "2x2", "1x6", "6x1", "3x3", "2x5"} {
		for _, loops := range []tablebase.Loops{tablebase.Drawn, tablebase.Range} {
			table := open(t, file(t, size, loops, loops == tablebase.Range), 0)
			all, err := table.Verify(context.Background(), tablebase.Verification{Threads: 2})
			if err != nil || !all.Complete {
				t.Fatalf("%s %s: %+v, %v", size, loops, all, err)
			}
			for _, memory := range []int64{1, 10_000, table.VerifyMemory()} {
				v, err := table.Verify(context.Background(), tablebase.Verification{Memory: memory})
				if v != all || err != nil {
					t.Errorf("%s %s in %d bytes: %+v, %v, want %+v", size, loops, memory, v, err, all)
				}
			}
		}
	}
}

// A frame that cannot be decoded is reported as damage and not as a wrong value,
// even if the checksums are right.
func TestVerifyTellsDamageApart(t *testing.T) {
	path := file(t, "2x4", tablebase.Drawn, false)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	frames := 16 + int(binary.LittleEndian.Uint32(raw[12:]))
	raw[frames+20] ^= 1
	body := raw[:len(raw)-sha256.Size]
	sum := sha256.Sum256(body)
	if err := os.WriteFile(path, append(body, sum[:]...), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := open(t, path, 0)
	for _, memory := range []int64{0, 1} {
		var wrong *tablebase.Wrong
		_, err := broken.Verify(context.Background(), tablebase.Verification{Memory: memory})
		if err == nil || errors.As(err, &wrong) || !strings.Contains(err.Error(), "is damaged") {
			t.Errorf("a broken frame: %v", err)
		}
	}
}

// The writer accepts every entry once and only in order.
func TestWriterOrder(t *testing.T) {
	h := tablebase.Header{Size: sizeOf(t, "1x2"), Boards: 2, Bans: 0}
	begin := func() *tablebase.Writer {
		w, err := tablebase.NewWriter(io.Discard, h)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	w := begin()
	if err := w.Add(tablebase.Board{Code: 1}); err != nil {
		t.Fatal(err)
	}
	for _, code := range []uint64{1, 0, 9, 1 << 60} {
		if w.Add(tablebase.Board{Code: code}) == nil {
			t.Errorf("board %d after board 1 is accepted", code)
		}
	}
	if w.AddBan(tablebase.Ban{Code: 0}) == nil {
		t.Error("a ban of another board is accepted")
	}
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "header says") {
		t.Errorf("a table with a board missing: %v", err)
	}
	if _, err := tablebase.NewWriter(io.Discard, tablebase.Header{Size: sizeOf(t, "5x5")}); err == nil {
		t.Error("a table of 5x5 was begun")
	}
}

func TestProbe(t *testing.T) {
	longtest.Alone(t)
	table := open(t, file(t, "3x4", tablebase.Range, true), 0)
	size := table.Header().Size
	a, err := table.Probe(weiqi.NewPosition(size))
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Moves) != size.Points()+1 || a.Score != 4 || a.Moves[0].Score != 4 || a.Lo != 4 || a.Hi != 12 {
		t.Errorf("the empty board: %+v", a)
	}
	if name := size.Name(a.Moves[0].Point); name != "B2" && name != "C2" {
		t.Errorf("the best opening of 3x4 is %s", name)
	}
	line, err := table.Line(weiqi.NewPosition(size))
	if err != nil || len(line) != a.Distance {
		t.Errorf("the game ends in %d moves, the line has %d: %v", a.Distance, len(line), err)
	}
	// The answer to every position of the line is the value of its best move, and
	// moves are in order.
	p := weiqi.NewPosition(size)
	for _, q := range line {
		a, err := table.Probe(p)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range a.Moves {
			if i > 0 && m.Score > a.Moves[i-1].Score || m.Lo > m.Score || m.Hi < m.Score {
				t.Fatalf("%+v are out of order", a.Moves)
			}
		}
		if a.Moves[0].Score != a.Score || a.Moves[0].Distance != a.Distance {
			t.Fatalf("the best move gives %+v, the position %+v", a.Moves[0], a.Value)
		}
		if p, err = (weiqi.Rules{}).Play(p, q); err != nil {
			t.Fatal(err)
		}
	}
	if p.Score() != 4 || !p.Over() {
		t.Errorf("best play ends with %d", p.Score())
	}
	end, err := table.Probe(p)
	if err != nil || len(end.Moves) != 0 || end.Distance != 0 {
		t.Errorf("a game that is over: %+v, %v", end, err)
	}
}

// The line of a drawn game repeats a position.
func TestLineOfALoop(t *testing.T) {
	table := open(t, file(t, "1x7", tablebase.Range, true), 0)
	line, err := table.Line(weiqi.NewPosition(table.Header().Size))
	if err != nil || len(line) == 0 || len(line) > 1000 {
		t.Errorf("%v, %v", line, err)
	}
	if _, err := table.Line(weiqi.NewPosition(sizeOf(t, "2x2"))); err == nil {
		t.Error("a line on another board")
	}
}

func TestBadQuestions(t *testing.T) {
	table := open(t, file(t, "2x3", tablebase.Drawn, false), 0)
	ask := func(p weiqi.Position) string {
		_, err := table.Probe(p)
		if err == nil {
			return ""
		}
		return err.Error()
	}
	if got := ask(weiqi.NewPosition(sizeOf(t, "3x3"))); !strings.Contains(got, "table is for 2x3") {
		t.Errorf("another size: %q", got)
	}
	dead := weiqi.NewPosition(sizeOf(t, "2x3"))
	_, dead.Stones, _ = board.ParseDiagram("xo./oo.")
	if got := ask(dead); !strings.Contains(got, "no liberty") {
		t.Errorf("dead stones: %q", got)
	}
	if _, err := table.Value(dead); err == nil || !strings.Contains(err.Error(), "no liberty") {
		t.Errorf("the value of dead stones: %v", err)
	}
	banned := weiqi.NewPosition(sizeOf(t, "2x3"))
	banned.Ko = 0
	if got := ask(banned); !strings.Contains(got, "no ko") {
		t.Errorf("an impossible ban: %q", got)
	}
	for _, ko := range []board.Point{0, 3, 999} {
		banned.Ko = ko
		if _, err := table.Value(banned); err == nil {
			t.Errorf("a ban at point %d has a value", ko)
		}
	}
}

// Many readers share a cache too small for them.
func TestConcurrentProbes(t *testing.T) {
	path := file(t, "2x6", tablebase.Drawn, true)
	roomy, tight := open(t, path, 0), open(t, path, 40_000)
	var wait sync.WaitGroup
	for seed := range uint64(4) {
		wait.Go(func() {
			rnd := rand.New(rand.NewPCG(4, seed))
			for range 300 {
				p := randomPosition(rnd, roomy.Header().Size)
				a, err1 := roomy.Value(p)
				b, err2 := tight.Value(p)
				if err1 != nil || err2 != nil || a != b {
					t.Errorf("%v %v, %v %v", a, err1, b, err2)
					return
				}
			}
		})
	}
	wait.Wait()
}

func randomPosition(rnd *rand.Rand, size board.Size) weiqi.Position {
	p := weiqi.NewPosition(size)
	for range rnd.IntN(3 * size.Points()) {
		var open []board.Point
		for q := range (weiqi.Rules{}).Legal(p).Points() {
			open = append(open, q)
		}
		m := weiqi.Pass
		if len(open) > 0 {
			m = open[rnd.IntN(len(open))]
		} else if p.Passes == 1 {
			break
		}
		p, _ = weiqi.Rules{}.Play(p, m)
	}
	return p
}

// Positions that only a program can make have no value.
func TestValueOfNoPosition(t *testing.T) {
	table := open(t, file(t, "2x3", tablebase.Drawn, true), 0)
	p := weiqi.NewPosition(table.Header().Size)
	p.ToPlay = board.Empty
	if _, err := table.Value(p); err == nil {
		t.Error("nobody is to play, and there is a value")
	}
	for _, size := range []board.Size{{}, {Rows: -2, Cols: -2}} {
		if err := (tablebase.Header{Size: size}).Validate(); err == nil {
			t.Errorf("%v is accepted as a board", size)
		}
	}
	if _, err := tablebase.NewWriter(io.Discard, tablebase.Header{Size: table.Header().Size, Loops: tablebase.Range + 1}); err == nil {
		t.Error("a table of no kind is written")
	}
}

// A sample reports the boards that it has checked and does not claim to be complete.
func TestVerifySample(t *testing.T) {
	table := open(t, file(t, "3x4", tablebase.Drawn, true), 0)
	last := 0
	all, err := table.Verify(context.Background(), tablebase.Verification{Threads: 2, Progress: func(done, of int) { last = of }})
	if err != nil || !all.Complete || all.Boards != table.Header().Boards || last == 0 {
		t.Errorf("all of 3x4: %+v, %v", all, err)
	}
	some, err := table.Verify(context.Background(), tablebase.Verification{Sample: 0.1, Seed: 1})
	if err != nil || some.Complete || some.Boards == 0 || some.Boards > all.Boards/5 {
		t.Errorf("a tenth of 3x4: %+v, %v", some, err)
	}
	for _, share := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := table.Verify(context.Background(), tablebase.Verification{Sample: share}); err == nil || !strings.Contains(err.Error(), "between 0 and 1") {
			t.Errorf("a sample of %g: %v", share, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := table.Verify(ctx, tablebase.Verification{}); err == nil {
		t.Error("a verification that was stopped succeeded")
	}
}

// The counts of all slices add up to those of the whole check, also for a sample.
// The progress of each slice reaches its end.
func TestVerifySlices(t *testing.T) {
	for _, c := range []struct {
		size  string
		how   tablebase.Verification
		steps []int
	}{
		{"2x5", tablebase.Verification{Threads: 2}, []int{1, 2}},
		{"2x5", tablebase.Verification{Memory: 10_000}, []int{2}},
		{"3x4", tablebase.Verification{Threads: 2, Sample: 0.02, Seed: 1}, []int{5, 14}},
	} {
		if testing.Short() && c.size == "3x4" {
			continue // short tests look for races, and this case starts the same goroutines
		}
		table, how := open(t, file(t, c.size, tablebase.Drawn, true), 0), c.how
		frames := table.Frames()
		whole, err := table.Verify(context.Background(), how)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range c.steps {
			var sum tablebase.Verified
			for how.From = 0; how.From < frames; how.From += step {
				how.To = min(how.From+step, frames)
				done, all := 0, 0
				how.Progress = func(d, a int) { done, all = max(done, d), a }
				v, err := table.Verify(context.Background(), how)
				if err != nil || v.Complete || done != all {
					t.Fatalf("%s, frames %d to %d: %+v, %v, %d of %d done", c.size, how.From, how.To, v, err, done, all)
				}
				sum = sum.And(v)
			}
			checkVerifier(t, table, c.how, step, sum)
			if how.Sample == 0 {
				if sum, err = table.Complete(sum); err != nil {
					t.Error(err)
				}
			}
			if sum != whole {
				t.Errorf("%s: slices of %d frames have seen %+v, the whole check %+v", c.size, step, sum, whole)
			}
		}
	}
}

// checkVerifier checks that one verifier finds the same in its slices as a new
// verifier for each slice.
func checkVerifier(t *testing.T, table *tablebase.Table, how tablebase.Verification, step int, want tablebase.Verified) {
	t.Helper()
	v, err := table.Verifier(context.Background(), how)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	var sum tablebase.Verified
	for from := 0; from < table.Frames(); from += step {
		seen, err := v.Slice(context.Background(), from, min(from+step, table.Frames()))
		if err != nil {
			t.Fatal(err)
		}
		sum = sum.And(seen)
	}
	if sum != want {
		t.Errorf("slices of %d frames have seen %+v, those of one verifier %+v", step, want, sum)
	}
	if _, err := v.Slice(context.Background(), 0, table.Frames()+1); err == nil {
		t.Error("frames that are not there were checked")
	}
}

func TestVerifyRefusesNoSlice(t *testing.T) {
	table := open(t, file(t, "2x5", tablebase.Drawn, true), 0)
	frames := table.Frames()
	for _, how := range []tablebase.Verification{{From: -1}, {From: 3, To: 2}, {To: frames + 1}, {From: frames + 1}} {
		if _, err := table.Verify(context.Background(), how); err == nil {
			t.Errorf("frames %d to %d of %d were checked", how.From, how.To, frames)
		}
	}
	if _, err := table.Complete(tablebase.Verified{}); err == nil {
		t.Error("nothing is complete")
	}
}

// A wrong value is found by the slice that holds it, or one with a board before it.
func TestVerifySlicesFindWrongValues(t *testing.T) {
	table := open(t, file(t, "2x5", tablebase.Drawn, true), 0)
	list, err := tablebase.Entries(table)
	if err != nil {
		t.Fatal(err)
	}
	list[len(list)/2].Values[0][0] ^= 1
	path := filepath.Join(t.TempDir(), "forged")
	if err := tablebase.Write(path, table.Header(), list); err != nil {
		t.Fatal(err)
	}
	forged := open(t, path, 0)
	found := 0
	for from := range forged.Frames() {
		var wrong *tablebase.Wrong
		_, err := forged.Verify(context.Background(), tablebase.Verification{From: from, To: from + 1})
		switch {
		case errors.As(err, &wrong):
			found++
		case err != nil:
			t.Fatal(err)
		}
	}
	if found == 0 {
		t.Error("no slice found a wrong value")
	}
}

func TestVerifyLarge(t *testing.T) {
	longtest.Skip(t)
	for _, size := range []string{"3x5", "4x4"} {
		table := open(t, file(t, size, tablebase.Range, true), 1<<29)
		v, err := table.Verify(context.Background(), tablebase.Verification{Threads: 2})
		if err != nil || !v.Complete {
			t.Errorf("%s: %+v, %v", size, v, err)
		}
	}
}

// The drawn table of 4x4 stays under 8 MiB.
func TestFileSize(t *testing.T) {
	longtest.Skip(t)
	info, err := os.Stat(file(t, "4x4", tablebase.Drawn, false))
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 8<<20 {
		t.Errorf("the table of 4x4 has %d bytes", info.Size())
	}
}

func FuzzOpen(f *testing.F) {
	for _, size := range []string{"1x1", "1x2", "2x2"} {
		raw, err := os.ReadFile(file(f, size, tablebase.Range, true))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := filepath.Join(t.TempDir(), "table")
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := tablebase.Open(path, 0)
		if err != nil {
			return
		}
		defer table.Close()
		_, _ = table.Value(weiqi.NewPosition(table.Header().Size))
	})
}

func FuzzDecodeFrame(f *testing.F) {
	h := tablebase.Header{Size: board.Size{Rows: 2, Cols: 2}, Loops: tablebase.Range, Distance: true}
	f.Add([]byte{})
	f.Add(make([]byte, 24))
	one := make([]byte, 24+6)
	one[0], one[8] = 1, 1
	f.Add(one)
	banned := append(bytes.Clone(one), 0, 0, 3, 64, 64, 9)
	banned[4] = 1
	f.Add(banned)
	f.Fuzz(func(_ *testing.T, raw []byte) { _ = tablebase.DecodeFrame(h, raw) })
}

func benchmarkTable(b *testing.B) (*tablebase.Table, []weiqi.Position) {
	size := "3x4"
	if longtest.On() {
		size = "4x4"
	}
	table := open(b, file(b, size, tablebase.Drawn, false), 0)
	rnd := rand.New(rand.NewPCG(4, 6))
	var list []weiqi.Position
	for range 1000 {
		list = append(list, randomPosition(rnd, table.Header().Size))
	}
	return table, list
}

// A random position whose frame is decoded already.
func BenchmarkWarmValue(b *testing.B) {
	table, list := benchmarkTable(b)
	for i := 0; b.Loop(); i++ {
		if _, err := table.Value(list[i%len(list)]); err != nil {
			b.Fatal(err)
		}
	}
}

// A random position with an empty cache.
func BenchmarkColdValue(b *testing.B) {
	table, list := benchmarkTable(b)
	for i := 0; b.Loop(); i++ {
		table.Evict()
		if _, err := table.Value(list[i%len(list)]); err != nil {
			b.Fatal(err)
		}
	}
}

// A random position with all its moves.
func BenchmarkProbe(b *testing.B) {
	table, list := benchmarkTable(b)
	for i := 0; b.Loop(); i++ {
		if _, err := table.Probe(list[i%len(list)]); err != nil {
			b.Fatal(err)
		}
	}
}

// Everything about a board: both sides, every move, every ban.
func BenchmarkVerify(b *testing.B) {
	table, _ := benchmarkTable(b)
	for b.Loop() {
		if _, err := table.Verify(context.Background(), tablebase.Verification{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(table.Header().Boards), "ns/board")
}
