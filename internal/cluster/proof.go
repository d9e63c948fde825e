package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tengen/board"
	"tengen/internal/cluster/tree"
	"tengen/nogo"
	"tengen/proof"
)

// extracting is the task of making a certificate, layer by layer. Workers find the winning
// moves of slices of a layer. The positions after these moves are the next layer. Positions
// of the upper tree need no worker.
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

	entries, verified int // of the certificate, when it is whole
	valid             bool
}

// prove makes the certificate of a decided search.
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
	// Workers have made it, so the master checks it whole.
	c := t.extraction.Certificate()
	if err := t.verify(ctx, c); err != nil {
		return nil, err
	}
	m.publishStatus(t, true)
	return c, nil
}

// verify checks a certificate and reports its progress.
func (t *extracting) verify(ctx context.Context, c *proof.Certificate) error {
	t.entries = c.Len()
	var reported time.Time
	r, err := proof.Verify(ctx, c, proof.VerifyOptions{Progress: func(done, _ uint64) {
		if time.Since(reported) > tick {
			reported = time.Now()
			t.verified = int(done)
			t.m.publishStatus(t, false)
		}
	}})
	if err != nil {
		return err
	}
	if !r.Valid {
		return &doubt{why: "the proof that workers have made is not valid: " + r.Failure.Error()}
	}
	t.valid = true
	return nil
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

// begin begins a layer. It settles positions of the upper tree at once.
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
			return &doubt{why: err.Error()}
		}
		if err := t.extraction.Add(known, moves); err != nil {
			return err
		}
		t.following = next
	}
	// Layers differ from run to run, so the nonce keeps results of another run apart.
	t.slicer = newSlicer(fmt.Sprintf("proof-%s-%d", t.m.nonce, t.number), len(t.layer), t.slicer.pace)
	if len(t.layer) == 0 && len(t.following) > 0 {
		return t.begin(ctx, proof.SortCodes(t.following))
	}
	return nil
}

// WinningMove is the move that the upper tree has found.
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
		ID: id, Kind: proving, Epoch: t.m.about.Epoch, Size: t.size.String(), Share: t.m.share(), Alone: t.m.alone(),
		Proof: &proofSlice{Root: Key{t.question.Position.Small(), t.question.ToPlay}, Winner: t.winner, Positions: packCodes(t.layer[slice.From:slice.To])},
	}, ok
}

// news reports whether a slice is out.
func (t *extracting) news(r result) bool {
	_, ok := t.slicer.out[r.ID]
	return ok && r.Kind == proving
}

func (t *extracting) take(r result) ([]string, error) {
	slice, ok := t.slicer.out[r.ID]
	if !ok || r.Kind != proving || r.Epoch != t.m.about.Epoch {
		return nil, nonsense("a result of kind %s and epoch %d for job %s", r.Kind, r.Epoch, r.ID)
	}
	if r.Proof == nil { // cancelled
		t.slicer.back(r.ID)
		return nil, nil
	}
	layer := t.layer[slice.From:slice.To]
	next, err := t.extraction.Follow(layer, r.Proof.Moves)
	if err != nil {
		return nil, t.m.convict(lie{r.Worker, err.Error()})
	}
	if err := t.check(r.Worker, layer, r.Proof.Moves); err != nil {
		return nil, err
	}
	if err := t.extraction.Add(layer, r.Proof.Moves); err != nil {
		return nil, err
	}
	t.slicer.finish(r.ID, r.Seconds)
	t.following = append(t.following, next...)
	if t.slicer.over() && len(t.following) > 0 {
		return nil, t.begin(context.Background(), proof.SortCodes(t.following))
	}
	return nil, nil
}

// check checks a sample of the moves of a slice: whether they win, or whether the endgame
// search needs no move. The whole proof is checked at the end; this finds the worker that
// made a false one.
func (t *extracting) check(worker string, layer []proof.Code, moves []byte) error {
	for i, code := range layer {
		p := t.extraction.Position(code)
		before := Key{p.Small(), t.winner}
		if !t.m.examiner.chosen(t.size, before) {
			continue
		}
		if move, ok := t.extraction.Move(moves[i]); ok {
			after := Key{played(p, t.winner, move).Small(), t.winner.Opponent()}
			t.m.examiner.examine(claim{t.size, after, tree.Lost, worker, true})
		} else if !t.extraction.Settled(code) {
			return t.m.convict(lie{worker, fmt.Sprintf("it said that the endgame search suffices for %s", p)})
		}
	}
	return nil
}

func (t *extracting) report(s *Status) {
	s.Question, s.Phase, s.Epoch = t.m.about.Question, "proof", t.m.about.Epoch
	s.Done = s.Done && t.valid
	t.searched.found(s)
	if t.entries > 0 {
		s.Part, s.Whole, s.Layer = uint64(t.verified), uint64(t.entries), "all, which are checked"
		return
	}
	s.Part, s.Whole = uint64(t.slicer.done), uint64(t.slicer.whole)
	s.Layer = fmt.Sprintf("%d, %d positions so far", t.number, t.extraction.Len())
}
