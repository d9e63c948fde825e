package proof

import (
	"context"
	"errors"
	"fmt"

	"tengen/board"
	"tengen/nogo"
)

// Statistics describe the proof in a certificate, played out from the root:
// one move for the winner, every move for the loser. Symmetric positions count
// as one.
type Statistics struct {
	// PlayedOut says that the positions left to the endgame search were played
	// out too. Otherwise they are leaves, and the counts of terminal positions
	// cover only the positions that the entries reach.
	PlayedOut bool `json:"played_out"`

	Positions      uint64            `json:"positions"`
	Transpositions uint64            `json:"transpositions"`
	ByDepth        []DepthStatistics `json:"by_depth"`

	// Endgames counts the positions with the winner to move that are not
	// entries but left to the endgame search.
	Endgames uint64 `json:"endgames"`

	// Terminal counts positions where the loser is to move and cannot. An eye
	// is an empty point whose neighbours are all stones of one side.
	Terminal              uint64 `json:"terminal"`
	TerminalWithWinnerEye uint64 `json:"terminal_with_winner_eye"`
	TerminalWithLoserEye  uint64 `json:"terminal_with_loser_eye"`
}

// DepthStatistics describe the positions at a number of moves from the root. A
// transposition is an arc of the proof to a position that another arc has
// already reached. The frequency is the share of such arcs.
type DepthStatistics struct {
	Depth          int     `json:"depth"`
	Positions      uint64  `json:"positions"`
	Transpositions uint64  `json:"transpositions"`
	Frequency      float64 `json:"transposition_frequency"`
}

// StatsOptions are the options of Stats; the zero value is usable.
type StatsOptions struct {
	Threads int // 0 means one per processor
	// EntriesOnly says not to play out the endgames.
	EntriesOnly bool
	// MaxLayer is the most codes, of 16 bytes, that one goroutine may gather
	// for a layer while endgames are played out. Beyond it the count starts
	// again with EntriesOnly. 0 means 32 million.
	MaxLayer int
}

const defaultMaxLayer = 32 << 20

var errTooLarge = errors.New("a layer of the proof is too large to play out")

// Stats counts the proof of a certificate that Verify accepts.
func Stats(ctx context.Context, c *Certificate, opt StatsOptions) (Statistics, error) {
	if opt.MaxLayer <= 0 {
		opt.MaxLayer = defaultMaxLayer
	}
	s, fits, err := count(ctx, c, opt)
	if err == nil && !fits {
		opt.EntriesOnly = true
		s, _, err = count(ctx, c, opt)
	}
	return s, err
}

// count goes through the proof layer by layer. It holds one layer and the
// next. It stops and returns false when a layer exceeds the bound.
func count(ctx context.Context, c *Certificate, opt StatsOptions) (total Statistics, fits bool, err error) {
	total.PlayedOut = !opt.EntriesOnly
	workers := make([]*counting, threadsOr(opt.Threads))
	for i := range workers {
		workers[i] = &counting{c: c, opt: opt}
	}
	root, _ := c.coder.canonical(c.root)
	layer, arcs, side := []code{root}, 1, c.toPlay
	for depth := 0; len(layer) > 0; depth++ {
		total.add(depth, len(layer), arcs)
		w := sweep{threads: len(workers), total: len(layer), stride: 64}
		err := w.run(ctx, func(worker, from, to int) error {
			for _, key := range layer[from:to] {
				if err := workers[worker].position(key, side); err != nil {
					return err
				}
			}
			return nil
		})
		if errors.Is(err, errTooLarge) {
			return total, false, nil
		}
		if err != nil {
			return total, true, err
		}
		layer, arcs = nil, 0
		for _, w := range workers {
			layer = w.children.moveTo(layer)
			arcs += w.arcs
			w.arcs = 0
		}
		layer, side = sortedCodes(layer), side.Opponent()
	}
	for _, w := range workers {
		total.Endgames += w.endgames
		total.Terminal += w.terminal
		total.TerminalWithWinnerEye += w.eyes[c.winner]
		total.TerminalWithLoserEye += w.eyes[c.winner.Opponent()]
	}
	return total, true, nil
}

func (t *Statistics) add(depth, positions, arcs int) {
	again := uint64(arcs - positions)
	t.Positions += uint64(positions)
	t.Transpositions += again
	t.ByDepth = append(t.ByDepth, DepthStatistics{depth, uint64(positions), again, float64(again) / float64(arcs)})
}

// counting is the state of one goroutine for a layer.
type counting struct {
	c        *Certificate
	opt      StatsOptions
	search   *endgame
	children gathering
	arcs     int
	endgames uint64
	terminal uint64
	eyes     [2]uint64 // terminal positions with an eye of each colour
}

func (n *counting) position(key code, side board.Colour) error {
	s := n.c.coder.decode(key)
	if side == n.c.winner {
		return n.winnerMoves(key, s)
	}
	before := n.arcs
	for _, child := range replies(n.c.coder, s, side) {
		n.add(child)
	}
	if n.arcs == before {
		n.end(s)
	}
	if !n.opt.EntriesOnly && len(n.children.codes) > n.opt.MaxLayer {
		return errTooLarge
	}
	return nil
}

func (n *counting) winnerMoves(key code, s nogo.Stones) error {
	k, winner := n.c.coder, n.c.winner
	point := uint64(0)
	if i, ok := n.c.entries.find(key); ok {
		point = 1 << k.points[n.c.entries.moves[i]]
	} else {
		n.endgames++
		if n.opt.EntriesOnly {
			return nil
		}
		if n.search == nil {
			// A position inside an endgame may need more nodes than the search
			// that led there, because that search had results of other lines.
			// So this search gets the highest limit.
			n.search = newEndgame(k.grid, MaxEndgameNodes)
		}
		if point = n.search.winningMove(s, winner); point == 0 {
			return fmt.Errorf("no win for %s found in %s: verify the certificate first", winner, k.position(s))
		}
	}
	child, _ := k.canonical(s.Play(winner, point))
	n.add(child)
	return nil
}

func (n *counting) add(child code) {
	n.arcs++
	n.children.add(child)
}

func (n *counting) end(s nogo.Stones) {
	n.terminal++
	for c := range n.eyes {
		if hasEye(n.c.coder.grid, s, board.Colour(c)) {
			n.eyes[c]++
		}
	}
}

// hasEye looks for an empty point whose neighbours are all stones of c.
func hasEye(g nogo.Grid, s nogo.Stones, c board.Colour) bool {
	empty := g.Mask &^ (s[0] | s[1])
	return empty&g.Around(s[c])&^g.Around(g.Mask&^s[c]) != 0
}
