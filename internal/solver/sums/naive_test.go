package sums

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver"
	"tengen/nogo"
)

// Another program, which is for graphics cards and solves every position without a search,
// finds the same winning first moves and the same winners of random positions.
// TENGEN_WINNERS names files of what it has printed about larger boards.
func TestOtherProgramFindsTheSameWinners(t *testing.T) {
	naive := longtest.Program(t, "../../../docs/checker/nogo.cu")
	for _, size := range []string{"1x1", "1x2", "2x1", "1x9", "2x2", "2x5", "3x3", "3x4", "2x7", "3x5"} {
		rows, cols, _ := strings.Cut(size, "x")
		compareWinners(t, size, func() ([]byte, error) { return exec.Command(naive, rows, cols, "2000").Output() })
	}
	for _, path := range strings.Fields(os.Getenv("TENGEN_WINNERS")) {
		size := strings.TrimSuffix(filepath.Base(path), ".txt")
		compareWinners(t, size, func() ([]byte, error) { return os.ReadFile(path) })
	}
}

// quickPoints is the largest board of which all first moves are solved here.
const quickPoints = 21

// compareWinners compares what the other program prints about a board. Each board is a test,
// which frees its table.
func compareWinners(t *testing.T, name string, printed func() ([]byte, error)) {
	t.Run(name, func(t *testing.T) {
		text, err := printed()
		if err != nil {
			t.Fatal(err)
		}
		sameWinners(t, parseSize(t, name), text)
	})
}

func sameWinners(t *testing.T, size board.Size, printed []byte) {
	s := newSolver(t, size, Options{Many: true})
	wins := func(p nogo.Position, c board.Colour) bool {
		answer, err := s.Solve(t.Context(), solver.Query{Position: p, ToPlay: c})
		if err != nil {
			t.Fatal(err)
		}
		return answer.Winner == c
	}
	lines := bufio.NewScanner(bytes.NewReader(printed))
	lines.Scan() // the winner, who follows from the first moves
	lines.Scan()
	if size.Points() <= quickPoints {
		want := "winning first moves:"
		for p := range nogo.NewPosition(size).Legal(board.Black).Points() {
			after := solver.Query{Position: nogo.NewPosition(size)}.After(p)
			if !wins(after.Position, after.ToPlay) {
				want += " " + size.Name(p)
			}
		}
		if lines.Text() != want {
			t.Errorf("%s: %s, the other program has %q", size, want, lines.Text())
		}
	}
	positions := 0
	for lines.Scan() {
		text, winner, found := strings.Cut(lines.Text(), " ")
		if !found || text == "" || text == "stones" {
			continue // a line of the table
		}
		p, err := nogo.ParsePosition(text)
		if err != nil {
			t.Fatal(err)
		}
		c := board.White
		if wins(p, board.Black) {
			c = board.Black
		}
		if positions++; fmt.Sprint(c) != winner {
			t.Errorf("%s, Black to play: %s wins, the other program has %s", p, c, winner)
		}
	}
	if positions == 0 && size.Points() > 1 {
		t.Errorf("%s: no positions", size)
	}
	t.Logf("%s: %d positions", size, positions)
}
