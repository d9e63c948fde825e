package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/engine/value"
	"tengen/internal/text"
)

// sum reads the position as a formula.
func (s *start) sum() (value.Sum, error) {
	sum, err := value.Parse(s.position)
	if err != nil {
		return nil, fmt.Errorf("--position, %w", err)
	}
	return sum, nil
}

func (s *solveNoGo) runSum(ctx context.Context, sum value.Sum, limited bool, args []string) error {
	request, err := s.sumRequest(sum, limited, args)
	if err != nil {
		return err
	}
	status := s.watch(&request.Started)
	request.Progress = status.sum
	result, err := value.Solve(ctx, request)
	status.clear()
	s.warnings(result.Warnings)
	return s.answer(err, len(result.Moves) > 0, newSumJSON(result, err), func() { s.printSum(result, err == nil) })
}

func (s *solveNoGo) sumRequest(sum value.Sum, limited bool, args []string) (value.SolveRequest, error) {
	if len(args) > 0 {
		return value.SolveRequest{}, fmt.Errorf("--position is a sum, which has no size: remove %q", args[0])
	}
	moves, err := sum.ParseMoves(s.moves)
	if err != nil {
		return value.SolveRequest{}, fmt.Errorf("--moves: %w", err)
	}
	for _, no := range []struct {
		flag  string
		given bool
	}{
		{"--within", limited},
		{"--for", s.attacker.given},
		{"--why", s.why.move != ""},
		{"--picture", s.picture.path != ""},
		{"--sgf", s.start.record != ""},
		{"--certificate", s.certificate != ""},
		{"--checkpoint", s.checkpoint != ""},
		{"--disk", s.disk != ""},
		{"--method sbh", solve.Method(s.method) == solve.SBH},
	} {
		if no.given {
			return value.SolveRequest{}, fmt.Errorf("%s is for positions on one board: remove it for a sum", no.flag)
		}
	}
	return value.SolveRequest{
		Sum: sum, ToPlay: s.toPlay.Colour, Moves: moves, EachMove: s.eachMove,
		Without: withoutBook(s.without), Limits: s.limits.job(), Strips: s.strips, Profile: s.profile,
	}, nil
}

func (s *solveNoGo) printSum(r value.SolveResult, whole bool) {
	s.printf("%s\n\n", r.Sum)
	if whole {
		s.printf("%s to play: %s wins\n\n", title(r.ToPlay), r.Winner)
	}
	table := newFacts(s.out)
	row := table.row
	row("winning moves", strings.Join(sumMovesWonBy(r, r.ToPlay), " "))
	row("losing moves", strings.Join(sumMovesWonBy(r, r.ToPlay.Opponent()), " "))
	row("line", strings.Join(r.Sum.Names(r.Line), " "))
	switch r.By {
	case value.ByForms:
		row("forms", text.Thousands(r.Nodes))
	case value.ByCancelling:
		row("found by", allCancel)
	default:
		row("positions", text.Thousands(r.Nodes))
	}
	row("time", r.Elapsed.Round(time.Millisecond).String())
	row("method", sumMethod(r.By))
	if r.Memory > 0 {
		row("table", text.Bytes(r.Memory))
	}
	table.Flush()
	s.printProfile(r.Profile)
}

func sumMovesWonBy(r value.SolveResult, c board.Colour) []string {
	var moves []string
	for _, m := range r.Moves {
		if m.Winner.Is(c) {
			moves = append(moves, r.Sum.Name(m.Move))
		}
	}
	return moves
}

// allCancel is the reason for the result of a sum that needs no search.
const allCancel = "cancelling: for each board there is its inverse, so every move can be answered in the other"

// sumMethod is how a sum was decided: by the method of boards, by canonical forms, or by
// cancelling.
func sumMethod(by value.Method) string {
	if by == value.ByForms || by == value.ByCancelling {
		return string(by)
	}
	return string(solve.Sums)
}

func newSumJSON(r value.SolveResult, err error) solveJSON {
	object := solveJSON{
		Game:       "nogo",
		Size:       sumSizes(r.Sum),
		Position:   r.Sum.String(),
		ToPlay:     r.ToPlay.String(),
		PV:         r.Sum.Names(r.Line),
		Nodes:      r.Nodes,
		Seconds:    r.Elapsed.Seconds(),
		Method:     sumMethod(r.By),
		Memory:     r.Memory,
		ErrorBound: r.ErrorBound,
		Profile:    newProfileJSON(r.Profile),
	}
	if r.Winner != board.NoWinner {
		object.Winner = r.Winner.String()
	}
	if r.Moves != nil {
		object.Moves = []moveJSON{}
	}
	for _, m := range r.Moves {
		object.Moves = append(object.Moves, moveJSON{r.Sum.Name(m.Move), m.Winner.String()})
	}
	if err != nil {
		object.Stopped = err.Error()
	}
	return object
}

// sumSizes is "1x3 + 1x4" for a strip of three points and one of four. Other games have no
// size.
func sumSizes(sum value.Sum) string {
	var sizes []string
	for _, p := range sum.Positions() {
		sizes = append(sizes, p.Size.String())
	}
	return strings.Join(sizes, " + ")
}
