package book

import (
	"crypto/sha256"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tengen/board"
	"tengen/game"
	"tengen/nogo"
)

func size(rows, cols int) board.Size { return board.Size{Rows: rows, Cols: cols} }

// Every book in the program can be read, has its place in the list, and all are small.
func TestBooksInTheProgram(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	list, _, err := List()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, info := range list {
		file, err := embedded.ReadFile("files/" + info.Name())
		if err != nil || len(file) != info.Bytes || info.Positions == 0 {
			t.Errorf("%s: %+v, %v", info.Name(), info, err)
		}
		total += info.Bytes
	}
	names, err := fs.Glob(embedded, "files/*.book")
	if err != nil || len(names) != len(list) || total > 1<<20 {
		t.Errorf("%d files, %d books, %d bytes: %v", len(names), len(list), total, err)
	}
}

// decode is the position of a code, with Black to play.
func decode(s board.Size, code uint64) nogo.Position {
	p := nogo.NewPosition(s)
	for n := range s.Points() {
		if digit := code / powers[n] % 3; digit > 0 {
			p.Stones[digit-1].Add(Frame{Size: s}.Point(n))
		}
	}
	return p
}

// A listed position is legal, its move is too, and it has the same answer from all sides,
// on the board on its side and with the colours exchanged. The opponent loses after the
// move.
func TestLookup(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	list, _, err := List()
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range list {
		if info.Game != "nogo" {
			continue
		}
		b := OfNoGo(info.Size)
		for i := 0; i < b.Len(); i += 1 + b.Len()/500 {
			p := decode(b.Size, b.codes[i])
			if err := p.Validate(); err != nil {
				t.Fatalf("%s: %v", info.Name(), err)
			}
			if key, _ := code(game.Start(p.Size, p.Stones, board.Black)); key != b.codes[i] {
				t.Fatalf("%s: %s is not in its canonical orientation", info.Name(), p)
			}
			wants := board.White
			if b.moves[i] != none {
				wants = board.Black
			}
			for _, sym := range b.Size.Symmetries() {
				checkAnswer(t, b, p.Map(sym), board.Black, wants)
			}
			swapped := nogo.Position{Size: p.Size, Stones: board.Stones{p.Stones[1], p.Stones[0]}}
			checkAnswer(t, b, swapped, board.White, wants.Opponent())
			turned := nogo.Position{Size: p.Size.Turned(), Stones: p.Size.TurnStones(p.Stones)}
			checkAnswer(t, b, turned, board.Black, wants)
		}
	}
}

func checkAnswer(t *testing.T, b *NoGo, p nogo.Position, c, wants board.Colour) {
	t.Helper()
	winner, move, ok := b.Lookup(p, c)
	if !ok || winner != wants {
		t.Fatalf("%s, %s to play: %v wins, %v, wanted %v", p, c, winner, ok, wants)
	}
	if winner != c {
		return
	}
	next, err := p.Play(c, move)
	if err != nil {
		t.Fatalf("%s, %s to play: %v", p, c, err)
	}
	if after, _, ok := b.Lookup(next, c.Opponent()); !ok || after != winner {
		t.Fatalf("%s, %s to play: after %s %v wins, %v", p, c, p.Size.Name(move), after, ok)
	}
}

func TestUnknownPositions(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if OfNoGo(size(9, 9)) != nil || OfGo(size(9, 9)) != nil {
		t.Error("there is a book of 9x9")
	}
	if _, _, found := OfGo(size(9, 9)).Page(game.NewPosition(size(9, 9))); found {
		t.Error("a book that there is not has a page")
	}
	b := OfNoGo(size(4, 4))
	if _, _, ok := b.Lookup(nogo.NewPosition(size(4, 5)), board.Black); ok {
		t.Error("the book of 4x4 knows 4x5")
	}
}

// Any change of a byte is noticed, and so is a file that is cut short.
func TestDamage(t *testing.T) {
	file, err := embedded.ReadFile("files/nogo-4x4.book")
	if err != nil {
		t.Fatal(err)
	}
	for i := range file {
		damaged := slices.Clone(file)
		damaged[i] ^= 1
		if _, err := Describe(damaged); err == nil {
			t.Fatalf("byte %d was changed, and nobody noticed", i)
		}
		if _, err := Describe(file[:i]); err == nil {
			t.Fatalf("a file of %d bytes is accepted", i)
		}
	}
}

// A file with a right checksum and a wrong content is refused, not believed.
func TestSenselessContent(t *testing.T) {
	h := Header{Game: "nogo", Size: size(4, 4), Stones: 4}
	refused := func(h Header, contents ...[]byte) {
		t.Helper()
		for _, content := range contents {
			file, err := pack(h, content)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Describe(file); err == nil {
				t.Errorf("%v is accepted", content)
			}
		}
	}
	refused(h, nil, []byte{1}, []byte{2, 1, 1, 0}, []byte{1, 1, 16}, []byte{1, 1, 15, 0}, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 1})
	// Of Go: no list, one without a goal, a goal beyond the board, a list cut short, a second
	// goal that is not lower, bytes after the lists, and too large a board.
	lists := Header{Game: "go", Size: size(4, 4), Stones: 4, Certified: true}
	refused(lists, nil, []byte{1}, []byte{1, 34, 0}, []byte{1, 33, 0}, []byte{1, 32, 1, 1}, []byte{2, 8, 0, 8, 0}, []byte{1, 8, 0, 0})
	lists.Size = size(6, 7)
	refused(lists, []byte{0})
	file, err := pack(h, []byte{0})
	if err != nil {
		t.Fatal(err)
	}
	body := file[:len(file)-sha256.Size]
	binary.LittleEndian.PutUint64(body[24:], 7)
	sum := sha256.Sum256(body)
	if _, err := Describe(append(body, sum[:]...)); err == nil {
		t.Error("a wrong length is accepted")
	}
}

// A book in the user's cache comes before the one in the program, and one that is damaged
// does not count.
func TestUsersBook(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, err := Folder()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	h := Header{Game: "nogo", Size: size(4, 4)}
	inside, _, err := read(h)
	if err != nil {
		t.Fatal(err)
	}
	own, err := pack(Header{Game: "nogo", Size: size(4, 4), Decided: 9}, []byte{0})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file []byte
		want int
	}{{own, 9}, {own[:40], inside.Decided}} {
		if err := os.WriteFile(filepath.Join(dir, h.Name()), c.file, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, _, err := read(h); err != nil || got.Decided != c.want {
			t.Errorf("%+v, %v, wanted %d", got, err, c.want)
		}
	}
}

// The numbers of a frame lead back to its points.
func TestFrames(t *testing.T) {
	for _, s := range []board.Size{size(3, 3), size(2, 4), size(4, 2), size(1, 5)} {
		for _, sym := range s.Symmetries() {
			f := Frame{s, sym}
			for n := range s.Points() {
				if got := f.Number(f.Point(n)); got != n {
					t.Errorf("%s, %d: %d leads to %d", s, sym, n, got)
				}
			}
			if f.Point(f.Number(game.Pass)) != game.Pass {
				t.Error("a pass is not one")
			}
		}
	}
}
