package web

import (
	"errors"
	"fmt"
	"strings"

	"tengen/board"
	"tengen/game"
	"tengen/sgf"
)

// Branch is a move of a tree of variations, which is a list: a move comes after the one
// before it, and the first of several that follow one move is the main line.
type Branch struct {
	Parent  int    `json:"parent" doc:"the place in this list of the move before it, from 0; -1 if it is a first move"`
	Move    string `json:"move"`
	Colour  string `json:"colour,omitempty" doc:"b or w; it follows from the moves before, and is not read"`
	Comment string `json:"comment,omitempty"`
}

// mostBranches bounds a tree, as the moves of a question are bounded.
const mostBranches = 4000

// branches reads the tree of a record whose main line begins after the last setup. It
// leaves out moves that break the rules, and everything after them.
type branches struct {
	*game.Game
	list    []Branch
	visited int
}

// readBranches lists the moves of a tree, or nothing if it has no variations. more reports
// that the tree is longer than the list.
func readBranches(g *game.Game, root *sgf.Node) (list []Branch, more bool) {
	begin := root
	for node := range root.MainLine() {
		if sets(node) {
			begin = node
		}
	}
	b := &branches{Game: g}
	b.walk(begin, -1)
	for n, at := range b.list {
		if at.Parent != n-1 {
			return b.list, b.visited > mostBranches
		}
	}
	return nil, false
}

// sets reports whether a node sets up stones or the side to play.
func sets(node *sgf.Node) bool {
	for _, id := range [...]string{"AB", "AW", "AE", "PL"} {
		if len(node.Values(id)) > 0 {
			return true
		}
	}
	return false
}

func (b *branches) walk(node *sgf.Node, parent int) {
	if b.visited++; b.visited > mostBranches {
		return
	}
	at := parent
	if black, white := node.Values("B"), node.Values("W"); len(black)+len(white) > 0 {
		p := b.Position()
		move, err := sgf.ParseMove(p.Size, append(black, white...)[0])
		turn := len(black) == 1 && p.ToPlay == board.Black || len(white) == 1 && p.ToPlay == board.White
		if err != nil || !turn || len(black)+len(white) > 1 || b.Play(move) != nil {
			return
		}
		defer b.Undo()
		comment, _ := node.Value("C")
		at = len(b.list)
		b.list = append(b.list, Branch{parent, game.MoveName(p.Size, move), letter(p.ToPlay), comment.Text()})
	}
	for _, child := range node.Children {
		if !sets(child) {
			b.walk(child, at)
		}
	}
}

// tree makes a record of a tree that a client has sent.
func (a asked) tree(list []Branch, name func(*sgf.Game)) (*sgf.Node, error) {
	if len(a.moves) > 0 {
		return nil, wrong(".variations", nil, errors.New("variations begin at the position: give moves or variations, not both"))
	}
	after := make([][]int, len(list)+1) // by parent, the last for first moves
	for n, b := range list {
		if b.Parent < -1 || b.Parent >= n {
			return nil, wrong(fmt.Sprintf(".variations[%d].parent", n), b.Parent, errors.New("give the place of an earlier move in the list, or -1"))
		}
		parent := b.Parent
		if parent < 0 {
			parent = len(list)
		}
		after[parent] = append(after[parent], n)
	}
	record := a.game.Record()
	record.Result = a.result(list, after)
	name(record)
	root, err := record.Tree()
	if err != nil {
		return nil, wrong("", nil, err)
	}
	var grow func(node *sgf.Node, parent int) error
	grow = func(node *sgf.Node, parent int) error {
		for _, n := range after[parent] {
			p := a.game.Position()
			move, err := game.ParseMove(p.Size, list[n].Move)
			if err == nil {
				err = a.game.Play(move)
			}
			if err != nil {
				return wrong(fmt.Sprintf(".variations[%d].move", n), list[n].Move, err)
			}
			child := node.Play(p.Size, p.ToPlay, move)
			child.Annotate(strings.ToValidUTF8(list[n].Comment, ""))
			if err := grow(child, n); err != nil {
				return err
			}
			a.game.Undo()
		}
		return nil
	}
	return root, grow(root, len(list))
}

// result is that of the main line of a tree, if it comes to an end.
func (a asked) result(list []Branch, after [][]int) sgf.Result {
	defer a.game.Rewind(0)
	for at := len(list); len(after[at]) > 0; at = after[at][0] {
		move, err := game.ParseMove(a.start.Size, list[after[at][0]].Move)
		if err != nil || a.game.Play(move) != nil {
			return "" // grow says so
		}
	}
	return a.game.Record().Result
}
