package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tengen/cgt"
	"tengen/engine/job"
	"tengen/engine/value"
	"tengen/internal/picture"
	"tengen/internal/text"
)

// valueOf holds the flags of one call.
type valueOf struct {
	*app
	position string
	plot     string
	strips   string
	memory   memory
	timeout  timeout
	full     bool
	options  bool
	notation choice
	json     bool
}

func newValue(a *app) *cobra.Command {
	v := &valueOf{app: a, notation: oneOf("tengen", "cgsuite")}
	cmd := &cobra.Command{
		Use:   "value [P]",
		Short: "Find the combinatorial value of a position of NoGo",
		Long: `Find the value of a position of NoGo as a combinatorial game, with Black as Left:
outcome class, canonical form, mean, temperature, stops and thermograph, the atomic
weight of games that have one, and the simplest strip that is equal, if one is known.

The position is a strip such as .x..o., a board such as x../.o., a size such as
2x5 for an empty board, a game such as 1/2, *2, ^ or {2|1}, or a sum, a difference
or a multiple of these such as ".x. - 2 o..x + *". A minus stands between blanks: a
- within a board is an empty point. docs/algebra.md has the notation. An argument that
begins with - needs -- before it.

With --options every move is listed with the value it leads to and its incentive, the
gain of the move. A move is dominated by a better one, and reversible through a reply
that leaves the mover no better off than before. With --notation cgsuite games are
written and read in the notation of CGSuite.

If --timeout ends the search, the outcome class and the integers around the value are
printed as far as they are known. Boards that cancel, such as 3x5 - 5x3, are not
searched.

Simplest equal games come from the database of strips in the user's cache: a small
one, or a larger one that "tengen strips build" has made. --strips names another file,
and --strips none uses no database.`,
		Example: `  tengen value ..x.x.
  tengen value ".x. - o..x + *2" --json
  tengen value ..x.x. --options
  tengen value "x../.o." --plot thermograph.png`,
		Args: takes(0, 1, "a position"),
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&v.position, "position", "", "the position, in place of an argument")
	fileFlag(cmd, &v.plot, "plot", "", "", "draw the thermograph into this file: .svg, .png, .tex or .tikz")
	fileFlag(cmd, &v.strips, "strips", "", job.Cache, "database of strips: a file, auto or none")
	flags.Var(&v.memory, "memory", "memory, such as 8GiB"+halfMachine)
	v.timeout.register(cmd)
	flags.BoolVar(&v.options, "options", false, "list every move: its value, its incentive, and whether it is dominated or reversible")
	v.notation.register(cmd, "notation", "notation of games, written and read")
	flags.BoolVar(&v.full, "full", false, "print the canonical form in full length")
	flags.BoolVar(&v.json, "json", false, "print one JSON object")
	return cmd
}

func (v *valueOf) run(ctx context.Context, args []string) error {
	s, err := v.read(args)
	if err != nil {
		return err
	}
	if err := checkDrawing(v.disk, "plot", v.plot, picture.ThermographTitle); err != nil {
		return err
	}
	ctx, cancel := v.timeout.limit(ctx)
	defer cancel()
	request := value.Request{Sum: s.Sum, Limits: job.Limits{Memory: int64(v.memory)}, Options: v.options, CGSuite: v.notation.index() == 1}
	if v.strips != "none" {
		request.Strips = v.strips
	}
	answer, err := value.Find(ctx, request)
	v.warnings(answer.Warnings)
	var stopped *job.Stopped
	if errors.As(err, &stopped) {
		stopped.Known += v.leftOut()
	}
	switch {
	case stopped != nil && v.json:
		return errors.Join(v.printJSON(newStoppedJSON(s, answer, err)), err)
	case err != nil && stopped == nil:
		return err
	case v.json:
		if err := v.printJSON(newValueJSON(s, answer)); err != nil {
			return err
		}
	default:
		v.print(s, answer, err == nil)
	}
	if err == nil {
		err = writeDrawing(v.disk, "plot", v.plot, picture.Thermograph{Of: s.title() + " = " + answer.Canonical, Walls: answer.Thermograph})
	}
	return err
}

// leftOut is a clause about the flags that need the value.
func (v *valueOf) leftOut() string {
	switch {
	case v.plot != "" && v.options:
		return "; no plot is drawn and no options are listed"
	case v.plot != "":
		return "; no plot is drawn"
	case v.options:
		return "; no options are listed"
	}
	return ""
}

