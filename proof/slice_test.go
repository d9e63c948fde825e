package proof

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/board"
	"tengen/nogo"
)

// Slices of any size, by any number of extractions, give the same certificate
// as one extraction.
func TestExtractionInSlices(t *testing.T) {
	for _, text := range []string{"3x3", "3x4", "2x6"} {
		size := sizeOf(t, text)
		b := newBrute(size)
		root := nogo.NewPosition(size)
		whole := prove(t, b, root, board.Black, 3)
		for _, step := range []int{1, 5, 1000} {
			begin := func() *Extraction {
				x, err := NewExtraction(root, board.Black, whole.Winner(), ExtractOptions{Threads: 1, EndgameNodes: 3})
				if err != nil {
					t.Fatal(err)
				}
				return x
			}
			master := begin()
			for layer := master.First(); len(layer) > 0; {
				var next []Code
				for slice := range slices.Chunk(layer, step) {
					moves, replies, err := begin().Slice(t.Context(), b, slice)
					if err != nil {
						t.Fatal(err)
					}
					if err := master.Add(slice, moves); err != nil {
						t.Fatal(err)
					}
					followed, err := master.Follow(slice, moves)
					if err != nil || !slices.Equal(followed, replies) {
						t.Fatalf("%v: moves are said to lead to %d positions, and lead to %d", err, len(replies), len(followed))
					}
					for i, move := range moves {
						if _, ok := master.Move(move); ok == master.Settled(slice[i]) {
							t.Fatalf("%s has a move: %t, which is not what the endgame search says", master.Position(slice[i]), ok)
						}
					}
					next = append(next, followed...)
				}
				layer = SortCodes(next)
			}
			if got := master.Certificate(); got.Checksum() != whole.Checksum() {
				t.Errorf("%s in slices of %d: %d entries, as a whole %d", size, step, got.Len(), whole.Len())
			}
		}
	}
}

// Invalid input is refused.
func TestExtractionRefuses(t *testing.T) {
	size := sizeOf(t, "3x3")
	x, err := NewExtraction(nogo.NewPosition(size), board.Black, board.White, ExtractOptions{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := x.Slice(t.Context(), newBrute(size), []Code{{1, 0}}); err == nil {
		t.Error("a position off the board was taken")
	}
	if err := x.Add([]Code{{1, 0}}, []byte{0}); err == nil {
		t.Error("a position off the board was added")
	}
	if _, err := x.Follow([]Code{{1, 0}}, []byte{0}); err == nil {
		t.Error("a position off the board was followed")
	}
	if err := x.Add([]Code{{}}, nil); err == nil {
		t.Error("a position without a move was taken")
	}
	if err := x.Add([]Code{{}}, []byte{9}); err == nil {
		t.Error("a move off the board was taken")
	}
	for _, moves := range [][]byte{nil, {9}, {200}, {0, 0}} {
		if _, err := x.Follow([]Code{{}}, moves); err == nil {
			t.Errorf("moves %v were followed", moves)
		}
	}
	// A stone of White on the first point.
	if _, err := x.Follow([]Code{{0, 2}}, []byte{0}); err == nil {
		t.Error("a move on a stone was followed")
	}
}

// The slices together make the whole check.
func TestVerifySlices(t *testing.T) {
	size := sizeOf(t, "3x4")
	c := prove(t, newBrute(size), nogo.NewPosition(size), board.Black, 1)
	for _, step := range []int{1, 7, c.Len()/2 + 1, c.Len(), 2 * c.Len()} {
		whole, err := Verify(t.Context(), c, VerifyOptions{Threads: 2, segment: step})
		if err != nil {
			t.Fatal(err)
		}
		sum := Report{Valid: true}
		for from := 0; from < c.Len(); from += step {
			to := min(from+step, c.Len())
			last := uint64(0)
			r, err := Verify(t.Context(), c, VerifyOptions{From: from, To: to, Threads: 2, Progress: func(done, total uint64) {
				if done < last || done > total || total != uint64(to-from) {
					t.Errorf("%d of %d after %d", done, total, last)
				}
				last = done
			}})
			if err != nil {
				t.Fatal(err)
			}
			if last != uint64(to-from) {
				t.Errorf("the last that was told is %d of %d", last, to-from)
			}
			sum = sum.And(r)
		}
		if sum != whole || !sum.Valid {
			t.Errorf("slices of %d: %+v together, %+v as a whole", step, sum, whole)
		}
	}
	for _, opt := range []VerifyOptions{{From: -1}, {From: 2, To: 1}, {To: c.Len() + 1}, {From: c.Len() + 1}} {
		if r, err := Verify(t.Context(), c, opt); err == nil || r.Valid {
			t.Errorf("entries %d to %d of %d: %+v", opt.From, opt.To, c.Len(), r)
		}
	}
}

// The slice with a wrong entry finds it, and no other slice does.
func TestVerifySlicesFindTheWrongEntry(t *testing.T) {
	const step = 10
	size := sizeOf(t, "3x4")
	b := newBrute(size)
	right := prove(t, b, nogo.NewPosition(size), board.Black, 1)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		c := *right
		c.entries.moves = slices.Clone(right.entries.moves)
		bad := rng.IntN(c.Len())
		c.entries.moves[bad] = worse(&c, b, bad)
		joined := Report{Valid: true}
		for from := 0; from < c.Len(); from += step {
			r, err := Verify(t.Context(), &c, VerifyOptions{From: from, To: min(from+step, c.Len()), Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			if holds := from <= bad && bad < from+step; holds == r.Valid || holds != (r.Failure != nil) {
				t.Fatalf("entry %d is wrong, and entries from %d on give %+v", bad, from, r)
			}
			joined = joined.And(r)
		}
		whole := verify(t, &c)
		if joined.Valid || whole.Valid || joined.Failure.Error() != whole.Failure.Error() {
			t.Errorf("%v as a whole, %v in slices", whole.Failure, joined.Failure)
		}
	}
}

// worse is a move that loses, or is not legal, at an entry.
func worse(c *Certificate, b *brute, at int) uint8 {
	s := c.coder.decode(c.entries.key(at))
	for i, p := range c.coder.points {
		point := uint64(1) << p
		if legal(c.coder.grid, s, c.winner)&point == 0 || b.wins(s.Play(c.winner, point), c.winner.Opponent()) {
			return uint8(i)
		}
	}
	panic("every move wins " + diagram(c.Size(), s))
}
