package net

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"tengen/board"
	"tengen/nogo"
)

// Every path gives the values of the training program, in every layer and at the end,
// within bound·(1 + the value). Sums over a layer agree within the same relative bound.
const bound = 1e-4

func near(got, want float64) bool { return math.Abs(got-want) <= bound*(1+math.Abs(want)) }

// opinion is the output of the training program for a position.
type opinion struct {
	position nogo.Position
	toPlay   board.Colour
	layers   map[string][]float64
}

// golden reads the file that train/golden.py writes.
func golden(t *testing.T) (opinions []opinion) {
	t.Helper()
	file, err := os.Open("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if words[0] == "board" {
			size, stones, err := board.ParseDiagram(strings.ReplaceAll(words[1], "/", "\n"))
			if err != nil {
				t.Fatal(err)
			}
			opinions = append(opinions, opinion{nogo.Position{Size: size, Stones: stones}, board.Colour(words[2][0] - '0'), map[string][]float64{}})
			continue
		}
		var numbers []float64
		for _, w := range words[1:] {
			x, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, x)
		}
		opinions[len(opinions)-1].layers[words[0]] = numbers
	}
	if len(opinions) < 5 {
		t.Fatalf("only %d positions in the golden file", len(opinions))
	}
	return opinions
}

// check compares the activations of a layer, width channels of each point, with the sums
// and samples of the golden file.
func (o opinion) check(t *testing.T, layer string, points []float32, first, width int) {
	t.Helper()
	want := o.layers[layer]
	if len(want) < 3 {
		t.Fatalf("%s: not in the golden file", layer)
	}
	var flat []float32
	for p := range o.position.Size.Points() {
		flat = append(flat, points[p*channels+first:][:width]...)
	}
	var sum, squares float64
	for _, x := range flat {
		sum += float64(x)
		squares += float64(x) * float64(x)
	}
	got := []float64{sum, squares}
	some := len(want) - 2
	for i := range some {
		// As torch.linspace.
		got = append(got, float64(flat[int(float32(i)*float32(len(flat)-1)/float32(some-1))]))
	}
	for i := range want {
		if !near(got[i], want[i]) {
			t.Errorf("%s: %v is %v, the trainer has %v", layer, i, got[i], want[i])
		}
	}
}

func (o opinion) checkAll(t *testing.T, layer string, got []float32) {
	t.Helper()
	want := o.layers[layer]
	for i, x := range want {
		if !near(float64(got[i]), x) {
			t.Errorf("%s: %v is %v, the trainer has %v", layer, i, got[i], x)
		}
	}
}

func TestLayersAreThoseOfTheTrainer(t *testing.T) {
	for _, path := range Paths() {
		for i, o := range golden(t) {
			if path == Portable && testing.Short() && i%3 != 0 {
				continue
			}
			t.Run(fmt.Sprint(path, o.position.Size), func(t *testing.T) {
				e, err := Embedded().NewEvaluator(o.position.Size, 1, path)
				if err != nil {
					t.Fatal(err)
				}
				view := Look(o.position, o.toPlay)
				frame := func(layer string, frame []float32) {
					e.flatten(frame)
					o.check(t, layer, e.flat, 0, channels)
				}
				n := e.net
				e.run.stem(e.x[0], view.kind[:], n.stem, n.stemBias, e.size.Rows, e.size.Cols)
				frame("stem", e.x[0])
				for i := range n.block {
					b, name := &n.block[i], fmt.Sprintf("block%d.", i)
					e.convolve(e.y, e.x, b.first, b.firstBias, 1, 0)
					frame(name+"first", e.y[0])
					if b.pooling != nil {
						e.lift(e.y[0], b)
						frame(name+"pooling", e.y[0])
					}
					e.convolve(e.x, e.y, b.second, b.secondBias, 1, 1)
					frame(name+"second", e.x[0])
				}
				var out [1]Output
				e.Evaluate([]View{view}, out[:])
				o.check(t, "policy", e.wide, 0, head)
				o.check(t, "value", e.wide, head, head)
				for i := range e.hidden {
					e.hidden[i] = max(e.hidden[i], 0)
				}
				o.checkAll(t, "hidden", e.hidden[:])
				o.checkAll(t, "logits", out[0].Logits[:])
				o.checkAll(t, "result", []float32{out[0].Value})
				var ends Ends
				e.Ends(&view, &ends)
				points := e.size.Points()
				o.checkAll(t, "ends", append(append([]float32(nil), ends[0][:points]...), ends[1][:points]...))
			})
		}
	}
}

