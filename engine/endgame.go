package engine

import (
	"context"
	"errors"
	"fmt"

	"tengen/board"
	"tengen/internal/player"
	"tengen/internal/solver"
)

// Endgame is the method for boards that no other takes: a search of what is left of
// them, once that is little. It is not among those to choose from.
const Endgame Method = "endgame"

// endgamePoints is how many playable points of a large board are solved within seconds,
// about. More may take hours.
const endgamePoints = 24

// TooMuchLeft is the error of a position of NoGo that is too far from its end to be
// solved, where estimates were not asked for.
type TooMuchLeft struct {
	Size board.Size
	Open int // points that can be played on
}

func (e *TooMuchLeft) Error() string {
	return fmt.Sprintf("%v: %d points of %s can be played on, and up to about %d are solved within a minute", player.ErrTooMuchLeft, e.Open, e.Size, endgamePoints)
}

// checkEndgame refuses what the search of endgames cannot do.
func (request Request) checkEndgame() error {
	size := request.Position.Size
	switch {
	case request.Within != nil:
		return fmt.Errorf("a %s board is too large for a limit on the number of moves", size)
	case len(request.Without) > 0:
		return fmt.Errorf("a %s board is solved by the search of endgames, which has no part %q to go without", size, request.Without[0])
	case request.proves() && !size.Small():
		return fmt.Errorf("a %s board is too large for a certificate: rows times (columns + 1) may be at most 64", size)
	}
	return nil
}

// endgameSolver solves what is left of a large board.
type endgameSolver struct{ *player.Decider }

var _ solver.Solver = endgameSolver{}

func openEndgame(memory int64) (solver.Solver, error) {
	d, err := player.NewDecider(min(memory, endgameMemory))
	if err != nil {
		return nil, err
	}
	return endgameSolver{d}, nil
}

// endgameMemory is plenty for what can be finished.
const endgameMemory = 256 << 20

func (s endgameSolver) Solve(ctx context.Context, q solver.Query) (solver.Answer, error) {
	known, move, err := s.Decide(ctx, q.Position, q.ToPlay)
	if errors.Is(err, player.ErrTooMuchLeft) {
		err = &TooMuchLeft{q.Position.Size, playable(q.Position)}
	}
	return solver.Answer{Winner: winner(known == player.Won, q.ToPlay), Move: move}, err
}

func (s endgameSolver) Close() error {
	s.Decider.Close()
	return nil
}
