package sgf

import (
	"fmt"
	"strconv"

	"tengen/board"
)

// application is what AP calls the writer of a record.
const application = "tengen"

// Tree is the record of the game: a root with the fields of the game and the
// setup, then one node for each move. Play adds variations.
func (g *Game) Tree() (*Node, error) {
	if err := CheckSize(g.Size); err != nil {
		return nil, err
	}
	if err := g.Size.Check(g.Setup); err != nil {
		return nil, fmt.Errorf("the stones set up: %w", err)
	}
	root := &Node{}
	root.Set("GM", Text("1"))
	root.Set("FF", Text("4"))
	root.Set("AP", Text(application))
	root.setText("RU", g.Rules)
	root.Set("SZ", Size(g.Size))
	if g.Komi != nil {
		root.Set("KM", Text(strconv.FormatFloat(*g.Komi, 'f', -1, 64)))
	}
	for _, text := range g.texts() {
		root.setText(text.id, *text.field)
	}
	root.setText("C", g.Comment)
	root.Set("AB", Points(g.Size, g.Setup[board.Black])...)
	root.Set("AW", Points(g.Size, g.Setup[board.White])...)
	if g.Setup != (board.Stones{}) || g.ToPlay == board.White {
		root.Set("PL", Text(colourLetter(g.ToPlay)))
	}
	at := root
	for i, m := range g.Moves {
		if err := m.Colour.CheckPlayer(); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		if m.Point != board.NoPoint && !g.Size.Contains(m.Point) {
			return nil, fmt.Errorf("move %d: there is no such point on a %s board", i+1, g.Size)
		}
		at = at.Play(g.Size, m.Colour, m.Point)
		at.Annotate(m.Comment)
	}
	return root, nil
}

// Play adds a node with a move after n. It is a variation if n already has a
// child. The point must be on the board, or board.NoPoint for a pass.
func (n *Node) Play(size board.Size, c board.Colour, p board.Point) *Node {
	child := n.NewChild()
	child.Set(colourLetter(c), Point(size, p))
	return child
}

// Annotate sets the comment of a node; an empty text removes it.
func (n *Node) Annotate(comment string) { n.setText("C", comment) }

func (n *Node) setText(id, text string) {
	if text == "" {
		n.Set(id)
		return
	}
	n.Set(id, Text(text))
}

func colourLetter(c board.Colour) string {
	if c == board.Black {
		return "B"
	}
	return "W"
}
