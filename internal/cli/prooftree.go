package cli

import (
	"fmt"
	"io"
	"strings"

	"tengen/board"
	"tengen/game"
	"tengen/nogo"
	"tengen/proof"
	"tengen/sgf"
)

// proofTree is a part of a proof, to be written in several forms.
type proofTree struct {
	start  nogo.Position // before the moves
	first  board.Colour  // the side that makes the first of them
	moves  []board.Point // that lead to the part
	winner board.Colour
	root   *proof.Node
}

func (t proofTree) size() board.Size    { return t.start.Size }
func (t proofTree) loser() board.Colour { return t.winner.Opponent() }

// basis says what proves an answer.
func basis(by proof.Basis) string {
	switch by {
	case proof.ByEntry:
		return "an entry of the certificate"
	case proof.ByEndgame:
		return "the endgame search"
	}
	return "the search"
}

// text writes a board, the winner's reply if it is the winner's turn, and a table of the
// loser's moves with their answers.
func (t proofTree) text(w io.Writer) {
	at := t.root
	fmt.Fprintf(w, "%s\n", t.size().Diagram(at.Position.Stones))
	if at.ToPlay == t.winner {
		reply := at.Children[0]
		fmt.Fprintf(w, "%s to play: %s wins, by %s\n", title(at.ToPlay), reply.Name(), basis(reply.By))
		at = reply
	} else if !at.Over() {
		fmt.Fprintf(w, "%s to play: %s wins\n", title(at.ToPlay), t.winner)
	}
	if at.Over() {
		fmt.Fprintf(w, "%s has no move: %s has won\n", title(t.loser()), t.winner)
		return
	}
	if len(at.Children) == 0 {
		return
	}
	fmt.Fprintln(w)
	table := newFacts(w)
	fmt.Fprintf(table, "%s\t%s\tby\n", t.loser(), t.winner)
	t.rows(table, at, "")
	table.Flush()
}

// rows prints a row for each move of the loser, and below it the moves after the answer.
func (t proofTree) rows(w io.Writer, at *proof.Node, indent string) {
	for _, move := range at.Children {
		answer := move.Children[0]
		note := string(answer.By)
		if answer.Over() {
			note += ", the last move"
		}
		if move.Like != board.NoPoint {
			note += ", as after " + move.LikeName()
		}
		fmt.Fprintf(w, "%s%s\t%s\t%s\n", indent, move.Name(), answer.Name(), note)
		t.rows(w, answer, indent+"  ")
	}
}

// proofNodeJSON is a position of a proof.
type proofNodeJSON struct {
	Move     string          `json:"move,omitempty"`
	By       string          `json:"by,omitempty"`
	As       string          `json:"as,omitempty"`
	Position string          `json:"position"`
	ToPlay   string          `json:"to_play"`
	Over     bool            `json:"over,omitempty"`
	Left     int             `json:"left,omitempty"`
	Next     []proofNodeJSON `json:"next,omitempty"`
}

func (t proofTree) json(n *proof.Node) proofNodeJSON {
	object := proofNodeJSON{
		Move: n.Name(), By: string(n.By), As: n.LikeName(),
		Position: t.size().Line(n.Position.Stones), ToPlay: n.ToPlay.String(), Over: n.Over(), Left: n.Left,
	}
	for _, child := range n.Children {
		object.Next = append(object.Next, t.json(child))
	}
	return object
}

// dotHead begins a graph for Graphviz.
const dotHead = `digraph proof {
  node [fontname="monospace", shape=ellipse, style=filled, fillcolor="#fdf3dc"];
  edge [fontname="sans-serif"];
`

// dot writes a graph for Graphviz. Positions of the winner are boxes, moves of an endgame
// search are dashed, and ends of the game have a double frame.
func (t proofTree) dot(w io.Writer) {
	fmt.Fprint(w, dotHead)
	next := 0
	t.dotNode(w, t.root, &next)
	fmt.Fprintln(w, "}")
}

func (t proofTree) dotNode(w io.Writer, n *proof.Node, next *int) int {
	id := *next
	*next++
	label := strings.ReplaceAll(t.size().Line(n.Position.Stones), "/", `\n`)
	if n.Like != board.NoPoint {
		label += `\nas after ` + n.LikeName()
	}
	style := ""
	if n.ToPlay == t.winner {
		style = ", shape=box, fillcolor=white"
	}
	if n.Over() {
		style += ", peripheries=2"
	}
	fmt.Fprintf(w, "  n%d [label=\"%s\"%s];\n", id, label, style)
	for _, child := range n.Children {
		to := t.dotNode(w, child, next)
		style := ""
		if child.By == proof.ByEndgame {
			style = ", style=dashed"
		}
		fmt.Fprintf(w, "  n%d -> n%d [label=\"%s\"%s];\n", id, to, child.Name(), style)
	}
	return id
}

// The labels of the loser's moves in a game record.
const (
	labelEntry   = "e"
	labelEndgame = "s"
	labelLike    = "="
)

// recordLine begins a game record with moves. It returns the root and the last node.
func recordLine(rules game.Rules, start game.Position, moves []board.Point) (root, last *sgf.Node, err error) {
	played := game.New(rules, start)
	if err := played.PlayAll(moves); err != nil {
		return nil, nil, err
	}
	record := played.Record()
	record.Result = "" // nobody has played this game
	if root, err = record.Tree(); err != nil {
		return nil, nil, err
	}
	last = root
	for range moves {
		last = last.Children[0]
	}
	return root, last, nil
}

// record writes a game record with all of the tree as variations.
func (t proofTree) record(w io.Writer) error {
	root, at, err := recordLine(game.NoGo{}, game.Start(t.start.Size, t.start.Stones, t.first), t.moves)
	if err != nil {
		return err
	}
	t.recordNode(at, t.root)
	return sgf.Write(w, sgf.Collection{root})
}

func (t proofTree) recordNode(at *sgf.Node, n *proof.Node) {
	at.Annotate(t.comment(n))
	var labels []sgf.Value
	for _, child := range n.Children {
		if n.ToPlay != t.winner {
			label := labelEntry
			switch {
			case child.Like != board.NoPoint:
				label = labelLike
			case child.Children[0].By != proof.ByEntry:
				label = labelEndgame
			}
			labels = append(labels, sgf.Compose(sgf.Point(t.size(), child.Move).String(), label))
		} else {
			at.Set("TR", sgf.Point(t.size(), child.Move))
		}
		t.recordNode(at.Play(t.size(), n.ToPlay, child.Move), child)
	}
	at.Set("LB", labels...)
}

// comment explains a position of the record.
func (t proofTree) comment(n *proof.Node) string {
	switch {
	case n.Over():
		return fmt.Sprintf("%s has no move: %s has won.", title(t.loser()), t.winner)
	case n.ToPlay == t.winner && n.Like != board.NoPoint:
		return fmt.Sprintf("By symmetry this is as %s. %s answers %s, by %s.", n.LikeName(), title(t.winner), n.Children[0].Name(), basis(n.Children[0].By))
	case n.ToPlay == t.winner:
		return fmt.Sprintf("%s answers %s, by %s.", title(t.winner), n.Children[0].Name(), basis(n.Children[0].By))
	case len(n.Children) == 0:
		return ""
	}
	return fmt.Sprintf("Every move of %s loses. %s: answered by an entry. %s: answered by a search. %s: as another move, by symmetry.",
		t.loser(), labelEntry, labelEndgame, labelLike)
}
