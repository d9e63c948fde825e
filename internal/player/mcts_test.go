package player_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/internal/longtest"
	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/nogo"
)

func newMCTS(t testing.TB, size board.Size, o player.TreeOptions) *player.MCTS {
	t.Helper()
	if o.Memory == 0 {
		o.Memory = 16 << 20
	}
	m, err := player.NewMCTS(size, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// without are the sets of parts that tests leave out.
var without = [][]string{nil, {"rave"}, {"priors"}, {"reuse"}, {"proofs"}, {"solver"}, {"phases"}, {"spending"}, {"haste"}, {"transpositions"}, {"solver", "proofs"}, player.MCTSParts()}

// Whole games of random replies: every choice is legal, and games end in ErrNoMove.
func TestEveryMoveIsLegal(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 7))
	positions := 0
	for i, size := range []board.Size{
		{Rows: 1, Cols: 1},
		{Rows: 1, Cols: 2},
		{Rows: 1, Cols: 63},
		{Rows: 2, Cols: 2},
		{Rows: 3, Cols: 7},
		{Rows: 5, Cols: 5},
		{Rows: 8, Cols: 6},
		{Rows: 9, Cols: 9},
		{Rows: 19, Cols: 1},
		{Rows: 19, Cols: 19},
	} {
		for j, parts := range without {
			if j > 1 && size.Points() > 81 || testing.Short() && (j > 1 || size.Points() > 49) {
				continue
			}
			m := newMCTS(t, size, player.TreeOptions{Seed: uint64(i), Threads: 1 + i%2, Memory: 1 << 20, Without: parts})
			position, toPlay := nogo.NewPosition(size), board.Black
			for {
				legal := position.Legal(toPlay)
				choice, err := m.Move(t.Context(), position, toPlay, player.Budget{Playouts: 30})
				if legal.IsEmpty() {
					if !errors.Is(err, player.ErrNoMove) {
						t.Fatalf("no move is left, but %v", err)
					}
					break
				}
				if err != nil || !legal.Has(choice.Move) || len(choice.Moves) != legal.Len() {
					t.Fatalf("without %v: %s with %d moves (%v) in\n%s", parts, size.Name(choice.Move), len(choice.Moves), err, size.Diagram(position.Stones))
				}
				positions++
				move := choice.Move
				if random.IntN(3) == 0 {
					move = randomMover(random)(position, toPlay)
				}
				position.Stones[toPlay].Add(move)
				toPlay = toPlay.Opponent()
			}
		}
	}
	t.Logf("%d positions", positions)
}

// Every proven result of a move in the tree agrees with plain recursion.
func TestProvenResultsAreRight(t *testing.T) {
	longtest.Alone(t)
	random := rand.New(rand.NewPCG(2, 7))
	sizes := []board.Size{{Rows: 1, Cols: 8}, {Rows: 2, Cols: 4}, {Rows: 3, Cols: 3}, {Rows: 3, Cols: 4}}
	var brutes []*brute
	for range sizes {
		brutes = append(brutes, newBrute())
	}
	for _, parts := range without {
		proven, roots := 0, 0
		for i, size := range sizes {
			b := brutes[i]
			m := newMCTS(t, size, player.TreeOptions{Threads: 1, Memory: 4 << 20, Without: parts})
			for range 25 {
				q := solver.Query{Position: nogo.NewPosition(size), ToPlay: board.Black}
				for range random.IntN(4) {
					if !q.Position.Legal(q.ToPlay).IsEmpty() {
						q = q.After(randomMover(random)(q.Position, q.ToPlay))
					}
				}
				choice, err := m.Move(t.Context(), q.Position, q.ToPlay, player.Budget{Playouts: 300})
				if errors.Is(err, player.ErrNoMove) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if choice.Known != game.Unknown {
					roots++
					if (choice.Known == game.Won) == b.lost(q) {
						t.Fatalf("without %v: called %s, which is wrong, in\n%s", parts, choice.Known, size.Diagram(q.Position.Stones))
					}
				}
				for _, s := range choice.Moves {
					if s.Known == game.Unknown {
						continue
					}
					proven++
					if (s.Known == game.Won) != b.lost(q.After(s.Move)) {
						t.Fatalf("without %v: %s is called %s, which is wrong, in\n%s", parts, size.Name(s.Move), s.Known, size.Diagram(q.Position.Stones))
					}
				}
			}
		}
		if roots == 0 && len(parts) < 2 {
			t.Errorf("without %v nothing was decided", parts)
		}
	}
}

