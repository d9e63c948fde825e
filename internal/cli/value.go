package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tengen/cgt"
	"tengen/engine"
	"tengen/internal/text"
)

// value holds the flags of one call.
type value struct {
	*app
	position string
	plot     string
	strips   string
	memory   memory
	timeout  timeout
	full     bool
	json     bool
}

func newValue(a *app) *cobra.Command {
	v := &value{app: a}
	cmd := &cobra.Command{
		Use:   "value [P]",
		Short: "Find the combinatorial value of a position of NoGo",
		Long: `Find the value of a position of NoGo as a combinatorial game, with Black as Left:
outcome class, canonical form, mean, temperature and thermograph, and the simplest
strip that is equal, if one is known.

The position is a strip such as .x..o., a board such as x../.o., a size such as
2x5 for an empty board, a game such as 1/2, *2, ^ or {2|1}, or a sum, a difference
or a multiple of these such as ".x. - 2 o..x + *". A minus stands between blanks: a
- within a board is an empty point. docs/algebra.md has the notation. A text that
begins with - needs -- before it.

Simplest equal games come from the database of strips in the user's cache, a
small one unless "tengen strips build" has made a larger one; --strips names
another file, and --strips none goes without.`,
		Example: `  tengen value ..x.x.
  tengen value ".x. - o..x + *2" --json
  tengen value "x../.o." --plot thermograph.svg`,
		Args:              atMostOne("a position"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.run(cmd.Context(), args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&v.position, "position", "", "the position, in place of an argument")
	fileFlag(cmd, &v.plot, "plot", "", "", "draw the thermograph into this SVG file")
	fileFlag(cmd, &v.strips, "strips", "", engine.CachedStrips, "database of strips: a file, auto or none")
	flags.Var(&v.memory, "memory", "memory, such as 8GiB (default: half of the machine, at most 4GiB)")
	v.timeout.register(cmd)
	flags.BoolVar(&v.full, "full", false, "print the canonical form in full length")
	flags.BoolVar(&v.json, "json", false, "print one JSON object")
	return cmd
}

func (v *value) run(ctx context.Context, args []string) error {
	s, err := v.read(args)
	if err != nil {
		return err
	}
	if v.plot != "" && !strings.HasSuffix(strings.ToLower(v.plot), ".svg") {
		return fmt.Errorf("--plot %s: thermographs are drawn as SVG, give a name that ends in .svg", v.plot)
	}
	if v.plot != "" {
		if err := v.app.disk.Check("plot", v.plot, isThermograph); err != nil {
			return err
		}
	}
	ctx, cancel := v.timeout.limit(ctx)
	defer cancel()
	request := engine.ValueRequest{Sum: s.Sum, Limits: engine.Limits{Memory: int64(v.memory)}}
	if v.strips != "none" {
		request.Strips = v.strips
	}
	answer, err := engine.FindValue(ctx, request)
	for _, warning := range answer.Warnings {
		fmt.Fprintf(v.err, "tengen: %s\n", warning)
	}
	var stopped *engine.Stopped
	switch {
	case errors.As(err, &stopped) && v.json:
		return errors.Join(v.printJSON(valueJSON{Position: s.text, Stopped: err.Error()}), err)
	case err != nil:
		return err
	}
	if v.plot != "" {
		if err := writeThermograph(v.disk, v.plot, answer.Thermograph, s.title()+" = "+answer.Canonical); err != nil {
			return err
		}
	}
	if v.json {
		return v.printJSON(newValueJSON(s, answer))
	}
	v.print(s, answer)
	return nil
}

// summands are what a position text stands for.
type summands struct {
	text string // as given
	engine.Sum
}

func (v *value) read(args []string) (summands, error) {
	text := v.position
	switch {
	case len(args) == 0 && text == "":
		return summands{}, errors.New(`give a position such as .x..o., x../.o. or ".x. + o..x"`)
	case len(args) > 0 && text != "":
		return summands{}, errors.New("give the position as an argument or with --position, not both")
	case len(args) > 0:
		text = args[0]
	}
	sum, err := engine.ParseSum(text)
	return summands{strings.TrimSpace(text), sum}, err
}

// title names the position in one line.
func (s summands) title() string {
	return strings.Join(strings.Fields(s.text), " ")
}

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

func (v *value) print(s summands, answer engine.Value) {
	if p, ok := s.Position(); ok && p.Size.Rows > 1 {
		v.printf("%s\n", p.Size.Diagram(p.Stones))
	} else {
		v.printf("%s\n\n", s.title())
	}
	v.printf("%s: %s\n\n", answer.Outcome, outcomes[answer.Outcome])
	table := newFacts(v.out)
	row := table.rowf
	if reduced := s.reduced(); reduced != "" && reduced != s.title() {
		row("reduced", "%s", reduced)
	}
	row("value", "%s", shownForm(answer, v.full))
	row("simplest", "%s", simplestStrip(answer))
	row("mean", "%s", answer.Mean)
	row("temperature", "%s", answer.Temperature)
	row("bounds", "%d ≤ value ≤ %d", answer.Low, answer.High)
	row("birthday", "%d", answer.Birthday)
	row("stops", "%s", text.Thousands(answer.Stops))
	if v.plot != "" {
		row("plot", "%s", v.plot)
	}
	table.Flush()
	v.printf("\n%s", answer.Thermograph.Text())
}

// Canonical forms that are longer than mostShown are cut after the first part.
const (
	mostShown = 2000
	firstPart = 200
)

// simplestStrip is the simplest equal game, or that there is none, or nothing if none was
// looked for.
func simplestStrip(answer engine.Value) string {
	switch {
	case answer.Simplest.Points() > 0:
		return answer.Simplest.String()
	case answer.Searched > 0:
		return fmt.Sprintf("no strip with up to %d points is equal", answer.Searched)
	}
	return ""
}

func shownForm(answer engine.Value, full bool) string {
	form := []rune(answer.Canonical)
	switch {
	case answer.Abbreviated:
		return "too long to be written down"
	case full || len(form) <= mostShown:
		return answer.Canonical
	}
	return fmt.Sprintf("%s… (%s characters, all of them with --full)", string(form[:firstPart]), text.Thousands(len(form)))
}

// valueJSON is what scripts read. Numbers are exact, as text: "3", "-3/4".
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
	Birthday       *int             `json:"birthday,omitempty"`
	Stops          int              `json:"stops,omitempty"`
	Thermograph    *thermographJSON `json:"thermograph,omitempty"`
	Stopped        string           `json:"stopped,omitempty"`
}

type thermographJSON struct {
	Left  []cornerJSON `json:"left"`
	Right []cornerJSON `json:"right"`
}

type cornerJSON struct {
	Temperature string `json:"temperature"`
	Value       string `json:"value"`
}

func newValueJSON(s summands, v engine.Value) valueJSON {
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
		Thermograph:    &thermographJSON{corners(v.Thermograph.Left), corners(v.Thermograph.Right)},
	}
	if v.Simplest.Points() > 0 {
		object.Simplest = v.Simplest.String()
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
