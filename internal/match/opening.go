package match

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"tengen/board"
	"tengen/game"
)

// Openings are the first moves of the games. Each is played twice, with the colours
// exchanged.
type Openings struct {
	Set    [][]board.Point // used in turn, instead of random ones
	Random int             // number of random moves
	Seed   uint64
	// Balance, if it is not nil, returns the exact lead of Black in the position after
	// an opening, 1 or -1 in games without points. Then only random openings are used
	// that are even, or openings that Black and White win in turn.
	Balance func(context.Context, *game.Game) (float64, error)
}

// ReadOpenings reads one opening per line: points, beginning with Black's first move. #
// begins a comment. The options set the game and the board.
func ReadOpenings(r io.Reader, o Options) ([][]board.Point, error) {
	var set [][]board.Point
	scanner := bufio.NewScanner(r)
	for number := 1; scanner.Scan(); number++ {
		line, _, _ := strings.Cut(scanner.Text(), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		moves, err := o.Size.ParsePoints(line)
		if err == nil {
			err = o.playable(moves)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		set = append(set, moves)
	}
	if err := scanner.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, errors.New("a line is too long for an opening: put each on a line of its own")
	} else if err != nil {
		return nil, err
	}
	if len(set) == 0 {
		return nil, fmt.Errorf("there is no opening: give points such as E5 C3 on a line")
	}
	return set, nil
}

// playable checks that an opening is legal and does not end the game.
func (o Options) playable(moves []board.Point) error {
	g := o.begin()
	for i, q := range moves {
		if err := g.Play(q); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		if _, over := g.End(); over {
			return fmt.Errorf("the game is over after move %d", i+1)
		}
	}
	return nil
}

// tries bounds the number of random openings that are drawn to find one that does not
// end the game.
const tries = 300

// opening is the opening of a game.
func (m *referee) opening(number int) ([]board.Point, error) {
	round, _ := m.options.place(number)
	if round < len(m.openings) {
		return m.openings[round], nil
	}
	return m.options.opening(round)
}

// balance finds the balanced openings of all rounds before the first game, so that the
// search takes no time from programs on a clock.
func (m *referee) balance(ctx context.Context) error {
	o := m.options
	if o.Openings.Balance == nil || len(m.todo) == 0 {
		return nil
	}
	for round := range (o.Games + 1) / 2 {
		opening, err := o.balanced(ctx, round)
		if err != nil {
			return err
		}
		m.openings = append(m.openings, opening)
	}
	return nil
}

// balanced is the first random opening of a round that is even or won by the right
// side. That side is Black and White in turn.
func (o Options) balanced(ctx context.Context, round int) ([]board.Point, error) {
	rng := o.rng(round)
	for range tries {
		moves, ok := o.randomMoves(rng)
		if !ok {
			continue
		}
		g := o.begin()
		if err := g.PlayAll(moves); err != nil {
			return nil, err
		}
		lead, err := o.Openings.Balance(ctx, g)
		if err != nil {
			return nil, err
		}
		if lead == 0 || math.Abs(lead) <= 1 && (lead > 0) == (round%2 == 0) {
			return moves, nil
		}
	}
	side := board.Black
	if round%2 == 1 {
		side = board.White
	}
	return nil, fmt.Errorf("no opening of %d random moves was found on %s that is even or won by %s: take another number of moves", o.Openings.Random, o.Size, side)
}

// rng depends only on the seed and the round, so that a resumed match has the same
// openings.
func (o Options) rng(round int) *rand.Rand {
	return rand.New(rand.NewPCG(o.Openings.Seed, uint64(round)))
}

// opening is the opening of a round without balance.
func (o Options) opening(round int) ([]board.Point, error) {
	given := o.Openings
	if len(given.Set) > 0 {
		return given.Set[round%len(given.Set)], nil
	}
	rng := o.rng(round)
	for range tries {
		if moves, ok := o.randomMoves(rng); ok {
			return moves, nil
		}
	}
	if given.Random == 0 {
		return nil, fmt.Errorf("on %s there is nothing to play", o.Size)
	}
	return nil, fmt.Errorf("no opening of %d random moves was found on %s that leaves a move to play: take fewer", given.Random, o.Size)
}

// randomMoves draws random stones, no passes. It is false if they end the game.
func (o Options) randomMoves(rng *rand.Rand) ([]board.Point, bool) {
	g, n := o.begin(), o.Openings.Random
	moves := []board.Point{}
	for {
		legal := slices.Collect(g.Legal(g.Position().ToPlay).Points())
		if _, over := g.End(); over || len(legal) == 0 && len(moves) < n {
			return nil, false
		}
		if len(moves) == n {
			return moves, true
		}
		move := legal[rng.IntN(len(legal))]
		if err := g.Play(move); err != nil {
			return nil, false
		}
		moves = append(moves, move)
	}
}
