package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"tengen/board"
	"tengen/engine/job"
	"tengen/game"
	"tengen/internal/bigmem"
	"tengen/internal/text"
	"tengen/proof/area"
	"tengen/sgf"
	"tengen/weiqi"
)

// areaClaimJSON is what a certificate of Go proves.
type areaClaimJSON struct {
	Game     string `json:"game"`
	Size     string `json:"size"`
	Position string `json:"position"`
	ToPlay   string `json:"to_play"`
	Ko       string `json:"ko,omitempty"`
	Passes   uint8  `json:"passes,omitempty"`
	Prover   string `json:"prover"`
	Goal     int    `json:"goal"`
	Bytes    int64  `json:"bytes"`
	SHA256   string `json:"sha256"`
}

func newAreaClaimJSON(c *area.Certificate) areaClaimJSON {
	claim := c.Claim()
	root := claim.Root
	object := areaClaimJSON{
		Game: "go", Size: root.Size.String(), Position: root.String(), ToPlay: root.ToPlay.String(), Passes: root.Passes,
		Prover: claim.Prover.String(), Goal: claim.Goal,
	}
	if root.Ko != board.NoPoint {
		object.Ko = root.Size.Name(root.Ko)
	}
	object.Bytes, object.SHA256 = c.Sum()
	return object
}

// areaSentence says what a certificate of Go proves.
func areaSentence(c *area.Certificate) string {
	claim := c.Claim()
	return fmt.Sprintf("%s scores at least %d on %s with %s to play", claim.Prover, claim.Goal, claim.Root.Size, claim.Root.ToPlay)
}

// readArea reads a certificate of Go that takes some memory at most, by default that of
// the machine.
func readArea(ctx context.Context, path string, memory int64) (*area.Certificate, error) {
	if memory == 0 {
		memory = bigmem.Machine()
	}
	return area.ReadFileWithin(ctx, path, memory)
}

func (a *app) verifyArea(ctx context.Context, path, name string, limits job.Limits, asJSON bool) error {
	rules, err := weiqi.ParseRules(name)
	if err != nil {
		return err
	}
	if _, err := limits.Settle(); err != nil {
		return err
	}
	c, err := readArea(ctx, path, limits.Memory)
	if err != nil {
		return err
	}
	status := newStatus(a.err)
	show := func(done, total int) {
		status.show(fmt.Sprintf("%s of %s positions", text.Thousands(done), text.Thousands(total)))
	}
	r, err := area.Verify(ctx, c, show)
	var repeats *area.Repetition
	superko := err == nil && r.Valid && rules.Ko != weiqi.Basic
	if superko {
		repeats, err = area.Superko(ctx, c, area.SuperkoOptions{Ko: rules.Ko, Progress: show})
	}
	status.clear()
	if err != nil {
		return err
	}
	holds := r.Valid && repeats == nil
	if asJSON {
		return concluded(holds, a.printJSON(newAreaVerdictJSON(c, r, name, superko, repeats)))
	}
	a.printf("%s\n", a.verdictLine(r.Valid, r.Failure, areaSentence(c), text.Plural(r.Positions, "position"), text.Thousands(r.Settled)+" by safe points"))
	switch {
	case !superko:
	case repeats != nil:
		a.printf("%s under %s: %v\n", a.paint(bad, "not shown"), rules.Ko, repeats)
	default:
		a.printf("%s under %s too: no line of the proof repeats a board\n", a.paint(good, "holds"), rules.Ko)
	}
	return concluded(holds, nil)
}

// areaVerdictJSON is the result of a check. Holds is absent if superko was not asked for or
// the certificate proves nothing.
type areaVerdictJSON struct {
	areaClaimJSON
	area.Report
	Rules      string          `json:"rules"`
	Holds      *bool           `json:"holds,omitempty"`
	Repetition *repetitionJSON `json:"repetition,omitempty"`
}

// repetitionJSON is why a proof was not shown to hold under superko.
type repetitionJSON struct {
	Moves  int      `json:"moves"`
	Line   []string `json:"line,omitempty"`
	Sure   bool     `json:"sure"`
	Room   string   `json:"room,omitempty"`
	Reason string   `json:"reason"`
}

