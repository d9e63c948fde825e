package game

import (
	"fmt"
	"slices"

	"tengen/board"
	"tengen/weiqi"
)

// Game is a game from its first position on. It is for one goroutine at a time, but
// the positions and moves it has handed out never change.
type Game struct {
	Komi     float64 // White's compensation in games that are scored
	MaxMoves int     // number of moves after which a game is a draw; 0 for no limit

	rules     Rules
	positions []Position
	moves     []Move
	seen      map[situation]int // how often each has occurred, under superko
}

// situation is what superko forbids to repeat: a board and, under some rules, the side
// to play.
type situation struct {
	stones board.Stones
	toPlay board.Colour
}

// Move is a stone, or Pass.
type Move struct {
	Colour board.Colour
	Point  board.Point
}

// New begins a game. The position is not checked; Rules.Validate does that.
func New(r Rules, start Position) *Game {
	g := &Game{rules: r, positions: []Position{start}, seen: map[situation]int{}}
	g.see(start, 1)
	if start.Passes > 0 { // the same board occurred with the other side to play too
		start.ToPlay = start.ToPlay.Opponent()
		g.see(start, 1)
	}
	return g
}

// see adds by to the number of times that a position has occurred: 1 or -1.
func (g *Game) see(p Position, by int) {
	if g.rules.Superko() == weiqi.Basic {
		return
	}
	s := g.situation(p)
	if g.seen[s] += by; g.seen[s] == 0 {
		delete(g.seen, s)
	}
}

func (g *Game) situation(p Position) situation {
	s := situation{stones: p.Stones}
	if g.rules.Superko() == weiqi.Situational {
		s.toPlay = p.ToPlay
	}
	return s
}

// Rules are those of the game.
func (g *Game) Rules() Rules { return g.rules }

// Position is the present position.
func (g *Game) Position() Position { return g.positions[len(g.positions)-1] }

// Positions are all positions, from the first to the present one.
func (g *Game) Positions() []Position { return slices.Clip(g.positions) }

// Moves are the moves made, one less than the positions.
func (g *Game) Moves() []Move { return slices.Clip(g.moves) }

// At is the position with c to play. GTP lets either colour move at any time, and
// programs set up positions that way. If the turn changes, the ban of ko is lifted.
// This does not count as a pass.
func (g *Game) At(c board.Colour) Position {
	p := g.Position()
	if p.ToPlay == c {
		return p
	}
	p.ToPlay, p.Ko = c, board.NoPoint
	if !p.Over() {
		p.Passes = 0
	}
	return p
}

// Legal is the set of points where c may put a stone if it is its turn. Two passes do
// not close any point.
func (g *Game) Legal(c board.Colour) board.Set {
	p := resumed(g.At(c))
	legal := g.rules.Legal(p)
	if g.rules.Superko() == weiqi.Basic {
		return legal
	}
	for q := range legal.Points() {
		if _, err := g.next(p, q); err != nil {
			legal.Remove(q)
		}
	}
	return legal
}

// resumed is a position that goes on after two passes.
func resumed(p Position) Position {
	if p.Over() {
		p.Passes = 0
	}
	return p
}

// Check says why the side to play may not make a move, nil if it may.
func (g *Game) Check(move board.Point) error {
	_, err := g.next(g.Position(), move)
	return err
}

// next is the position after a move, by the rules and the history.
func (g *Game) next(p Position, move board.Point) (Position, error) {
	next, err := g.rules.Play(p, move)
	if err == nil && move != Pass && g.seen[g.situation(next)] > 0 {
		err = fmt.Errorf("%s may not play %s: the board would repeat an earlier one", p.ToPlay, p.Size.Name(move))
	}
	return next, err
}

// Play makes a move of the side to play, or says why it may not be made.
func (g *Game) Play(move board.Point) error {
	p := g.Position()
	next, err := g.next(p, move)
	if err != nil {
		return err
	}
	g.push(Move{p.ToPlay, move}, next)
	return nil
}

// PlayAll makes moves in turn and stops at the first that may not be made.
func (g *Game) PlayAll(moves []board.Point) error {
	for i, move := range moves {
		if err := g.Play(move); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return nil
}

// PlayAs makes a move of either colour, in the position that At returns. It also
// continues a game that two passes have ended, as players do who disagree about the
// result: a stone resumes the game, and another pass changes nothing.
func (g *Game) PlayAs(c board.Colour, move board.Point) error {
	p := g.At(c)
	next, err := g.next(resumed(p), move)
	if err != nil {
		return err
	}
	if p.Over() && move == Pass {
		next.Passes = p.Passes
	}
	g.push(Move{c, move}, next)
	return nil
}

func (g *Game) push(m Move, next Position) {
	g.moves = append(g.moves, m)
	g.positions = append(g.positions, next)
	g.see(next, 1)
}

// Undo takes the last move back and reports whether there was one.
func (g *Game) Undo() bool {
	if len(g.moves) == 0 {
		return false
	}
	g.Rewind(len(g.moves) - 1)
	return true
}

// UndoTo goes back to the last decision of c and reports whether there was one.
func (g *Game) UndoTo(c board.Colour) bool {
	for n := len(g.moves) - 1; n >= 0; n-- {
		if g.positions[n].ToPlay == c {
			g.Rewind(n)
			return true
		}
	}
	return false
}

// Rewind goes back to the position after n moves, at most those made. Later moves go to
// a new array, so that slices returned earlier do not change.
func (g *Game) Rewind(n int) {
	for _, p := range g.positions[n+1:] {
		g.see(p, -1)
	}
	g.moves, g.positions = slices.Clip(g.moves[:n]), slices.Clip(g.positions[:n+1])
}

// End returns how the game has ended, if it has. A game ends by the rules, because a
// position repeats with the same side to play, ban and passes, or because it reaches
// MaxMoves. The last two are draws. Moves can still be made where the rules allow
// them.
func (g *Game) End() (Outcome, bool) {
	now, moves := g.Position(), len(g.moves)
	if o, over := g.rules.End(now, g.Komi); over {
		return o, true
	}
	if n := slices.Index(g.positions, now); n < moves {
		return Outcome{How: Loop, Why: fmt.Sprintf("the position after move %d is that after move %d again", moves, n)}, true
	}
	if g.MaxMoves > 0 && moves >= g.MaxMoves {
		return Outcome{How: Limit, Why: fmt.Sprintf("the game was not over after %d moves", moves)}, true
	}
	return Outcome{}, false
}