// A random board that is nearly full: the winner of a position stays the winner.
func TestEndgamesAreKept(t *testing.T) {
	longtest.Alone(t)
	random := rand.New(rand.NewPCG(3, 7))
	size := board.Size{Rows: 9, Cols: 9}
	for range 6 {
		b := newBrute()
		m := newMCTS(t, size, player.TreeOptions{Threads: 1})
		q := solver.Query{Position: nogo.NewPosition(size), ToPlay: board.Black}
		for playablePoints(q.Position) > 8 && !q.Position.Legal(q.ToPlay).IsEmpty() {
			q = q.After(randomMover(random)(q.Position, q.ToPlay))
		}
		for !q.Position.Legal(q.ToPlay).IsEmpty() {
			lost := b.lost(q)
			choice, err := m.Move(t.Context(), q.Position, q.ToPlay, player.Budget{Playouts: 100})
			if err != nil {
				t.Fatal(err)
			}
			if lost != (choice.Known == game.Lost) || !lost && !b.lost(q.After(choice.Move)) {
				t.Fatalf("%s is called %s, lost: %v, in\n%s", size.Name(choice.Move), choice.Known, lost, size.Diagram(q.Position.Stones))
			}
			q = q.After(choice.Move)
		}
	}
}

// On boards of which a quarter is left, the choice keeps the value of the position.
// A second solver without a time limit decides. The hardest positions take it a
// million and a half nodes, so the search gets two million; a tenth of that decides
// four in five. In a lost position there is nothing to keep.
func TestRandomEndgamesAreKept(t *testing.T) {
	longtest.Skip(t)
	random := rand.New(rand.NewPCG(4, 7))
	size := board.Size{Rows: 9, Cols: 9}
	won, proven := 0, 0
	for range 200 {
		q := solver.Query{Position: nogo.NewPosition(size), ToPlay: board.Black}
		for playablePoints(q.Position) > 25 {
			q = q.After(randomMover(random)(q.Position, q.ToPlay))
		}
		before, playouts := truth(t, q), 1000
		if before == game.Won {
			won++
			playouts = 1_000_000
		}
		m := newMCTS(t, size, player.TreeOptions{Threads: 1, Memory: 128 << 20})
		choice, err := m.Move(t.Context(), q.Position, q.ToPlay, player.Budget{Playouts: playouts})
		if err != nil {
			t.Fatal(err)
		}
		if choice.Known != game.Unknown && choice.Known != before {
			t.Errorf("the position is %s, not %s:\n%s", before, choice.Known, size.Diagram(q.Position.Stones))
		}
		if before == game.Won {
			if choice.Known == game.Won {
				proven++
			}
			if after := truth(t, q.After(choice.Move)); after != game.Lost {
				t.Errorf("%s gives the win away in\n%s", size.Name(choice.Move), size.Diagram(q.Position.Stones))
			}
		}
		m.Close()
	}
	t.Logf("%d of 200 were won, %d of the choices there were proven", won, proven)
}

// truth solves a position without a limit.
func truth(t *testing.T, q solver.Query) game.Known {
	d, err := player.NewDecider(256 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	known, _, err := d.Decide(t.Context(), q.Position, q.ToPlay)
	if err != nil {
		t.Fatal(err)
	}
	return known
}

func playablePoints(p nogo.Position) int {
	return p.Legal(board.Black).Union(p.Legal(board.White)).Len()
}

// selfPlay plays a game against itself and notes everything.
func selfPlay(t *testing.T, seed uint64, parts []string) []game.Choice {
	size := board.Size{Rows: 7, Cols: 7}
	m := newMCTS(t, size, player.TreeOptions{Seed: seed, Threads: 1, Memory: 1 << 20, Without: parts})
	p, c := nogo.NewPosition(size), board.Black
	var choices []game.Choice
	for {
		choice, err := m.Move(t.Context(), p, c, player.Budget{Playouts: 200})
		if err != nil {
			return choices
		}
		choices = append(choices, choice)
		p.Stones[c].Add(choice.Move)
		c = c.Opponent()
	}
}

func TestSameSeedSameGame(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread, nothing to race")
	}
	for _, parts := range without {
		first := selfPlay(t, 1, parts)
		if !reflect.DeepEqual(first, selfPlay(t, 1, parts)) {
			t.Errorf("without %v the same seed made another game", parts)
		}
		if reflect.DeepEqual(first, selfPlay(t, 2, parts)) {
			t.Errorf("without %v another seed made the same game", parts)
		}
	}
}

// A search that stops when its choice is certain makes the same choice as one that
// goes on.
func TestHasteChoosesTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread, nothing to race")
	}
	const playouts = 4000
	random := rand.New(rand.NewPCG(3, 11))
	size := board.Size{Rows: 7, Cols: 7}
	saved := 0
	for seed := range uint64(30) {
		p := nogo.NewPosition(size)
		for i := range random.IntN(12) * 2 {
			c := board.Colour(i % 2)
			if !p.Legal(c).IsEmpty() {
				p.Stones[c].Add(randomMover(random)(p, c))
			}
		}
		var moves [2]board.Point
		for i, parts := range [][]string{{"solver", "proofs"}, {"solver", "proofs", "haste"}} {
			m := newMCTS(t, size, player.TreeOptions{Seed: seed, Threads: 1, Without: parts})
			choice, err := m.Move(t.Context(), p, board.Black, player.Budget{Playouts: playouts})
			if err != nil {
				t.Fatal(err)
			}
			moves[i] = choice.Move
			saved += playouts - choice.Playouts
		}
		if moves[0] != moves[1] {
			t.Errorf("%s in haste and %s at leisure in\n%s", size.Name(moves[0]), size.Name(moves[1]), size.Diagram(p.Stones))
		}
	}
	if saved == 0 {
		t.Error("no search stopped early")
	}
	t.Logf("%d playouts of %d saved", saved, 30*playouts)
}