// summands are a position: its text and its sum.
type summands struct {
	text string // as given
	value.Sum
}

func (v *valueOf) read(args []string) (summands, error) {
	text := v.position
	switch {
	case len(args) == 0 && text == "":
		return summands{}, errors.New(`give a position such as .x..o., x../.o. or ".x. + o..x"`)
	case len(args) > 0 && text != "":
		return summands{}, errors.New("give the position as an argument or with --position, not both")
	case len(args) > 0:
		text = args[0]
	}
	parse := value.Parse
	if v.notation.index() == 1 {
		parse = value.ParseCGSuite
	}
	sum, err := parse(text)
	return summands{strings.TrimSpace(text), sum}, err
}

// title names the position in one line.
func (s summands) title() string { return oneLine(s.text) }

// reduced is the sum of the reduced strips, if there is nothing else.
func (s summands) reduced() string {
	reduced, _ := s.Sum.Reduced()
	return reduced
}

// outcomes say in words what the classes mean.
var outcomes = map[cgt.Outcome]string{
	cgt.L: "Black wins, whoever moves first",
	cgt.R: "White wins, whoever moves first",
	cgt.N: "whoever moves first wins",
	cgt.P: "whoever moves first loses",
}

func (v *valueOf) print(s summands, answer value.Value, whole bool) {
	if p, ok := s.Position(); ok && p.Size.Rows > 1 {
		v.printf("%s\n", p.Size.Diagram(p.Stones))
	} else {
		v.printf("%s\n\n", s.title())
	}
	if answer.OutcomeKnown {
		v.printf("%s: %s\n\n", answer.Outcome, outcomes[answer.Outcome])
	}
	table := newFacts(v.out)
	row := table.rowf
	if reduced := s.reduced(); reduced != "" && reduced != s.title() {
		row("reduced", "%s", reduced)
	}
	known := answer.Canonical != "" // the value, not only bounds
	if known {
		row("value", "%s", shownForm(answer, v.full))
		row("simplest", "%s", simplestStrip(answer))
		row("mean", "%s", answer.Mean)
		row("temperature", "%s", answer.Temperature)
		row("left stop", "%s", answer.LeftStop)
		row("right stop", "%s", answer.RightStop)
	}
	row("bounds", "%d ≤ value ≤ %d", answer.Low, answer.High)
	if known {
		row("atomic weight", "%s", answer.AtomicWeight)
		row("birthday", "%d", answer.Birthday)
		row("stops", "%s", text.Thousands(answer.Stops))
	}
	if answer.ErrorBound > 0 {
		row("error bound", "%.1e", answer.ErrorBound)
	}
	if whole && v.plot != "" {
		row("plot", "%s", v.plot)
	}
	table.Flush()
	if !known {
		return
	}
	if answer.Options != nil {
		v.printOptions(answer.Options)
	}
	v.printf("\n%s", answer.Thermograph.Text())
}

// printOptions lists the moves of either side with remarks.
func (v *valueOf) printOptions(options []value.Option) {
	if !v.options {
		return
	}
	v.printf("\n")
	table := tabwriter.NewWriter(v.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "side\tmove\tvalue\tincentive\tremark")
	for _, o := range options {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", o.Colour, o.Name, v.inTable(o.Value), v.inTable(o.Incentive), remark(o))
	}
	table.Flush()
	if len(options) == 0 {
		v.printf("nobody has a move\n")
	}
}

// mostInTable bounds the characters of a game in a table.
const mostInTable = 48

func (v *valueOf) inTable(form string) string {
	if v.full {
		return form
	}
	return text.Cut(form, mostInTable)
}

// remark says why a move need not be considered.
func remark(o value.Option) string {
	var list []string
	switch {
	case o.DominatedBy != "":
		list = append(list, "dominated by "+o.DominatedBy)
	case o.SameAs != "":
		list = append(list, "same as "+o.SameAs)
	}
	if o.ReversedBy != "" {
		list = append(list, "reversible through "+o.ReversedBy)
	}
	return strings.Join(list, ", ")
}

// Canonical forms that are longer than mostShown are cut after the first part.
const (
	mostShown = 2000
	firstPart = 200
)

// simplestStrip is the simplest equal strip, or a clause that there is none, or "" if none
// was searched.
func simplestStrip(answer value.Value) string {
	switch {
	case answer.Simplest.Points() > 0:
		return answer.Simplest.String()
	case answer.Searched > 0:
		return fmt.Sprintf("no strip with up to %d points is equal", answer.Searched)
	}
	return ""
}

