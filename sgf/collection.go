// Package sgf reads and writes game records in the Smart Game Format, version 4. It
// also reads files of earlier versions.
//
// The core knows trees of nodes with properties and nothing of any game: Parse,
// Write, Collection, Node, Property, Value. All text is Unicode in memory, whatever
// the character set of the file. Unknown properties are kept. Game is built on the
// core. It is the main line of a record of Go or a game like it: a board, stones set
// up, moves, names, and the result. It knows no rules except how stones are
// captured, which it needs when stones are set up after moves. Package game replays
// it under the rules. The package opens no files.
package sgf

import (
	"iter"
	"slices"
)

// Limits of what is read and written. With them a hostile file takes at most about
// 600 MB of memory. The depth of nesting has no limit.
const (
	MaxBytes      = 16 << 20 // of a file
	MaxNodes      = 2 << 20  // of a collection
	MaxProperties = 256      // of a node
)

// Collection is the content of a file: the roots of its games.
type Collection []*Node

// Node is a node of a game tree. Its first child continues the main line, the
// others are variations.
type Node struct {
	Properties []Property // in the order of the file, one for each identifier
	Children   []*Node
}

// Property is an identifier of capital letters, such as AB, and at least one value.
type Property struct {
	ID     string
	Values []Value
}

// Values are the values of a property of the node; nil if it is not there.
func (n *Node) Values(id string) []Value {
	if i := n.index(id); i >= 0 {
		return n.Properties[i].Values
	}
	return nil
}

// Value is the first value of a property, and whether it is there.
func (n *Node) Value(id string) (Value, bool) {
	if values := n.Values(id); len(values) > 0 {
		return values[0], true
	}
	return Value{}, false
}

// Set sets the values of a property. A new property goes to the end of the node.
// Without values Set removes the property.
func (n *Node) Set(id string, values ...Value) {
	i := n.index(id)
	switch {
	case i >= 0 && len(values) == 0:
		if n.Properties = slices.Delete(n.Properties, i, i+1); len(n.Properties) == 0 {
			n.Properties = nil // nil as in a node that never had any, so that trees compare equal
		}
	case i >= 0:
		n.Properties[i].Values = values
	case len(values) > 0:
		n.Properties = append(n.Properties, Property{id, values})
	}
}

func (n *Node) index(id string) int {
	return slices.IndexFunc(n.Properties, func(p Property) bool { return p.ID == id })
}

// NewChild adds an empty node after the other children of n.
func (n *Node) NewChild() *Node {
	child := &Node{}
	n.Children = append(n.Children, child)
	return child
}

// MainLine yields the node and its first descendants to the end of the game.
func (n *Node) MainLine() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for at := n; yield(at) && len(at.Children) > 0; {
			at = at.Children[0]
		}
	}
}
