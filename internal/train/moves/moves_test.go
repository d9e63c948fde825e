package main

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver"
	"tengen/internal/solver/sums"
	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
	"tengen/nogo"
)

// TestFiles reads the files of a short run as the trainer does.
func TestFiles(t *testing.T) {
	folder := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if err := run(ctx, folder, 1, 1); err != nil {
		t.Fatal(err)
	}
	listedData, err := os.ReadFile(filepath.Join(folder, "listed0.bin"))
	if err != nil {
		t.Fatal(err)
	}
	for len(listedData) > 0 {
		moves := int(listedData[moveAt])
		if listedData[kindAt] != position || len(listedData) < (1+moves)*recordSize || moves < 2 {
			t.Fatalf("a position with %d moves in the last %d bytes: %v", moves, len(listedData), listedData[:recordSize])
		}
		for i := range moves {
			r := listedData[(1+i)*recordSize:][:recordSize]
			if r[kindAt] != listed || r[codesAt+int(r[moveAt])]&64 == 0 {
				t.Fatalf("move %d has no stone of its side: %v", i, r)
			}
		}
		listedData = listedData[(1+moves)*recordSize:]
	}
}

// TestSettledIsTrue compares settled moves with a search of their positions.
func TestSettledIsTrue(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 5}
	f := &files{dice: rand.New(rand.NewPCG(1, 2))}
	f.begin(size)
	s, err := sums.New(size, sums.Options{Threads: 1, Memory: 16 << 20, Recorder: f})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Solve(t.Context(), solver.Query{Position: nogo.NewPosition(size), ToPlay: board.Black}); err != nil {
		t.Fatal(err)
	}
	other, err := sums.New(size, sums.Options{Threads: 1, Memory: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	count := 0
	for r := f.settled; len(r) > 0; r = r[recordSize:] {
		p := nogo.NewPosition(size)
		mine, theirs := 0, 0
		for i, q := range size.All() {
			switch code := r[codesAt+i]; {
			case code&64 != 0:
				p.Stones[board.Black].Add(q)
				mine++
			case code&128 != 0:
				p.Stones[board.White].Add(q)
				theirs++
			}
		}
		if mine-theirs < 0 || mine-theirs > 1 {
			continue // the stone of a free move is not in the record
		}
		// The side that moved is Black here, so White is to play.
		answer, err := other.Solve(t.Context(), solver.Query{Position: p, ToPlay: board.White})
		if err != nil {
			t.Fatal(err)
		}
		if won := answer.Winner == board.Black; won != (r[kindAt] == wins) {
			t.Errorf("%s: the record has kind %d, the winner is %s", size.Line(p.Stones), r[kindAt], answer.Winner)
		}
		count++
	}
	if count == 0 {
		t.Error("no settled move was recorded")
	}
}

func TestInterruptedExamples(t *testing.T) {
	longtest.Alone(t)
	f := &files{settled: []byte("settled"), listed: []byte("listed")}
	faulty.Interrupt(t, faulty.Writer{
		Name: "examples for the order of moves", Before: map[string][]byte{"settled0.bin": []byte("old")},
		Write: func(disk wholefile.Disk, dir string) error { return f.save(disk, dir, 0) },
	})
}

// TestTry counts positions with the weights of the program, which are those of a file.
func TestTry(t *testing.T) {
	const weights = "../../movenet/moves.weights"
	var out strings.Builder
	if err := try(t.Context(), &out, weights, []string{"3x4", "3x4 B2"}, 2); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"3x4: ", "3x4 B2: "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no line %q in %q", want, out.String())
		}
	}
	for _, bad := range []string{"", "3", "3x4 Z9", "3x4 A1 A1"} {
		if err := try(t.Context(), io.Discard, weights, []string{bad}, 1); err == nil {
			t.Errorf("the position %q was searched", bad)
		}
	}
	if err := try(t.Context(), io.Discard, "moves_test.go", nil, 1); err == nil {
		t.Error("a file that has no weights was read")
	}
}
