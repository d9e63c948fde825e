package proof

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tengen/board"
	"tengen/nogo"
)

// upper is the upper part of a proof: the winner's moves, and the positions where
// certificates go on.
type upper struct {
	oracle Oracle
	winner board.Colour
	limit  int
	moves  map[nogo.Position]board.Point
	parts  map[nogo.Position]*Certificate
}

// grow goes through a number of moves and proves what it comes to.
func (u *upper) grow(t *testing.T, p nogo.Position, toPlay board.Colour, plies int) {
	t.Helper()
	p = p.Canonical()
	if plies == 0 {
		if u.parts[p] != nil {
			return
		}
		c, err := Extract(t.Context(), p, toPlay, u.winner, u.oracle, ExtractOptions{Threads: 1, EndgameNodes: u.limit})
		if err != nil {
			t.Fatal(err)
		}
		u.parts[p] = c
		return
	}
	if toPlay == u.winner {
		move, err := u.oracle.WinningMove(t.Context(), p, toPlay)
		if err != nil {
			t.Fatal(err)
		}
		u.moves[p] = move
		p.Stones[toPlay].Add(move)
		u.grow(t, p, toPlay.Opponent(), plies-1)
		return
	}
	for move := range p.Legal(toPlay).Points() {
		next := p
		next.Stones[toPlay].Add(move)
		u.grow(t, next, toPlay.Opponent(), plies-1)
	}
}

func without(parts map[nogo.Position]*Certificate, one *Certificate) (list []*Certificate) {
	for _, part := range parts {
		if part != one {
			list = append(list, part)
		}
	}
	return list
}

// partsOf is a list as Merge wants it.
func partsOf(list ...*Certificate) iter.Seq2[*Certificate, error] {
	return func(yield func(*Certificate, error) bool) {
		for _, c := range list {
			if !yield(c, nil) {
				return
			}
		}
	}
}

func movesOf(moves map[nogo.Position]board.Point) iter.Seq2[nogo.Position, board.Point] {
	return func(yield func(nogo.Position, board.Point) bool) {
		for p, move := range moves {
			if !yield(p, move) {
				return
			}
		}
	}
}

// Certificates of all that an upper tree leads to are one of its root, whatever their
// order; without one of them it proves nothing.
func TestMerge(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread, nothing to race")
	}
	for _, test := range []struct {
		size   string
		winner board.Colour
		plies  []int
	}{
		{"3x4", board.White, []int{1, 2, 3}},
		{"3x5", board.Black, []int{0, 1, 2}},
	} {
		size := sizeOf(t, test.size)
		root := nogo.NewPosition(size)
		for _, plies := range test.plies {
			oracle := &searching{newEndgame(nogo.NewGrid(size), 1<<20)}
			u := &upper{oracle, test.winner, 5, map[nogo.Position]board.Point{}, map[nogo.Position]*Certificate{}}
			u.grow(t, root, board.Black, plies)
			list := without(u.parts, nil)
			merged, err := Merge(t.Context(), root, board.Black, test.winner, u.limit, partsOf(list...), movesOf(u.moves))
			if err != nil {
				t.Fatal(err)
			}
			if r := verify(t, merged); !r.Valid {
				t.Fatalf("%s from %d parts and %d moves: %v", test.size, len(list), len(u.moves), r.Failure)
			}
			t.Logf("%s, %d plies: %d parts, %d moves, %d entries", test.size, plies, len(list), len(u.moves), merged.Len())
			rng := rand.New(rand.NewPCG(1, uint64(plies)))
			for range 3 {
				rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
				again, err := Merge(t.Context(), root, board.Black, test.winner, u.limit, partsOf(slices.Concat(list, list[:1])...), movesOf(u.moves))
				if err != nil {
					t.Fatal(err)
				}
				if again.Checksum() != merged.Checksum() {
					t.Errorf("%s: another order gives another certificate", test.size)
				}
			}
			alone, err := Merge(t.Context(), root, board.Black, test.winner, u.limit, partsOf(merged), nil)
			if err != nil {
				t.Fatal(err)
			}
			if alone.Checksum() != merged.Checksum() {
				t.Errorf("%s: a certificate merged with nothing is another one", test.size)
			}
			proved := 0
			for _, part := range list {
				if part.Len() == 0 {
					continue // the endgame search proves it
				}
				less, err := Merge(t.Context(), root, board.Black, test.winner, u.limit, partsOf(without(u.parts, part)...), movesOf(u.moves))
				if err != nil {
					t.Fatal(err)
				}
				if verify(t, less).Valid {
					proved++
				}
			}
			// With the loser to play at its root a part may follow from others.
			if list[0].ToPlay() == test.winner && proved > 0 || proved == len(list) {
				t.Errorf("%s is proved without %d of its %d parts", test.size, proved, len(list))
			}
		}
	}
}

