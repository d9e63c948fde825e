package play_test

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/engine/solve"
	"tengen/game"
	"tengen/internal/longtest"
	"tengen/nogo"
)

func newMover(t *testing.T, o play.Options) play.Mover {
	t.Helper()
	if o.Memory == 0 {
		o.Memory = 16 << 20
	}
	m, err := play.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// match plays a game by playouts and returns the winner.
func match(t *testing.T, players [2]play.Mover, size board.Size, playouts int) board.Colour {
	t.Helper()
	p, c := nogo.NewPosition(size), board.Black
	for {
		choice, err := players[c].Move(t.Context(), p, c, play.Budget{Playouts: playouts})
		if errors.Is(err, play.ErrNoMove) {
			return c.Opponent()
		}
		if err != nil {
			t.Fatal(err)
		}
		next, err := p.Play(c, choice.Move)
		if err != nil {
			t.Fatalf("%v in\n%s", err, size.Diagram(p.Stones))
		}
		p, c = next, c.Opponent()
	}
}

func TestEveryKindPlaysEveryKind(t *testing.T) {
	longtest.Alone(t)
	size := board.Size{Rows: 4, Cols: 4}
	movers := map[play.Kind][2]play.Mover{} // one of a kind for each side: a perfect one solves the board once
	for _, kind := range play.Kinds() {
		o := play.Options{Kind: kind, Size: size, Limits: job.Limits{Threads: 1}}
		movers[kind] = [2]play.Mover{newMover(t, o), newMover(t, o)}
	}
	for _, black := range play.Kinds() {
		for _, white := range play.Kinds() {
			players := [2]play.Mover{movers[black][board.Black], movers[white][board.White]}
			winner := match(t, players, size, 50)
			if perfect := white == play.Net || white == play.MCTS || white == play.Perfect; perfect && winner != board.White {
				t.Errorf("4x4 is won for White, but %s lost it to %s", white, black)
			}
		}
	}
}

// A player is listed for a board if it can be had there as itself.
func TestKindsOnABoard(t *testing.T) {
	for _, size := range []board.Size{{Rows: 1, Cols: 20}, {Rows: 4, Cols: 4}, {Rows: 6, Cols: 8}, {Rows: 7, Cols: 7}, {Rows: 9, Cols: 9}, {Rows: 19, Cols: 19}} {
		listed := play.KindsOn(size)
		for _, kind := range play.Kinds() {
			m, err := play.New(t.Context(), play.Options{Kind: kind, Size: size, Limits: job.Limits{Threads: 1, Memory: 64 << 20}})
			if err == nil {
				m.Close()
			}
			if can := err == nil && play.Stand(kind, size) == kind; can != slices.Contains(listed, kind) {
				t.Errorf("%s on %s: listed %v, can be had %v (%v)", kind, size, !can, can, err)
			}
		}
	}
}

func TestMoversSayWhatTheyKnow(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 5}
	m := newMover(t, play.Options{Kind: play.MCTS, Size: size, Limits: job.Limits{Threads: 1}})
	choice, err := m.Move(t.Context(), nogo.NewPosition(size), board.Black, play.Budget{Playouts: 1})
	if err != nil || choice.Known != game.Won {
		t.Errorf("3x5 is won for Black: %+v, %v", choice, err)
	}
	if len(m.Parts()) != len(play.Parts(play.MCTS)) {
		t.Errorf("mcts plays with %v", m.Parts())
	}
	five := board.Size{Rows: 5, Cols: 5}
	if by := newMover(t, play.Options{Size: five}); len(by.Parts()) != len(play.Parts(play.Net)) {
		t.Errorf("the default plays with %v", by.Parts())
	}
	for kind, on := range map[play.Kind]board.Size{play.Perfect: size, play.Net: five, play.MCTS: {Rows: 10, Cols: 9}} {
		if got := play.Default(on); got != kind {
			t.Errorf("%s suits %s, not %s", kind, on, got)
		}
	}
	if uct := newMover(t, play.Options{Kind: play.UCT, Size: size}); len(uct.Parts()) != 0 {
		t.Errorf("uct plays with %v", uct.Parts())
	}
}

