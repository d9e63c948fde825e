package proof

import (
	"context"
	"fmt"
	"iter"

	"tengen/board"
	"tengen/nogo"
)

// Merge puts a certificate together from those of positions below its root, and from
// moves of the winner in the positions between, in any orientation. All must be of one
// board, winner and endgame limit; 0 stands for DefaultEndgameNodes. Either sequence may
// be nil.
//
// Of several moves in one position the first point is taken, and what the claim does not
// need is left out, so the result does not depend on the order of the parts. Whether
// something is missing in it Verify tells.
func Merge(ctx context.Context, root nogo.Position, toPlay, winner board.Colour, endgameNodes int,
	parts iter.Seq2[*Certificate, error], moves iter.Seq2[nogo.Position, board.Point],
) (*Certificate, error) {
	c, err := newCertificate(root, toPlay, winner, endgameNodes)
	if err != nil {
		return nil, err
	}
	var all union
	if parts != nil {
		for part, err := range parts {
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				err = c.takes(part)
			}
			if err != nil {
				return nil, err
			}
			for i, move := range part.entries.moves {
				all.add(entry{part.entries.key(i), move})
			}
		}
	}
	if moves != nil {
		for p, move := range moves {
			e, err := c.entryOf(p, move)
			if err != nil {
				return nil, err
			}
			all.add(e)
		}
	}
	given := entries{wide: c.entries.wide}
	given.addSorted(all.list)
	return c, c.takeNeeded(ctx, &given)
}

// takes refuses a part that does not speak of the same claim.
func (c *Certificate) takes(part *Certificate) error {
	switch {
	case part.Size() != c.Size():
		return fmt.Errorf("a part of the certificate is about %s, not %s", part.Size(), c.Size())
	case part.winner != c.winner:
		return fmt.Errorf("a part of the certificate says that %s wins %s, the whole that %s wins", part.winner, part.Root(), c.winner)
	case part.endgameNodes != c.endgameNodes:
		return fmt.Errorf("a part of the certificate rests on endgame searches of %d nodes, the whole on %d", part.endgameNodes, c.endgameNodes)
	}
	return nil
}

// entryOf is the entry of a position and the winner's move in it.
func (c *Certificate) entryOf(p nogo.Position, move board.Point) (entry, error) {
	k := c.coder
	switch {
	case p.Size != k.size:
		return entry{}, fmt.Errorf("a move of the certificate is in a position on %s, not %s", p.Size, k.size)
	case !k.size.Contains(move) || legal(k.grid, p.Small(), c.winner)>>move&1 == 0:
		return entry{}, fmt.Errorf("the move %s is not legal for %s in %s", k.size.Name(move), c.winner, p)
	}
	key, sym := k.canonical(p.Small())
	return entry{key, k.index[k.size.Map(sym, move)]}, nil
}

// takeNeeded takes those of the given entries that the claim leads to.
func (c *Certificate) takeNeeded(ctx context.Context, given *entries) error {
	needed := make([]bool, given.len())
	var open []int // needed, but what they lead to is still to be found
	need := func(key code) {
		if i, ok := given.find(key); ok && !needed[i] {
			needed[i] = true
			open = append(open, i)
		}
	}
	for _, key := range c.frontier() {
		need(key)
	}
	for len(open) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		i := open[len(open)-1]
		open = open[:len(open)-1]
		s := c.coder.decode(given.key(i))
		move := uint64(1) << c.coder.points[given.moves[i]]
		for _, key := range replies(c.coder, s.Play(c.winner, move), c.winner.Opponent()) {
			need(key)
		}
	}
	for i, ok := range needed {
		if ok {
			c.entries.add(given.key(i), given.moves[i])
		}
	}
	return nil
}

// union collects entries and drops repeated ones whenever it has doubled.
type union struct {
	list     []entry
	distinct int // left by the last compaction
}

func (u *union) add(e entry) {
	u.list = append(u.list, e)
	if len(u.list) > max(compactFrom, 2*u.distinct) {
		u.list = sortedEntries(u.list)
		u.distinct = len(u.list)
	}
}