func shownForm(answer value.Value, full bool) string {
	form := []rune(answer.Canonical)
	switch {
	case answer.Abbreviated:
		return "too long to be written down"
	case full || len(form) <= mostShown:
		return answer.Canonical
	}
	return fmt.Sprintf("%s (%s characters, all of them with --full)", text.Cut(answer.Canonical, firstPart), text.Thousands(len(form)))
}

// valueJSON is the object of --json. Numbers are exact, as text: "3", "-3/4".
type valueJSON struct {
	Position       string           `json:"position"`
	Reduced        string           `json:"reduced,omitempty"`
	Outcome        string           `json:"outcome,omitempty"`
	Canonical      string           `json:"canonical,omitempty"`
	Simplest       string           `json:"simplest,omitempty"`
	SimplestPoints int              `json:"simplest_points,omitempty"`
	Mean           string           `json:"mean,omitempty"`
	Temperature    string           `json:"temperature,omitempty"`
	Low            *int             `json:"low,omitempty"`
	High           *int             `json:"high,omitempty"`
	LeftStop       string           `json:"left_stop,omitempty"`
	RightStop      string           `json:"right_stop,omitempty"`
	AtomicWeight   string           `json:"atomic_weight,omitempty"`
	Birthday       *int             `json:"birthday,omitempty"`
	Stops          int              `json:"stops,omitempty"`
	ErrorBound     float64          `json:"error_bound,omitempty"`
	Options        []optionJSON     `json:"options,omitzero"` // with --options, even if there is none
	Thermograph    *thermographJSON `json:"thermograph,omitempty"`
	Stopped        string           `json:"stopped,omitempty"`
}

// optionJSON is a move. The last three are names of moves.
type optionJSON struct {
	Colour      string `json:"colour"`
	Move        string `json:"move"`
	Value       string `json:"value"`
	Incentive   string `json:"incentive"`
	SameAs      string `json:"same_as,omitempty"`
	DominatedBy string `json:"dominated_by,omitempty"`
	ReversedBy  string `json:"reversible_through,omitempty"`
}

type thermographJSON struct {
	Left  []cornerJSON `json:"left"`
	Right []cornerJSON `json:"right"`
}

type cornerJSON struct {
	Temperature string `json:"temperature"`
	Value       string `json:"value"`
}

func newValueJSON(s summands, v value.Value) valueJSON {
	object := valueJSON{
		Position:       s.text,
		Reduced:        s.reduced(),
		Outcome:        v.Outcome.String(),
		Canonical:      v.Canonical,
		SimplestPoints: v.Searched,
		Mean:           v.Mean.String(),
		Temperature:    v.Temperature.String(),
		Low:            &v.Low,
		High:           &v.High,
		Birthday:       &v.Birthday,
		Stops:          v.Stops,
		ErrorBound:     v.ErrorBound,
		LeftStop:       v.LeftStop.String(),
		RightStop:      v.RightStop.String(),
		AtomicWeight:   v.AtomicWeight,
		Thermograph:    &thermographJSON{corners(v.Thermograph.Left), corners(v.Thermograph.Right)},
	}
	if v.Simplest.Points() > 0 {
		object.Simplest = v.Simplest.String()
	}
	if v.Options != nil {
		object.Options = []optionJSON{}
	}
	for _, o := range v.Options {
		object.Options = append(object.Options, optionJSON{o.Colour.String(), o.Name, o.Value, o.Incentive, o.SameAs, o.DominatedBy, o.ReversedBy})
	}
	return object
}

// newStoppedJSON is the object of a search that was stopped.
func newStoppedJSON(s summands, v value.Value, err error) valueJSON {
	if v.Canonical != "" {
		object := newValueJSON(s, v)
		object.Stopped = err.Error()
		return object
	}
	object := valueJSON{Position: s.text, Stopped: err.Error(), ErrorBound: v.ErrorBound}
	if v.OutcomeKnown {
		object.Outcome = v.Outcome.String()
	}
	if v.BoundsKnown {
		object.Low, object.High = &v.Low, &v.High
	}
	return object
}

func corners(w cgt.Wall) []cornerJSON {
	list := make([]cornerJSON, len(w))
	for i, c := range w {
		list[i] = cornerJSON{c.At.String(), c.Value.String()}
	}
	return list
}
