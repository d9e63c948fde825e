package web

import (
	"fmt"

	"tengen/board"
	"tengen/game"
	"tengen/sgf"
)

// Bounds of a tree of variations. What a record has beyond them is left out.
const (
	maxLines     = 200
	maxVariation = 4000 // moves of all lines together, those they share counted once
)

// addLines puts variations into the record of a game. Every line goes from the beginning to
// its end, and what lines share is written once.
func (a asked) addLines(root *sgf.Node, lines [][]string) error {
	size := a.start.Size
	for i, line := range lines {
		g, at := game.New(a.rules, a.start), root
		for j, name := range line {
			field := fmt.Sprintf(".lines[%d][%d]", i, j)
			move, err := game.ParseMove(size, name)
			if err != nil {
				return wrong(field, name, err)
			}
			colour := g.Position().ToPlay
			if err := g.Play(move); err != nil {
				return wrong(field, name, err)
			}
			at = follow(at, size, colour, move)
		}
	}
	return nil
}

// follow is the node after a move, which is new unless the tree has it already.
func follow(n *sgf.Node, size board.Size, colour board.Colour, move board.Point) *sgf.Node {
	for _, child := range n.Children {
		if c, p, ok := moveOf(child, size); ok && c == colour && p == move {
			return child
		}
	}
	return n.Play(size, colour, move)
}

// moveOf is the move of a node that has one, and only one.
func moveOf(n *sgf.Node, size board.Size) (board.Colour, board.Point, bool) {
	black, white := n.Values("B"), n.Values("W")
	if len(black)+len(white) != 1 {
		return board.Empty, board.NoPoint, false
	}
	colour := board.Black
	if len(white) == 1 {
		colour = board.White
	}
	move, err := sgf.ParseMove(size, append(black, white...)[0])
	return colour, move, err == nil
}

// lines are all lines of a record from where its moves begin, the main line first.
// A line ends where it breaks the rules or sets up stones.
func lines(root *sgf.Node, g *game.Game) [][]string {
	beginning := root
	for node := range root.MainLine() {
		if sets(node) {
			beginning = node
		}
	}
	w := recordWalk{game: g, size: g.Position().Size, left: maxVariation}
	w.from(beginning)
	return w.found
}

// recordWalk goes through the nodes of a record and plays them.
type recordWalk struct {
	game  *game.Game
	size  board.Size
	moves []string
	found [][]string
	left  int
}

// from follows a node to the ends of all its lines. Branches wait on a list: the nesting
// of a record has no limit.
func (w *recordWalk) from(beginning *sgf.Node) {
	type branch struct {
		node *sgf.Node
		ply  int
	}
	waiting := []branch{{beginning, 0}}
	for len(waiting) > 0 && len(w.found) < maxLines {
		next := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		w.game.Rewind(next.ply)
		w.moves = w.moves[:next.ply]
		node, entered := next.node, next.node == beginning || w.enter(next.node)
		for entered && len(node.Children) > 0 {
			for i := len(node.Children) - 1; i > 0; i-- {
				waiting = append(waiting, branch{node.Children[i], len(w.moves)})
			}
			node = node.Children[0]
			entered = w.enter(node)
		}
		if len(w.moves) > next.ply {
			w.found = append(w.found, append([]string(nil), w.moves...))
		}
	}
}

// enter plays the move of a node. It reports false where the line ends.
func (w *recordWalk) enter(n *sgf.Node) bool {
	if sets(n) || w.left == 0 {
		return false
	}
	if len(n.Values("B"))+len(n.Values("W")) == 0 {
		return true // a comment
	}
	colour, move, ok := moveOf(n, w.size)
	if !ok || colour != w.game.Position().ToPlay || w.game.Check(move) != nil || w.game.Play(move) != nil {
		return false
	}
	w.left--
	w.moves = append(w.moves, game.MoveName(w.size, move))
	return true
}
