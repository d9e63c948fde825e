package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/value"
	"tengen/internal/text"
)

// compare holds the flags of one call.
type compare struct {
	*app
	method  choice
	strips  string
	limits  limits
	timeout timeout
	json    bool
}

func newCompare(a *app) *cobra.Command {
	c := &compare{app: a, method: oneOf("auto", string(value.ByForms), string(value.BySums))}
	cmd := &cobra.Command{
		Use:   "compare G H",
		Short: "Compare two games",
		Long: `Compare two games G and H: is G greater (>), less (<), equal (=) or neither (||)?
Each is a position of NoGo, another game, or a sum, as "tengen value" takes them;
docs/algebra.md has the notation.

G > H if Black wins the difference G - H whoever moves first, G < H if White does,
G = H if whoever moves first loses it, and they are confused (||) if whoever moves
first wins it. The difference is shown with the moves that win it for either side.

Canonical forms give the answer if at most 12 points are playable or if some game is
not a board. Otherwise, and if canonical forms grow too large, the difference is
searched with either side to move. --method chooses one of the two. An argument that
begins with - needs -- before it.`,
		Example: `  tengen compare "..x" ".x."
  tengen compare "x../.o." "*2 - 1/2" --json
  tengen compare 3x4 "2 ..x" --method search`,
		Args: takes(2, 2, "two games, in quotes if they have blanks"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	c.method.register(cmd, "method", "how to compare: by canonical forms or by search")
	fileFlag(cmd, &c.strips, "strips", "", job.Cache, "database of strips for searches on single rows: a file, auto or none")
	c.limits.register(cmd, "memory, such as 8GiB"+halfMachine)
	c.timeout.register(cmd)
	flags.BoolVar(&c.json, "json", false, "print one JSON object")
	return cmd
}

func (c *compare) run(ctx context.Context, args []string) error {
	request := value.CompareRequest{Limits: c.limits.job()}
	if c.method.index() > 0 {
		request.By = value.Method(c.method.value)
	}
	if c.strips != "none" {
		request.Strips = c.strips
	}
	for i, side := range []*value.Sum{&request.G, &request.H} {
		sum, err := value.Parse(args[i])
		if err != nil {
			return fmt.Errorf("%s, %w", "GH"[i:i+1], err)
		}
		*side = sum
	}
	ctx, cancel := c.timeout.limit(ctx)
	defer cancel()
	status := newStatus(c.err)
	request.Progress = status.sum
	answer, err := value.Compare(ctx, request)
	status.clear()
	var stopped *job.Stopped
	if err != nil && !errors.As(err, &stopped) {
		return err
	}
	if c.json {
		return errors.Join(c.printJSON(newCompareJSON(args, answer, err)), err)
	}
	c.print(args, answer)
	return err
}

// relations say in words what the orders mean.
var relations = map[value.Order]string{
	value.Greater:   "G is greater than H",
	value.Less:      "G is less than H",
	value.Equal:     "G and H are equal",
	value.Unordered: "G and H are confused: neither is at least the other",
}

func (c *compare) print(args []string, answer value.Comparison) {
	if answer.Order != "" {
		c.printf("G %s H: %s\n\n", answer.Order, relations[answer.Order])
	} else {
		c.printf("the order of G and H is not known\n\n")
	}
	table := newFacts(c.out)
	for i, form := range []string{answer.G, answer.H} {
		side := oneLine(args[i])
		if form != "" && form != side {
			side += " = " + text.Cut(form, firstPart)
		}
		table.row("GH"[i:i+1], side)
	}
	table.row("G - H", answer.Difference.String())
	for first, r := range answer.First {
		mover := board.Colour(first)
		row := "not known"
		if r.Winner != board.NoWinner {
			row = fmt.Sprintf("%s wins", r.Winner)
		}
		if moves := sumMovesWonBy(r, mover); len(moves) > 0 {
			row += " with " + strings.Join(moves, " ")
		}
		table.row(mover.String()+" first", row)
	}
	switch answer.By {
	case value.ByForms:
		table.row("found by", fmt.Sprintf("canonical forms, %s of them", text.Thousands(answer.Nodes)))
	case value.ByCancelling:
		table.row("found by", allCancel)
	default:
		table.row("found by", fmt.Sprintf("searching the difference twice, %s positions", text.Thousands(answer.Nodes)))
	}
	table.row("time", answer.Elapsed.Round(time.Millisecond).String())
	table.Flush()
}

// oneLine replaces line ends and runs of blanks by single blanks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// compareJSON is the object of --json. A stopped search leaves out what is not known.
type compareJSON struct {
	G          string     `json:"g"`
	H          string     `json:"h"`
	Order      string     `json:"order,omitempty"`
	Difference string     `json:"difference"`
	Outcome    string     `json:"outcome,omitempty"` // of the difference
	BlackFirst *firstJSON `json:"black_first,omitempty"`
	WhiteFirst *firstJSON `json:"white_first,omitempty"`
	CanonicalG string     `json:"canonical_g,omitempty"`
	CanonicalH string     `json:"canonical_h,omitempty"`
	Method     string     `json:"method,omitempty"`
	Nodes      uint64     `json:"nodes"`
	Seconds    float64    `json:"seconds"`
	Stopped    string     `json:"stopped,omitempty"`
}

// firstJSON is the difference with one side to move first.
type firstJSON struct {
	Winner string     `json:"winner"`
	Moves  []moveJSON `json:"moves"`
	PV     []string   `json:"pv"`
}

func newCompareJSON(args []string, c value.Comparison, err error) compareJSON {
	object := compareJSON{
		G: args[0], H: args[1], Order: string(c.Order), Difference: c.Difference.String(),
		CanonicalG: c.G, CanonicalH: c.H, Method: string(c.By), Nodes: c.Nodes, Seconds: c.Elapsed.Seconds(),
	}
	if c.Order != "" {
		object.Outcome = c.Outcome.String()
	}
	for first, at := range []**firstJSON{&object.BlackFirst, &object.WhiteFirst} {
		r := c.First[first]
		if r.Winner == board.NoWinner || r.Sum == nil {
			continue
		}
		one := &firstJSON{Winner: r.Winner.String(), Moves: []moveJSON{}, PV: r.Sum.Names(r.Line)}
		for _, m := range r.Moves {
			one.Moves = append(one.Moves, moveJSON{r.Sum.Name(m.Move), m.Winner.String()})
		}
		*at = one
	}
	if err != nil {
		object.Stopped = err.Error()
	}
	return object
}
