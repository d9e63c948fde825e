package proof

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"tengen/board"
	"tengen/nogo"
)

// Oracle finds a winning move of every position it is asked about. The side c is
// to move and is claimed to win.
type Oracle interface {
	WinningMove(ctx context.Context, p nogo.Position, c board.Colour) (board.Point, error)
}

// ExtractOptions are the options of an extraction; the zero value is usable.
type ExtractOptions struct {
	Threads      int            // 0 means one per processor; with more than one the oracle is called concurrently
	EndgameNodes int            // 0 means DefaultEndgameNodes
	Progress     func(Progress) // called by one goroutine at a time

	// Found, unless nil, is what an earlier extraction of the same claim has found, in the
	// same order of layers. This one goes on from there and adds to it.
	Found *Found

	foundStep int // for tests; 0 means the constant
}

// Progress counts an extraction. A layer holds the positions with the same number
// of stones. Done of Total positions of it are settled, and Entries were found in
// the layers before. The number of layers is an upper bound.
type Progress struct {
	Layer, Layers        int
	Done, Total, Entries uint64
}

const (
	// extractStride is small because an oracle can take seconds for one position.
	extractStride = 4
	// endgameWon replaces the move of a position that needs none.
	endgameWon = 0xFF
	// hopefulPoints is the largest number of playable points at which the endgame
	// search is tried, plus one for each doubling of its limit.
	hopefulPoints = 8
	// compactFrom is the number of codes a worker gathers before it first
	// sorts them and drops the repeated ones.
	compactFrom = 1 << 20
)

// Extract asks the oracle for a winning move of every position that the proof
// needs and the endgame search cannot settle. It goes breadth first, by the
// number of stones. Beside the entries found it holds the codes of one layer and
// the next.
func Extract(ctx context.Context, root nogo.Position, toPlay, winner board.Colour, o Oracle, opt ExtractOptions) (*Certificate, error) {
	x, err := newExtraction(root, toPlay, winner, opt)
	if err != nil {
		return nil, err
	}
	x.oracle = o
	layer := x.c.frontier()
	var all []entry
	for number := 1; len(layer) > 0; number++ {
		moves, next, err := x.layer(ctx, number, uint64(len(all)), layer)
		if err != nil {
			return nil, err
		}
		for i, move := range moves {
			if move != endgameWon {
				all = append(all, entry{layer[i], move})
			}
		}
		layer = next
	}
	x.c.entries.addSorted(all)
	return x.c, nil
}

func newExtraction(root nogo.Position, toPlay, winner board.Colour, opt ExtractOptions) (*extraction, error) {
	c, err := newCertificate(root, toPlay, winner, opt.EndgameNodes)
	if err != nil {
		return nil, err
	}
	x := &extraction{c: c, opt: opt, layers: 1 + (root.Empty().Len()+1)/2}
	for range threadsOr(opt.Threads) {
		x.workers = append(x.workers, &extractor{extraction: x, search: newEndgame(c.coder.grid, c.endgameNodes)})
	}
	return x, nil
}

// frontier lists, in order, the codes of the positions with the winner to move
// that the claim itself needs.
func (c *Certificate) frontier() []code {
	if c.toPlay == c.winner {
		key, _ := c.coder.canonical(c.root)
		return []code{key}
	}
	var list []code
	for _, key := range replies(c.coder, c.root, c.toPlay) {
		list = append(list, key)
	}
	return sortedCodes(list)
}

// sortedCodes sorts in place and drops repeated codes.
func sortedCodes(list []code) []code {
	slices.SortFunc(list, code.compare)
	return slices.Compact(list)
}

// gathering collects the codes of a layer. It drops repeated codes whenever it
// has doubled, so that it stays within twice its distinct codes.
type gathering struct {
	codes    []code
	distinct int // left by the last compaction
}

func (g *gathering) add(k code) {
	g.codes = append(g.codes, k)
	if len(g.codes) > max(compactFrom, 2*g.distinct) {
		g.codes = sortedCodes(g.codes)
		g.distinct = len(g.codes)
	}
}

// moveTo appends the codes to a list and starts again.
func (g *gathering) moveTo(list []code) []code {
	list = append(list, sortedCodes(g.codes)...)
	*g = gathering{}
	return list
}