// Every piece of a search of one position uses its whole budget.
func TestAllOfABudgetIsUsed(t *testing.T) {
	const playouts = 1000
	size := board.Size{Rows: 7, Cols: 7}
	spared := 0
	for _, all := range []bool{true, false} {
		m := newMCTS(t, size, player.TreeOptions{Threads: 2})
		for range 8 {
			choice, err := m.Move(t.Context(), nogo.NewPosition(size), board.Black, player.Budget{Playouts: playouts, All: all})
			if err != nil || all && choice.Playouts != playouts {
				t.Errorf("%d playouts of %d, %v", choice.Playouts, playouts, err)
			}
			spared += playouts - choice.Playouts
		}
	}
	if spared == 0 {
		t.Error("no search stopped early where it might")
	}
}

func TestBudgets(t *testing.T) {
	size := board.Size{Rows: 9, Cols: 9}
	for _, threads := range []int{1, 4} {
		m := newMCTS(t, size, player.TreeOptions{Threads: threads, Without: []string{"haste"}})
		choice, err := m.Move(t.Context(), nogo.NewPosition(size), board.Black, player.Budget{Playouts: 777})
		if err != nil || choice.Playouts != 777 {
			t.Errorf("%d playouts of 777 with %d threads, %v", choice.Playouts, threads, err)
		}
		visits := 0
		for _, s := range choice.Moves {
			visits += s.Visits
		}
		if visits != 777 {
			t.Errorf("%d visits after 777 playouts with %d threads", visits, threads)
		}
		again, err := m.Move(t.Context(), nogo.NewPosition(size), board.Black, player.Budget{Playouts: 100})
		if err != nil || again.Playouts != 100 || again.Moves[0].Visits <= choice.Moves[0].Visits-777/2 {
			t.Errorf("the tree of the same position was not kept: %+v, %v", again.Moves[0], err)
		}
	}
	m := newMCTS(t, size, player.TreeOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	choice, err := m.Move(ctx, nogo.NewPosition(size), board.Black, player.Budget{Time: time.Hour})
	if err != nil || !nogo.NewPosition(size).Legal(board.Black).Has(choice.Move) {
		t.Errorf("a stopped player should still move: %v, %v", choice.Move, err)
	}
	if choice, err = m.Move(t.Context(), nogo.NewPosition(size), board.Black, player.Budget{Time: time.Nanosecond}); err != nil || choice.Playouts > 1000 {
		t.Errorf("a nanosecond lasted %d playouts, %v", choice.Playouts, err)
	}
}

func TestPonder(t *testing.T) {
	size := board.Size{Rows: 9, Cols: 9}
	p := nogo.NewPosition(size)
	m := newMCTS(t, size, player.TreeOptions{Threads: 2})
	choice, err := m.Move(t.Context(), p, board.Black, player.Budget{Playouts: 500})
	if err != nil {
		t.Fatal(err)
	}
	p.Stones[board.Black].Add(choice.Move)
	ctx, cancel := context.WithCancel(t.Context())
	m.Ponder(ctx, p, board.White)
	m.Ponder(t.Context(), p, board.White)
	cancel()
	choice, err = m.Move(t.Context(), p, board.White, player.Budget{Playouts: 50})
	if err != nil || !p.Legal(board.White).Has(choice.Move) {
		t.Errorf("after pondering: %v, %v", choice.Move, err)
	}
	m.Ponder(t.Context(), p, board.Black)
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

func TestBadOptions(t *testing.T) {
	if _, err := player.NewMCTS(board.Size{Rows: 9, Cols: 9}, player.TreeOptions{Without: []string{"luck"}}); err == nil {
		t.Error("there is no part called luck")
	}
	m := newMCTS(t, board.Size{Rows: 9, Cols: 9}, player.TreeOptions{Threads: 1})
	if _, err := m.Move(t.Context(), nogo.NewPosition(board.Size{Rows: 5, Cols: 5}), board.Black, player.Budget{Playouts: 1}); err == nil {
		t.Error("a player on 9x9 moved on 5x5")
	}
}

// The player plays a certificate's move. Where the certificate has none, the tree
// search moves.
func TestPerfectComesFirst(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 7}
	centre := size.At(0, 3)
	m := newMCTS(t, size, player.TreeOptions{Threads: 1, Perfect: player.New(nil, book{nogo.NewPosition(size): centre})})
	choice, err := m.Move(t.Context(), nogo.NewPosition(size), board.Black, player.Budget{Playouts: 1})
	if err != nil || choice.Move != centre || choice.Known != game.Won || choice.Source != game.FromCertificate {
		t.Errorf("the book was not followed: %+v, %v", choice, err)
	}
	next, _ := nogo.NewPosition(size).Play(board.Black, centre)
	if choice, err = m.Move(t.Context(), next, board.White, player.Budget{Playouts: 10}); err != nil || !next.Legal(board.White).Has(choice.Move) {
		t.Errorf("without the book: %+v, %v", choice, err)
	}
}
