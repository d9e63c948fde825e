package player

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/board"
	"tengen/nogo"
)

var appraisedSizes = []string{"1x1", "1x7", "2x2", "3x5", "6x6", "9x9", "19x19"}

func appraise(p nogo.Position, c board.Colour) float64 {
	g, v := newStart(p, c), new(view)
	v.look(g.terrain, &g.field)
	return float64(learned().share(v, g.toPlay))
}

// A position and its mirror images have the same shapes, and exchanging the colours
// inverts all of them. So the chances are the same, or exchanged.
func TestShapesHaveNoDirectionAndNoSide(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 22))
	for _, text := range appraisedSizes {
		size := parseSize(t, text)
		for range 10 {
			p := randomPosition(random, size, random.IntN(size.Points()+1))
			want := sortedShapes(p)
			share := appraise(p, board.Black)
			for _, s := range size.Symmetries() {
				if turned := p.Map(s); !slices.Equal(sortedShapes(turned), want) || math.Abs(appraise(turned, board.Black)-share) > 1e-6 {
					t.Fatalf("turned by %v other shapes are seen in\n%s", s, size.Diagram(p.Stones))
				}
			}
			swapped := nogo.Position{Size: size, Stones: board.Stones{p.Stones[1], p.Stones[0]}}
			shapes := sortedShapes(swapped)
			for i := range shapes {
				shapes[i] = -shapes[i]
			}
			slices.Sort(shapes)
			if !slices.Equal(shapes, want) {
				t.Fatalf("with the colours exchanged other shapes are seen in\n%s", size.Diagram(p.Stones))
			}
			if other := appraise(swapped, board.White); math.Abs(1-other-share) > 1e-6 {
				t.Fatalf("Black has %.6f to move, and White %.6f with the colours exchanged, in\n%s", share, 1-other, size.Diagram(p.Stones))
			}
		}
	}
}

func theWeights(t *testing.T) *Weights {
	t.Helper()
	w, err := readWeights(weightsFile, Shapes())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func sortedShapes(p nogo.Position) []Shape {
	s := See(p)
	slices.Sort(s.Shapes)
	return s.Shapes
}

// The chance follows from the sum of the weights of the shapes.
func TestAppraisalAddsUpTheShapes(t *testing.T) {
	w := theWeights(t)
	random := rand.New(rand.NewPCG(23, 24))
	for _, text := range appraisedSizes {
		size := parseSize(t, text)
		for range 20 {
			p := randomPosition(random, size, random.IntN(size.Points()+1))
			s := See(p)
			for c := range board.Colour(2) {
				tempo := float64(w.Tempo) / WeightUnit
				if c == board.White {
					tempo = -tempo
				}
				want := 1 / (1 + math.Exp(-logit(w, s, s)-tempo))
				if got := appraise(p, c); math.Abs(got-want) > 1e-4 {
					t.Fatalf("%.6f with %s to move, want %.6f, in\n%s", got, c, want, size.Diagram(p.Stones))
				}
			}
		}
	}
}

// Crosses cover every point, squares cover the corners between all cells, and the
// shapes of an empty board count for nobody.
func TestViewsSeeTheWholeBoard(t *testing.T) {
	for _, text := range appraisedSizes {
		size := parseSize(t, text)
		g, v := newStart(nogo.NewPosition(size), board.Black), new(view)
		v.look(g.terrain, &g.field)
		if want := [2]int{size.Points(), (size.Rows + 1) * (size.Cols + 1)}; v.n != want {
			t.Errorf("%d crosses and squares on %s, want %d", v.n, size, want)
		}
		if s := See(nogo.NewPosition(size)); len(s.Shapes) != 0 {
			t.Errorf("shapes of a side on an empty board: %d", s.Shapes)
		}
	}
}

func TestWeightsAreReadAsWritten(t *testing.T) {
	w := theWeights(t)
	if w.Shapes[0] != [Stages]int16{} {
		t.Error("shapes that are their own opposite have a weight")
	}
	if !bytes.Equal(w.Bytes(), weightsFile) {
		t.Error("the weights are written in another way than they were read")
	}
	if _, err := readWeights(weightsFile[1:], Shapes()); err == nil {
		t.Error("weights with a byte missing are accepted")
	}
}

// The worth of a move is the difference between the positions after and before it,
// with the weights of the stage before. Computing it does not change the view.
func TestWorthOfMoves(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread, nothing to race")
	}
	random := rand.New(rand.NewPCG(25, 26))
	a, w := learned(), theWeights(t)
	for _, text := range appraisedSizes {
		size := parseSize(t, text)
		for range 20 {
			from := randomPosition(random, size, 1+random.IntN(size.Points()))
			g := newStart(from, board.Black)
			p := prior{appraisal: a}
			p.look(g.terrain, &g.field, g.candidates)
			cells := p.view.cells
			for c := range board.Colour(2) {
				for move := range from.Legal(c).Points() {
					p.swing(g.terrain, &g.field, g.cell(move), uint8(c))
					got := p.appraisal.worth(&p.view, g.stride, g.cell(move), uint8(c), p.closed)
					if p.view.cells != cells {
						t.Fatalf("%s at %s changes the view of\n%s", c, size.Name(move), size.Diagram(from.Stones))
					}
					after, err := from.Play(c, move)
					if err != nil {
						t.Fatal(err)
					}
					want := logit(w, See(after), See(from)) - logit(w, See(from), See(from))
					if c == board.White {
						want = -want
					}
					if want -= float64(a.tempo) / WeightUnit; math.Abs(float64(got)-want) > 1e-4 {
						t.Fatalf("%s at %s is worth %.5f, want %.5f, in\n%s", c, size.Name(move), got, want, size.Diagram(from.Stones))
					}
				}
			}
		}
	}
}

// logit adds up the shapes of a position with the weights of the stage of another.
func logit(w *Weights, s, stage Seen) (sum float64) {
	for _, shape := range s.Shapes {
		of, sign := w.Shapes[max(shape, -shape)], 1.0
		if shape < 0 {
			sign = -1
		}
		sum += sign * (float64(of[stage.Before])*float64(1-stage.Part) + float64(of[stage.Before+1])*float64(stage.Part))
	}
	return sum / WeightUnit
}
