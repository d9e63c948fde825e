package match

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"tengen/board"
)

// Openings are the first moves of the games. Each is played twice, by both sides.
type Openings struct {
	Set    [][]board.Point // in turn; takes precedence
	Random int             // so many random moves
	Seed   uint64
}

// ReadOpenings reads one opening a line, points from Black's first move on. # begins a
// comment. The options say what is played.
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

// playable wants an opening that is legal and leaves a game to play.
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

// tries bounds the search for a random opening that does not end the game.
const tries = 300

// opening is that of a pair of games. It depends on nothing but the pair, so that a
// match that is resumed goes on as it would have.
func (o Options) opening(pair int) ([]board.Point, error) {
	given := o.Openings
	if len(given.Set) > 0 {
		return given.Set[pair%len(given.Set)], nil
	}
	rng := rand.New(rand.NewPCG(given.Seed, uint64(pair)))
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

// randomMoves puts stones alone, and fails where that ends the game.
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