type extraction struct {
	c       *Certificate
	oracle  Oracle
	opt     ExtractOptions
	workers []*extractor
	layers  int
}

// layer finds the moves of one layer and the codes of the next.
func (x *extraction) layer(ctx context.Context, number int, entries uint64, layer []code) (moves []uint8, next []code, err error) {
	moves = x.opt.Found.layer(number)
	if len(moves) > len(layer) {
		return nil, nil, errFound
	}
	told := Progress{Layer: number, Layers: x.layers, Total: uint64(len(layer)), Entries: entries}
	err = x.each(ctx, told, 0, len(moves), func(w *extractor, i int) error { return x.follow(layer[i], moves[i], &w.children) })
	for step := cmp.Or(x.opt.foundStep, foundStep); err == nil && len(moves) < len(layer); {
		from, to := len(moves), min(len(moves)+step, len(layer))
		more := make([]uint8, to-from)
		err = x.each(ctx, told, from, to, func(w *extractor, i int) (err error) {
			if more[i-from], err = w.move(ctx, layer[i]); err != nil {
				return err
			}
			return x.follow(layer[i], more[i-from], &w.children)
		})
		if err == nil {
			moves = append(moves, more...)
			x.opt.Found.keep(number, moves)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	for _, worker := range x.workers {
		next = worker.children.moveTo(next)
	}
	return moves, sortedCodes(next), nil
}

// each visits a range of the positions of a layer with all workers.
func (x *extraction) each(ctx context.Context, told Progress, from, to int, visit func(w *extractor, i int) error) error {
	w := sweep{threads: len(x.workers), total: to - from, stride: extractStride}
	if x.opt.Progress != nil {
		w.progress = func(done int) {
			told.Done = uint64(from + done)
			x.opt.Progress(told)
		}
	}
	return w.run(ctx, func(worker, low, high int) error {
		for i := from + low; i < from+high; i++ {
			if err := visit(x.workers[worker], i); err != nil {
				return err
			}
		}
		return nil
	})
}

// extractor is the state of one goroutine.
type extractor struct {
	*extraction
	search   *endgame
	children gathering
}

// move finds the move of one position of a layer.
func (x *extractor) move(ctx context.Context, key code) (uint8, error) {
	k, winner := x.c.coder, x.c.winner
	s := k.decode(key)
	switch x.settle(s) {
	case won:
		return endgameWon, nil
	case lost:
		return 0, fmt.Errorf("the claim that %s wins is wrong: %s loses %s with %s to move",
			winner, winner, k.position(s), winner)
	}
	move, err := x.oracle.WinningMove(ctx, k.position(s), winner)
	if err != nil {
		return 0, fmt.Errorf("winning move of %s for %s: %w", k.position(s), winner, err)
	}
	if !k.size.Contains(move) || legal(k.grid, s, winner)>>move&1 == 0 {
		return 0, fmt.Errorf("the oracle's move %s is not legal for %s in %s", k.size.Name(move), winner, k.position(s))
	}
	return k.index[move], nil
}

// follow adds the positions of the next layer that a move leads to.
func (x *extraction) follow(key code, move uint8, children *gathering) error {
	if move == endgameWon {
		return nil
	}
	k, winner := x.c.coder, x.c.winner
	s := k.decode(key)
	if int(move) >= len(k.points) || legal(k.grid, s, winner)>>k.points[move]&1 == 0 {
		return fmt.Errorf("move %d is not legal for %s in %s", move, winner, k.position(s))
	}
	for _, child := range replies(k, s.Play(winner, 1<<k.points[move]), winner.Opponent()) {
		children.add(child)
	}
	return nil
}

// settle tries the endgame search. It skips positions with many playable points,
// of which hardly one in a thousand is decided within the limit. Single rows fall
// apart early and are never skipped.
func (x *extractor) settle(s nogo.Stones) outcome {
	k := x.c.coder
	black, white := k.grid.Legal(s)
	if min(k.size.Rows, k.size.Cols) > 1 && bits.OnesCount64(black|white) > hopefulPoints+bits.Len(uint(x.c.endgameNodes)) {
		return unknown
	}
	return x.search.solve(s, x.c.winner)
}
