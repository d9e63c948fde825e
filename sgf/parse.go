package sgf

import (
	"fmt"
	"io"
	"unicode/utf8"
)

// SyntaxError says where a file breaks the format. Lines and columns count from 1,
// columns in characters.
type SyntaxError struct {
	Line, Column int
	Problem      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// Read reads a file to its end and parses it.
func Read(r io.Reader) (Collection, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read the game record: %w", err)
	}
	return Parse(data)
}

// Parse reads a collection of at least one game. It skips text before the first game,
// drops the small letters of old long names, and joins properties that a node has twice.
// The property CA of a root is not kept: it belongs to the file, and all text in memory
// is Unicode.
func Parse(data []byte) (Collection, error) { return ParseWithin(data, MaxNodes) }

// ParseWithin is Parse for readers with little memory. It allows at most the given
// number of nodes and four times that number of values. One byte of a record can be a
// node and two bytes a value, and each takes tens of bytes in memory.
func ParseWithin(data []byte, nodes int) (Collection, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("the game record is larger than %d MiB, the limit: split it", MaxBytes>>20)
	}
	p := &parser{most: nodes}
	p.data, p.marked = withoutMark(data)
	if !p.findGame() {
		return nil, p.fail(len(p.data), "no game found: a game begins with (;")
	}
	var games Collection
	for p.at < len(p.data) {
		game, err := p.game()
		if err != nil {
			return nil, err
		}
		games = append(games, game)
		p.space()
		if p.at < len(p.data) && p.data[p.at] != '(' {
			return nil, p.unexpected("the next game or the end of the file")
		}
	}
	return games, nil
}

type parser struct {
	data    []byte
	at      int
	nodes   int
	values  int
	most    int  // nodes
	marked  bool // a byte order mark has set the character set
	charset charset
}

// findGame goes to the first "(;".
func (p *parser) findGame() bool {
	for p.at < len(p.data) {
		if begin := p.at; p.data[begin] == '(' {
			p.at++
			if p.space(); p.next(';') {
				p.at = begin
				return true
			}
			continue
		}
		p.at++
	}
	return false
}

// game reads one game. It uses an explicit stack instead of recursion, so that any depth
// is safe.
func (p *parser) game() (*Node, error) {
	begin := p.at
	p.charset = p.rootCharset()
	var root, current *Node
	var open []*Node // for each "(" the node that it follows
	ended := false   // a variation has just been closed, so no node can follow
	for {
		p.space()
		switch {
		case p.at == len(p.data):
			return nil, p.fail(begin, "this game is not closed: the file ends before its last )")
		case p.next('('):
			open, ended = append(open, current), false
			p.at++
			if p.space(); !p.next(';') {
				return nil, p.unexpected("the ; of a first node")
			}
		case p.next(';') && !ended:
			node, err := p.node()
			if err != nil {
				return nil, err
			}
			if root == nil {
				root = node
			} else {
				current.Children = append(current.Children, node)
			}
			current = node
		case p.next(')'):
			p.at++
			current, open, ended = open[len(open)-1], open[:len(open)-1], true
			if len(open) == 0 {
				root.Set("CA")
				return root, nil
			}
		case ended:
			return nil, p.unexpected("( or ) after a variation")
		default:
			return nil, p.unexpected("a property in capital letters, ;, ( or )")
		}
	}
}

// rootCharset looks ahead for the character set that the root names. To find it, the
// root is read as if it named none.
func (p *parser) rootCharset() charset {
	if p.marked {
		return charsetNamed("utf-8")
	}
	ahead := *p
	ahead.charset = charset{}
	ahead.at++
	if ahead.space(); !ahead.next(';') {
		return charset{}
	}
	root, _ := ahead.node()
	if name, ok := root.Value("CA"); ok && name.SimpleText() != "" {
		return charsetNamed(name.SimpleText())
	}
	return charset{}
}

