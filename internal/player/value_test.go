package player

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/board"
	"tengen/game"
	"tengen/nogo"
)

// slowValue is equation (4) by the rules.
func slowValue(p nogo.Position, q board.Point) int {
	v := 0
	for _, c := range []board.Colour{board.Black, board.White} {
		next := p
		if p.Legal(c).Has(q) {
			next.Stones[c].Add(q)
		}
		v += next.Empty().Minus(next.Legal(c.Opponent())).Len()
	}
	return v
}

func TestValueMapFollowsEquationFour(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	for _, text := range []string{"1x1", "1x9", "3x3", "4x5", "7x6", "9x9"} {
		size := parseSize(t, text)
		for range 20 {
			p := randomPosition(random, size, random.IntN(size.Points()+1))
			c := board.Colour(random.IntN(2))
			values := ValueMap(p, c)
			if len(values) != p.Legal(c).Len() {
				t.Fatalf("%d moves are legal, %d have a value", p.Legal(c).Len(), len(values))
			}
			for q := range p.Legal(c).Points() {
				if want := slowValue(p, q); values[q] != want {
					t.Fatalf("V of %s is %d, want %d, in\n%s", size.Name(q), values[q], want, size.Diagram(p.Stones))
				}
			}
		}
	}
}

// In the corner an eye of one point belongs to its owner: A1 is worth it to
// both.
func TestValueOfAnEye(t *testing.T) {
	p, err := nogo.ParsePosition("...../...../...../x..../.....")
	if err != nil {
		t.Fatal(err)
	}
	values := ValueMap(p, board.Black)
	b1, _ := p.Size.ParsePoint("B1")
	for q, v := range values {
		want := 0
		if q == b1 {
			want = 1 // closes A1 to White
		}
		if a1, _ := p.Size.ParsePoint("A1"); q == a1 {
			want = 1 // as White it has a single liberty, B1
		}
		if v != want {
			t.Errorf("V of %s is %d, want %d", p.Size.Name(q), v, want)
		}
	}
}

func newTestValue(t *testing.T, size board.Size) *Value {
	t.Helper()
	v, err := NewValue(size, 1, 8<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

func TestScattering(t *testing.T) {
	for _, test := range []struct {
		position string
		want     []string
	}{
		{"........./........./........./........./........./........./........./........./.........", []string{"E5"}},
		{"..../..../..../....", []string{"B2", "B3", "C2", "C3"}},
		{"........./........./........./........./....x..../........./........./........./.........", []string{"A1", "A9", "J1", "J9"}},
		{"x......../........./........./........./........./........./........./........./.........", []string{"J1"}},
	} {
		p, err := nogo.ParsePosition(test.position)
		if err != nil {
			t.Fatal(err)
		}
		v := newTestValue(t, p.Size)
		for range 5 {
			choice, err := v.Move(t.Context(), p, board.White, Budget{Playouts: 1})
			if err != nil || !slices.Contains(test.want, p.Size.Name(choice.Move)) || choice.Source != game.FromEvaluation {
				t.Errorf("%s (%s, %v), want one of %v, in\n%s", p.Size.Name(choice.Move), choice.Source, err, test.want, p.Size.Diagram(p.Stones))
			}
		}
	}
}

// The choice is a point of the highest V, by whichever rule.
func TestValuePlaysTheHighest(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	size := board.Size{Rows: 9, Cols: 9}
	v := newTestValue(t, size)
	sources := make(map[game.Source]int)
	for range 60 {
		p := randomPosition(random, size, random.IntN(70))
		choice, err := v.Move(t.Context(), p, board.Black, Budget{Playouts: 50})
		if p.Legal(board.Black).IsEmpty() {
			if !errors.Is(err, ErrNoMove) {
				t.Fatalf("there is no move, but %v", err)
			}
			continue
		}
		best, _ := highest(p, ValueMap(p, board.Black))
		if err != nil || !slices.Contains(best, choice.Move) {
			t.Fatalf("%s is not of the highest value (%v) in\n%s", size.Name(choice.Move), err, size.Diagram(p.Stones))
		}
		sources[choice.Source]++
	}
	if sources[game.FromPlayouts] == 0 || sources[game.FromEvaluation] == 0 {
		t.Errorf("one of the rules was never used: %v", sources)
	}
}

func TestValueHasNoTime(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	size := board.Size{Rows: 9, Cols: 9}
	v := newTestValue(t, size)
	for range 20 {
		p := randomPosition(random, size, 40)
		choice, err := v.Move(t.Context(), p, board.White, Budget{Time: 1})
		if err != nil || !p.Legal(board.White).Has(choice.Move) {
			t.Fatalf("%v, %v", choice.Move, err)
		}
	}
}

// BenchmarkValue is a move of the published player without a limit of its own.
func BenchmarkValue(b *testing.B) {
	random := rand.New(rand.NewPCG(5, 5))
	size := board.Size{Rows: 9, Cols: 9}
	p := randomPosition(random, size, 50)
	for b.Loop() {
		ValueMap(p, board.Black)
	}
}
