package sgf

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// lineWidth is the width at which lines are broken. They are broken between
// nodes, properties and values, never within a value, since some programs do not
// read soft line ends.
const lineWidth = 78

// Write writes a collection in UTF-8, with a property CA in every root that says
// so. Each variation is on a line of its own. Parse reads an equal collection
// back.
func Write(w io.Writer, games Collection) error {
	out := &writer{w: bufio.NewWriter(w)}
	for i, root := range games {
		if err := out.game(root); err != nil {
			return fmt.Errorf("cannot write game %d: %w", i+1, err)
		}
	}
	return out.w.Flush()
}

// writer leaves errors of writing to the bufio.Writer, which keeps them.
type writer struct {
	w      *bufio.Writer
	column int
	nodes  int
}

// task is a node to write, perhaps with the "(" of a variation before it, or a
// variation to close.
type task struct {
	node          *Node
	opens, closes bool
}

func (w *writer) game(root *Node) error {
	for stack := []task{{node: root, opens: true}}; len(stack) > 0; {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if t.closes {
			w.piece(")")
			continue
		}
		if w.nodes++; w.nodes > MaxNodes {
			return fmt.Errorf("the record has more than %d nodes, the limit", MaxNodes)
		}
		if t.opens {
			w.newLine()
			w.piece("(")
			stack = append(stack, task{closes: true})
		}
		if err := w.node(t.node, t.node == root); err != nil {
			return err
		}
		for _, child := range slices.Backward(t.node.Children) {
			stack = append(stack, task{node: child, opens: len(t.node.Children) > 1})
		}
	}
	w.newLine()
	return nil
}

func (w *writer) node(n *Node, root bool) error {
	if n == nil {
		return errors.New("a node is missing")
	}
	properties := n.Properties
	if root {
		properties = withCharset(properties)
	}
	if len(properties) == 0 {
		w.piece(";")
	}
	lead := ";"
	for _, p := range properties {
		if err := p.check(); err != nil {
			return err
		}
		lead += p.ID
		for _, v := range p.Values {
			w.piece(lead + "[" + v.escaped + "]")
			lead = ""
		}
	}
	return nil
}

// withCharset inserts CA after the properties that identify the format.
func withCharset(properties []Property) []Property {
	list := slices.DeleteFunc(slices.Clone(properties), func(p Property) bool { return p.ID == "CA" })
	i := 0
	for i < len(list) && (list[i].ID == "GM" || list[i].ID == "FF") {
		i++
	}
	return slices.Insert(list, i, Property{"CA", []Value{Text("UTF-8")}})
}

func (p Property) check() error {
	letters := strings.Trim(p.ID, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
	switch {
	case p.ID == "" || letters != "" || isDigit(p.ID[0]):
		return fmt.Errorf("%q is not the name of a property: it must be capital letters", p.ID)
	case len(p.Values) == 0:
		return fmt.Errorf("the property %s has no value", p.ID)
	}
	return nil
}

// piece writes a text, on a new line if it does not fit the present one.
func (w *writer) piece(text string) {
	head, _, _ := strings.Cut(text, "\n")
	if w.column > 0 && w.column+utf8.RuneCountInString(head) > lineWidth {
		w.newLine()
	}
	w.w.WriteString(text)
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		w.column, text = 0, text[i+1:]
	}
	w.column += utf8.RuneCountInString(text)
}

func (w *writer) newLine() {
	if w.column > 0 {
		w.w.WriteByte('\n')
	}
	w.column = 0
}
