package area_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"tengen/board"
	"tengen/proof/area"
	"tengen/weiqi"
)

// A walk follows the prover's move, and ends where enough points are safe. Moves that are
// not the proof's are refused.
func TestWalk(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 3}
	claim := area.Claim{Root: weiqi.NewPosition(size), Prover: board.Black, Goal: 3}
	c, err := area.Extract(t.Context(), claim, centre{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	root, err := c.Walk(t.Context(), nil, 2)
	if err != nil || root.Name() != "" || len(root.Children) != 1 {
		t.Fatalf("%+v, %v", root, err)
	}
	if move := root.Children[0]; move.Name() != "B1" || !move.Settled || len(move.Children) != 0 || move.Rank != 1 {
		t.Errorf("%+v", move)
	}
	for _, moves := range [][]board.Point{{0}, {weiqi.Pass}, {1, 0}} {
		if _, err := c.Walk(t.Context(), moves, 1); err == nil {
			t.Errorf("%v leave the proof, and were followed", moves)
		}
	}
	if depths, err := c.ByDepth(t.Context()); err != nil || len(depths) == 0 || depths[0] != 1 {
		t.Errorf("%v entries by depth", depths)
	}
}

// Files of Go are told from others, and their sum is that of their bytes.
func TestIsFile(t *testing.T) {
	c, err := area.Extract(t.Context(), area.Claim{Root: weiqi.NewPosition(board.Size{Rows: 1, Cols: 3}), Prover: board.Black, Goal: 3}, centre{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cert")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Write(f); err != nil {
		t.Fatal(err)
	}
	f.Close()
	data, err := os.ReadFile(path)
	if err != nil || !area.IsFile(path) || area.IsFile(filepath.Dir(path)) || area.IsStart([]byte("TENGENPF\x01\x00nogo")) {
		t.Errorf("%v: files are mistaken", err)
	}
	if bytes, sum := c.Sum(); bytes != int64(len(data)) || len(sum) != 64 {
		t.Errorf("%d bytes, sum %s", bytes, sum)
	}
	if _, err := area.ReadFileWithin(t.Context(), path, 8); err == nil {
		t.Error("a certificate was read that does not fit into its memory")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, reading := area.ReadFileWithin(ended, path, 0)
	_, walking := c.Walk(ended, nil, 1)
	_, counting := c.ByDepth(ended)
	for name, err := range map[string]error{"reading": reading, "walking": walking, "counting": counting} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s after the end of the context: %v", name, err)
		}
	}
}

// A walk may begin in any position that the certificate proves, and in no other. The end
// of a line is known by safe points or by rooms.
func TestWalkFrom(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 3}
	claim := area.Claim{Root: weiqi.NewPosition(size), Prover: board.Black, Goal: 3}
	c, err := area.Extract(t.Context(), claim, centre{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	centred, err := weiqi.Rules{}.Play(claim.Root, 1)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := c.WalkFrom(t.Context(), centred, 1); err != nil || !at.Settled || at.ByRooms {
		t.Errorf("%+v, %v", at, err)
	}
	nobody, banned := claim.Root, claim.Root
	nobody.ToPlay, banned.Ko = board.Empty, 77
	for _, p := range []weiqi.Position{nobody, banned} {
		if _, err := c.WalkFrom(t.Context(), p, 1); err == nil || errors.Is(err, area.ErrUnproven) {
			t.Errorf("from no position: %v", err)
		}
		if _, found := c.Lookup(p); found {
			t.Error("no position has a move")
		}
	}
	if _, err := area.Superko(t.Context(), c, area.SuperkoOptions{}); err == nil {
		t.Error("boards may not repeat under basic ko")
	}
	over := claim.Root
	over.Passes = 2
	for _, p := range []weiqi.Position{over, weiqi.NewPosition(board.Size{Rows: 3, Cols: 1})} {
		if _, err := c.WalkFrom(t.Context(), p, 1); !errors.Is(err, area.ErrUnproven) {
			t.Errorf("%s, %d passes: %v", p, p.Passes, err)
		}
	}
}

func TestNoBoardHasNoCertificate(t *testing.T) {
	if err := (area.Claim{}).Check(); err == nil || err.Error() != "a 0x0 board has no points" {
		t.Error(err)
	}
}
