package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"tengen/board"
	"tengen/game"
	"tengen/internal/player"
	"tengen/nogo"
)

var size = board.Size{Rows: 9, Cols: 9}

// example is a position of a game, who was to move, and how well Black did from there.
type example struct {
	player.Seen
	toPlay board.Colour
	black  float64 // Black's chance: a mix of the later search results and the result of the game
	won    bool    // by Black
}

// sign is 1 or -1: the factor from the side to move to Black.
func (e *example) sign() float64 {
	if e.toPlay == board.Black {
		return 1
	}
	return -1
}

// A game begins with up to randomMoves random moves, and later one move in strayMoves
// is random. So games differ and contain mistakes.
const (
	randomMoves = 6
	strayMoves  = 25
)

// playAll plays games on all processors. If the context ends, it returns the finished
// games. The games and their order do not depend on the number of processors.
func playAll(ctx context.Context, games, playouts int) ([][]example, error) {
	played := make([][]example, games)
	errs := make([]error, games)
	var next, done atomic.Int64
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for number := next.Add(1) - 1; number < int64(games) && ctx.Err() == nil; number = next.Add(1) - 1 {
				g, err := play(ctx, uint64(number), playouts)
				if ctx.Err() == nil {
					played[number], errs[number] = g, err
				}
				if n := done.Add(1); n%500 == 0 {
					fmt.Printf("%d of %d games\n", n, games)
				}
			}
		})
	}
	wait.Wait()
	played = slices.DeleteFunc(played, func(g []example) bool { return g == nil })
	return played, errors.Join(errs...)
}

// play plays one game.
func play(ctx context.Context, number uint64, playouts int) ([]example, error) {
	dice := rand.New(rand.NewPCG(number, 9))
	m, err := player.NewMCTS(size, player.TreeOptions{Seed: number, Threads: 1, Memory: 64 << 20, Without: []string{"appraisal", "haste", "transpositions", "spending"}})
	if err != nil {
		return nil, err
	}
	defer m.Close()
	q := nogo.NewPosition(size)
	toPlay := board.Black
	var examples []example
	var said []float64 // search result of every position, for Black; 0 where none was made
	known := game.Unknown
	for byLot := dice.IntN(randomMoves + 1); ; {
		moves := q.Legal(toPlay)
		if moves.IsEmpty() {
			known = game.Lost
			break
		}
		examples = append(examples, example{Seen: player.See(q), toPlay: toPlay})
		share, move := 0.0, board.Point(0)
		if len(examples) <= byLot || dice.IntN(strayMoves) == 0 {
			move = slices.Collect(moves.Points())[dice.IntN(moves.Len())]
		} else {
			choice, err := m.Move(ctx, q, toPlay, player.Budget{Playouts: playouts})
			if err != nil {
				return nil, err
			}
			if known = choice.Known; known != game.Unknown {
				said = append(said, 0)
				break
			}
			move, share = choice.Move, forBlack(chance(choice.WinShare), toPlay)
		}
		said = append(said, share)
		if q, err = q.Play(toPlay, move); err != nil {
			return nil, err
		}
		toPlay = toPlay.Opponent()
	}
	label(examples, said, (known == game.Won) == (toPlay == board.Black))
	return examples, nil
}

func forBlack(share float64, c board.Colour) float64 {
	if c == board.Black {
		return share
	}
	return 1 - share
}

// chance estimates the chance of a side that wins some share of the playouts. The
// better side of a position wins a larger share of games than of playouts.
func chance(share float64) float64 { return 1 / (1 + math.Exp(-7*(share-0.5))) }

// label gives the positions of a game their targets, from the end on. The target of a
// position is the target of the next one, moved a little towards the search result.
func label(game []example, said []float64, blackWon bool) {
	const trust = 0.1 // in the search result
	target := 0.0
	if blackWon {
		target = 1
	}
	for i := len(game) - 1; i >= 0; i-- {
		if said[i] != 0 {
			target += trust * (said[i] - target)
		}
		game[i].black, game[i].won = target, blackWon
	}
}
