package engine_test

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine"
	"tengen/internal/longtest"
	"tengen/nogo"
)

func newMover(t *testing.T, o engine.MoverOptions) engine.Mover {
	t.Helper()
	if o.Memory == 0 {
		o.Memory = 16 << 20
	}
	m, err := engine.NewMover(o)
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
func match(t *testing.T, players [2]engine.Mover, size board.Size, playouts int) board.Colour {
	t.Helper()
	p, c := nogo.NewPosition(size), board.Black
	for {
		choice, err := players[c].Move(t.Context(), p, c, engine.Budget{Playouts: playouts})
		if errors.Is(err, engine.ErrNoMove) {
			return c.Opponent()
		}
		if err != nil {
			t.Fatal(err)
		}
		next, err := p.Play(choice.Move, c)
		if err != nil {
			t.Fatalf("%v in\n%s", err, size.Diagram(p.Stones))
		}
		p, c = next, c.Opponent()
	}
}

func TestEveryKindPlaysEveryKind(t *testing.T) {
	longtest.Alone(t)
	size := board.Size{Rows: 4, Cols: 4}
	movers := map[engine.PlayerKind][2]engine.Mover{} // one of a kind for each side: a perfect one solves the board once
	for _, kind := range engine.PlayerKinds() {
		o := engine.MoverOptions{Kind: kind, Size: size, Limits: engine.Limits{Threads: 1}}
		movers[kind] = [2]engine.Mover{newMover(t, o), newMover(t, o)}
	}
	for _, black := range engine.PlayerKinds() {
		for _, white := range engine.PlayerKinds() {
			players := [2]engine.Mover{movers[black][board.Black], movers[white][board.White]}
			winner := match(t, players, size, 50)
			if perfect := white == engine.PlayerNet || white == engine.PlayerMCTS || white == engine.PlayerPerfect; perfect && winner != board.White {
				t.Errorf("4x4 is won for White, but %s lost it to %s", white, black)
			}
		}
	}
}

func TestMoversSayWhatTheyKnow(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 5}
	m := newMover(t, engine.MoverOptions{Kind: engine.PlayerMCTS, Size: size, Limits: engine.Limits{Threads: 1}})
	choice, err := m.Move(t.Context(), nogo.NewPosition(size), board.Black, engine.Budget{Playouts: 1})
	if err != nil || choice.Known != engine.Won {
		t.Errorf("3x5 is won for Black: %+v, %v", choice, err)
	}
	if len(m.Parts()) != len(engine.MoverParts(engine.PlayerMCTS)) {
		t.Errorf("mcts plays with %v", m.Parts())
	}
	five := board.Size{Rows: 5, Cols: 5}
	if by := newMover(t, engine.MoverOptions{Size: five}); len(by.Parts()) != len(engine.MoverParts(engine.PlayerNet)) {
		t.Errorf("the default plays with %v", by.Parts())
	}
	for kind, on := range map[engine.PlayerKind]board.Size{engine.PlayerPerfect: size, engine.PlayerNet: five, engine.PlayerMCTS: {Rows: 10, Cols: 9}} {
		if got := engine.DefaultPlayer(on); got != kind {
			t.Errorf("%s suits %s, not %s", kind, on, got)
		}
	}
	if uct := newMover(t, engine.MoverOptions{Kind: engine.PlayerUCT, Size: size}); len(uct.Parts()) != 0 {
		t.Errorf("uct plays with %v", uct.Parts())
	}
}

// From a certificate the tree search is perfect on boards it could not solve in time.
func TestMoverFollowsCertificate(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 3}
	path := filepath.Join(t.TempDir(), "3x3.cert")
	if _, err := engine.Solve(t.Context(), engine.Request{Position: nogo.NewPosition(size), Limits: engine.Limits{Memory: 16 << 20, Threads: 1}, Certificate: path}); err != nil {
		t.Fatal(err)
	}
	m := newMover(t, engine.MoverOptions{Size: size, Certificate: path, Without: []string{"solver"}, Limits: engine.Limits{Threads: 1}})
	choice, err := m.Move(t.Context(), nogo.NewPosition(size), board.Black, engine.Budget{Playouts: 1})
	if err != nil || choice.Known != engine.Won || choice.Source != engine.FromCertificate || choice.ErrorBound != 0 {
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
		options engine.MoverOptions
		p       nogo.Position
		c       board.Colour
		known   bool
	}{
		"solver":   {engine.MoverOptions{Kind: engine.PlayerPerfect, Size: small}, nogo.NewPosition(small), board.Black, true},
		"endgames": {engine.MoverOptions{Kind: engine.PlayerMCTS, Size: late.Size, Without: []string{"transpositions"}}, late, c, true},
		"network":  {engine.MoverOptions{Size: late.Size}, late, c, true},
		"tree":     {engine.MoverOptions{Kind: engine.PlayerMCTS, Size: late.Size, Without: []string{"solver"}}, late, c, true},
		"nothing":  {engine.MoverOptions{Kind: engine.PlayerMCTS, Size: late.Size}, nogo.NewPosition(late.Size), board.Black, false},
	} {
		of.options.Threads = 1
		choice, err := newMover(t, of.options).Move(t.Context(), of.p, of.c, engine.Budget{Playouts: 20000, All: true})
		if err != nil {
			t.Fatal(err)
		}
		if (choice.Known != engine.Unknown) != of.known || (choice.ErrorBound > 0) != of.known || choice.ErrorBound > 1e-9 {
			t.Errorf("%s: %s with an error bound of %g", name, choice.Known, choice.ErrorBound)
		}
	}
}

func TestMoversRefused(t *testing.T) {
	nine := board.Size{Rows: 9, Cols: 9}
	for sentence, o := range map[string]engine.MoverOptions{
		`there is no player "best"`:   {Kind: "best", Size: nine},
		"has no parts to go without":  {Kind: engine.PlayerValue, Size: nine, Without: []string{"rave"}},
		`has no part "luck"`:          {Size: nine, Without: []string{"luck"}},
		"too large":                   {Size: board.Size{Rows: 20, Cols: 20}},
		"has no points":               {},
		"cannot be negative":          {Size: nine, Limits: engine.Limits{Memory: -1}},
		"are too many":                {Size: nine, Limits: engine.Limits{Threads: 100000}},
		"does not play from a certif": {Kind: engine.PlayerUCT, Size: nine, Certificate: "x"},
		"no such file":                {Size: nine, Certificate: "nowhere"},
		"takes boards of up to":       {Kind: engine.PlayerPerfect, Size: nine},
	} {
		m, err := engine.NewMover(o)
		if err == nil || !strings.Contains(err.Error(), sentence) {
			t.Errorf("%+v: %v, want a sentence with %q", o, err, sentence)
		}
		if m != nil && err != nil {
			t.Errorf("%+v: an error came with a player", o)
		}
	}
}

func TestValueMap(t *testing.T) {
	p, err := nogo.ParsePosition(".../x../...")
	if err != nil {
		t.Fatal(err)
	}
	values := engine.ValueMap(p, board.White)
	if len(values) != p.Legal(board.White).Len() {
		t.Errorf("%d values for %d moves", len(values), p.Legal(board.White).Len())
	}
}
