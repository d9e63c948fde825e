package match

import (
	"fmt"

	"tengen/board"
	"tengen/nogo"
	"tengen/weiqi"
)

// Game names what is played.
type Game string

// The games.
const (
	NoGo Game = "nogo"
	Go   Game = "go"
)

// Rules are those a match is played by. The zero value is NoGo; the rest is for Go.
type Rules struct {
	Game     Game // "" for NoGo
	Go       weiqi.Rules
	Komi     float64
	MaxMoves int // makes a game a draw; 0 for no limit
}

func (r Rules) isGo() bool { return r.Game == Go }

// label is what a game record calls the rules.
func (r Rules) label() string {
	if r.isGo() {
		return r.Go.String()
	}
	return "NoGo"
}

// place is a board that knows the rules and how a game on it stands.
type place interface {
	toPlay() board.Colour
	legal() board.Set          // points, without the pass
	check(q board.Point) error // says why a move may not be made
	play(q board.Point) error  // makes it
	over() (verdict, bool)     // reports whether the game has ended by the rules
}

// verdict is how a game ended by the rules.
type verdict struct {
	winner board.Colour // Empty for a draw
	how    How
	lead   float64 // of Black, by score
	reason string  // for a draw
}

// begin sets up an empty board.
func (r Rules) begin(size board.Size) place {
	if r.isGo() {
		start := weiqi.NewPosition(size)
		return &goPlace{rules: r, history: weiqi.NewHistory(r.Go, start), seen: map[weiqi.Position]int{start: 0}}
	}
	b := &nogoPlace{position: nogo.NewPosition(size)}
	b.open = b.position.Legal(b.turn)
	return b
}

// nogoPlace is a board of NoGo. Who cannot move has lost.
type nogoPlace struct {
	position nogo.Position
	turn     board.Colour
	open     board.Set // to the side to play
}

func (b *nogoPlace) toPlay() board.Colour { return b.turn }

func (b *nogoPlace) legal() board.Set { return b.open }

func (b *nogoPlace) check(q board.Point) error {
	if q == weiqi.Pass {
		return fmt.Errorf("%s passes, which NoGo does not allow", b.turn)
	}
	if b.open.Has(q) {
		return nil
	}
	_, err := b.position.Play(q, b.turn)
	return err
}

func (b *nogoPlace) play(q board.Point) error {
	if err := b.check(q); err != nil {
		return err
	}
	b.position.Stones[b.turn].Add(q)
	b.turn = b.turn.Opponent()
	b.open = b.position.Legal(b.turn)
	return nil
}

func (b *nogoPlace) over() (verdict, bool) {
	if !b.open.IsEmpty() {
		return verdict{}, false
	}
	return verdict{winner: b.turn.Opponent(), how: NoMove}, true
}

// goPlace is a board of Go with all that happened on it. Under basic ko a position
// that comes again, with the same side to play, ban and passes, makes the game endless.
type goPlace struct {
	rules   Rules
	history *weiqi.History
	seen    map[weiqi.Position]int // after how many moves
	again   int                    // the present position is that after so many moves, plus 1
}

func (b *goPlace) toPlay() board.Colour { return b.history.Position().ToPlay }

func (b *goPlace) legal() board.Set { return b.history.Legal() }

func (b *goPlace) check(q board.Point) error {
	err := b.history.Push(q)
	if err == nil {
		b.history.Pop()
	}
	return err
}

func (b *goPlace) play(q board.Point) error {
	if err := b.history.Push(q); err != nil {
		return err
	}
	p := b.history.Position()
	if first, ok := b.seen[p]; ok {
		b.again = first + 1
	} else {
		b.seen[p] = len(b.history.Moves())
	}
	return nil
}

func (b *goPlace) over() (verdict, bool) {
	p, moves := b.history.Position(), len(b.history.Moves())
	switch {
	case p.Over():
		return b.score(p), true
	case b.again > 0:
		return verdict{winner: board.Empty, how: Loop, reason: fmt.Sprintf("the position after move %d is that after move %d again, and an endless game is a draw", moves, b.again-1)}, true
	case b.rules.MaxMoves > 0 && moves >= b.rules.MaxMoves:
		return verdict{winner: board.Empty, how: Limit, reason: fmt.Sprintf("the game was not over after %d moves", moves)}, true
	}
	return verdict{}, false
}

func (b *goPlace) score(p weiqi.Position) verdict {
	v := verdict{winner: board.Empty, how: Score, lead: float64(p.Score()) - b.rules.Komi, reason: "both sides have the same score"}
	switch {
	case v.lead > 0:
		v.winner = board.Black
	case v.lead < 0:
		v.winner = board.White
	}
	return v
}
