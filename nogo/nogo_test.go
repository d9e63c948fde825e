package nogo_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tengen/board"
	"tengen/nogo"
)

var colours = []board.Colour{board.Black, board.White}

func slow(p nogo.Position) slowBoard {
	b := slowBoard{p.Size.Rows, p.Size.Cols, map[cell]board.Colour{}}
	for _, c := range colours {
		for q := range p.Stones[c].Points() {
			b.stones[cell{p.Size.Row(q), p.Size.Col(q)}] = c
		}
	}
	return b
}

func agree(t *testing.T, p nogo.Position) {
	t.Helper()
	b := slow(p)
	for _, c := range colours {
		var want board.Set
		for _, m := range b.moves(c) {
			want.Add(p.Size.At(m.row, m.col))
		}
		if got := p.Legal(c); got != want {
			t.Fatalf("%s may play %s, want %s, in\n%s", c, names(p.Size, got), names(p.Size, want), p.Size.Diagram(p.Stones))
		}
		if got := nogo.LegalByFlood(p, c); got != want {
			t.Fatalf("by flood fill %s may play %s, want %s, in\n%s", c, names(p.Size, got), names(p.Size, want), p.Size.Diagram(p.Stones))
		}
		for _, q := range p.Size.All() {
			next, err := p.Play(c, q)
			if (err == nil) != want.Has(q) {
				t.Fatalf("Play(%s, %s): %v, in\n%s", p.Size.Name(q), c, err, p.Size.Diagram(p.Stones))
			}
			if err == nil && next.Validate() != nil {
				t.Fatalf("a legal move of %s at %s leaves %v", c, p.Size.Name(q), next.Validate())
			}
		}
	}
}

func names(size board.Size, set board.Set) string {
	var list []string
	for p := range set.Points() {
		list = append(list, size.Name(p))
	}
	return "[" + strings.Join(list, " ") + "]"
}

// positions calls visit with every assignment of colours to points, legal or not.
func positions(size board.Size, visit func(nogo.Position)) int {
	points := size.All()
	n := 0
	var assign func(i int, p nogo.Position)
	assign = func(i int, p nogo.Position) {
		if i == len(points) {
			n++
			visit(p)
			return
		}
		assign(i+1, p)
		for _, c := range colours {
			next := p
			next.Stones[c].Add(points[i])
			assign(i+1, next)
		}
	}
	assign(0, nogo.NewPosition(size))
	return n
}

// legalPositions are the published counts of Go boards without a block out of
// liberties, which are the positions of NoGo.
var legalPositions = []struct {
	rows, cols, want int
}{
	{1, 1, 1},
	{1, 2, 5},
	{1, 3, 15},
	{1, 4, 41},
	{1, 5, 113},
	{1, 6, 313},
	{1, 7, 867},
	{1, 8, 2401},
	{1, 9, 6649},
	{9, 1, 6649},
	{2, 2, 57},
	{2, 3, 489},
	{3, 2, 489},
	{2, 4, 4125},
	{2, 5, 35117},
	{3, 3, 12675},
}

func TestEveryPositionOfSmallBoards(t *testing.T) {
	for _, test := range legalPositions {
		size := board.Size{Rows: test.rows, Cols: test.cols}
		if testing.Short() && size.Points() > 8 {
			continue
		}
		t.Run(size.String(), func(t *testing.T) {
			t.Parallel()
			legal := 0
			positions(size, func(p nogo.Position) {
				sound := slow(p).sound()
				if (p.Validate() == nil) != sound {
					t.Fatalf("Validate says %v of\n%s", p.Validate(), size.Diagram(p.Stones))
				}
				if sound {
					legal++
					agree(t, p)
				}
			})
			if legal != test.want {
				t.Errorf("%d legal positions, want %d", legal, test.want)
			}
		})
	}
}

// The legal counts again, one step further, by the rules alone.
func TestLegalPositionCounts(t *testing.T) {
	for _, test := range []struct{ rows, cols, want int }{{1, 11, 50991}, {1, 12, 141209}, {2, 6, 299681}, {3, 4, 321689}} {
		size := board.Size{Rows: test.rows, Cols: test.cols}
		if testing.Short() {
			t.Skip("half a million positions each")
		}
		t.Run(size.String(), func(t *testing.T) {
			t.Parallel()
			legal := 0
			positions(size, func(p nogo.Position) {
				if p.Validate() == nil {
					legal++
				}
			})
			if legal != test.want {
				t.Errorf("%d legal positions, want %d", legal, test.want)
			}
		})
	}
}

// perft counts the sequences of exactly depth legal moves from a position.
func perft(p nogo.Position, c board.Colour, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	var n uint64
	for q := range p.Legal(c).Points() {
		next := p
		next.Stones[c].Add(q)
		n += perft(next, c.Opponent(), depth-1)
	}
	return n
}

