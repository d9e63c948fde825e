package proof

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"go/parser"
	"go/token"
	"math/bits"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"tengen/board"
	"tengen/internal/blockfile"
	"tengen/nogo"
)

// WinningMove makes the brute force an oracle for one goroutine at a time.
func (b *brute) WinningMove(_ context.Context, p nogo.Position, c board.Colour) (board.Point, error) {
	move, ok := b.move(p.Small(), c)
	if !ok {
		return board.NoPoint, errors.New("there is none")
	}
	return board.Point(bits.TrailingZeros64(move)), nil
}

// locked makes an oracle safe for several goroutines.
type locked struct {
	mu sync.Mutex
	b  *brute
}

func (l *locked) WinningMove(ctx context.Context, p nogo.Position, c board.Colour) (board.Point, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.WinningMove(ctx, p, c)
}

// prove extracts a certificate of the true winner.
func prove(t testing.TB, b *brute, root nogo.Position, toPlay board.Colour, limit int) *Certificate {
	t.Helper()
	winner := toPlay
	if !b.wins(root.Small(), toPlay) {
		winner = toPlay.Opponent()
	}
	c, err := Extract(t.Context(), root, toPlay, winner, &locked{b: b}, ExtractOptions{EndgameNodes: limit})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func verify(t testing.TB, c *Certificate) Report {
	t.Helper()
	report, err := Verify(t.Context(), c, VerifyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func encoded(t testing.TB, c *Certificate) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := c.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestEmptyBoards(t *testing.T) {
	for _, test := range []struct {
		size   string
		winner board.Colour
	}{
		{"1x1", board.White},
		{"1x2", board.Black},
		{"1x4", board.White},
		{"1x9", board.Black},
		{"9x1", board.Black},
		{"2x3", board.White},
		{"2x5", board.Black},
		{"3x3", board.Black},
		{"3x4", board.White},
		{"4x3", board.White},
	} {
		b := newBrute(sizeOf(t, test.size))
		for _, limit := range []int{1, 10, 1000} {
			for _, toPlay := range colours {
				c := prove(t, b, nogo.NewPosition(sizeOf(t, test.size)), toPlay, limit)
				if want := test.winner ^ toPlay; c.Winner() != want {
					t.Errorf("%s with %s to play: %s wins, want %s", test.size, toPlay, c.Winner(), want)
				}
				if r := verify(t, c); !r.Valid || r.Positions != uint64(c.Len()) {
					t.Errorf("%s, limit %d: %+v, %v", test.size, limit, r, r.Failure)
				}
			}
		}
	}
}

func TestFourByFourIsAWhiteWin(t *testing.T) {
	alone(t)
	size := sizeOf(t, "4x4")
	root := nogo.NewPosition(size)
	oracle := &searching{newEndgame(nogo.NewGrid(size), 1<<20)}
	c, err := Extract(t.Context(), root, board.Black, board.White, oracle, ExtractOptions{Threads: 1, EndgameNodes: 500})
	if err != nil {
		t.Fatal(err)
	}
	if r := verify(t, c); !r.Valid {
		t.Fatal(r.Failure)
	}
	t.Logf("%d entries, %d bytes", c.Len(), c.Bytes())
	for _, s := range []StatsOptions{{}, {EntriesOnly: true}, {MaxLayer: 100}} {
		got, err := Stats(t.Context(), c, s)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%+v: %+v", s, got)
	}
}

// searching is the endgame search as an oracle. Its limit is higher than a file
// may state.
type searching struct{ e *endgame }

func (o *searching) WinningMove(_ context.Context, p nogo.Position, c board.Colour) (board.Point, error) {
	move := o.e.winningMove(p.Small(), c)
	if move == 0 {
		return board.NoPoint, errors.New("not found")
	}
	return board.Point(bits.TrailingZeros64(move)), nil
}

func TestRandomRoots(t *testing.T) {
	alone(t)
	rng := rand.New(rand.NewPCG(7, 8))
	for _, text := range []string{"3x4", "2x6", "1x12", "4x4", "5x5", "1x63", "7x7", "6x7"} {
		size := sizeOf(t, text)
		for i := range 40 {
			b := newBrute(size)
			s := scatter(rng, b.grid, 1+rng.IntN(11))
			c := prove(t, b, newCoder(size).position(s), board.Colour(i&1), []int{1, 3, 30}[i%3])
			if r := verify(t, c); !r.Valid {
				t.Fatalf("%v:\n%s", r.Failure, diagram(size, s))
			}
			checkStats(t, c)
			again, err := Read(bytes.NewReader(encoded(t, c)))
			if err != nil {
				t.Fatal(err)
			}
			if again.Checksum() != c.Checksum() || again.Bytes() != c.Bytes() || again.Root() != c.Root() ||
				again.ToPlay() != c.ToPlay() || again.Winner() != c.Winner() || again.EndgameNodes() != c.EndgameNodes() {
				t.Fatalf("a certificate changed on the way through a file:\n%s", diagram(size, s))
			}
		}
	}
}

// checkStats compares the counts with a plain walk through the proof.
func checkStats(t *testing.T, c *Certificate) {
	t.Helper()
	got, err := Stats(t.Context(), c, StatsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	e := newEndgame(c.coder.grid, MaxEndgameNodes)
	root, _ := c.coder.canonical(c.root)
	layer, side := map[code]int{root: 1}, c.toPlay
	var positions, again, terminal uint64
	for depth := 0; len(layer) > 0; depth++ {
		if got.ByDepth[depth].Positions != uint64(len(layer)) || got.ByDepth[depth].Depth != depth {
			t.Fatalf("depth %d of %s: %+v, want %d positions", depth, c.Root(), got.ByDepth[depth], len(layer))
		}
		next := map[code]int{}
		for key, arcs := range layer {
			positions++
			again += uint64(arcs - 1)
			s := c.coder.decode(key)
			moves := legal(c.coder.grid, s, side)
			if moves == 0 {
				terminal++
			}
			if side == c.winner {
				p, ok := c.Lookup(c.coder.position(s), side)
				if moves = 1 << max(p, 0); !ok {
					moves = e.winningMove(s, side)
				}
			}
			for ; moves != 0; moves &= moves - 1 {
				child, _ := c.coder.canonical(s.Play(side, moves&-moves))
				next[child]++
			}
		}
		layer, side = next, side.Opponent()
	}
	if got.Positions != positions || got.Transpositions != again || got.Terminal != terminal || !got.PlayedOut {
		t.Fatalf("%s: %+v, want %d positions, %d transpositions, %d terminal", c.Root(), got, positions, again, terminal)
	}
}

func TestEyes(t *testing.T) {
	for _, test := range []struct {
		line string
		want [2]bool
	}{
		{".x./xo./...", [2]bool{true, false}},
		{".xo/xo./...", [2]bool{true, false}},
		{"..o/oo./.ox", [2]bool{false, true}},
		{".xo/.o./o..", [2]bool{false, false}},
	} {
		p, err := nogo.ParsePosition(test.line)
		if err != nil {
			t.Fatal(err)
		}
		g := nogo.NewGrid(p.Size)
		if got := [2]bool{hasEye(g, p.Small(), board.Black), hasEye(g, p.Small(), board.White)}; got != test.want {
			t.Errorf("%s: eyes of black and white %v, want %v", test.line, got, test.want)
		}
	}
}

func TestThreadsGiveTheSameBytes(t *testing.T) {
	size := sizeOf(t, "3x4")
	b := newBrute(size)
	var files [][]byte
	var reports []Report
	for _, threads := range []int{1, 2, 5} {
		c, err := Extract(t.Context(), nogo.NewPosition(size), board.Black, board.White, &locked{b: b},
			ExtractOptions{Threads: threads, EndgameNodes: 1, Progress: func(p Progress) {
				if p.Done > p.Total || p.Layer > p.Layers {
					t.Errorf("progress %+v", p)
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, encoded(t, c))
		r, err := Verify(t.Context(), c, VerifyOptions{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	for i := range files {
		if !bytes.Equal(files[i], files[0]) || reports[i] != reports[0] {
			t.Errorf("extraction %d differs: %+v and %+v", i, reports[i], reports[0])
		}
	}
}

func TestWrongClaimsAreNotExtracted(t *testing.T) {
	size := sizeOf(t, "3x3")
	_, err := Extract(t.Context(), nogo.NewPosition(size), board.Black, board.White, &locked{b: newBrute(size)}, ExtractOptions{EndgameNodes: manyNodes})
	if err == nil || !strings.Contains(err.Error(), "white loses") || !strings.Contains(err.Error(), "/") {
		t.Errorf("White was claimed to win 3x3: %v", err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Extract(stopped, nogo.NewPosition(size), board.Black, board.Black, &locked{b: newBrute(size)}, ExtractOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled extraction: %v", err)
	}
}

// small is a certificate with a few hundred entries.
func small(t testing.TB) *Certificate {
	t.Helper()
	size := sizeOf(t, "3x4")
	return prove(t, newBrute(size), nogo.NewPosition(size), board.Black, 1)
}

// edited is a copy with changed entries. Its file has a valid checksum.
func edited(c *Certificate, edit func([]entry) []entry) *Certificate {
	d, err := newCertificate(c.Root(), c.toPlay, c.winner, c.endgameNodes)
	if err != nil {
		panic(err)
	}
	var list []entry
	for i := range c.Len() {
		list = append(list, entry{c.entries.key(i), c.entries.moves[i]})
	}
	d.entries.addSorted(edit(list))
	return d
}

func TestForgedCertificatesAreRejected(t *testing.T) {
	c := small(t)
	b := newBrute(c.Size())
	rng := rand.New(rand.NewPCG(9, 10))
	rejected := 0
	for range 200 {
		at, move := rng.IntN(c.Len()), uint8(rng.IntN(c.Size().Points()))
		s := c.coder.decode(c.entries.key(at))
		point := uint64(1) << c.coder.points[move]
		bad := legal(b.grid, s, c.winner)&point == 0 || b.wins(s.Play(c.winner, point), c.winner.Opponent())
		d := edited(c, func(list []entry) []entry { list[at].move = move; return list })
		d, err := Read(bytes.NewReader(encoded(t, d)))
		if err != nil {
			t.Fatal(err)
		}
		r := verify(t, d)
		if bad && r.Valid {
			t.Fatalf("%s is not a winning move but passes:\n%s", c.coder.name(point), diagram(c.Size(), s))
		}
		if bad {
			rejected++
			if r.Failure.Position != c.coder.position(s).String() || r.Failure.Move != c.coder.name(point) || r.Failure.Reason == "" {
				t.Fatalf("failure %+v does not name the forged entry %s", r.Failure, c.coder.position(s))
			}
		}
	}
	if rejected < 50 {
		t.Errorf("only %d of 200 forgeries were wrong moves", rejected)
	}
}

func TestMissingEntriesAreNoticed(t *testing.T) {
	c := small(t)
	for at := 0; at < c.Len(); at += 7 {
		d := edited(c, func(list []entry) []entry { return append(list[:at], list[at+1:]...) })
		if r := verify(t, d); r.Valid || r.Failure == nil || r.Failure.Reason == "" {
			t.Fatalf("the certificate passes without entry %d", at)
		}
	}
}

func TestTheWrongWinnerIsRejected(t *testing.T) {
	c := small(t)
	for _, d := range []*Certificate{
		edited(c, func(list []entry) []entry { return list }),
		edited(c, func([]entry) []entry { return nil }),
	} {
		d.winner = c.winner.Opponent()
		d, err := Read(bytes.NewReader(encoded(t, d)))
		if err != nil {
			t.Fatal(err)
		}
		if r := verify(t, d); r.Valid || r.Failure.Error() == "" {
			t.Error("a certificate for the loser passes")
		}
	}
}

// TestTheFirstFailureIsReported spoils several entries in different ways. The
// report names the lowest, for any threads and segments.
func TestTheFirstFailureIsReported(t *testing.T) {
	c := small(t)
	b := newBrute(c.Size())
	rng := rand.New(rand.NewPCG(19, 20))
	for range 20 {
		first := c.Len()
		d := edited(c, func(list []entry) []entry {
			for range 5 {
				at := rng.IntN(len(list))
				s := c.coder.decode(list[at].key)
				list[at].move = uint8(rng.IntN(c.Size().Points()))
				point := uint64(1) << c.coder.points[list[at].move]
				if legal(b.grid, s, c.winner)&point == 0 || b.wins(s.Play(c.winner, point), c.winner.Opponent()) {
					first = min(first, at)
				}
			}
			return list
		})
		for _, opt := range []VerifyOptions{{Threads: 1}, {Threads: 3, segment: 7}, {Threads: 2, segment: 100}} {
			last := uint64(0)
			opt.Progress = func(done, total uint64) {
				if done < last || done > total || total != uint64(c.Len()) {
					t.Errorf("progress %d of %d after %d", done, total, last)
				}
				last = done
			}
			r, err := Verify(t.Context(), d, opt)
			if err != nil {
				t.Fatal(err)
			}
			if r.Valid {
				if first != c.Len() {
					t.Fatalf("entry %d is wrong but passes", first)
				}
				continue
			}
			// A winning move whose replies are not in the entries fails as well,
			// and may come earlier.
			if r.Failure.entry > first {
				t.Fatalf("entry %d is named, %d is wrong", r.Failure.entry, first)
			}
			if again, _ := Verify(t.Context(), d, VerifyOptions{Threads: 1}); *again.Failure != *r.Failure {
				t.Fatalf("%v with one thread, %v with %d", again.Failure, r.Failure, opt.Threads)
			}
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := Verify(stopped, c, VerifyOptions{}); r.Valid || !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled check: %+v, %v", r, err)
	}
}

func TestOddEntriesAreRejected(t *testing.T) {
	c := small(t)
	for name, line := range map[string]string{
		"no liberty":    "xo../o.../....",
		"not canonical": "..../..../...x",
	} {
		size, stones, err := board.ParseDiagram(line)
		if err != nil {
			t.Fatal(err)
		}
		s := nogo.Position{Size: size, Stones: stones}.Small()
		keys := []code{c.coder.encode(s, 0)}
		if name == "not canonical" {
			if least, _ := c.coder.canonical(s); least == keys[0] {
				keys[0] = c.coder.encode(s, 3)
			}
		}
		d := edited(c, func(list []entry) []entry { return append(list, entry{keys[0], 5}) })
		if r := verify(t, d); r.Valid {
			t.Errorf("%s: an entry with %s passes", line, name)
		}
	}
}

func TestLookupInAnyOrientation(t *testing.T) {
	c := small(t)
	for p, move := range c.Entries() {
		for _, sym := range p.Size.Symmetries() {
			turned := p.Map(sym)
			got, ok := c.Lookup(turned, c.Winner())
			// A symmetric position may answer with the mirrored move.
			next, err := turned.Play(c.Winner(), got)
			if err != nil || !ok {
				t.Fatalf("%s: %v, %v", turned, ok, err)
			}
			want, _ := p.Play(c.Winner(), move)
			a, _ := c.coder.canonical(next.Small())
			if b, _ := c.coder.canonical(want.Small()); a != b {
				t.Fatalf("%s answers %s, which is not %s of %s", turned, p.Size.Name(got), p.Size.Name(move), p)
			}
		}
	}
	if _, ok := c.Lookup(c.Root(), c.Winner().Opponent()); ok {
		t.Error("a move was found for the loser")
	}
	if _, ok := c.Lookup(nogo.NewPosition(sizeOf(t, "3x3")), c.Winner()); ok {
		t.Error("a move was found on another board")
	}
}

func TestClaimsAreChecked(t *testing.T) {
	empty := func(size string) nogo.Position { return nogo.NewPosition(sizeOf(t, size)) }
	dead := empty("1x3")
	dead.Stones[0].Add(0)
	dead.Stones[1].Add(1)
	for name, claim := range map[string]struct {
		root   nogo.Position
		toPlay board.Colour
		limit  int
	}{
		"too large":  {empty("8x8"), 0, 0},
		"no colour":  {empty("2x2"), 2, 0},
		"limit":      {empty("2x2"), 0, MaxEndgameNodes + 1},
		"no liberty": {dead, 0, 0},
	} {
		if _, err := newCertificate(claim.root, claim.toPlay, board.Black, claim.limit); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestCodesAreCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := []board.Size{{Rows: 1, Cols: 63}, {Rows: 7, Cols: 7}, {Rows: 5, Cols: 5}, {Rows: 3, Cols: 9}, {Rows: 32, Cols: 1}, {Rows: 4, Cols: 10}}
		k := newCoder(sizes[rapid.IntRange(0, len(sizes)-1).Draw(t, "size")])
		black := rapid.Uint64().Draw(t, "black") & k.grid.Mask
		white := rapid.Uint64().Draw(t, "white") & k.grid.Mask &^ black
		p := k.position(nogo.Stones{black, white})
		if got := k.decode(k.encode(p.Small(), 0)); got != p.Small() {
			t.Fatalf("%s decodes to %s", p, k.position(got))
		}
		least, sym := k.canonical(p.Small())
		if p.Map(sym) != k.position(k.decode(least)) {
			t.Fatalf("%s: the symmetry %d does not lead to the canonical form", p, sym)
		}
		for i, sym := range k.syms {
			turned := p.Map(sym)
			if again, _ := k.canonical(turned.Small()); again != least {
				t.Fatalf("%s and %s have different canonical forms", p, turned)
			}
			if k.encode(p.Small(), i) != k.encode(turned.Small(), 0) {
				t.Fatalf("%s: symmetry %d is coded wrongly", p, sym)
			}
		}
	})
}

func TestFile(t *testing.T) {
	c := small(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "3x4.cert")
	if err := os.WriteFile(path, encoded(t, c), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d.Checksum() != c.Checksum() || d.Bytes() != c.Bytes() || !verify(t, d).Valid {
		t.Error("the file holds another certificate")
	}
	if _, err := ReadFile(filepath.Join(dir, "none")); err == nil {
		t.Error("a missing file was read")
	}
}

func TestEveryFlippedBitIsNoticed(t *testing.T) {
	alone(t)
	file := encoded(t, small(t))
	for i := range file {
		for bit := range 8 {
			bad := bytes.Clone(file)
			bad[i] ^= 1 << bit
			if _, err := Read(bytes.NewReader(bad)); err == nil {
				t.Fatalf("bit %d of byte %d of %d can be flipped unnoticed", bit, i, len(file))
			} else if text := err.Error(); strings.Contains(text, "\n") {
				t.Fatalf("byte %d: the message has several lines: %q", i, text)
			}
		}
	}
}

func TestBrokenFilesSayWhy(t *testing.T) {
	file := encoded(t, small(t))
	newer := bytes.Clone(file)
	newer[8] = version + 1
	for _, test := range []struct {
		name, want string
		file       []byte
	}{
		{"empty", "cut short", nil},
		{"cut in the magic", "cut short", file[:5]},
		{"cut in the header", "cut short", file[:30]},
		{"cut in a block", "cut short", file[:len(file)/2]},
		{"cut in the checksum", "cut short", file[:len(file)-1]},
		{"appended", "followed by", append(bytes.Clone(file), 0)},
		{"foreign", "not a tengen certificate", []byte("PK\x03\x04 something else entirely")},
		{"newer", "newer tengen", newer},
	} {
		if _, err := Read(bytes.NewReader(test.file)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want it to say %q", test.name, err, test.want)
		}
	}
	for n := range len(file) {
		if _, err := Read(bytes.NewReader(file[:n])); !errors.Is(err, blockfile.ErrTruncated) {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
	}
}

// A block is exactly one frame. A decoder that takes several, skips some or
// ignores what it cannot read would accept files that others refuse.
func TestABlockIsOneFrame(t *testing.T) {
	c := small(t)
	raw := c.entries.appendBlock(nil, 0, c.Len())
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false))
	if err != nil {
		t.Fatal(err)
	}
	checked, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(true))
	if err != nil {
		t.Fatal(err)
	}
	frame := func(part []byte) []byte { return encoder.EncodeAll(part, nil) }
	skippable := []byte{0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'}
	for _, test := range []struct {
		name   string
		packed []byte
		valid  bool
	}{
		{"one frame", frame(raw), true},
		{"one frame with a checksum", checked.EncodeAll(raw, nil), true},
		{"two frames", append(frame(raw[:9]), frame(raw[9:])...), false},
		{"an empty frame after it", append(frame(raw), frame([]byte{})...), false},
		{"a skippable frame before it", append(bytes.Clone(skippable), frame(raw)...), false},
		{"a skippable frame after it", append(frame(raw), skippable...), false},
		{"one byte after it", append(frame(raw), 0), false},
		{"three bytes after it", append(frame(raw), 0x28, 0xb5, 0x2f), false},
		{"cut short", frame(raw)[:len(frame(raw))-1], false},
		{"nothing", nil, false},
	} {
		file := c.header()
		file = binary.LittleEndian.AppendUint32(file, uint32(len(raw)))
		file = binary.LittleEndian.AppendUint32(file, uint32(len(test.packed)))
		file = append(file, test.packed...)
		sum := sha256.Sum256(file)
		_, err := Read(bytes.NewReader(append(file, sum[:]...)))
		if (err == nil) != test.valid {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// TestManyBlocks uses entries that prove nothing, to fill more than one block.
func TestManyBlocks(t *testing.T) {
	alone(t)
	for _, text := range []string{"4x4", "1x63"} {
		size := sizeOf(t, text)
		c, err := newCertificate(nogo.NewPosition(size), 0, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(11, 12))
		list := make([]entry, 2*blockfile.BlockLength+5)
		for i := range list {
			k := code{lo: rng.Uint64N(min(c.coder.limit.lo, 1<<40))}
			if c.coder.high != nil {
				k.hi = rng.Uint64N(c.coder.limit.hi)
			}
			list[i] = entry{k, uint8(rng.IntN(size.Points()))}
		}
		c.entries.addSorted(list)
		file := encoded(t, c)
		if !bytes.Equal(file, encoded(t, c)) {
			t.Errorf("%s: the same certificate gives different bytes", text)
		}
		d, err := Read(bytes.NewReader(file))
		if err != nil || !bytes.Equal(encoded(t, d), file) {
			t.Fatalf("%s: %d entries do not survive: %v", text, c.Len(), err)
		}
		for range 100 {
			bad := bytes.Clone(file)
			i := rng.IntN(len(bad))
			bad[i] ^= byte(1 + rng.IntN(255))
			if _, err := Read(bytes.NewReader(bad)); err == nil {
				t.Fatalf("%s: byte %d of %d was changed unnoticed", text, i, len(bad))
			}
		}
	}
}

// bomb is a certificate whose blocks each expand to the same byte 131,071 times.
func bomb(t testing.TB, blocks int) []byte {
	t.Helper()
	c, err := newCertificate(nogo.NewPosition(sizeOf(t, "5x5")), 0, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	file := c.header()
	binary.LittleEndian.PutUint64(file[24:], uint64(blocks)*blockfile.BlockLength)
	for i := range blocks {
		first := appendVarint(nil, code{lo: uint64(i)*blockfile.BlockLength + 1})
		frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38} // a window of 128 KiB
		literal, repeated := uint32(len(first))<<3, uint32(2*blockfile.BlockLength-1)<<3|1<<1|1
		frame = append(frame, byte(literal), byte(literal>>8), byte(literal>>16))
		frame = append(frame, first...)
		frame = append(frame, byte(repeated), byte(repeated>>8), byte(repeated>>16), 1)
		file = binary.LittleEndian.AppendUint32(file, uint32(len(first)+2*blockfile.BlockLength-1))
		file = binary.LittleEndian.AppendUint32(file, uint32(len(frame)))
		file = append(file, frame...)
	}
	sum := sha256.Sum256(file)
	return append(file, sum[:]...)
}

// A small file cannot make many entries, and no entry is made beyond the memory
// for entries.
func TestEntriesAreBounded(t *testing.T) {
	alone(t)
	if c, err := Read(bytes.NewReader(bomb(t, 2))); err != nil || c.Len() != 2*blockfile.BlockLength {
		t.Fatalf("a small file of repeated bytes: %v", err)
	}
	file := bomb(t, 700)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c, err := Read(bytes.NewReader(file))
	runtime.ReadMemStats(&after)
	made := (after.TotalAlloc - before.TotalAlloc) >> 20
	if err == nil || !strings.Contains(err.Error(), "too few bytes") || made > 64 {
		t.Errorf("%d bytes made %d MiB: %v", len(file), made, err)
	}
	runtime.KeepAlive(c)

	honest := encoded(t, small(t))
	var large *TooManyEntries
	if _, err := ReadWithin(t.Context(), bytes.NewReader(honest), 20); !errors.As(err, &large) || large.Most != 1 {
		t.Errorf("twenty bytes of memory: %v", err)
	}
	if c, err := ReadWithin(t.Context(), bytes.NewReader(honest), 64<<10); err != nil || !verify(t, c).Valid {
		t.Errorf("64 KiB of memory: %v", err)
	}
	if _, err := ReadWithin(t.Context(), bytes.NewReader(bomb(t, 2)), 1<<20); !errors.As(err, &large) {
		t.Errorf("131,072 entries in 1 MiB: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadWithin(ended, bytes.NewReader(bomb(t, 2)), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a reader who went away: %v", err)
	}
}

// A check with little memory has the same result, in smaller steps.
func TestACheckKeepsItsMemory(t *testing.T) {
	c := small(t)
	want := verify(t, c)
	for _, memory := range []int64{1, 4096, 1 << 20} {
		got, err := Verify(t.Context(), c, VerifyOptions{Memory: memory})
		if err != nil || got.Valid != want.Valid || got.Positions != want.Positions {
			t.Errorf("%d bytes: %+v %v", memory, got, err)
		}
	}
	// All entries are wrong, and the report names the first.
	bad, err := Read(bytes.NewReader(bomb(t, 4)))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Verify(t.Context(), bad, VerifyOptions{})
	if err != nil || whole.Valid {
		t.Fatalf("%+v %v", whole, err)
	}
	little, err := Verify(t.Context(), bad, VerifyOptions{Memory: 1 << 20})
	if err != nil || little.Failure == nil || little.Failure.Error() != whole.Failure.Error() {
		t.Errorf("%+v %v, not %+v", little, err, whole)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(bomb(f, 1))
	file := encoded(f, small(f))
	f.Add(file)
	f.Add(file[:blockfile.HeaderBytes])
	f.Add(file[:len(file)-sha256.Size])
	f.Add([]byte(blockfile.Magic))
	long := newCoder(sizeOf(f, "1x63"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Read(bytes.NewReader(data)); err != nil && strings.Contains(err.Error(), "\n") {
			t.Fatalf("the message has several lines: %q", err)
		}
		// The checksum is corrected, so that the reader gets past it.
		sum := sha256.Sum256(data)
		c, err := Read(bytes.NewReader(append(bytes.Clone(data), sum[:]...)))
		if err == nil {
			c.Lookup(c.Root(), c.Winner())
			if len(data) < 200 {
				verify(t, c)
			}
		}
		block := &Certificate{coder: long, entries: entries{wide: true}}
		_ = block.readBlock(data, len(data)/3, uint64(len(data)/3))
	})
}

func TestTheCheckerStandsAlone(t *testing.T) {
	// The container of the file is part of the checker: it has no game and imports no other
	// package of this module.
	allowed := map[string]bool{"tengen/board": true, "tengen/nogo": true, "tengen/proof": true, "tengen/internal/blockfile": true}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range parsed.Imports {
			path := strings.Trim(i.Path.Value, `"`)
			if path == "tengen/internal/longtest" && strings.HasSuffix(file, "_test.go") {
				continue // the switch of long tests is not part of a checker
			}
			if strings.HasPrefix(path, "tengen/") && !allowed[path] {
				t.Errorf("%s imports %s", file, path)
			}
		}
	}
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	for path := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(path, "tengen/") && !allowed[path] {
			t.Errorf("the package depends on %s", path)
		}
	}
}

// alone skips a test with one thread under the race detector.
func alone(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("it has one thread: nothing to race")
	}
}

func TestNoBoardHasNoCertificate(t *testing.T) {
	_, err := Extract(t.Context(), nogo.Position{}, board.Black, board.Black, nil, ExtractOptions{})
	if err == nil || err.Error() != "a 0x0 board has no points" {
		t.Error(err)
	}
}
