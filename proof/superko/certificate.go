// Package superko holds certificates of scores of Go under superko and a checker that is
// independent of every solver.
//
// Under superko the history decides which moves are legal. An entry of a certificate is
// therefore a conditional claim: one side, the prover, reaches the goal from a position
// after every history in which some boards have not occurred and some others have. The
// entry names a move of the prover, or every move of the opponent, and for each the entry
// that follows. The boards are not stored: they follow from the moves. The last entry is
// the position of the certificate, and its conditions must agree with the game that led there.
//
// The package writes and reads certificates, and checks them with the rules of Go alone. It
// searches nothing.
package superko

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"tengen/board"
	"tengen/weiqi"
)

// MaxPoints is the largest board of a certificate. The checker keeps two words for each
// arrangement of stones on it.
const MaxPoints = 14

// Claim is the statement of a certificate: after the moves, the prover's area will be larger
// than the other side's by at least the goal.
type Claim struct {
	Rules  weiqi.Rules    // positional or situational superko, without suicide
	Start  weiqi.Position // one pass may have led to it
	Moves  []board.Point  // points or weiqi.Pass
	Prover board.Colour
	Goal   int
}

func (c Claim) String() string {
	text := fmt.Sprintf("%s scores at least %d from %s, %s to play", c.Prover, c.Goal, c.Start, c.Start.ToPlay)
	for i, move := range c.Moves {
		if i == 0 {
			text += ", after"
		}
		text += " " + moveName(c.Start.Size, move)
	}
	return text + ", under " + c.Rules.String()
}

// Check refuses claims that no certificate can be about.
func (c Claim) Check() error {
	size := c.Start.Size
	if _, err := board.NewSize(size.Rows, size.Cols); err != nil {
		return err
	}
	switch {
	case size.Points() > MaxPoints || !size.Small():
		return fmt.Errorf("a %s board is too large for a certificate of a score under superko: the limit is %d points", size, MaxPoints)
	case c.Rules.Ko == weiqi.Basic || c.Rules.Suicide:
		return fmt.Errorf("a certificate under superko is for the rules psk and ssk, not for %s", c.Rules)
	case c.Prover > board.White || c.Start.ToPlay > board.White:
		return errors.New("the prover and the side to play must be black or white")
	case c.Goal < -size.Points() || c.Goal > size.Points():
		return fmt.Errorf("a score of %d does not exist on %s", c.Goal, size)
	case c.Start.Ko != board.NoPoint || c.Start.Passes > 1:
		return errors.New("a certificate under superko begins without a ban and after one pass at most")
	case len(c.Moves) > math.MaxUint16:
		return fmt.Errorf("a certificate has room for %d moves of the game, not for %d", math.MaxUint16, len(c.Moves))
	}
	if err := c.Start.Validate(); err != nil {
		return err
	}
	positions, err := c.game()
	if err == nil && positions[len(positions)-1].Over() {
		err = errors.New("the game is over: there is nothing to prove")
	}
	return err
}

// game lists the positions from the start to the one that the claim is about.
func (c Claim) game() ([]weiqi.Position, error) {
	game := weiqi.NewHistory(c.Rules, c.Start)
	positions := []weiqi.Position{c.Start}
	for i, move := range c.Moves {
		if err := game.Push(move); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		positions = append(positions, game.Position())
	}
	return positions, nil
}

// Certificate is a claim and its proof.
type Certificate struct {
	claim   Claim
	coder   *coder
	entries []entry
	after   []uint32 // of all entries: the number of the entry that follows a move, from 1, or 0

	// Of the file that it was read from.
	bytes    int64
	checksum string
	memory   int64 // that is left for the conditions of a check, 0 for no limit
}

// entry is a conditional claim.
type entry struct {
	code uint64
	from uint32 // where its part of after begins
	move uint8  // of the prover: index of the point, or their number for a pass
}

// New begins a certificate without entries.
func New(claim Claim) (*Certificate, error) {
	if err := claim.Check(); err != nil {
		return nil, err
	}
	claim.Moves = slices.Clone(claim.Moves)
	return &Certificate{claim: claim, coder: newCoder(claim)}, nil
}

// Entry is a position of a proof.
type Entry struct {
	Stones board.Stones
	ToPlay board.Colour
	Passed bool // the last move was a pass
	// Moves is one move if the prover is to play, and otherwise lists moves of the opponent.
	// After has for each the number of an earlier entry that follows, from 0. It is −1 where the
	// move ends the game, where the prover then ends it by a second pass, and where a move of
	// the opponent repeats a board of the game before this position. Moves that are missing
	// count as such.
	Moves []board.Point
	After []int
}

// Add appends an entry. It panics if a move is not a move on an empty point or a pass, or
// if an entry that follows is not there yet.
func (c *Certificate) Add(e Entry) {
	s := state{[2]uint64{e.Stones[c.claim.Prover][0], e.Stones[c.claim.Prover.Opponent()][0]}, e.ToPlay != c.claim.Prover, e.Passed}
	added := entry{code: c.coder.code(s), from: uint32(len(c.after))}
	c.after = append(c.after, make([]uint32, c.coder.slots(s))...)
	own := c.after[added.from:]
	for i, move := range e.Moves {
		if e.After[i] >= len(c.entries) {
			panic("superko: an entry comes before one that follows it")
		}
		slot := 0
		if !s.opponent {
			added.move = c.coder.index(move)
		} else if move != weiqi.Pass {
			slot = 1 + bits.OnesCount64(c.coder.empty(s)&(1<<move-1))
		}
		own[slot] = uint32(e.After[i] + 1)
	}
	c.entries = append(c.entries, added)
}

// Claim is the statement that the certificate proves.
func (c *Certificate) Claim() Claim { return c.claim }

// Len is the number of entries.
func (c *Certificate) Len() int { return len(c.entries) }