func TestPerftAgainstOracle(t *testing.T) {
	for _, test := range []struct {
		rows, cols, depth int
	}{{1, 1, 1}, {1, 2, 2}, {1, 5, 5}, {1, 9, 5}, {9, 1, 4}, {2, 2, 4}, {2, 5, 4}, {3, 3, 5}, {3, 4, 4}, {4, 5, 3}, {7, 8, 2}, {9, 9, 2}} {
		size := board.Size{Rows: test.rows, Cols: test.cols}
		p := nogo.NewPosition(size)
		for depth := range test.depth + 1 {
			got, want := perft(p, board.Black, depth), slow(p).perft(board.Black, depth)
			if got != want {
				t.Errorf("%v to depth %d: %d lines, want %d", size, depth, got, want)
			}
		}
	}
}

// The numbers are fixed here, so that a fault made in both programs at once
// shows.
func TestPerftNumbers(t *testing.T) {
	for _, test := range []struct {
		rows, cols int
		want       []uint64
	}{
		{1, 1, []uint64{1, 0}},
		{1, 2, []uint64{1, 2, 0}},
		{1, 3, []uint64{1, 3, 2, 0}},
		{1, 9, []uint64{1, 9, 68, 434, 2048, 7080, 13248, 10800, 1152, 0}},
		{2, 4, []uint64{1, 8, 56, 328, 1520, 5040, 9504, 4608, 0}},
		{3, 3, []uint64{1, 9, 72, 496, 2832, 12768, 41328, 80352, 43776, 0}},
		{4, 5, []uint64{1, 20, 380, 6832, 115736}},
		{5, 5, []uint64{1, 25, 600, 13792, 302896}},
	} {
		p := nogo.NewPosition(board.Size{Rows: test.rows, Cols: test.cols})
		for depth, want := range test.want {
			if got := perft(p, board.Black, depth); got != want {
				t.Errorf("%v to depth %d: %d lines, want %d", p.Size, depth, got, want)
			}
		}
	}
}

// play makes random moves of a random game and stops after at most limit stones.
func play(random *rand.Rand, size board.Size, limit int) nogo.Position {
	p, c := nogo.NewPosition(size), board.Black
	for range limit {
		legal := p.Legal(c)
		if legal.IsEmpty() {
			break
		}
		n := random.IntN(legal.Len())
		for q := range legal.Points() {
			if n == 0 {
				p.Stones[c].Add(q)
				break
			}
			n--
		}
		// Sometimes the same side moves again: a position need not come from a
		// game.
		if random.IntN(8) > 0 {
			c = c.Opponent()
		}
	}
	return p
}

func TestRandomPositionsAgainstOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, test := range []struct{ rows, cols, games int }{
		{3, 5, 60}, {5, 3, 60}, {4, 4, 60}, {5, 5, 60}, {4, 7, 40}, {1, 30, 40}, {1, 63, 10}, {19, 1, 40}, {7, 7, 20}, {7, 8, 20}, {8, 7, 20}, {9, 9, 6}, {19, 19, 1},
	} {
		size := board.Size{Rows: test.rows, Cols: test.cols}
		games := test.games
		if testing.Short() {
			games = (games + 9) / 10
		}
		for range games {
			agree(t, play(random, size, random.IntN(size.Points())))
		}
	}
}

func TestSymmetryAndInversionKeepLegality(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, size := range []board.Size{{Rows: 1, Cols: 12}, {Rows: 4, Cols: 4}, {Rows: 3, Cols: 6}, {Rows: 6, Cols: 3}, {Rows: 9, Cols: 9}} {
		for range 20 {
			p := play(random, size, random.IntN(size.Points()))
			for _, c := range colours {
				if p.Inverse().Legal(c.Opponent()) != p.Legal(c) {
					t.Fatalf("colours are not treated alike in\n%s", size.Diagram(p.Stones))
				}
				for _, sym := range size.Symmetries() {
					if p.Map(sym).Legal(c) != size.MapSet(sym, p.Legal(c)) {
						t.Fatalf("symmetry %d changes what %s may play in\n%s", sym, c, size.Diagram(p.Stones))
					}
					if p.Map(sym).Map(size.Inverse(sym)) != p {
						t.Fatalf("symmetry %d does not undo in\n%s", sym, size.Diagram(p.Stones))
					}
				}
			}
		}
	}
}

