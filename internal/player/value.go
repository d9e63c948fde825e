package player

import (
	"context"
	"fmt"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/nogo"
)

// ValueMap is V of equation (4) of Guo and Chen for every legal move of c: the
// empty points closed to White once Black has played there, and those closed to
// Black once White has. Where the opponent of c may not play, his half counts
// the present position. V does not depend on who closed a point, nor on whose
// it is.
func ValueMap(p nogo.Position, c board.Colour) map[board.Point]int {
	t := newTerrain(p.Size)
	now, next := new(field), new(field)
	now.set(t, p)
	values := make(map[board.Point]int)
	for q := range p.Legal(c).Points() {
		for mover := range uint8(2) {
			next.copy(now, t.cells)
			if now.open(t.stride, t.cell(q))&side(mover) != 0 {
				next.play(t.stride, t.cell(q), mover)
			}
			values[q] += next.closed(t, mover^1)
		}
	}
	return values
}

// closed counts the vacant cells where c may not play.
func (f *field) closed(t terrain, c uint8) int {
	n := 0
	for cell := t.stride; int(cell) < t.cells-int(t.stride); cell++ {
		if f.holds[cell] == vacant && f.open(t.stride, cell)&side(c) == 0 {
			n++
		}
	}
	return n
}

// maxValueTime is the time that the published player took for a move.
const maxValueTime = 2 * time.Second

// Value is the player of Guo and Chen. It plays the move of the highest V. If
// all are 0, it plays the point furthest from all stones. If several are
// highest, it plays the one that does best in a tree search by plain playouts.
type Value struct {
	search *MCTS
	random random
}

// NewValue prepares a player for one board size. It thinks on one thread, as
// the published one does.
func NewValue(size board.Size, seed uint64, memory int64) (*Value, error) {
	search, err := NewMCTS(size, TreeOptions{Seed: seed, Threads: 1, Memory: memory, Without: MCTSParts()})
	return &Value{search, random(seed)}, err
}

// Move chooses a move for c, within two seconds whatever the budget.
func (v *Value) Move(ctx context.Context, p nogo.Position, c board.Colour, b Budget) (game.Choice, error) {
	if p.Size != v.search.size {
		return game.Choice{}, fmt.Errorf("a player on %s was asked for a move on %s", v.search.size, p.Size)
	}
	begin := time.Now()
	values := ValueMap(p, c)
	if len(values) == 0 {
		return game.Choice{}, ErrNoMove
	}
	best, most := highest(p, values)
	switch {
	case most == 0:
		best = scattered(p, best)
		return game.Choice{Move: best[v.random.below(len(best))], Source: game.FromEvaluation}, nil
	case len(best) == 1:
		return game.Choice{Move: best[0], Source: game.FromEvaluation}, nil
	}
	return v.compare(ctx, p, c, best, b.settled(), begin), nil
}

// highest are the points of the highest value, in order.
func highest(p nogo.Position, values map[board.Point]int) (best []board.Point, most int) {
	for _, q := range p.Size.All() {
		value, legal := values[q]
		if !legal {
			continue
		}
		if value > most {
			best, most = nil, value
		}
		if value == most {
			best = append(best, q)
		}
	}
	return best, most
}

// scattered are the points with the largest Manhattan distance to the nearest
// stone. On an empty board they are the points nearest to the centre.
func scattered(p nogo.Position, points []board.Point) []board.Point {
	stones := p.Stones[board.Black].Union(p.Stones[board.White])
	var best []board.Point
	most := 0
	for _, q := range points {
		d := -fromCentre(p.Size, q)
		if !stones.IsEmpty() {
			d = p.Size.Rows + p.Size.Cols
			for s := range stones.Points() {
				d = min(d, manhattan(p.Size, q, s))
			}
		}
		if best == nil || d > most {
			best, most = nil, d
		}
		if d == most {
			best = append(best, q)
		}
	}
	return best
}

func manhattan(s board.Size, p, q board.Point) int {
	return abs(s.Row(p)-s.Row(q)) + abs(s.Col(p)-s.Col(q))
}

// fromCentre is twice the distance to the centre, which is a whole number on
// boards of even sides too.
func fromCentre(s board.Size, p board.Point) int {
	return abs(2*s.Row(p)-s.Rows+1) + abs(2*s.Col(p)-s.Cols+1)
}

func abs(x int) int { return max(x, -x) }

// compare searches a tree below each of several moves and takes the one that
// wins most playouts.
func (v *Value) compare(ctx context.Context, p nogo.Position, c board.Colour, moves []board.Point, b Budget, begin time.Time) game.Choice {
	m := v.search
	choice := game.Choice{Move: moves[0], Source: game.FromPlayouts, WinShare: -1}
	end := begin.Add(maxValueTime)
	if b.Time > 0 {
		end = begin.Add(min(b.Time, maxValueTime))
	}
	for i, move := range moves {
		next := p
		next.Stones[c].Add(move)
		m.enter(next, c.Opponent(), nil)
		m.think(ctx, limits{
			deadline: time.Now().Add(time.Until(end) / time.Duration(len(moves)-i)),
			playouts: (b.Playouts + len(moves) - 1) / len(moves),
		})
		root := m.tree.root()
		stats := game.MoveStats{Move: move, Visits: root.visits(), WinShare: root.share(), Known: root.known()}
		if stats.Known == game.Won {
			stats.WinShare = 1
		}
		choice.Playouts += int(m.done.Load())
		choice.Moves = append(choice.Moves, stats)
		if stats.WinShare > choice.WinShare {
			choice.Move, choice.WinShare, choice.Known = move, stats.WinShare, stats.Known
		}
	}
	return choice
}

// Ponder does nothing: the published player does not think in the opponent's
// time.
func (v *Value) Ponder(context.Context, nogo.Position, board.Colour) {}

// Close gives the memory back.
func (v *Value) Close() error { return v.search.Close() }
