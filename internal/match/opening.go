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
// comment.
func ReadOpenings(r io.Reader, rules Rules, size board.Size) ([][]board.Point, error) {
	var set [][]board.Point
	scanner := bufio.NewScanner(r)
	for number := 1; scanner.Scan(); number++ {
		line, _, _ := strings.Cut(scanner.Text(), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		moves, err := size.ParsePoints(line)
		if err == nil {
			err = playable(rules, size, moves)
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
func playable(rules Rules, size board.Size, moves []board.Point) error {
	at := rules.begin(size)
	for i, q := range moves {
		if err := at.play(q); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		if _, over := at.over(); over {
			return fmt.Errorf("the game is over after move %d", i+1)
		}
	}
	return nil
}

// check finds out before the match whether there are openings at all.
func (o Openings) check(rules Rules, size board.Size) error {
	_, err := o.at(rules, size, 0)
	return err
}

// tries bounds the search for a random opening that does not end the game.
const tries = 300

// at is the opening of a pair of games. It depends on nothing but the pair, so that a
// match that is resumed goes on as it would have.
func (o Openings) at(rules Rules, size board.Size, pair int) ([]board.Point, error) {
	if len(o.Set) > 0 {
		return o.Set[pair%len(o.Set)], nil
	}
	rng := rand.New(rand.NewPCG(o.Seed, uint64(pair)))
	for range tries {
		if moves, ok := randomMoves(rng, rules, size, o.Random); ok {
			return moves, nil
		}
	}
	if o.Random == 0 {
		return nil, fmt.Errorf("on %s there is nothing to play", size)
	}
	return nil, fmt.Errorf("no opening of %d random moves was found on %s that leaves a move to play: take fewer", o.Random, size)
}

// randomMoves puts stones alone, and fails where that ends the game.
func randomMoves(rng *rand.Rand, rules Rules, size board.Size, n int) ([]board.Point, bool) {
	at := rules.begin(size)
	moves := []board.Point{}
	for {
		legal := slices.Collect(at.legal().Points())
		if _, over := at.over(); over || len(legal) == 0 && len(moves) < n {
			return nil, false
		}
		if len(moves) == n {
			return moves, true
		}
		move := legal[rng.IntN(len(legal))]
		if err := at.play(move); err != nil {
			return nil, false
		}
		moves = append(moves, move)
	}
}