// Nothing is captured, so a forbidden point stays forbidden.
func TestLegalityOnlyShrinks(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		p := play(random, board.Size{Rows: 4, Cols: 5}, random.IntN(12))
		for _, c := range colours {
			for q := range p.Legal(c).Points() {
				next, err := p.Play(c, q)
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range colours {
					if grown := next.Legal(d).Minus(p.Legal(d)); !grown.IsEmpty() {
						t.Fatalf("%s at %s opens %s for %s in\n%s", c, p.Size.Name(q), names(p.Size, grown), d, p.Size.Diagram(p.Stones))
					}
				}
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	for text, sentence := range map[string]string{
		"xo":          "row 1 from the top, column 1: the black block at A1 has no liberty",
		".xo/xo./...": "",
		"xo./o../...": "row 1 from the top, column 1: the black block at A3 has no liberty",
		".../..x/.xo": "row 3 from the top, column 3: the white block at C1 has no liberty",
		"x":           "the black block at A1 has no liberty",
		"x../..":      "row 2 from the top",
	} {
		_, err := nogo.ParsePosition(text)
		if sentence == "" {
			if err != nil {
				t.Errorf("%s is refused: %v", text, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), sentence) {
			t.Errorf("%s: %v, want a sentence with %q", text, err, sentence)
		}
	}
}

// TestPositionsThatNoTextHas are positions that only a program can make.
func TestPositionsThatNoTextHas(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 3}
	for _, test := range []struct {
		position nogo.Position
		sentence string
	}{
		{nogo.Position{}, "a 0x0 board has no points"},
		{nogo.NewPosition(board.Size{Rows: 20, Cols: 20}), "a 20x20 board is too large: the limit is 19x19, or 63 points in a single row or column"},
		{nogo.Position{Size: size, Stones: board.Stones{board.SetOf(3)}}, "a black stone is not on the 2x3 board"},
		{nogo.Position{Size: size, Stones: board.Stones{1: board.SetOf(300)}}, "a white stone is not on the 2x3 board"},
		{nogo.Position{Size: size, Stones: board.Stones{board.SetOf(1), board.SetOf(1)}}, "B1 holds stones of both colours"},
	} {
		if err := test.position.Validate(); err == nil || err.Error() != test.sentence {
			t.Errorf("%v: %v, want %q", test.position.Size, err, test.sentence)
		}
	}
	if _, err := nogo.NewPosition(size).Play(board.Empty, 0); err == nil || err.Error() != "the side to play must be black or white" {
		t.Errorf("nobody plays: %v", err)
	}
	if !nogo.NewPosition(size).Legal(board.Empty).IsEmpty() {
		t.Error("nobody has a legal move")
	}
}

func TestIllegalMovesSayWhy(t *testing.T) {
	for _, test := range []struct {
		position, move string
		colour         board.Colour
		sentence       string
	}{
		{"x../...", "A2", board.White, "white may not play A2: the point is occupied"},
		{".x/x.", "A2", board.White, "white may not play A2: the stone would have no liberty"},
		{"xo/..", "A1", board.White, "white may not play A1: it would take the last liberty of a black block"},
	} {
		p, err := nogo.ParsePosition(test.position)
		if err != nil {
			t.Fatal(err)
		}
		q, err := p.Size.ParsePoint(test.move)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Play(test.colour, q); err == nil || err.Error() != test.sentence {
			t.Errorf("%s in %s: %v, want %q", test.move, test.position, err, test.sentence)
		}
	}
	p := nogo.NewPosition(board.Size{Rows: 2, Cols: 2})
	if _, err := p.Play(board.Black, board.NoPoint); err == nil {
		t.Error("a move off the board was played")
	}
	_, _, err := p.PlayAll(board.Black, []board.Point{p.Size.At(0, 0), p.Size.At(0, 0)})
	if err == nil || !strings.HasPrefix(err.Error(), "move 2: ") {
		t.Errorf("the second move is the bad one: %v", err)
	}
}

func FuzzParsePosition(f *testing.F) {
	for _, seed := range []string{"x../.o.", ".x..o.", "xo", "...|...", "x.\n.o"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := nogo.ParsePosition(text)
		if err != nil {
			return
		}
		if again, err := nogo.ParsePosition(p.String()); err != nil || again != p {
			t.Errorf("%q reads as %q, which does not read back: %v", text, p, err)
		}
		if !slow(p).sound() {
			t.Errorf("%q was accepted with a block out of liberties", text)
		}
	})
}

func BenchmarkLegal(b *testing.B) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, size := range []board.Size{{Rows: 4, Cols: 5}, {Rows: 5, Cols: 5}, {Rows: 7, Cols: 8}, {Rows: 9, Cols: 9}} {
		p := play(random, size, size.Points()/2)
		b.Run(size.String(), func(b *testing.B) {
			for b.Loop() {
				p.Legal(board.Black)
			}
		})
	}
}

// All images of a position have one canonical form, which is one of them.
func TestCanonical(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, size := range []board.Size{{Rows: 1, Cols: 1}, {Rows: 1, Cols: 7}, {Rows: 3, Cols: 4}, {Rows: 5, Cols: 5}, {Rows: 19, Cols: 19}} {
		for range 50 {
			p := nogo.NewPosition(size)
			for _, q := range size.All() {
				if c := rng.IntN(4); c < 2 {
					p.Stones[c].Add(q)
				}
			}
			least, isImage := p.Canonical(), false
			for _, sym := range size.Symmetries() {
				image := p.Map(sym)
				isImage = isImage || image == least
				if got := image.Canonical(); got != least {
					t.Fatalf("%s and its image %s become %s and %s", p, image, least, got)
				}
			}
			if !isImage {
				t.Fatalf("%s becomes %s, which is no image of it", p, least)
			}
		}
	}
}