func newAreaVerdictJSON(c *area.Certificate, r area.Report, rules string, superko bool, repeats *area.Repetition) areaVerdictJSON {
	object := areaVerdictJSON{areaClaimJSON: newAreaClaimJSON(c), Report: r, Rules: rules}
	if superko {
		holds := repeats == nil
		object.Holds = &holds
	}
	if repeats != nil {
		object.Repetition = &repetitionJSON{repeats.Moves, repeats.Line, repeats.Sure, repeats.Room, repeats.Error()}
	}
	return object
}

// areaDepthJSON counts the entries at a depth.
type areaDepthJSON struct {
	Depth     int `json:"depth"`
	Positions int `json:"positions"`
}

func (a *app) areaStats(ctx context.Context, path string, asJSON bool) error {
	c, err := readArea(ctx, path, 0)
	if err != nil {
		return err
	}
	counts, err := c.ByDepth(ctx)
	if err != nil {
		return err
	}
	var depths []areaDepthJSON
	for depth, n := range counts {
		if n > 0 {
			depths = append(depths, areaDepthJSON{depth, n})
		}
	}
	if asJSON {
		return a.printJSON(struct {
			areaClaimJSON
			Positions int             `json:"positions"`
			ByDepth   []areaDepthJSON `json:"by_depth"`
		}{newAreaClaimJSON(c), c.Len(), depths})
	}
	a.printf("%s: %s\n\n", areaSentence(c), text.Plural(c.Len(), "position"))
	table := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "depth\tpositions\t")
	for _, d := range depths {
		fmt.Fprintf(table, "%d\t%s\t\n", d.Depth, text.Thousands(d.Positions))
	}
	table.Flush()
	return nil
}

// areaTree is a part of a proof of Go, to be written in several forms.
type areaTree struct {
	claim area.Claim
	moves []board.Point // that lead to the part
	root  *area.Node
}

// showArea walks through a certificate of Go.
func (s *proofShow) showArea(ctx context.Context, path, names string) error {
	c, err := readArea(ctx, path, 0)
	if err != nil {
		return err
	}
	claim := c.Claim()
	if s.format.value == "sgf" {
		if claim.Root.Ko != board.NoPoint || claim.Root.Passes > 0 {
			return errors.New("--format sgf: a game record cannot begin with a ban of ko or after a pass")
		}
		if err := sgf.CheckSize(claim.Root.Size); err != nil {
			return fmt.Errorf("--format sgf: %w", err)
		}
	}
	moves, err := game.ParseMoves(claim.Root.Size, names)
	if err != nil {
		return err
	}
	root, err := c.Walk(ctx, moves, s.depth)
	if errors.Is(err, area.ErrUnproven) {
		err = fmt.Errorf("%w: \"tengen proof verify\" says where", err)
	}
	if err != nil {
		return err
	}
	t := areaTree{claim, moves, root}
	switch {
	case s.json || s.format.value == "json":
		return s.printJSON(areaShowJSON{newAreaClaimJSON(c), c.Len(), game.MoveNames(claim.Root.Size, moves), s.depth, t.json(root)})
	case s.format.value == "dot":
		t.dot(s.out)
	case s.format.value == "sgf":
		return t.record(s.out)
	default:
		s.printf("%s: %s\n\n", areaSentence(c), text.Plural(c.Len(), "entry"))
		t.text(s.out)
	}
	return nil
}

// areaShowJSON is a part of a proof of Go.
type areaShowJSON struct {
	areaClaimJSON
	Entries int          `json:"entries"`
	Moves   []string     `json:"moves"`
	Depth   int          `json:"depth"`
	Proof   areaNodeJSON `json:"proof"`
}

// areaNodeJSON is a position of a proof of Go.
type areaNodeJSON struct {
	Move     string         `json:"move,omitempty"`
	Rank     int            `json:"rank,omitempty"`
	As       string         `json:"as,omitempty"`
	Position string         `json:"position"`
	ToPlay   string         `json:"to_play"`
	Settled  bool           `json:"settled,omitempty"`
	Over     bool           `json:"over,omitempty"`
	Score    *int           `json:"score,omitempty"` // of a game that is over
	Next     []areaNodeJSON `json:"next,omitempty"`
}

