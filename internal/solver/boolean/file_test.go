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
)

func TestSaveAndLoad(t *testing.T) {
	longtest.Alone(t)
	size := mustSize(t, "3x4")
	limited := emptyBoard(size)
	limited.Limited, limited.Attacker, limited.Plies = true, board.White, 8
	s := open(t, size, Options{})
	for _, q := range []solver.Query{emptyBoard(size), limited} {
		mustSolve(t, s, q)
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
	if err := other.Load(bytes.NewReader(saved)); err == nil {
		t.Error("a solver that knows something loads a file")
	}
}

// savedFile is a small valid file.
func savedFile(t testing.TB, size board.Size) []byte {
	t.Helper()
	s := open(t, size, Options{Memory: 1 << 20})
	if _, err := s.Solve(t.Context(), emptyBoard(size)); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := s.Save(&file); err != nil {
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
	good := savedFile(t, size)
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
		"other size":      {savedFile(t, mustSize(t, "3x4")), "for 3x4 boards"},
		"checksum":        {change(len(good)-1, good[len(good)-1]^1), "checksum"},
		"value":           {resealed(change(15, 12)), "does not fit"},
	} {
		s := open(t, size, Options{Memory: 1 << 20})
		err := s.Load(bytes.NewReader(c.file))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
		if s.Stats().Stored != 0 {
			t.Errorf("%s: %d positions of a bad file are kept", name, s.Stats().Stored)
		}
		if err := s.Load(bytes.NewReader(good)); err != nil {
			t.Errorf("%s: a good file after a bad one: %v", name, err)
		}
	}
}

func FuzzLoad(f *testing.F) {
	size := mustSize(f, "2x3")
	good := savedFile(f, size)
	f.Add(good)
	f.Add(good[:40])
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) > sha256.Size {
			file = resealed(file) // otherwise the fuzzer never gets past the checksum
		}
		s := open(t, size, Options{Memory: 1 << 20})
		if err := s.Load(bytes.NewReader(file)); err != nil {
			return
		}
		var again bytes.Buffer
		if err := s.Save(&again); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Solve(t.Context(), emptyBoard(size)); err != nil {
			t.Fatal(err)
		}
		if err := s.Save(io.Discard); err != nil {
			t.Fatal(err)
		}
	})
}