// node reads ";" and the properties after it. The node is never nil: after an
// error it holds what was read before.
func (p *parser) node() (*Node, error) {
	node := &Node{}
	if p.nodes++; p.nodes > p.most {
		return node, p.fail(p.at, "the record has more than %d nodes, the limit: split it", p.most)
	}
	p.at++
	for {
		p.space()
		if p.at == len(p.data) || !isLetter(p.data[p.at]) {
			return node, nil
		}
		if err := p.property(node); err != nil {
			return node, err
		}
	}
}

func (p *parser) property(node *Node) error {
	begin := p.at
	id := p.identifier()
	if id == "" {
		return p.fail(begin, "a property without a capital letter in its name")
	}
	p.space()
	if !p.next('[') {
		return p.unexpected("the [ of a value of " + id)
	}
	i := node.index(id)
	if i < 0 {
		if i = len(node.Properties); i == MaxProperties {
			return p.fail(begin, "this node has more than %d properties, the limit", MaxProperties)
		}
		node.Properties = append(node.Properties, Property{ID: id})
	}
	for p.next('[') {
		value, err := p.value(id)
		if err != nil {
			return err
		}
		node.Properties[i].Values = append(node.Properties[i].Values, value)
		p.space()
	}
	return nil
}

// identifier reads a name and drops its small letters. Versions before the fourth had
// names like "AddBlack" for AB.
func (p *parser) identifier() string {
	var id []byte
	for ; p.at < len(p.data); p.at++ {
		c := p.data[p.at]
		switch {
		case isCapital(c), isDigit(c) && len(id) > 0:
			id = append(id, c)
		case !isLetter(c):
			return string(id)
		}
	}
	return string(id)
}

func (p *parser) value(id string) (Value, error) {
	begin := p.at
	if p.values++; p.values > 4*p.most {
		return Value{}, p.fail(begin, "the record has more than %d values, the limit: split it", 4*p.most)
	}
	p.at++
	for first := p.at; p.at < len(p.data); {
		switch p.data[p.at] {
		case ']':
			raw := p.data[first:p.at]
			p.at++
			text, ok := p.charset.decode(raw)
			if !ok {
				return Value{}, p.fail(begin, "the character set %q of this value is not known: convert the file to UTF-8", p.charset.unknown)
			}
			return canonical(text), nil
		case '\\':
			p.at++
		}
		p.at += p.charset.width(p.data[min(p.at, len(p.data)):])
	}
	return Value{}, p.fail(begin, "this value of %s is not closed: the file ends before its ]", id)
}

// space skips white space and control characters, such as the end-of-file mark of old
// systems.
func (p *parser) space() {
	for p.at < len(p.data) && p.data[p.at] <= ' ' {
		p.at++
	}
}

func (p *parser) next(c byte) bool { return p.at < len(p.data) && p.data[p.at] == c }

func (p *parser) unexpected(want string) error {
	if p.at >= len(p.data) {
		return p.fail(len(p.data), "the file ends where %s should be", want)
	}
	return p.fail(p.at, "%q where %s should be", p.data[p.at:p.at+1], want)
}

func (p *parser) fail(at int, format string, args ...any) error {
	line, column := p.position(at)
	return &SyntaxError{line, column, fmt.Sprintf(format, args...)}
}

// position counts lines and characters up to an offset. A pair of different
// line-end characters is one line end.
func (p *parser) position(at int) (line, column int) {
	line = 1
	start := 0
	for i := 0; i < at; i++ {
		c := p.data[i]
		if c != '\n' && c != '\r' {
			continue
		}
		if i+1 < at && p.data[i+1] == '\n'^'\r'^c {
			i++
		}
		line, start = line+1, i+1
	}
	text, known := p.charset.decode(p.data[start:at])
	if !known {
		return line, at - start + 1
	}
	return line, utf8.RuneCountInString(text) + 1
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLetter(c byte) bool  { return isCapital(c) || c >= 'a' && c <= 'z' }
func isDigit(c byte) bool   { return c >= '0' && c <= '9' }