// From a certificate the tree search is perfect on boards it could not solve in time.
func TestMoverFollowsCertificate(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 3}
	path := filepath.Join(t.TempDir(), "3x3.cert")
	if _, err := solve.NoGo(t.Context(), solve.Request{Position: nogo.NewPosition(size), Limits: job.Limits{Memory: 16 << 20, Threads: 1}, Certificate: path}); err != nil {
		t.Fatal(err)
	}
	m := newMover(t, play.Options{Size: size, Certificate: path, Without: []string{"solver"}, Limits: job.Limits{Threads: 1}})
	choice, err := m.Move(t.Context(), nogo.NewPosition(size), board.Black, play.Budget{Playouts: 1})
	if err != nil || choice.Known != game.Won || choice.Source != game.FromCertificate || choice.ErrorBound != 0 {
		t.Errorf("the certificate was not followed: %+v, %v", choice, err)
	}
}

// What a mover knows it knows but for a stated chance, whichever part of it found it out;
// of what it does not know there is nothing to bound.
func TestMoversSayTheirBounds(t *testing.T) {
	longtest.Alone(t)
	late, c := latePosition(rand.New(rand.NewPCG(2, 8)), board.Size{Rows: 9, Cols: 9}, 6, 9)
	small := board.Size{Rows: 3, Cols: 4}
	for name, of := range map[string]struct {
		options play.Options
		p       nogo.Position
		c       board.Colour
		known   bool
	}{
		"solver":   {play.Options{Kind: play.Perfect, Size: small}, nogo.NewPosition(small), board.Black, true},
		"endgames": {play.Options{Kind: play.MCTS, Size: late.Size, Without: []string{"transpositions"}}, late, c, true},
		"network":  {play.Options{Size: late.Size}, late, c, true},
		"tree":     {play.Options{Kind: play.MCTS, Size: late.Size, Without: []string{"solver"}}, late, c, true},
		"nothing":  {play.Options{Kind: play.MCTS, Size: late.Size}, nogo.NewPosition(late.Size), board.Black, false},
	} {
		of.options.Threads = 1
		choice, err := newMover(t, of.options).Move(t.Context(), of.p, of.c, play.Budget{Playouts: 20000, All: true})
		if err != nil {
			t.Fatal(err)
		}
		if (choice.Known != game.Unknown) != of.known || (choice.ErrorBound > 0) != of.known || choice.ErrorBound > 1e-9 {
			t.Errorf("%s: %s with an error bound of %g", name, choice.Known, choice.ErrorBound)
		}
	}
}

func TestMoversRefused(t *testing.T) {
	nine := board.Size{Rows: 9, Cols: 9}
	for sentence, o := range map[string]play.Options{
		`there is no player "best"`:   {Kind: "best", Size: nine},
		"has no parts to go without":  {Kind: play.Value, Size: nine, Without: []string{"rave"}},
		`has no part "luck"`:          {Size: nine, Without: []string{"luck"}},
		"too large":                   {Size: board.Size{Rows: 20, Cols: 20}},
		"has no points":               {},
		"cannot be negative":          {Size: nine, Limits: job.Limits{Memory: -1}},
		"are too many":                {Size: nine, Limits: job.Limits{Threads: 100000}},
		"does not play from a certif": {Kind: play.UCT, Size: nine, Certificate: "x"},
		"no such file":                {Size: nine, Certificate: "nowhere"},
		"takes boards of up to":       {Kind: play.Perfect, Size: nine},
	} {
		m, err := play.New(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), sentence) {
			t.Errorf("%+v: %v, want a sentence with %q", o, err, sentence)
		}
		if m != nil && err != nil {
			t.Errorf("%+v: an error came with a player", o)
		}
	}
}

// Every player refuses to move for nobody.
func TestNobodyMoves(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 3}
	for _, kind := range play.Kinds() {
		m, err := play.New(t.Context(), play.Options{Kind: kind, Size: size, Limits: job.Limits{Memory: 16 << 20, Threads: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Move(t.Context(), nogo.NewPosition(size), board.Empty, play.Budget{Playouts: 1}); err == nil || errors.Is(err, play.ErrNoMove) {
			t.Errorf("%s: %v", kind, err)
		}
		m.Ponder(t.Context(), nogo.NewPosition(size), board.Empty)
		m.Close()
	}
}

func TestValueMap(t *testing.T) {
	p, err := nogo.ParsePosition(".../x../...")
	if err != nil {
		t.Fatal(err)
	}
	values := play.ValueMap(p, board.White)
	if len(values) != p.Legal(board.White).Len() {
		t.Errorf("%d values for %d moves", len(values), p.Legal(board.White).Len())
	}
}
