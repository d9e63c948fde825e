package area

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tengen/board"
	"tengen/internal/blockfile"
	"tengen/internal/longtest"
	"tengen/internal/solver/gosearch"
	"tengen/weiqi"
)

// search is the solver as an oracle.
type search struct{ *gosearch.Solver }

func (s search) Winning(ctx context.Context, c Claim, limit int) (board.Point, int, error) {
	return s.Other(ctx, c, limit, nil)
}

func (s search) Other(ctx context.Context, c Claim, limit int, avoid []board.Point) (board.Point, int, error) {
	return s.Solver.Winning(ctx, gosearch.Question{Position: c.Root, Prover: c.Prover, Goal: c.Goal}, limit, avoid...)
}

// prove makes a certificate of a claim about a board after moves.
func prove(t testing.TB, size board.Size, moves string, prover board.Colour, goal int, without ...string) *Certificate {
	t.Helper()
	p := weiqi.NewPosition(size)
	for _, name := range strings.Fields(moves) {
		next, err := weiqi.Rules{}.Play(p, point(t, size, name))
		if err != nil {
			t.Fatal(err)
		}
		p = next
	}
	s, err := gosearch.New(size, gosearch.Options{Memory: 1 << 30, Threads: 1, Without: without})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx := context.Background()
	if v, err := s.Prove(ctx, gosearch.Question{Position: p, Prover: prover, Goal: goal}, 0); err != nil || v != gosearch.Proven {
		t.Fatalf("%v, %v", v, err)
	}
	c, err := Extract(ctx, Claim{p, prover, goal}, search{s}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// point reads the name of a move.
func point(t testing.TB, size board.Size, name string) board.Point {
	t.Helper()
	if name == "pass" {
		return weiqi.Pass
	}
	p, err := size.ParsePoint(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCertificates(t *testing.T) {
	longtest.Alone(t)
	for _, test := range []struct {
		rows, cols int
		moves      string
		prover     board.Colour
		goal       int
	}{
		{3, 3, "", board.Black, 9},
		{3, 3, "A1", board.White, 9},
		{3, 3, "A2", board.Black, 3},
		{2, 5, "B1", board.Black, 10},
		{3, 4, "", board.Black, 4},
		{3, 4, "A1 pass", board.Black, -12},
		{3, 5, "", board.Black, 15},
	} {
		c := prove(t, board.Size{Rows: test.rows, Cols: test.cols}, test.moves, test.prover, test.goal)
		checkCertificate(t, c)
	}
}

// The board of 4×4 is Black's by 1.
func TestCertificateOf4x4(t *testing.T) {
	longtest.Alone(t)
	if testing.Short() {
		t.Skip("short")
	}
	checkCertificate(t, prove(t, board.Size{Rows: 4, Cols: 4}, "", board.Black, 1))
}

// All of 4×5 is Black's.
func TestCertificateOf4x5(t *testing.T) {
	longtest.Skip(t)
	longtest.Alone(t)
	checkCertificate(t, prove(t, board.Size{Rows: 4, Cols: 5}, "", board.Black, 20, "width"))
}

// checkCertificate writes, reads and verifies a certificate.
func checkCertificate(t *testing.T, c *Certificate) {
	t.Helper()
	var file bytes.Buffer
	if err := c.Write(&file); err != nil {
		t.Fatal(err)
	}
	length := file.Len()
	read, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Verify(context.Background(), read, nil)
	if err != nil || !report.Valid || report.Positions != c.Len() {
		t.Errorf("%s: %+v, %v, %v", c.Claim(), report, report.Failure, err)
	}
	t.Logf("%s: %d positions, %d bytes", c.Claim(), c.Len(), length)
}

// A certificate with one thing wrong proves nothing.
func TestWrongCertificates(t *testing.T) {
	longtest.Alone(t)
	good := prove(t, board.Size{Rows: 3, Cols: 3}, "", board.Black, 9)
	valid := func(c *Certificate) bool {
		report, err := Verify(context.Background(), c, nil)
		if err != nil {
			t.Fatal(err)
		}
		if report.Valid != (report.Failure == nil) {
			t.Errorf("%+v", report)
		}
		return report.Valid
	}
	if !valid(good) {
		t.Fatal("the certificate itself is not valid")
	}
	for i := range good.entries {
		without := *good
		without.entries = append(append([]entry{}, good.entries[:i]...), good.entries[i+1:]...)
		if valid(&without) {
			t.Errorf("valid without entry %d", i)
		}
		low := *good
		low.entries = append([]entry{}, good.entries...)
		low.entries[i].rank = MaxRank
		// A room that a position begins with may have any rank.
		if e := good.entries[i]; e.code != 0 && kindOf(e.code) == whole && valid(&low) {
			t.Errorf("valid with entry %d of the highest rank", i)
		}
		elsewhere := *good
		elsewhere.entries = append([]entry{}, good.entries...)
		p := good.position(good.entries[i].code)
		for index, q := range good.coder.points {
			elsewhere.entries[i].move = uint8(index)
			if p.Stones.At(q) != board.Empty && valid(&elsewhere) {
				t.Errorf("valid with a stone on a stone in entry %d", i)
			}
		}
	}
	report, err := Verify(context.Background(), good, nil)
	if err != nil || report.Rooms == 0 {
		t.Errorf("%+v, %v: there are no rooms to tamper with", report, err)
	}
	less := *good
	less.claim.Goal = 8 // who keeps the whole board keeps more than enough
	if !valid(&less) {
		t.Error("it does not prove less")
	}
	part := prove(t, board.Size{Rows: 3, Cols: 4}, "", board.Black, 4)
	if report, err := Verify(context.Background(), part, nil); err != nil || !report.Valid || report.Rooms == 0 {
		t.Errorf("%+v, %v: no rooms prove a part of the board", report, err)
	}
	beyond := *part
	beyond.claim.Goal = 5
	if valid(&beyond) {
		t.Error("valid for more than the score")
	}
	shut := *part
	shut.entries = slices.DeleteFunc(slices.Clone(part.entries), func(e entry) bool { return kindOf(e.code) != whole })
	if valid(&shut) {
		t.Error("valid without its rooms")
	}
	flat := *prove(t, board.Size{Rows: 2, Cols: 5}, "B1", board.Black, 10)
	for i := range flat.entries {
		if kindOf(flat.entries[i].code) != whole {
			flat.entries[i].rank = 7
		}
	}
	if valid(&flat) {
		t.Error("valid with rooms that are all of one rank")
	}
	more := *good
	more.claim.Prover = board.White
	if valid(&more) {
		t.Error("valid for the other side")
	}
}

// Rooms settle all images of a position or none. In a room the prover may neither pass nor
// fill an eye.
func TestRoomsOfCertificates(t *testing.T) {
	longtest.Alone(t)
	if testing.Short() {
		t.Skip("short")
	}
	c := prove(t, board.Size{Rows: 3, Cols: 5}, "", board.Black, 15)
	settled, refused := 0, 0
	for _, e := range c.entries {
		p := c.position(e.code)
		if kindOf(e.code) == whole {
			next, err := weiqi.Rules{}.Play(p, c.coder.move(e.move))
			if err != nil {
				t.Fatal(err)
			}
			if next.Over() || settled > 200 || !c.byRooms(next) {
				continue
			}
			settled++
			for _, sym := range p.Size.Symmetries() {
				if !c.byRooms(next.Map(sym)) {
					t.Fatalf("rooms settle %s, but not its image %s", next, next.Map(sym))
				}
			}
			continue
		}
		for i, q := range append(c.coder.points, weiqi.Pass) {
			eye := q != weiqi.Pass && p.Stones.At(q) == board.Empty
			if eye {
				for _, next := range p.Size.Neighbours(q) {
					eye = eye && p.Stones.At(next) == board.Black
				}
			}
			if q != weiqi.Pass && !eye {
				continue
			}
			refused++
			if c.checkEntry(entry{e.code, uint8(i), e.rank}, new(Report)) == nil {
				t.Fatalf("room %s: the move %s was accepted", p, moveName(p.Size, q))
			}
		}
	}
	if settled == 0 || refused == 0 {
		t.Errorf("%d positions settled, %d moves refused", settled, refused)
	}
}

// Codes are one to one with positions, up to symmetry.
func TestCodes(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 3}
	c := newCoder(size)
	for code := range c.limit() {
		p := c.position(code, board.White)
		if p.Validate() != nil {
			continue
		}
		least, sym := c.canonical(p, board.White, kindOf(code))
		if least > code {
			t.Fatalf("the code of %s is %d, its canonical code %d", p, code, least)
		}
		if got := c.position(least, board.White); got != p.Map(sym) {
			t.Fatalf("%s moved by %d is %s, want %s", p, sym, p.Map(sym), got)
		}
	}
}

func FuzzRead(f *testing.F) {
	c := prove(f, board.Size{Rows: 3, Cols: 3}, "", board.Black, 9)
	var file bytes.Buffer
	if err := c.Write(&file); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add(file.Bytes()[:blockfile.HeaderBytes])
	f.Add([]byte(blockfile.Magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > sha256.Size { // with the right checksum more of the file is read
			sum := sha256.Sum256(data[:len(data)-sha256.Size])
			data = append(data[:len(data)-sha256.Size:len(data)-sha256.Size], sum[:]...)
		}
		c, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := c.Write(&again); err != nil {
			t.Fatal(err)
		}
		if _, err := Verify(context.Background(), c, nil); err != nil {
			t.Fatal(err)
		}
	})
}

// A few bytes that unpack to millions of entries are refused before the entries are made.
func TestEntriesAreBounded(t *testing.T) {
	c := &Certificate{coder: newCoder(board.Size{Rows: 5, Cols: 5}), claim: Claim{Root: weiqi.NewPosition(board.Size{Rows: 5, Cols: 5}), Prover: board.Black, Goal: 1}}
	const blocks = 200
	for i := range blocks * blockfile.BlockLength {
		c.entries = append(c.entries, entry{code: uint64(i) + 1, move: 1, rank: 1})
	}
	var file bytes.Buffer
	if err := c.Write(&file); err != nil {
		t.Fatal(err)
	}
	if file.Len() > 100<<10 {
		t.Fatalf("the file has %d bytes", file.Len())
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Read(&file)
	runtime.ReadMemStats(&after)
	if made := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || !strings.Contains(err.Error(), "too few bytes") || made > 192 {
		t.Errorf("it made %d MiB: %v", made, err)
	}
}

// A block is exactly one zstd frame, as in a certificate of NoGo.
func TestBlocksAreOneFrame(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 3}
	c := &Certificate{coder: newCoder(size), claim: Claim{Root: weiqi.NewPosition(size), Prover: board.Black, Goal: 1}}
	for i := range 9 {
		c.entries = append(c.entries, entry{code: uint64(i) + 1, move: 1, rank: 1})
	}
	raw := appendBlock(nil, c.entries)
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	frame := func(part []byte) []byte { return encoder.EncodeAll(part, nil) }
	skippable := []byte{0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'}
	for name, packed := range map[string][]byte{
		"two frames":        append(frame(raw[:9]), frame(raw[9:])...),
		"a skippable frame": append(frame(raw), skippable...),
		"a byte after it":   append(frame(raw), 0),
		"one frame":         frame(raw),
	} {
		file := binary.LittleEndian.AppendUint32(c.header(), uint32(len(raw)))
		file = binary.LittleEndian.AppendUint32(file, uint32(len(packed)))
		file = append(file, packed...)
		sum := sha256.Sum256(file)
		if _, err := Read(bytes.NewReader(append(file, sum[:]...))); (err == nil) != (name == "one frame") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