// What Extract makes has nothing to leave out, and what is not needed is left out.
func TestMergeLeavesOutWhatIsNotNeeded(t *testing.T) {
	size := sizeOf(t, "3x4")
	b := newBrute(size)
	root := nogo.NewPosition(size)
	c := prove(t, b, root, board.Black, 1)
	other := root
	other.Stones[board.White].Add(size.At(0, 0))
	extra := prove(t, b, other, board.White, 1)
	if extra.Winner() != c.Winner() {
		t.Fatalf("%s wins %s", extra.Winner(), other)
	}
	merged, err := Merge(t.Context(), root, board.Black, c.Winner(), 1, partsOf(extra, c), nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := verify(t, merged); !r.Valid || merged.Len() > c.Len() {
		t.Errorf("%d entries instead of %d: %v", merged.Len(), c.Len(), r.Failure)
	}
	alone, err := Merge(t.Context(), root, board.Black, c.Winner(), 1, partsOf(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	if alone.Checksum() != c.Checksum() {
		t.Error("a certificate merged with nothing is another one")
	}
}

func TestMergeRefuses(t *testing.T) {
	size := sizeOf(t, "3x4")
	root := nogo.NewPosition(size)
	b := newBrute(size)
	part := prove(t, b, root, board.Black, 3)
	small := prove(t, newBrute(sizeOf(t, "3x3")), nogo.NewPosition(sizeOf(t, "3x3")), board.White, 3)
	broken := errors.New("the disk is gone")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		ctx    context.Context
		winner board.Colour
		limit  int
		parts  iter.Seq2[*Certificate, error]
		moves  map[nogo.Position]board.Point
		want   string
	}{
		"size":      {t.Context(), board.White, 3, partsOf(part, small), nil, "3x3"},
		"winner":    {t.Context(), board.Black, 3, partsOf(part), nil, "says that white wins"},
		"limit":     {t.Context(), board.White, 4, partsOf(part), nil, "of 3 nodes, the whole on 4"},
		"default":   {t.Context(), board.White, 0, partsOf(part), nil, "of 3 nodes, the whole on 100"},
		"bad limit": {t.Context(), board.White, -1, nil, nil, "is not between"},
		"unread":    {t.Context(), board.White, 3, func(yield func(*Certificate, error) bool) { yield(nil, broken) }, nil, "the disk is gone"},
		"cancelled": {cancelled, board.White, 3, partsOf(part), nil, "canceled"},
		"no point":  {t.Context(), board.White, 3, nil, map[nogo.Position]board.Point{root: board.NoPoint}, "is not legal"},
		"occupied":  {t.Context(), board.White, 3, nil, map[nogo.Position]board.Point{after(root, board.Black, 0): 0}, "is not legal"},
		"elsewhere": {t.Context(), board.White, 3, nil, map[nogo.Position]board.Point{nogo.NewPosition(sizeOf(t, "3x3")): 0}, "on 3x3"},
	} {
		c, err := Merge(test.ctx, root, board.Black, test.winner, test.limit, test.parts, movesOf(test.moves))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
}

func after(p nogo.Position, c board.Colour, at board.Point) nogo.Position {
	p.Stones[c].Add(at)
	return p
}

// Slices are the whole check together.
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

// A wrong entry is found by the slice that holds it and by no other.
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
