package boolean

import (
	"bytes"
	"crypto/sha256"
	"io"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver"
	"tengen/nogo"
)

// markAndCompare marks q in both solvers; files and counts must be the same.
func markAndCompare(t *testing.T, a, b *Solver, q solver.Query) uint64 {
	t.Helper()
	var counts [2]uint64
	var files [2]bytes.Buffer
	for i, s := range []*Solver{a, b} {
		n, err := s.MarkSolution(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		counts[i] = n
		if err := s.WriteSolution(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if counts[0] != counts[1] || !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Errorf("solutions of %d and %d positions, files of %d and %d bytes", counts[0], counts[1], files[0].Len(), files[1].Len())
	}
	return counts[0]
}

type entry struct {
	position nogo.Position
	toPlay   board.Colour
}

// checkClosed follows a solution from its root: it covers every reply, every
// stored move leads to a marked position, and no other position is marked.
func checkClosed(t *testing.T, s *Solver, q solver.Query) {
	t.Helper()
	moves := make(map[entry]board.Point)
	s.Solution(func(p nogo.Position, c board.Colour, move board.Point) bool {
		moves[entry{p, c}] = move
		return true
	})
	reached := make(map[entry]bool)
	queue := []solver.Query{q}
	for len(queue) > 0 {
		q, queue = queue[len(queue)-1], queue[:len(queue)-1]
		e := entry{q.Position, q.ToPlay}
		if reached[e] {
			continue
		}
		reached[e] = true
		move, ok := moves[e]
		switch {
		case !ok:
			t.Fatalf("%s to play is not in the solution:\n%s", e.toPlay, q.Position.Size.Diagram(q.Position.Stones))
		case q.Limited && q.Plies <= 0 && move != board.NoPoint:
		case move != board.NoPoint:
			queue = append(queue, after(q, move))
		default:
			for p := range q.Position.Legal(q.ToPlay).Points() {
				queue = append(queue, after(q, p))
			}
		}
	}
	if len(reached) != len(moves) {
		t.Errorf("%d positions are reached, %d are marked", len(reached), len(moves))
	}
}

func TestSolutionIsComplete(t *testing.T) {
	longtest.Alone(t)
	size := mustSize(t, "3x4")
	afterB2 := after(emptyBoard(size), size.At(1, 1))
	limited := emptyBoard(size)
	limited.Limited, limited.Attacker, limited.Plies = true, board.White, 8
	hopeless := limited
	hopeless.Plies = 4
	inverse := emptyBoard(size)
	inverse.ToPlay = board.White
	for name, q := range map[string]solver.Query{
		"empty board": emptyBoard(size), "after B2": afterB2, "White first": inverse,
		"White within 8": limited, "White within 4": hopeless,
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, size, Options{})
			n, err := s.MarkSolution(t.Context(), q)
			if err != nil || n == 0 {
				t.Fatal(n, err)
			}
			checkClosed(t, s, q)
			if again, err := s.MarkSolution(t.Context(), q); again != 0 || err != nil {
				t.Errorf("marking again marks %d more, error %v", again, err)
			}
			checkReload(t, s, q)
		})
	}
}

// checkReload writes a solution and reads it into another solver, which needs no search.
func checkReload(t *testing.T, s *Solver, q solver.Query) {
	t.Helper()
	var file bytes.Buffer
	if err := s.WriteSolution(&file); err != nil {
		t.Fatal(err)
	}
	other := open(t, q.Position.Size, Options{Without: []string{"spread"}})
	if err := other.LoadSolution(bytes.NewReader(file.Bytes())); err != nil {
		t.Fatal(err)
	}
	checkClosed(t, other, q)
	if got, want := mustSolve(t, other, q), mustSolve(t, s, q); got != want || other.Stats().Nodes != 0 {
		t.Errorf("reloaded: %+v after %d nodes, want %+v at once", got, other.Stats().Nodes, want)
	}
	var again bytes.Buffer
	if err := other.WriteSolution(&again); err != nil || !bytes.Equal(file.Bytes(), again.Bytes()) {
		t.Errorf("the reloaded solution is written differently (error %v)", err)
	}
}

