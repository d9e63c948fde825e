package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tengen/board"
	"tengen/engine"
	"tengen/internal/text"
	"tengen/nogo"
)

// A point of a sum is a column letter and the number of the strip, the first
// being 1: the strips are named like the rows of a board.

// sumSize is the board whose names the points of the rows have.
func sumSize(rows []nogo.Position) board.Size {
	size := board.Size{Rows: len(rows)}
	for _, row := range rows {
		size.Cols = max(size.Cols, row.Size.Cols)
	}
	return size
}

func sumNames(moves []engine.SumMove) []string {
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = m.String()
	}
	return list
}

// isSum reports whether the position is a sum of strips.
func (s *start) isSum() bool { return strings.Contains(s.position, "+") }

// sum reads the strips and the moves.
func (s *start) sum(args []string) (rows []nogo.Position, moves []engine.SumMove, err error) {
	if len(args) > 0 {
		return nil, nil, fmt.Errorf("--position is a sum of strips, which has no size: leave out %q", args[0])
	}
	if rows, err = engine.ParseRows(s.position); err != nil {
		return nil, nil, fmt.Errorf("--position, %w", err)
	}
	size := sumSize(rows)
	points, err := size.ParsePoints(s.moves)
	if err != nil {
		return nil, nil, fmt.Errorf("--moves: %w", err)
	}
	for _, p := range points {
		moves = append(moves, engine.SumMove{Row: size.Row(p), Point: board.Point(size.Col(p))})
	}
	return rows, moves, nil
}

func (s *solveNoGo) runSum(ctx context.Context, limited bool, args []string) error {
	request, err := s.sumRequest(limited, args)
	if err != nil {
		return err
	}
	status := s.watch(&request.Started, &request.Progress)
	result, err := engine.SolveSum(ctx, request)
	status.clear()
	s.warn(result.Warnings)
	return s.answer(err, len(result.Moves) > 0, newSumJSON(result, err), func() { s.printSum(result, err == nil) })
}

func (s *solveNoGo) sumRequest(limited bool, args []string) (engine.SumRequest, error) {
	rows, moves, err := s.start.sum(args)
	if err != nil {
		return engine.SumRequest{}, err
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
		{"--certificate", s.certificate != ""},
		{"--checkpoint", s.checkpoint != ""},
		{"--disk", s.disk != ""},
		{"--method sbh", engine.Method(s.method) == engine.SBH},
	} {
		if no.given {
			return engine.SumRequest{}, fmt.Errorf("%s is for positions on one board: leave it out for a sum of strips", no.flag)
		}
	}
	return engine.SumRequest{
		Rows: rows, ToPlay: s.toPlay.Colour, Moves: moves, EachMove: s.eachMove,
		Without: s.without, Limits: engine.Limits{Memory: int64(s.memory), Threads: s.threads}, Strips: s.strips, Profile: s.profile,
	}, nil
}

func (s *solveNoGo) printSum(r engine.SumResult, whole bool) {
	s.printf("%s\n\n", formatSum(r.Rows))
	if whole {
		s.printf("%s to play: %s wins\n\n", title(r.ToPlay), r.Winner)
	}
	table := newFacts(s.out)
	row := table.row
	var won, lost []engine.SumMove
	for _, m := range r.Moves {
		if m.Winner == r.ToPlay {
			won = append(won, m.SumMove)
		} else {
			lost = append(lost, m.SumMove)
		}
	}
	row("winning moves", strings.Join(sumNames(won), " "))
	row("losing moves", strings.Join(sumNames(lost), " "))
	row("line", strings.Join(sumNames(r.Line), " "))
	row("positions", text.Thousands(r.Nodes))
	row("time", r.Elapsed.Round(time.Millisecond).String())
	row("method", string(engine.Sums))
	row("table", text.Bytes(r.Memory))
	table.Flush()
	s.printProfile(r.Profile)
}

func formatSum(rows []nogo.Position) string {
	texts := make([]string, len(rows))
	for i, row := range rows {
		texts[i] = row.String()
	}
	return strings.Join(texts, " + ")
}

func newSumJSON(r engine.SumResult, err error) solveJSON {
	object := solveJSON{
		Game:       "nogo",
		Size:       sumSizes(r.Rows),
		Position:   formatSum(r.Rows),
		ToPlay:     r.ToPlay.String(),
		PV:         sumNames(r.Line),
		Nodes:      r.Nodes,
		Seconds:    r.Elapsed.Seconds(),
		Method:     string(engine.Sums),
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
		object.Moves = append(object.Moves, moveJSON{m.String(), m.Winner.String()})
	}
	if err != nil {
		object.Stopped = err.Error()
	}
	return object
}

// sumSizes is "1x3 + 1x4" for a strip of three points and one of four.
func sumSizes(rows []nogo.Position) string {
	sizes := make([]string, len(rows))
	for i, row := range rows {
		sizes[i] = row.Size.String()
	}
	return strings.Join(sizes, " + ")
}
