package report

import (
	"context"
	"errors"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/nogo"
)

// contestant is a player and what it may spend on a move.
type contestant struct {
	kind   play.Kind
	budget play.Budget
}

// gamePlayed is a game of NoGo and the time of every move.
type gamePlayed struct {
	winner board.Colour
	moves  []board.Point
	times  []time.Duration
}

// playGame plays a game from a position after moves; contestants are Black and White.
func (s *session) playGame(ctx context.Context, size board.Size, begin []board.Point, contestants [2]contestant, seed uint64) (gamePlayed, error) {
	var movers [2]play.Mover
	for i, x := range contestants {
		m, err := play.New(ctx, play.Options{Kind: x.kind, Size: size, Seed: seed, Limits: job.Limits{Threads: 1, Memory: 64 << 20}})
		if err != nil {
			return gamePlayed{}, err
		}
		defer m.Close()
		movers[i] = m
	}
	p, toPlay, err := nogo.NewPosition(size).PlayAll(board.Black, begin)
	if err != nil {
		return gamePlayed{}, err
	}
	g := gamePlayed{moves: begin}
	for {
		at := time.Now()
		choice, err := movers[toPlay].Move(ctx, p, toPlay, contestants[toPlay].budget)
		switch {
		case errors.Is(err, play.ErrNoMove):
			g.winner = toPlay.Opponent()
			return g, nil
		case ctx.Err() != nil:
			return g, stoppedAt(ctx, "a game")
		case err != nil:
			return g, err
		}
		g.times = append(g.times, time.Since(at))
		if p, err = p.Play(toPlay, choice.Move); err != nil {
			return g, err
		}
		g.moves = append(g.moves, choice.Move)
		toPlay = toPlay.Opponent()
	}
}