// randomViews are views of positions of random games.
func randomViews(size board.Size, n int, seed uint64) (views []View) {
	draw := rand.New(rand.NewPCG(seed, 1))
	p, turn := nogo.NewPosition(size), board.Black
	for len(views) < n {
		var moves []board.Point
		for q := range p.Legal(turn).Points() {
			moves = append(moves, q)
		}
		if len(moves) == 0 {
			p, turn = nogo.NewPosition(size), board.Black
			continue
		}
		views = append(views, Look(p, turn))
		p.Stones[turn].Add(moves[draw.IntN(len(moves))])
		turn = turn.Opponent()
	}
	return views
}

// sizes are all that the network knows.
func sizes() (all []board.Size) {
	for rows := MinSide; rows <= MaxSide; rows++ {
		for cols := MinSide; cols <= MaxSide; cols++ {
			all = append(all, board.Size{Rows: rows, Cols: cols})
		}
	}
	return all
}

// TestPathsAgree compares all paths with each other on boards of all sizes, one position
// at a time and in batches.
func TestPathsAgree(t *testing.T) {
	const batch = 3
	for i, size := range sizes() {
		if testing.Short() && i%6 != 0 {
			continue
		}
		views := randomViews(size, 40, uint64(size.Points()))[40-batch:]
		var want [batch]Output
		for _, path := range append([]Path{Portable}, Paths()...) {
			e, err := Embedded().NewEvaluator(size, batch, path)
			if err != nil {
				t.Fatal(err)
			}
			if want[0].Value == 0 {
				for i := range views {
					e.Evaluate(views[i:i+1], want[i:])
				}
				continue
			}
			for some := 1; some <= batch; some++ {
				var got [batch]Output
				e.Evaluate(views[:some], got[:])
				for i := range some {
					compare(t, size, path, got[i], want[i])
				}
				if path == Portable {
					break // it is slow, and a batch is a loop
				}
			}
		}
	}
}

func compare(t *testing.T, size board.Size, path Path, got, want Output) {
	t.Helper()
	for p := range size.Points() {
		if !near(float64(got.Logits[p]), float64(want.Logits[p])) {
			t.Fatalf("%s by %s: logit %d is %v, not %v", size, path, p, got.Logits[p], want.Logits[p])
		}
	}
	if !near(float64(got.Value), float64(want.Value)) {
		t.Fatalf("%s by %s: the value is %v, not %v", size, path, got.Value, want.Value)
	}
}

func TestEvaluationsAllocateNothing(t *testing.T) {
	for _, path := range Paths() {
		e, err := Embedded().NewEvaluator(board.Size{Rows: 9, Cols: 9}, 1, path)
		if err != nil {
			t.Fatal(err)
		}
		views, out := randomViews(e.size, 1, 1), make([]Output, 1)
		if n := testing.AllocsPerRun(3, func() { e.Evaluate(views, out) }); n != 0 {
			t.Errorf("%s: %v allocations", path, n)
		}
	}
}

func TestUnknownBoardsAndPaths(t *testing.T) {
	for _, size := range []board.Size{{Rows: 4, Cols: 5}, {Rows: 9, Cols: 10}, {Rows: 19, Cols: 19}} {
		if _, err := Embedded().NewEvaluator(size, 1, ""); err == nil || Knows(size) {
			t.Errorf("%s: the network has not learned it", size)
		}
	}
	_, err := Embedded().NewEvaluator(board.Size{Rows: 9, Cols: 9}, 1, "abacus")
	if err == nil || !strings.Contains(err.Error(), "portable") {
		t.Errorf("a path that is not there: %v", err)
	}
}
