// Package train holds the trainers of weights that are part of the program, one command
// each. It also tests the trainer that is not written in Go: golden positions compare the
// trainer of the NoGo network, in the folder train of the repository, with the rules of
// package nogo.
package train

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"tengen/board"
	"tengen/nogo"
)

var rewrite = flag.Bool("rewrite", false, "write the golden file anew")

// The trainer of the network, and the golden positions in it.
const (
	trainer = "../../train"
	golden  = trainer + "/testdata/positions.txt"
)

// TestGoldenPositions compares the golden file with package nogo: positions of random
// games on boards of 5×5 to 9×9, each with the legal points of Black and of White.
func TestGoldenPositions(t *testing.T) {
	var text strings.Builder
	draw := rand.New(rand.NewPCG(1, 1))
	for rows := 5; rows <= 9; rows++ {
		for cols := 5; cols <= 9; cols++ {
			for range 3 {
				game(&text, draw, board.Size{Rows: rows, Cols: cols})
			}
		}
	}
	if *rewrite {
		if err := os.WriteFile(golden, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if text.String() != string(want) {
		t.Errorf("%s is not what package nogo says: run go test ./internal/train -rewrite", golden)
	}
}

// game writes every seventh position of a random game, and its end.
func game(text *strings.Builder, draw *rand.Rand, size board.Size) {
	p, turn := nogo.NewPosition(size), board.Black
	for move := 0; ; move++ {
		legal := p.Legal(turn)
		if move%7 == 0 || legal.IsEmpty() {
			fmt.Fprintf(text, "%s %s %s\n", size.Line(p.Stones), points(size, p.Legal(board.Black)), points(size, p.Legal(board.White)))
		}
		if legal.IsEmpty() {
			return
		}
		var choices []board.Point
		for q := range legal.Points() {
			choices = append(choices, q)
		}
		p.Stones[turn].Add(choices[draw.IntN(len(choices))])
		turn = turn.Opponent()
	}
}

// points is a set as a row of 0 and 1, point by point from the top left.
func points(size board.Size, set board.Set) string {
	var text strings.Builder
	for row := size.Rows - 1; row >= 0; row-- {
		for col := range size.Cols {
			if set.Has(size.At(row, col)) {
				text.WriteByte('1')
			} else {
				text.WriteByte('0')
			}
		}
	}
	return text.String()
}

// TestTrainer runs the trainer's own tests. They need Python and a C++ compiler. The
// tests that are not about the rules also need PyTorch.
func TestTrainer(t *testing.T) {
	for _, program := range []string{"python3", "c++"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is missing", program)
		}
	}
	tests := exec.Command("python3", "-m", "unittest", "-v")
	tests.Dir = trainer
	out, err := tests.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
