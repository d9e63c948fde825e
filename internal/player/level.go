package player

import "math"

// Levels is the number of levels of strength; the last is full strength.
const Levels = 10

// level is how a player plays that is not to play its best. It looks at little and at
// nothing but the position: no solver, nothing kept from earlier moves. Then it draws a
// move, likely one that it thinks well of. A move that nobody would think of is not
// drawn, so that the mistakes are those of people.
type level struct {
	evaluations int     // of the network
	warmth      float64 // 0 is for the best move; the higher, the more alike are the chances
	least       float64 // chance of a move that is not passed over, as a part of the best one's
}

// levels are spaced evenly, by matches of neighbours: docs/players.md has the table.
var levels = [Levels - 1]level{
	{1, 4, 0.001},
	{1, 3.05, 0.0015},
	{1, 2.4, 0.0025},
	{1, 1.4, 0.005},
	{3, 0.35, 0.03},
	{30, 0.25, 0.05},
	{90, 0.25, 0.05},
	{220, 0.15, 0.1},
	{500, 0, 1},
}

// ease is the level of a budget, nil for full strength.
func (b Budget) ease() *level {
	if b.Level == 0 || b.Level == Levels {
		return nil
	}
	return &levels[b.Level-1]
}

// limit makes a budget that of a level, where an evaluation costs so many playouts.
func (l *level) limit(b *Budget, playouts int) {
	if l == nil {
		return
	}
	if most := l.evaluations * playouts; b.Playouts <= 0 || b.Playouts > most {
		b.Playouts = most
	}
}

// draw puts a move in place of the best one. The share of each is how much it was thought
// of. What is known to win is played, and what is known to lose is not.
func (l *level) draw(ch *Choice, share func(MoveStats) float64, r random) {
	best := ch.Moves[0]
	if l == nil || l.warmth == 0 || best.Known == Won {
		return
	}
	top := 0.0
	for _, m := range ch.Moves {
		if m.Known == best.Known {
			top = max(top, share(m))
		}
	}
	weights, sum := make([]float64, len(ch.Moves)), 0.0
	for i, m := range ch.Moves {
		if part := share(m) / top; m.Known == best.Known && part >= l.least {
			weights[i] = math.Pow(part, 1/l.warmth)
			sum += weights[i]
		}
	}
	at := float64(r.next()>>11) / (1 << 53) * sum
	for i, weight := range weights {
		if at -= weight; at < 0 {
			m := ch.Moves[i]
			ch.Move, ch.WinShare, ch.Line, ch.Known = m.Move, m.WinShare, m.Line, m.Known
			return
		}
	}
}
