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

	number    int          // of the layer
	layer     []proof.Code // of which the first have been given out
	at        int
	given     int // slices given out
	finished  int
	following []proof.Code
	slices    map[string][]proof.Code // that are out
	again     [][]proof.Code          // that came back without moves
	pace      pace
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
		upper: map[Key]Key{}, slices: map[string][]proof.Code{}, pace: pace{least: 8, most: 4096},
	}, nil
}

// begin takes a layer up. Positions of the upper tree are settled at once.
func (t *extracting) begin(ctx context.Context, layer []proof.Code) error {
	t.number++
	t.layer, t.at, t.finished, t.following = layer[:0:0], 0, 0, nil
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

func (t *extracting) done() bool { return t.finished == len(t.layer) && len(t.following) == 0 }

func (t *extracting) next() (job, bool) {
	var slice []proof.Code
	switch {
	case len(t.again) > 0:
		slice, t.again = t.again[0], t.again[1:]
	case t.at < len(t.layer):
		to := min(t.at+t.pace.size(), len(t.layer))
		slice, t.at = t.layer[t.at:to], to
	default:
		return job{}, false
	}
	t.given++
	// Layers differ from run to run, so that a result of another run must not be taken
	// for one of this.
	id := fmt.Sprintf("proof-%s-%d", t.m.nonce, t.given)
	t.slices[id] = slice
	return job{
		ID: id, Kind: proving, Epoch: t.m.about.Epoch, Size: t.size.String(), Share: t.m.share(),
		Proof: &proofSlice{Root: Key{t.question.Position.Small(), t.question.ToPlay}, Winner: t.winner, Positions: packCodes(slice)},
	}, true
}

func (t *extracting) take(r result) ([]string, error) {
	slice, ok := t.slices[r.ID]
	if !ok || r.Kind != proving {
		return nil, nil
	}
	if r.Failure != "" || r.Proof == nil {
		return nil, t.failed(r)
	}
	next, err := unpackCodes(r.Proof.Next)
	if err == nil {
		err = t.extraction.Add(slice, r.Proof.Moves)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", errDoubt, r.Worker, err)
	}
	delete(t.slices, r.ID)
	t.pace.took(len(slice), r.Seconds)
	t.finished += len(slice)
	t.following = append(t.following, next...)
	if t.finished == len(t.layer) && len(t.following) > 0 {
		return nil, t.begin(context.Background(), proof.SortCodes(t.following))
	}
	return nil, nil
}

// failed is what a slice without moves means: that an answer above it was false, or only
// that the job was dropped, which then goes out again.
func (t *extracting) failed(r result) error {
	if r.Failure == "" {
		t.again = append(t.again, t.slices[r.ID])
		delete(t.slices, r.ID)
		return nil
	}
	return fmt.Errorf("%w: %s: %s", errDoubt, r.Worker, r.Failure)
}

func (t *extracting) report(s *Status) {
	s.Question, s.Phase, s.Epoch = t.m.about.Question, "proof", t.m.about.Epoch
	t.searched.found(s)
	s.Part, s.Whole = uint64(t.finished), uint64(len(t.layer))
	s.Layer = fmt.Sprintf("%d, %d positions so far", t.number, t.extraction.Len())
}

// pace is how many things go into a job so that it takes about half a second.
type pace struct {
	least, most int
	each        float64 // seconds for one
}

func (p *pace) took(things int, seconds float64) {
	if things == 0 {
		return
	}
	now := seconds / float64(things)
	if p.each == 0 {
		p.each = now
	}
	p.each = 0.7*p.each + 0.3*now
}

func (p *pace) size() int {
	if p.each == 0 {
		return p.least
	}
	const target = 0.5
	return min(max(int(target/p.each), p.least), p.most)
}
