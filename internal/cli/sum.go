package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tengen/board"
	"tengen/engine"
	"tengen/internal/text"
)

// sum reads the position as a formula.
func (s *start) sum() (engine.Sum, error) {
	sum, err := engine.ParseSum(s.position)
	if err != nil {
		return nil, fmt.Errorf("--position, %w", err)
	}
	return sum, nil
}

func (s *solveNoGo) runSum(ctx context.Context, sum engine.Sum, limited bool, args []string) error {
	request, err := s.sumRequest(sum, limited, args)
	if err != nil {
		return err
	}
	status := s.watch(&request.Started, &request.Progress)
	result, err := engine.SolveSum(ctx, request)
	status.clear()
	s.warn(result.Warnings)
	return s.answer(err, len(result.Moves) > 0, newSumJSON(result, err), func() { s.printSum(result, err == nil) })
}

func (s *solveNoGo) sumRequest(sum engine.Sum, limited bool, args []string) (engine.SumRequest, error) {
	if len(args) > 0 {
		return engine.SumRequest{}, fmt.Errorf("--position is a sum, which has no size: leave out %q", args[0])
	}
	moves, err := sum.ParseMoves(s.moves)
	if err != nil {
		return engine.SumRequest{}, fmt.Errorf("--moves: %w", err)
	}
	if err := s.checkEffort(); err != nil {
		return engine.SumRequest{}, err
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
		{"--method sbh", engine.Method(s.method) == engine.SBH},
	} {
		if no.given {
			return engine.SumRequest{}, fmt.Errorf("%s is for positions on one board: leave it out for a sum", no.flag)
		}
	}
	return engine.SumRequest{
		Sum: sum, ToPlay: s.toPlay.Colour, Moves: moves, EachMove: s.eachMove,
		Without: s.without, Limits: engine.Limits{Memory: int64(s.memory), Threads: s.threads}, Strips: s.strips, Profile: s.profile,
	}, nil
}

func (s *solveNoGo) printSum(r engine.SumResult, whole bool) {
	s.printf("%s\n\n", r.Sum)
	if whole {
		s.printf("%s to play: %s wins\n\n", title(r.ToPlay), r.Winner)
	}
	table := newFacts(s.out)
	row := table.row
	row("winning moves", strings.Join(sumMovesWonBy(r, r.ToPlay), " "))
	row("losing moves", strings.Join(sumMovesWonBy(r, r.ToPlay.Opponent()), " "))
	row("line", strings.Join(r.Sum.Names(r.Line), " "))
	if r.By == engine.ByForms {
		row("forms", text.Thousands(r.Nodes))
	} else {
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

func sumMovesWonBy(r engine.SumResult, c board.Colour) []string {
	var moves []string
	for _, m := range r.Moves {
		if m.Winner == c {
			moves = append(moves, r.Sum.Name(m.SumMove))
		}
	}
	return moves
}

// sumMethod is what a sum was decided by: the method of boards, or canonical forms.
func sumMethod(by engine.SumMethod) string {
	if by == engine.ByForms {
		return string(by)
	}
	return string(engine.Sums)
}

func newSumJSON(r engine.SumResult, err error) solveJSON {
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
	if r.Winner != board.Empty {
		object.Winner = r.Winner.String()
	}
	if r.Moves != nil {
		object.Moves = []moveJSON{}
	}
	for _, m := range r.Moves {
		object.Moves = append(object.Moves, moveJSON{r.Sum.Name(m.SumMove), m.Winner.String()})
	}
	if err != nil {
		object.Stopped = err.Error()
	}
	return object
}

// sumSizes is "1x3 + 1x4" for a strip of three points and one of four. Games that are no
// boards have no size.
func sumSizes(sum engine.Sum) string {
	var sizes []string
	for _, p := range sum.Positions() {
		sizes = append(sizes, p.Size.String())
	}
	return strings.Join(sizes, " + ")
}