func (t areaTree) json(n *area.Node) areaNodeJSON {
	p := n.Position
	object := areaNodeJSON{Move: n.Name(), Rank: n.Rank, As: n.LikeName(), Position: p.String(), ToPlay: p.ToPlay.String(), Settled: n.Settled, Over: p.Over()}
	if p.Over() {
		score := p.Score()
		object.Score = &score
	}
	for _, child := range n.Children {
		object.Next = append(object.Next, t.json(child))
	}
	return object
}

// end says why nothing more has to be shown; "" if something has.
func (t areaTree) end(n *area.Node) string {
	switch {
	case n.Position.Over():
		return "the game is over: " + text.Verdict(n.Position.Score())
	case n.Settled:
		return "enough points are safe"
	}
	return ""
}

// text writes a board, the prover's move if it is its turn, and a table of the other
// side's moves with their answers.
func (t areaTree) text(w io.Writer) {
	at := t.root
	fmt.Fprintf(w, "%s\n", at.Position.Size.Diagram(at.Position.Stones))
	if at.Position.ToPlay == t.claim.Prover && len(at.Children) > 0 {
		fmt.Fprintf(w, "%s plays %s\n", title(t.claim.Prover), at.Children[0].Name())
		at = at.Children[0]
	}
	if end := t.end(at); end != "" {
		fmt.Fprintf(w, "%s\n", strings.ToUpper(end[:1])+end[1:])
		return
	}
	if len(at.Children) == 0 {
		return
	}
	fmt.Fprintln(w)
	table := newFacts(w)
	fmt.Fprintf(table, "%s\t%s\tentry\n", t.claim.Prover.Opponent(), t.claim.Prover)
	t.rows(table, at, "")
	table.Flush()
}

// rows has one for each move of the other side, and below it those that follow the answer.
func (t areaTree) rows(w io.Writer, at *area.Node, indent string) {
	for _, move := range at.Children {
		if len(move.Children) == 0 {
			fmt.Fprintf(w, "%s%s\t\t%s\n", indent, move.Name(), t.end(move))
			continue
		}
		answer := move.Children[0]
		notes := []string{fmt.Sprintf("rank %d", answer.Rank)}
		if end := t.end(answer); end != "" {
			notes = append(notes, end)
		}
		if move.Like != board.NoPoint {
			notes = append(notes, "as after "+move.LikeName())
		}
		fmt.Fprintf(w, "%s%s\t%s\t%s\n", indent, move.Name(), answer.Name(), strings.Join(notes, ", "))
		t.rows(w, answer, indent+"  ")
	}
}

// dot writes a graph for Graphviz. Positions of the prover are boxes; a double frame is
// where enough points are safe or the game is over.
func (t areaTree) dot(w io.Writer) {
	fmt.Fprint(w, dotHead)
	next := 0
	t.dotNode(w, t.root, &next)
	fmt.Fprintln(w, "}")
}

func (t areaTree) dotNode(w io.Writer, n *area.Node, next *int) int {
	id := *next
	*next++
	label := strings.ReplaceAll(n.Position.String(), "/", `\n`)
	if n.Like != board.NoPoint {
		label += `\nas after ` + n.LikeName()
	}
	style := ""
	if n.Position.ToPlay == t.claim.Prover {
		style = ", shape=box, fillcolor=white"
	}
	if t.end(n) != "" {
		style += ", peripheries=2"
	}
	fmt.Fprintf(w, "  n%d [label=\"%s\"%s];\n", id, label, style)
	for _, child := range n.Children {
		to := t.dotNode(w, child, next)
		fmt.Fprintf(w, "  n%d -> n%d [label=\"%s\"];\n", id, to, child.Name())
	}
	return id
}

// record writes a game record with all of the tree as variations.
func (t areaTree) record(w io.Writer) error {
	root, at, err := recordLine(game.Go{}, t.claim.Root, t.moves)
	if err != nil {
		return err
	}
	t.recordNode(at, t.root)
	return sgf.Write(w, sgf.Collection{root})
}

func (t areaTree) recordNode(at *sgf.Node, n *area.Node) {
	comment := t.end(n)
	if n.Like != board.NoPoint {
		comment = "By symmetry this is as " + n.LikeName()
	}
	if comment != "" {
		at.Annotate(strings.ToUpper(comment[:1]) + comment[1:] + ".")
	}
	for _, child := range n.Children {
		t.recordNode(at.Play(n.Position.Size, n.Position.ToPlay, child.Move), child)
	}
}
