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
	"tengen/internal/player"
	"tengen/nogo"
)

var size = board.Size{Rows: 9, Cols: 9}

// example is a position of a game, who was to move, and how well Black did from there.
type example struct {
	player.Seen
	toPlay board.Colour
	black  float64 // Black's chance: what the search said from there on, and the result
	won    bool    // by Black
}

// sign is that of what counts for the side to move, seen by Black.
func (e *example) sign() float64 {
	if e.toPlay == board.Black {
		return 1
	}
	return -1
}

// Games begin with up to randomMoves moves drawn by lot, and one move in strayMoves
// later is, so that they differ and mistakes are seen.
const (
	randomMoves = 6
	strayMoves  = 25
)

// playAll plays games on all processors. If the context ends, those that are done come
// back. However many processors there are, they are the same games in the same order.
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

// play is one game.
func play(ctx context.Context, number uint64, playouts int) ([]example, error) {
	dice := rand.New(rand.NewPCG(number, 9))
	m, err := player.NewMCTS(size, player.MCTSOptions{Seed: number, Threads: 1, Memory: 64 << 20, Without: []string{"appraisal", "haste", "transpositions", "spending"}})
	if err != nil {
		return nil, err
	}
	defer m.Close()
	q := nogo.NewPosition(size)
	toPlay := board.Black
	var game []example
	var said []float64 // by the search of every position, for Black; 0 if it was not asked
	known := player.Unknown
	for byLot := dice.IntN(randomMoves + 1); ; {
		moves := q.Legal(toPlay)
		if moves.IsEmpty() {
			known = player.Lost
			break
		}
		game = append(game, example{Seen: player.See(q), toPlay: toPlay})
		share, move := 0.0, board.Point(0)
		if len(game) <= byLot || dice.IntN(strayMoves) == 0 {
			move = slices.Collect(moves.Points())[dice.IntN(moves.Len())]
		} else {
			choice, err := m.Move(ctx, q, toPlay, player.Budget{Playouts: playouts})
			if err != nil {
				return nil, err
			}
			if known = choice.Known; known != player.Unknown {
				said = append(said, 0)
				break
			}
			move, share = choice.Move, forBlack(chance(choice.WinShare), toPlay)
		}
		said = append(said, share)
		if q, err = q.Play(move, toPlay); err != nil {
			return nil, err
		}
		toPlay = toPlay.Opponent()
	}
	label(game, said, (known == player.Won) == (toPlay == board.Black))
	return game, nil
}

func forBlack(share float64, c board.Colour) float64 {
	if c == board.Black {
		return share
	}
	return 1 - share
}

// chance is that of a side that wins some share of the playouts: the better side of
// a position wins more games than playouts.
func chance(share float64) float64 { return 1 / (1 + math.Exp(-7*(share-0.5))) }

// label tells the positions of a game how it went, from the end on: each hears what
// was said of it, a little, and else what the next one has heard.
func label(game []example, said []float64, blackWon bool) {
	const trust = 0.1 // in what was said
	heard := 0.0
	if blackWon {
		heard = 1
	}
	for i := len(game) - 1; i >= 0; i-- {
		if said[i] != 0 {
			heard += trust * (said[i] - heard)
		}
		game[i].black, game[i].won = heard, blackWon
	}
}
