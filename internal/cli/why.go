package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/text"
	"tengen/proof"
	"tengen/weiqi"
)

// whyFlags ask why a move loses.
type whyFlags struct {
	move  string
	depth int
}

func (w *whyFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.move, "why", "", "show why this move loses, such as A1: the shortest refutation and the answers around it")
	countFlag(cmd, &w.depth, "depth", 1, 0, "moves", "with --why: moves of the loser to follow after the refutation")
}

// read returns the question, nil if there is none.
func (w *whyFlags) read(cmd *cobra.Command, size board.Size) (*solve.Why, error) {
	switch {
	case w.move == "" && cmd.Flags().Changed("depth"):
		return nil, errors.New("--depth is for --why: give both or neither")
	case !cmd.Flags().Changed("why"):
		return nil, nil
	}
	move, err := size.ParsePoint(w.move)
	if err != nil {
		return nil, fmt.Errorf("--why: %w", err)
	}
	return &solve.Why{Move: move, Rounds: w.depth}, nil
}

// printWhy shows why a move loses: the line, and the answers around it.
func (s *solveNoGo) printWhy(r solve.Result) {
	why := r.Why
	if why == nil {
		return
	}
	size := r.Position.Size
	name := size.Name(why.Move)
	switch {
	case why.Winner.Is(r.ToPlay):
		s.printf("\n%s wins. A line from there:\n%s\n", name, spellLine(r, why.Line))
		return
	case why.Shortest:
		s.printf("\n%s loses. The shortest refutation takes %s:\n%s\n", name, text.Plural(why.Length, "further move"), spellLine(r, why.Line))
	default:
		s.printf("\n%s loses. A refutation:\n%s\n", name, spellLine(r, why.Line))
	}
	reply := why.Tree.Children[0]
	s.printf("\n%s answers %s", title(why.Winner.Colour()), reply.Name())
	if reply.Over() {
		s.printf(", and %s has no move\n", r.ToPlay)
		return
	}
	if len(reply.Children) == 0 {
		s.printf("\n")
		return
	}
	s.printf(", and then\n\n")
	table := newFacts(s.out)
	head := []string{r.ToPlay.String(), why.Winner.String()}
	if why.Shortest {
		head = append(head, "moves left")
	}
	fmt.Fprintln(table, strings.Join(head, "\t"))
	whyRows(table, reply, "")
	table.Flush()
}

func whyRows(table facts, at *proof.Node, indent string) {
	for _, move := range at.Children {
		answer := move.Children[0]
		var notes []string
		if move.Left > 0 {
			notes = append(notes, strconv.Itoa(move.Left))
		}
		if move.Like != board.NoPoint {
			notes = append(notes, "as after "+move.LikeName())
		}
		row := []string{indent + move.Name(), answer.Name()}
		if len(notes) > 0 {
			row = append(row, strings.Join(notes, ", "))
		}
		fmt.Fprintln(table, strings.Join(row, "\t"))
		whyRows(table, answer, indent+"  ")
	}
}

// goWhy is the cost of a move of Go, and the line that proves it.
type goWhy struct {
	move          board.Point
	before, after int // scores
	toPlay        board.Colour
	line          []board.Point
	round         bool // the line is endless
}

// cost is the number of points that the move loses.
func (w goWhy) cost() int {
	if w.toPlay == board.White {
		return w.after - w.before
	}
	return w.before - w.after
}

// goWhy solves the position after a move, and compares. In the line the loser resists as
// long as it can. Nobody resists a draw.
func (s *solveGo) goWhy(ctx context.Context, request solve.GoRequest, r solve.GoResult, move board.Point) (*goWhy, error) {
	if score, line, round, known := r.Refutation(move); known {
		return &goWhy{move, r.Score, score, r.Position.ToPlay, line, round}, nil
	}
	request.Moves = append(slices.Clone(request.Moves), move)
	request.EachMove, request.Started, request.Checkpoint = false, nil, ""
	request.Stubborn = !request.BySearch() && slices.ContainsFunc(r.Moves, func(m table.Move) bool { return m.Move == move && m.Score != 0 })
	after, err := solve.Go(ctx, request)
	if err != nil {
		return nil, err
	}
	return &goWhy{move, r.Score, after.Score, r.Position.ToPlay, append([]board.Point{move}, after.Line...), after.Round}, nil
}

func (s *solveGo) printWhy(p weiqi.Position, w *goWhy) {
	if w == nil {
		return
	}
	size := p.Size
	name, verdict := game.MoveName(size, w.move), text.Verdict(w.after)
	if cost := w.cost(); cost == 0 {
		s.printf("\n%s keeps the score, %s:\n", name, verdict)
	} else {
		s.printf("\n%s costs %s. Then %s:\n", name, text.Plural(cost, "point"), verdict)
	}
	s.printf("%s", spell(size, w.line[:min(len(w.line), lineMoves)]))
	switch {
	case len(w.line) > lineMoves:
		s.printf(" … %d moves in all; --json has them", len(w.line))
	case w.round:
		s.printf(" and round again")
	case game.Cut(game.Go{}, p, w.line):
		s.printf(" %s", game.Ellipsis)
	}
	s.printf("\n")
}

// goWhyJSON is the cost of a move of Go. Scores are Black minus White.
type goWhyJSON struct {
	Move   string   `json:"move"`
	Before int      `json:"score_before"`
	After  int      `json:"score_after"`
	Cost   int      `json:"cost"`
	Line   []string `json:"line"`
	Round  bool     `json:"round,omitempty"`
}

func newGoWhyJSON(size board.Size, w *goWhy) *goWhyJSON {
	if w == nil {
		return nil
	}
	return &goWhyJSON{game.MoveName(size, w.move), w.before, w.after, w.cost(), game.MoveNames(size, w.line), w.round}
}

// whyJSON is why a move of NoGo loses, or that it wins.
type whyJSON struct {
	Move     string         `json:"move"`
	Winner   string         `json:"winner"`
	Shortest bool           `json:"shortest"`
	Length   int            `json:"length,omitempty"`
	Line     []string       `json:"line"`
	Tree     *proofNodeJSON `json:"tree,omitempty"`
}

func newWhyJSON(r solve.Result) *whyJSON {
	why := r.Why
	if why == nil {
		return nil
	}
	size := r.Position.Size
	object := &whyJSON{
		Move: size.Name(why.Move), Winner: why.Winner.String(), Shortest: why.Shortest, Length: why.Length, Line: game.MoveNames(size, why.Line),
	}
	if why.Tree != nil {
		tree := proofTree{start: r.Position}.json(why.Tree)
		object.Tree = &tree
	}
	return object
}
