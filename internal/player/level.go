package player

import (
	"math"

	"tengen/game"
)

// Levels is the number of levels of strength; the last is full strength.
const Levels = 10

// level describes a player that does not play its best. It evaluates few positions
// and uses nothing but the position: no solver, nothing kept from earlier moves. Then
// it draws a move at random, preferring moves with a good evaluation. It never draws
// a move with a very bad one, so that its mistakes are like those of people.
type level struct {
	evaluations int     // of the network
	warmth      float64 // temperature: 0 plays the best move; higher values make the chances more equal
	least       float64 // least share of a move that can be drawn, as a part of the best one's
	Measured
}

// Measured is the result of a match on 9x9 against the level below.
type Measured struct{ Won, Games int }

// levels are spaced evenly, by matches of neighbours: docs/players.md has the table.
var levels = [Levels - 1]level{
	{1, 4, 0.001, Measured{}},
	{1, 3.05, 0.0015, Measured{48, 60}},
	{1, 2.4, 0.0025, Measured{46, 60}},
	{1, 1.4, 0.005, Measured{52, 60}},
	{3, 0.35, 0.03, Measured{49, 60}},
	{30, 0.25, 0.05, Measured{44, 60}},
	{90, 0.25, 0.05, Measured{45, 60}},
	{220, 0.15, 0.1, Measured{31, 40}},
	{500, 0, 1, Measured{97, 140}},
}

// full is the match of the highest level, with 1,400 evaluations.
var full = Measured{24, 27}

// Strength says how much a level looks at before it moves, in evaluations of the network or
// in playouts where there is no network, and how it did in a match. The highest level has
// no such limits.
func Strength(n int) (evaluations, playouts int, m Measured) {
	if n == Levels {
		return 0, 0, full
	}
	l := levels[n-1]
	return l.evaluations, l.evaluations * playoutsPerEvaluation, l.Measured
}

// ease is the level of a budget, or nil for full strength.
func (b Budget) ease() *level {
	if b.Level == 0 || b.Level == Levels {
		return nil
	}
	return &levels[b.Level-1]
}

// limit reduces a budget to that of a level; an evaluation costs playouts playouts.
func (l *level) limit(b *Budget, playouts int) {
	if l == nil {
		return
	}
	if most := l.evaluations * playouts; b.Playouts <= 0 || b.Playouts > most {
		b.Playouts = most
	}
}

// draw replaces the best move by one drawn at random. The chance of a move depends on
// its share. A move known to win is played, and a move known to lose is not.
func (l *level) draw(ch *game.Choice, share func(game.MoveStats) float64, r random) {
	best := ch.Moves[0]
	if l == nil || l.warmth == 0 || best.Known == game.Won {
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
