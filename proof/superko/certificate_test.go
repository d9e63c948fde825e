package superko

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/blockfile"
	"tengen/internal/longtest"
	"tengen/internal/solver/superko"
	"tengen/weiqi"
)

var (
	psk = weiqi.Rules{Ko: weiqi.Positional}
	ssk = weiqi.Rules{Ko: weiqi.Situational}
)

// prove makes a certificate of whether Black scores at least a number, or of the contrary.
func prove(t testing.TB, s *superko.Solver, claim Claim, black int) *Certificate {
	t.Helper()
	var list []Entry
	holds, err := s.Prove(context.Background(), superko.Question{Start: claim.Start, Moves: claim.Moves}, black, func(c superko.Claim) {
		c.Moves, c.After = append([]board.Point{}, c.Moves...), append([]int{}, c.After...)
		list = append(list, Entry(c))
	})
	if err != nil {
		t.Fatal(err)
	}
	claim.Prover, claim.Goal = board.Black, black
	if !holds {
		claim.Prover, claim.Goal = board.White, 1-black
	}
	c, err := New(claim)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		c.Add(e)
	}
	return c
}

func newSolver(t testing.TB, size board.Size, rules weiqi.Rules, threads int) *superko.Solver {
	t.Helper()
	s, err := superko.New(t.Context(), size, superko.Options{Rules: rules, Threads: threads, Memory: 256 << 20, Record: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// accepted writes, reads and checks a certificate.
func accepted(t testing.TB, c *Certificate) Report {
	t.Helper()
	var file bytes.Buffer
	if err := c.Write(&file); err != nil {
		t.Fatal(err)
	}
	length := file.Len()
	read, err := ReadWithin(t.Context(), &file, 0)
	if err != nil {
		t.Fatal(err)
	}
	if size, sum := read.Sum(); size != int64(length) || read.Len() != c.Len() || fmt.Sprint(read.Claim()) != fmt.Sprint(c.Claim()) {
		t.Errorf("%s: read again it has %d bytes, %d entries, checksum %s: %s", c.Claim(), size, read.Len(), sum, read.Claim())
	}
	report, err := Verify(t.Context(), read, nil)
	if err != nil || !report.Valid || report.Positions != c.Len() {
		t.Fatalf("%s: %+v, %v, %v", c.Claim(), report, report.Failure, err)
	}
	return report
}

// The scores of empty boards, each by two certificates.
func TestScores(t *testing.T) {
	for _, test := range []struct {
		rows, cols, score int
	}{
		{1, 1, 0},
		{1, 2, 0},
		{1, 3, 3},
		{1, 4, 4},
		{1, 5, 0},
		{1, 6, 1},
		{1, 7, 2},
		{1, 8, 3},
		{1, 9, 0},
		{7, 1, 2},
		{2, 2, 1},
		{2, 3, 0},
		{3, 2, 0},
		{2, 4, 8},
		{3, 3, 9},
	} {
		for _, rules := range []weiqi.Rules{psk, ssk} {
			size := board.Size{Rows: test.rows, Cols: test.cols}
			s := newSolver(t, size, rules, 1+test.cols%2)
			for more := range 2 {
				c := prove(t, s, Claim{Rules: rules, Start: weiqi.NewPosition(size)}, test.score+more)
				if want := board.Colour(more); c.Claim().Prover != want {
					t.Errorf("%s: want a proof of %s", c.Claim(), want)
				}
				accepted(t, c)
			}
		}
	}
}

// Proofs that were forgotten for want of memory are found in the certificate all the same.
func TestForgottenProofs(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 8}
	least, err := superko.NewFootprint(size, psk, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := superko.New(t.Context(), size, superko.Options{Rules: psk, Threads: 1, Memory: least.Bytes + 100_000, Record: true})
	if err != nil {
		t.Fatal(err)
	}
	accepted(t, prove(t, s, Claim{Rules: psk, Start: weiqi.NewPosition(size)}, 4))
	if s.Stats().Sweeps == 0 {
		t.Error("nothing was forgotten")
	}
}

// Longer rows than those of the paper, and all first moves.
func TestLongerRows(t *testing.T) {
	longtest.Skip(t)
	for points, scores := range map[int][]int{10: {1, -3, 1, -1, 0, 0}, 11: {2, -3, 2, -2, 2, -2, 2}} {
		size := board.Size{Rows: 1, Cols: points}
		s := newSolver(t, size, psk, 2)
		for i, score := range scores {
			claim := Claim{Rules: psk, Start: weiqi.NewPosition(size)}
			if i > 0 {
				claim.Moves = []board.Point{board.Point(i - 1)}
			}
			for more := range 2 {
				c := prove(t, s, claim, score+more)
				if want := board.Colour(more); c.Claim().Prover != want {
					t.Errorf("%s: want a proof of %s", c.Claim(), want)
				}
				accepted(t, c)
			}
		}
	}
}

// A file keeps the game before the position, and the pass before the start.
func TestFileKeepsTheGame(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 6}
	start := weiqi.NewPosition(size)
	start.Stones[board.White].Add(4)
	start.ToPlay, start.Passes = board.White, 1
	for _, rules := range []weiqi.Rules{psk, ssk} {
		c := prove(t, newSolver(t, size, rules, 1), Claim{Rules: rules, Start: start, Moves: []board.Point{1, weiqi.Pass, 3}}, 2)
		accepted(t, c)
		if text := c.Claim().String(); !strings.HasSuffix(text, "from ....o., white to play, after B1 pass D1, under "+rules.String()) {
			t.Error(text)
		}
	}
}

func TestRefusedClaims(t *testing.T) {
	row := func(n int) weiqi.Position { return weiqi.NewPosition(board.Size{Rows: 1, Cols: n}) }
	banned, passed := row(4), row(4)
	banned.Ko, passed.Passes = 1, 2
	for want, claim := range map[string]Claim{
		"too large":         {Rules: psk, Start: row(15)},
		"not for basic":     {Start: row(4)},
		"not for tromp":     {Rules: weiqi.TrompTaylor, Start: row(4)},
		"does not exist":    {Rules: psk, Start: row(4), Goal: 5},
		"without a ban":     {Rules: psk, Start: banned},
		"after one pass":    {Rules: psk, Start: passed},
		"black or white":    {Rules: psk, Start: row(4), Prover: board.Empty},
		"move 2: white may": {Rules: psk, Start: row(4), Moves: []board.Point{1, 1}},
		"nothing to prove":  {Rules: psk, Start: row(4), Moves: []board.Point{weiqi.Pass, weiqi.Pass}},
		"would repeat":      {Rules: psk, Start: row(2), Moves: []board.Point{0, 1, 0}},
		"for 65535 moves":   {Rules: psk, Start: row(4), Moves: make([]board.Point, 1<<16)},
	} {
		if _, err := New(claim); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Every byte of a file is covered: with one changed it is not read, or not by the checksum.
func TestChangedBytes(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 5}
	c := prove(t, newSolver(t, size, psk, 1), Claim{Rules: psk, Start: weiqi.NewPosition(size), Moves: []board.Point{1}}, 0)
	var file bytes.Buffer
	if err := c.Write(&file); err != nil {
		t.Fatal(err)
	}
	for i := range file.Len() {
		changed := bytes.Clone(file.Bytes())
		changed[i] ^= 0x40
		if _, err := ReadWithin(t.Context(), bytes.NewReader(changed), 0); err == nil {
			t.Errorf("read with another byte %d", i)
		}
	}
	for _, data := range [][]byte{file.Bytes()[:file.Len()-1], append(bytes.Clone(file.Bytes()), 0)} {
		if _, err := ReadWithin(t.Context(), bytes.NewReader(data), 0); err == nil {
			t.Errorf("read with %d bytes", len(data))
		}
	}
	large := (*TooManyEntries)(nil)
	if _, err := ReadWithin(t.Context(), &file, 100); !errors.As(err, &large) {
		t.Errorf("within 100 bytes: %v", err)
	}
}

// The limit of memory holds for the conditions that a check keeps, beside the entries.
func TestCheckWithinMemory(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 5}
	c := prove(t, newSolver(t, size, psk, 1), Claim{Rules: psk, Start: weiqi.NewPosition(size)}, 0)
	var file bytes.Buffer
	if err := c.Write(&file); err != nil {
		t.Fatal(err)
	}
	for more, want := range map[int64]error{4: errMemory, 1 << 20: nil} {
		entries := int64(c.Len()) * (16 + 4*6)
		read, err := ReadWithin(t.Context(), bytes.NewReader(file.Bytes()), entries+more)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := Verify(t.Context(), read, nil); !errors.Is(err, want) || want == nil && !r.Valid {
			t.Errorf("with %d bytes for conditions: %+v, %v", more, r, err)
		}
	}
}

// The numbers of a header alone take no memory: moves of the game come once, not with every
// entry.
func TestHeaderTakesNoMemory(t *testing.T) {
	c, err := New(Claim{Rules: psk, Start: weiqi.NewPosition(board.Size{Rows: 2, Cols: 2}), Prover: board.Black})
	if err != nil {
		t.Fatal(err)
	}
	h := c.header()
	binary.LittleEndian.PutUint16(h[22:], 56000)
	binary.LittleEndian.PutUint64(h[24:], blockfile.BlockLength)
	h = binary.LittleEndian.AppendUint32(h, 3_600_000_000)
	h = binary.LittleEndian.AppendUint32(h, 3_900_000_000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = ReadWithin(t.Context(), bytes.NewReader(h), 64<<20)
	runtime.ReadMemStats(&after)
	if made := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || !strings.Contains(err.Error(), "impossible lengths") || made > 64 {
		t.Errorf("%d MiB were taken: %v", made, err)
	}
}

// Blocks of many entries, and an entry that follows one of an earlier block.
func TestManyEntries(t *testing.T) {
	c, err := New(Claim{Rules: psk, Start: weiqi.NewPosition(board.Size{Rows: 1, Cols: 1}), Prover: board.Black})
	if err != nil {
		t.Fatal(err)
	}
	for range blockfile.BlockLength {
		c.Add(Entry{ToPlay: board.White, Passed: true})
	}
	c.Add(Entry{ToPlay: board.Black, Moves: []board.Point{weiqi.Pass}, After: []int{3}})
	accepted(t, c)
}

func FuzzRead(f *testing.F) {
	size := board.Size{Rows: 1, Cols: 5}
	for _, rules := range []weiqi.Rules{psk, ssk} {
		c := prove(f, newSolver(f, size, rules, 1), Claim{Rules: rules, Start: weiqi.NewPosition(size), Moves: []board.Point{1, weiqi.Pass}}, 0)
		var file bytes.Buffer
		if err := c.Write(&file); err != nil {
			f.Fatal(err)
		}
		f.Add(c.header(), c.appendBlock(nil, 0, c.Len()))
		f.Add(file.Bytes()[:blockfile.HeaderBytes], []byte{})
	}
	f.Add([]byte(blockfile.Magic), []byte{0})
	// The contents of the one block are given unpacked, so that more of them is read.
	f.Fuzz(func(t *testing.T, header, raw []byte) {
		var file bytes.Buffer
		if err := blockfile.Write(&file, header, 1, func([]byte, int, int) []byte { return raw }); err != nil {
			t.Fatal(err)
		}
		c, err := ReadWithin(t.Context(), bytes.NewReader(file.Bytes()), 1<<20)
		if err != nil {
			return
		}
		if got := c.appendBlock(nil, 0, c.Len()); c.Len() > 0 && !bytes.Equal(got, raw) {
			t.Fatalf("%x was read, %x is written", raw, got)
		}
		if c.coder.boards > 1000 {
			return // the checker takes memory for each board
		}
		if _, err := Verify(t.Context(), c, nil); err != nil && !errors.Is(err, errMemory) {
			t.Fatal(err)
		}
	})
}

func TestNoBoardHasNoCertificate(t *testing.T) {
	if err := (Claim{}).Check(); err == nil || err.Error() != "a 0x0 board has no points" {
		t.Error(err)
	}
}
