package sums

import (
	"bufio"
	"fmt"
	"io"
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
	longtest.Skip(t)
	naive := filepath.Join(t.TempDir(), "nogo")
	build := exec.Command("c++", "-O2", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-x", "c++", "-o", naive, "../../../docs/checker/nogo.cu")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: the other program needs a C++ compiler\n%s", err, out)
	}
	for _, size := range []string{"1x1", "1x2", "2x1", "1x9", "2x2", "2x5", "3x3", "3x4", "2x7", "3x5"} {
		rows, cols, _ := strings.Cut(size, "x")
		out, err := exec.Command(naive, rows, cols, "2000").Output()
		if err != nil {
			t.Fatal(err)
		}
		compareWinners(t, parseSize(t, size), strings.NewReader(string(out)))
	}
	for _, path := range strings.Fields(os.Getenv("TENGEN_WINNERS")) {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		compareWinners(t, parseSize(t, strings.TrimSuffix(filepath.Base(path), ".txt")), file)
	}
}

// quickPoints is the largest board of which all first moves are solved here.
const quickPoints = 21

// compareWinners reads what the other program prints about a board.
func compareWinners(t *testing.T, size board.Size, r io.Reader) {
	s := newSolver(t, size, Options{Many: true})
	wins := func(p nogo.Position, c board.Colour) bool {
		answer, err := s.Solve(t.Context(), solver.Query{Position: p, ToPlay: c})
		if err != nil {
			t.Fatal(err)
		}
		return answer.Winner == c
	}
	lines := bufio.NewScanner(r)
	lines.Scan() // the winner, who follows from the first moves
	lines.Scan()
	want := "winning first moves:"
	for p := range nogo.NewPosition(size).Legal(board.Black).Points() {
		if size.Points() > quickPoints {
			break
		}
		after := solver.Query{Position: nogo.NewPosition(size)}.After(p)
		if !wins(after.Position, after.ToPlay) {
			want += " " + size.Name(p)
		}
	}
	if size.Points() <= quickPoints && lines.Text() != want {
		t.Errorf("%s: %s, the other program has %q", size, want, lines.Text())
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
