package cluster

import (
	"context"
	"errors"
	"fmt"

	"tengen/board"
	"tengen/nogo"
	"tengen/proof"
)

// extracting is the task of putting a certificate together, layer by layer: slices of a
// layer are worked on by whoever is idle, and what they lead to is the next layer. What
// the upper tree knows it answers itself.
type extracting struct {
	m          *master
	searched   *searching
	question   Question
	size       board.Size
	winner     board.Colour
	extraction *proof.Extraction
	upper      map[Key]Key // the winner's moves of the upper tree

	number    int // of the layer
	layer     []proof.Code
	following []proof.Code
	slicer    slicer
}

// prove puts the certificate of a decided search together.
func (m *master) prove(ctx context.Context, q Question, s *searching, winner board.Colour) (*proof.Certificate, error) {
	t, err := m.extracting(q, winner)
	if err != nil {
		return nil, err
	}
	t.searched = s
	for _, tr := range s.trees {
		tr.Solution(func(from, to Key) { t.upper[from] = to }, func(Key) {})
	}
	if err := t.begin(ctx, t.extraction.First()); err != nil {
		return nil, err
	}
	if err := m.run(ctx, t); err != nil {
		return nil, err
	}
	return t.extraction.Certificate(), nil
}

func (m *master) extracting(q Question, winner board.Colour) (*extracting, error) {
	slice := proofSlice{Root: Key{q.Position.Small(), q.ToPlay}, Winner: winner}
	x, err := slice.extraction(q.Position.Size, 1)
	if err != nil {
		return nil, err
	}
	return &extracting{
		m: m, question: q, size: q.Position.Size, winner: winner, extraction: x,
		upper: map[Key]Key{}, slicer: slicer{pace: pace{least: 8, most: 4096}},
	}, nil
}

// begin takes a layer up. Positions of the upper tree are settled at once.
func (t *extracting) begin(ctx context.Context, layer []proof.Code) error {
	t.number++
	t.layer, t.following = layer[:0:0], nil
	var known []proof.Code
	for _, k := range layer {
		if _, ok := t.upper[keyOf(t.extraction.Position(k), t.winner)]; ok {
			known = append(known, k)
		} else {
			t.layer = append(t.layer, k)
		}
	}
	if len(known) > 0 {
		moves, next, err := t.extraction.Slice(ctx, t, known)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errDoubt, err)
		}
		if err := t.extraction.Add(known, moves); err != nil {
			return err
		}
		t.following = next
	}
	// Layers differ from run to run, so that a result of another run must not be taken
	// for one of this.
	t.slicer = newSlicer(fmt.Sprintf("proof-%s-%d", t.m.nonce, t.number), len(t.layer), t.slicer.pace)
	if len(t.layer) == 0 && len(t.following) > 0 {
		return t.begin(ctx, proof.SortCodes(t.following))
	}
	return nil
}

// WinningMove is the one that the upper tree has found.
func (t *extracting) WinningMove(_ context.Context, p nogo.Position, c board.Colour) (board.Point, error) {
	to := t.upper[keyOf(p, c)]
	for move := range p.Legal(c).Points() {
		if keyOf(played(p, c, move), c.Opponent()) == to {
			return move, nil
		}
	}
	return board.NoPoint, errors.New("the upper tree has no move there")
}

func (t *extracting) ahead() int { return 1 }

func (t *extracting) done() bool { return t.slicer.over() && len(t.following) == 0 }

func (t *extracting) next() (job, bool) {
	id, slice, ok := t.slicer.cut()
	return job{
		ID: id, Kind: proving, Epoch: t.m.about.Epoch, Size: t.size.String(), Share: t.m.share(),
		Proof: &proofSlice{Root: Key{t.question.Position.Small(), t.question.ToPlay}, Winner: t.winner, Positions: packCodes(t.layer[slice.From:slice.To])},
	}, ok
}

func (t *extracting) take(r result) ([]string, error) {
	slice, ok := t.slicer.out[r.ID]
	if !ok || r.Kind != proving {
		return nil, nil
	}
	if r.Failure != "" { // an answer above it was false
		return nil, fmt.Errorf("%w: %s: %s", errDoubt, r.Worker, r.Failure)
	}
	if r.Proof == nil { // dropped
		t.slicer.back(r.ID)
		return nil, nil
	}
	next, err := unpackCodes(r.Proof.Next)
	if err == nil {
		err = t.extraction.Add(t.layer[slice.From:slice.To], r.Proof.Moves)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errDoubt, r.Worker, err)
	}
	t.slicer.finish(r.ID, r.Seconds)
	t.following = append(t.following, next...)
	if t.slicer.over() && len(t.following) > 0 {
		return nil, t.begin(context.Background(), proof.SortCodes(t.following))
	}
	return nil, nil
}

func (t *extracting) report(s *Status) {
	s.Question, s.Phase, s.Epoch = t.m.about.Question, "proof", t.m.about.Epoch
	t.searched.found(s)
	s.Part, s.Whole = uint64(t.slicer.done), uint64(t.slicer.whole)
	s.Layer = fmt.Sprintf("%d, %d positions so far", t.number, t.extraction.Len())
}
