package proof

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"tengen/board"
	"tengen/nogo"
)

// tired is an oracle that stops the extraction after some answers.
type tired struct {
	Oracle
	left int
	stop func()
}

func (o *tired) WinningMove(ctx context.Context, p nogo.Position, c board.Colour) (board.Point, error) {
	if o.left--; o.left < 0 {
		o.stop()
		return board.NoPoint, ctx.Err()
	}
	return o.Oracle.WinningMove(ctx, p, c)
}

// saved is what a later extraction gets: a copy that went through a file with more behind it.
func saved(t *testing.T, found *Found) *Found {
	t.Helper()
	var file bytes.Buffer
	if err := found.Save(&file); err != nil {
		t.Fatal(err)
	}
	file.WriteString("more")
	var copied Found
	if err := copied.Load(&file); err != nil || file.String() != "more" || copied.Positions() != found.Positions() {
		t.Fatalf("%v: of %d positions %d are left, before %q", err, found.Positions(), copied.Positions(), file.String())
	}
	return &copied
}

// An extraction that is stopped again and again makes the certificate of one that is not, and
// asks for hardly more moves.
func TestExtractionGoesOn(t *testing.T) {
	size := sizeOf(t, "3x4")
	b, root, winner := newBrute(size), nogo.NewPosition(size), board.White
	count := &tired{Oracle: b, left: 1 << 30}
	whole, err := Extract(t.Context(), root, board.Black, winner, count, ExtractOptions{Threads: 1, EndgameNodes: 1})
	if err != nil {
		t.Fatal(err)
	}
	asked := 1<<30 - count.left
	const step, patience = 4, 9
	found, total := &Found{}, 0
	for run := 0; ; run++ {
		ctx, stop := context.WithCancel(t.Context())
		o := &tired{Oracle: b, left: patience, stop: stop}
		got, err := Extract(ctx, root, board.Black, winner, o, ExtractOptions{Threads: 1, EndgameNodes: 1, Found: found, foundStep: step})
		stop()
		total += patience - max(o.left, 0)
		found = saved(t, found)
		if errors.Is(err, context.Canceled) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got.Checksum() != whole.Checksum() {
			t.Errorf("after %d runs the certificate is another", run)
		}
		if run < 2 || total > asked+run*step {
			t.Errorf("%d runs asked for %d moves, one run for %d", run+1, total, asked)
		}
		return
	}
}

// What belongs to another proof is refused or leads to a certificate that does not hold, and a
// file that is cut short is never taken.
func TestFoundOfAnotherProof(t *testing.T) {
	size := sizeOf(t, "3x3")
	b, root := newBrute(size), nogo.NewPosition(size)
	extract := func(found *Found) (*Certificate, error) {
		return Extract(t.Context(), root, board.Black, board.Black, &locked{b: b}, ExtractOptions{EndgameNodes: 1, Found: found})
	}
	for _, layers := range [][][]uint8{{{0, 0}}, {{9}}, {{200}}, {{0}, {0}}} {
		c, err := extract(&Found{layers: layers})
		if err == nil && verify(t, c).Valid {
			t.Errorf("%v was taken", layers)
		}
	}
	found := &Found{}
	if _, err := extract(found); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := found.Save(&file); err != nil {
		t.Fatal(err)
	}
	for n := range file.Len() {
		if err := new(Found).Load(io.LimitReader(bytes.NewReader(file.Bytes()), int64(n))); err == nil {
			t.Errorf("%d of %d bytes were taken", n, file.Len())
		}
	}
}
