package sums

import (
	"bytes"
	"context"
	"math/rand"
	"slices"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/region"
	"tengen/internal/region/sum"
	"tengen/internal/solver"
	"tengen/nogo"
)

// lookAt is the input of the network for a position after a move of c.
func lookAt(p nogo.Position, c board.Colour) Look {
	l := region.NewLayout(p.Size)
	w := &worker{}
	w.Builder = sum.NewBuilder(l.Grid, sum.Options{Exact: exactPoints, Bounds: true, Split: true, Cancel: true}, &w.Nodes)
	w.load(l, solver.Query{Position: p, ToPlay: c.Opponent()})
	var look Look
	look.look(w.Grid, w.frames[0].sum, c)
	slices.Sort(look.Shapes)
	return look
}

// The input of the network depends neither on the colours nor on the
// orientation of the board.
func TestLookIsTheSameFromAllSides(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread, nothing to race")
	}
	rng := rand.New(rand.NewSource(1))
	for _, name := range []string{"3x5", "4x4", "2x8", "1x9"} {
		size := parseSize(t, name)
		for range 100 {
			p := randomPosition(size, rng.Intn(8), rng)
			want := lookAt(p, board.Black)
			for _, s := range size.Symmetries() {
				turned := p.Map(s)
				for c, q := range map[board.Colour]nogo.Position{board.Black: turned, board.White: turned.Inverse()} {
					got := lookAt(q, c)
					if got.Counts != want.Counts || !slices.Equal(got.Shapes, want.Shapes) {
						t.Fatalf("%s\nlooks different to %v as\n%s", p, c, q)
					}
				}
			}
		}
	}
}

func TestWeightsComeBack(t *testing.T) {
	w, err := readWeights(orderingFile)
	if err != nil {
		t.Fatal(err)
	}
	data, err := w.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, orderingFile) {
		t.Error("the weights change when they are written and read")
	}
	if _, err := readWeights(data[1:]); err == nil {
		t.Error("weights with a byte missing are read")
	}
}

// Two units share a word and must not disturb each other.
func TestScoreIsThatOfTheNetwork(t *testing.T) {
	longtest.Alone(t)
	rng := rand.New(rand.NewSource(2))
	w := new(Weights)
	number := func() int16 { return int16(rng.Intn(20000) - 10000) }
	for _, row := range [][]int16{w.Bias[:], w.Output[:]} {
		for i := range row {
			row[i] = number()
		}
	}
	for i := range w.Counts {
		for k := range w.Counts[i] {
			w.Counts[i][k] = number()
		}
	}
	for i := range w.Shapes {
		for k := range w.Shapes[i] {
			w.Shapes[i][k] = number()
		}
	}
	n := newNetwork(w)
	for range 100 {
		l := lookAt(randomPosition(parseSize(t, "4x4"), rng.Intn(8), rng), board.Black)
		experience := rng.Intn(1000)
		if got, want := n.score(&l, experience), plainScore(w, &l, experience); got != want {
			t.Fatalf("the score is %d instead of %d", got, want)
		}
	}
}

// plainScore computes the score without packing.
func plainScore(w *Weights, l *Look, experience int) int {
	unit := func(i int) int {
		sum := 0
		for _, s := range l.Shapes {
			sum += int(w.Shapes[s][i])
		}
		for k, n := range l.Counts {
			sum += int(n) * int(w.Counts[k][i])
		}
		return sum
	}
	score := WeightUnit * (unit(Hidden) + int(w.Output[Hidden])*experience/ExperienceUnit)
	for i := range Hidden {
		score += max(unit(i)+int(w.Bias[i]), 0) * int(w.Output[i])
	}
	return score / WeightUnit
}

// rootObserver takes the first moves only.
type rootObserver struct {
	points int
	moves  []Observed
}

func (o *rootObserver) Wants(points int) bool { return points == o.points }
func (o *rootObserver) Take(moves []Observed) { o.moves = moves }

func TestObservedMovesAreSettled(t *testing.T) {
	longtest.Alone(t)
	// After a move on nine points or less the rest is played out, not searched.
	for _, name := range []string{"2x5", "2x6", "3x4"} {
		size := parseSize(t, name)
		o := &rootObserver{points: size.Points()}
		s := newSolver(t, size, Options{Threads: 1, Observer: o})
		root := solver.Query{Position: nogo.NewPosition(size), ToPlay: board.Black}
		if _, err := s.Solve(context.Background(), root); err != nil {
			t.Fatal(err)
		}
		oracle := newOracle()
		want, got := 0, 0
		for p := range root.Position.Legal(board.Black).Points() {
			if oracle.winner(root.After(p)) == board.Black {
				want++
			}
		}
		for _, m := range o.moves {
			if m.Wins {
				got++
			}
		}
		if len(o.moves) != size.Points() || got != want {
			t.Errorf("%s: %d of %d moves are said to win, %d of %d do", name, got, len(o.moves), want, size.Points())
		}
	}
}
