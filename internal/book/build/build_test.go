package build

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/game"
	"tengen/internal/book"
	"tengen/internal/longtest"
	"tengen/nogo"
	"tengen/proof"
	"tengen/weiqi"
)

func remade(t *testing.T, rules game.Rules, size board.Size, certificates string) []byte {
	t.Helper()
	limits := job.Limits{Threads: 1, Memory: 4 << 30}
	depth := UsualDepth(rules, size)
	var file []byte
	var err error
	if rules.Scored() {
		file, err = Go{Size: size, Depth: depth, Limits: limits}.Make(t.Context())
	} else {
		file, err = NoGo{Size: size, Depth: depth, Certificates: certificates, Limits: limits}.Make(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// The books in the program are what the command makes: small ones here, and all of them,
// which takes hours, if long tests are asked for. Those of Go from certificates are left out:
// the certificates are not at hand.
func TestBooksAreMadeAgain(t *testing.T) {
	longtest.Alone(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	list, _, err := book.List()
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for _, info := range list {
		rules := game.Rules(game.NoGo{})
		small := 16
		if info.Game != rules.Name() {
			rules, small = game.Go{}, 14
		}
		if info.Certified || info.Size.Points() > small && !longtest.On() {
			continue
		}
		made++
		want, err := os.ReadFile(filepath.Join("..", "files", info.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if got := remade(t, rules, info.Size, ""); !bytes.Equal(got, want) {
			t.Errorf("%s: the command makes %d other bytes", info.Name(), len(got))
		}
		if rules.Scored() {
			compareWithTable(t, info.Size)
		}
	}
	if made == 0 {
		t.Error("no book was made")
	}
}

// compareWithTable sees that the book answers as the table does, which is in the user's
// cache now.
func compareWithTable(t *testing.T, size board.Size) {
	t.Helper()
	for _, moves := range [][]board.Point{nil, {size.At(0, 1)}, {size.At(1, 0), weiqi.Pass}} {
		want, err := solve.Go(t.Context(), solve.GoRequest{Position: weiqi.NewPosition(size), Moves: moves, Table: job.Cache, Book: true})
		if err != nil || want.FromBook {
			t.Fatalf("%+v, %v", want, err)
		}
		page, f, found := book.OfGo(size).Page(want.Position)
		got := page.Answer(f, want.Position.ToPlay)
		if !found || got.Value != want.Value || !slices.Equal(got.Moves, want.Moves) {
			t.Errorf("%s after %v: the book has %+v, the table %+v", size, moves, got, want.Answer)
		}
		if moves == nil && (!slices.Equal(got.Line, want.Line) || got.Round != want.Round || got.Before != want.Before) {
			t.Errorf("%s: the line of the book is %v, that of the table %v", size, got.Line, want.Line)
		}
	}
}

// What the book of a board says of every first move and every reply a search finds too.
func TestBookAgreesWithSearch(t *testing.T) {
	longtest.Alone(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	size := board.Size{Rows: 4, Cols: 4}
	known := book.OfNoGo(size)
	for _, first := range size.All() {
		moves := []board.Point{first}
		got, err := solve.NoGo(t.Context(), solve.Request{
			Position: nogo.NewPosition(size), Moves: moves, EachMove: true, Limits: job.Limits{Threads: 1, Memory: 64 << 20},
		})
		if err != nil {
			t.Fatal(err)
		}
		winner, _, ok := known.Lookup(got.Position, got.ToPlay)
		if !ok || winner.Wins() != got.Winner {
			t.Errorf("after %s: %v, %v in the book, %v by search", size.Name(first), winner, ok, got.Winner)
		}
		for _, m := range got.Moves {
			next, err := got.Position.Play(got.ToPlay, m.Move)
			if err != nil {
				t.Fatal(err)
			}
			if winner, _, ok := known.Lookup(next, got.ToPlay.Opponent()); !ok || winner.Wins() != m.Winner {
				t.Errorf("after %s %s: %v, %v in the book, %v by search", size.Name(first), size.Name(m.Move), winner, ok, m.Winner)
			}
		}
	}
}

// Positions that take no certificate stay undecided, and what follows from the others is
// listed.
func TestChosenPositions(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 4}
	for _, c := range []struct {
		positions []string
		want      int // listed
	}{
		{[]string{"A1"}, 1}, // A1 loses, so the empty board stays open
		{nil, 5},            // White wins: the empty board and its four first moves
	} {
		file, err := NoGo{Size: size, Depth: Depth{Decided: 1, Stones: 1, Positions: c.positions}}.Make(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		info, err := book.Describe(file)
		if err != nil || info.Positions != c.want || (info.Decided == 1) != (c.positions == nil) {
			t.Errorf("%v: %+v, %v, wanted %d positions", c.positions, info, err, c.want)
		}
	}
	for _, c := range []struct{ position, says string }{{"A1-B1", "after 2 moves"}, {"Z9", "Z9"}} {
		_, err := NoGo{Size: size, Depth: Depth{Decided: 1, Positions: []string{c.position}}}.Make(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.position, err)
		}
	}
}

// A certificate from the folder is used if the checker accepts it, and only for its own
// position.
func TestCertificatesFromFolder(t *testing.T) {
	dir := t.TempDir()
	size := board.Size{Rows: 3, Cols: 5}
	write := func(name string, moves ...board.Point) {
		_, err := solve.NoGo(t.Context(), solve.Request{Position: nogo.NewPosition(size), Moves: moves, Certificate: filepath.Join(dir, name)})
		if err != nil {
			t.Fatal(err)
		}
	}
	write("3x5.cert")
	b := NoGo{Size: size, Depth: Depth{Stones: 4}, Certificates: dir}
	if _, err := b.Make(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.Memory = 100
	var large *proof.TooManyEntries
	if _, err := b.Make(t.Context()); !errors.As(err, &large) {
		t.Errorf("a certificate that does not fit the memory: %v", err)
	}
	b.Memory = 0
	write("3x5.cert", size.At(0, 0))
	if _, err := b.Make(t.Context()); err == nil || !strings.Contains(err.Error(), "another position") {
		t.Errorf("the certificate of another position: %v", err)
	}
}