// A loaded solution is enough to answer questions that it does not hold.
func TestMarkSolvesWhatIsMissing(t *testing.T) {
	longtest.Alone(t)
	size := mustSize(t, "3x4")
	s := open(t, size, Options{})
	if _, err := s.MarkSolution(t.Context(), emptyBoard(size)); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := s.WriteSolution(&file); err != nil {
		t.Fatal(err)
	}
	other := open(t, size, Options{})
	if err := other.LoadSolution(&file); err != nil {
		t.Fatal(err)
	}
	q := emptyBoard(size)
	for range 2 { // about half of the time the second one is White's worst reply
		for p := range q.Position.Legal(q.ToPlay).Points() {
			next := after(q, p)
			if got, want := mustSolve(t, other, next).Winner, mustSolve(t, s, next).Winner; got != want {
				t.Errorf("after %s %s wins, want %s", size.Name(p), got, want)
			}
			if _, err := other.MarkSolution(t.Context(), next); err != nil {
				t.Fatal(err)
			}
		}
		q = after(q, size.At(0, 0))
	}
}

func TestSaveAndLoad(t *testing.T) {
	longtest.Alone(t)
	size := mustSize(t, "3x4")
	limited := emptyBoard(size)
	limited.Limited, limited.Attacker, limited.Plies = true, board.White, 8
	s := open(t, size, Options{})
	for _, q := range []solver.Query{emptyBoard(size), limited} {
		mustSolve(t, s, q)
	}
	if _, err := s.MarkSolution(t.Context(), limited); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := s.Save(&file); err != nil {
		t.Fatal(err)
	}
	saved := file.Bytes()
	other := open(t, size, Options{Memory: 128 << 10, DiskDir: t.TempDir()})
	if err := other.Load(bytes.NewReader(saved)); err != nil {
		t.Fatal(err)
	}
	for _, q := range []solver.Query{emptyBoard(size), limited} {
		if got, want := mustSolve(t, other, q), mustSolve(t, s, q); got != want {
			t.Errorf("loaded: %+v, want %+v", got, want)
		}
	}
	if other.Stats().Nodes != 0 || other.Stats().Stored != s.Stats().Stored {
		t.Errorf("loaded %d positions and expanded %d, want %d and 0", other.Stats().Stored, other.Stats().Nodes, s.Stats().Stored)
	}
	checkClosed(t, other, limited)
	if err := other.Load(bytes.NewReader(saved)); err == nil {
		t.Error("a solver that knows something loads a file")
	}
}

// solutionFile is a small valid file.
func solutionFile(t testing.TB, size board.Size) []byte {
	t.Helper()
	s := open(t, size, Options{Memory: 1 << 20})
	if _, err := s.MarkSolution(t.Context(), emptyBoard(size)); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := s.WriteSolution(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// resealed replaces the checksum by the right one.
func resealed(file []byte) []byte {
	body := file[:len(file)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(bytes.Clone(body), sum[:]...)
}

func TestDamagedFiles(t *testing.T) {
	longtest.Alone(t)
	size := mustSize(t, "3x3")
	good := solutionFile(t, size)
	change := func(at int, to byte) []byte {
		file := bytes.Clone(good)
		file[at] = to
		return file
	}
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":           {nil, "ends too early"},
		"truncated":       {good[:len(good)/2], "ends too early"},
		"short checksum":  {good[:len(good)-1], "ends too early"},
		"longer":          {append(bytes.Clone(good), 0), "follows the end"},
		"not one of ours": {change(0, 'x'), "not a file of the sbh method"},
		"version":         {change(8, 9), "version 9"},
		"kind":            {change(9, kindTables), "saved search"},
		"other size":      {solutionFile(t, mustSize(t, "3x4")), "for 3x4 boards"},
		"checksum":        {change(len(good)-1, good[len(good)-1]^1), "checksum"},
		"value":           {resealed(change(19, 0x80|12)), "not one of"},
	} {
		s := open(t, size, Options{Memory: 1 << 20})
		err := s.LoadSolution(bytes.NewReader(c.file))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
		if s.Stats().Stored != 0 {
			t.Errorf("%s: %d positions of a bad file are kept", name, s.Stats().Stored)
		}
		if err := s.LoadSolution(bytes.NewReader(good)); err != nil {
			t.Errorf("%s: a good file after a bad one: %v", name, err)
		}
	}
}

func FuzzLoadSolution(f *testing.F) {
	size := mustSize(f, "2x3")
	good := solutionFile(f, size)
	f.Add(good)
	f.Add(good[:40])
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) > sha256.Size {
			file = resealed(file) // otherwise the fuzzer never gets past the checksum
		}
		s := open(t, size, Options{Memory: 1 << 20})
		if err := s.LoadSolution(bytes.NewReader(file)); err != nil {
			return
		}
		var again bytes.Buffer
		if err := s.WriteSolution(&again); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Solve(t.Context(), emptyBoard(size)); err != nil {
			t.Fatal(err)
		}
		if err := s.WriteSolution(io.Discard); err != nil {
			t.Fatal(err)
		}
	})
}
