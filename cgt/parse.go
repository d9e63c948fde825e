package cgt

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// mostNesting bounds the depth of braces and parentheses in a text.
const mostNesting = 500

// Parse reads a game in the notation of docs/cgt.md: all that String writes, and
// sums, differences, spaces, and options that are dominated or reversible.
func (a *Arena) Parse(text string) (Game, error) {
	if len(text) > mostText {
		return 0, fmt.Errorf("cannot read a game of %d bytes: at most %d are allowed", len(text), mostText)
	}
	p := parser{arena: a, text: text}
	g, err := p.sum()
	if err == nil && p.at < len(p.text) {
		err = p.unexpected("the end")
	}
	if err != nil {
		return 0, fmt.Errorf("cannot read the game %.60q: %w", text, err)
	}
	return g, nil
}

type parser struct {
	arena *Arena
	text  string
	at    int
	depth int
}

// unexpected says what stands where something else should.
func (p *parser) unexpected(want string) error {
	p.space()
	if p.at >= len(p.text) {
		return fmt.Errorf("it ends where %s should be", want)
	}
	return fmt.Errorf("%.10q at byte %d, where %s should be", p.text[p.at:], p.at+1, want)
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// accept steps over the first of the words that stands here.
func (p *parser) accept(words ...string) bool {
	p.space()
	return p.word(words...)
}

// sum = term { "+" term | "-" term | tiny }
func (p *parser) sum() (Game, error) {
	g, err := p.term()
	for err == nil {
		var h Game
		switch {
		case p.peek("+_", "-_"):
			h, err = p.term()
		case p.accept("+"):
			h, err = p.term()
		case p.accept("-"):
			if h, err = p.term(); err == nil {
				h, err = p.arena.Neg(h)
			}
		default:
			return g, nil
		}
		if err == nil {
			g, err = p.arena.Add(g, h)
		}
	}
	return 0, err
}

// peek is accept without the step, but for spaces.
func (p *parser) peek(words ...string) bool {
	p.space()
	at := p.at
	found := p.word(words...)
	p.at = at
	return found
}

// term = switch | tiny | braces | "(" sum ")" | "-" term | simple
func (p *parser) term() (Game, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > mostNesting {
		return 0, fmt.Errorf("more than %d braces and signs within each other at byte %d", mostNesting, p.at+1)
	}
	switch {
	case p.accept("±", "+-"):
		return p.switched()
	case p.accept("+_"):
		return p.tiny()
	case p.accept("-_"):
		return p.negative(p.tiny)
	case p.accept("{"):
		return p.braces()
	case p.accept("("):
		g, err := p.sum()
		if err == nil && !p.accept(")") {
			err = p.unexpected(`")"`)
		}
		return g, err
	case p.peek("-") && !p.digitAt(p.at+1):
		p.accept("-")
		return p.negative(p.term)
	}
	return p.simple()
}

func (p *parser) negative(read func() (Game, error)) (Game, error) {
	g, err := read()
	if err != nil {
		return 0, err
	}
	return p.arena.Neg(g)
}

// tiny = "+_" number, after its sign
func (p *parser) tiny() (Game, error) {
	x, err := p.number()
	if err != nil {
		return 0, err
	}
	if x <= 0 {
		return 0, fmt.Errorf("the subscript %v before byte %d is not positive", x, p.at+1)
	}
	g, err := p.arena.Dyadic(x)
	if err != nil {
		return 0, err
	}
	return p.arena.Tiny(g)
}

// switch = "±" ( number | "(" list ")" | braces ), after its sign
func (p *parser) switched() (Game, error) {
	var options []Game
	var err error
	switch {
	case p.accept("("):
		options, err = p.list()
		if err == nil && !p.accept(")") {
			err = p.unexpected(`"," or ")"`)
		}
	case p.accept("{"):
		options = make([]Game, 1)
		options[0], err = p.braces()
	default:
		var x Dyadic
		if x, err = p.number(); err == nil {
			options = make([]Game, 1)
			options[0], err = p.arena.Dyadic(x)
		}
	}
	if err != nil {
		return 0, err
	}
	replies := make([]Game, len(options))
	for i, g := range options {
		if replies[i], err = p.arena.Neg(g); err != nil {
			return 0, err
		}
	}
	return p.arena.Make(options, replies)
}

// list = [ sum { "," sum } ]
func (p *parser) list() ([]Game, error) {
	if p.peek("|", "}", ")") {
		return nil, nil
	}
	var games []Game
	for {
		g, err := p.sum()
		if err != nil {
			return nil, err
		}
		games = append(games, g)
		if !p.accept(",") {
			return games, nil
		}
	}
}

// braces = "{" list bars list { bars list } "}", after the brace
func (p *parser) braces() (Game, error) {
	var lists [][]Game
	var bars []int
	for {
		games, err := p.list()
		if err != nil {
			return 0, err
		}
		lists = append(lists, games)
		if p.accept("}") {
			break
		}
		p.space()
		n := 0
		for p.word("|") {
			n++
		}
		if n == 0 {
			return 0, p.unexpected(`",", "|" or "}"`)
		}
		bars = append(bars, n)
	}
	if len(bars) == 0 {
		return 0, fmt.Errorf(`braces without "|" before byte %d`, p.at+1)
	}
	return p.split(lists, bars)
}

// split makes the game whose options are parted by the longest row of bars.
func (p *parser) split(lists [][]Game, bars []int) (Game, error) {
	longest := slices.Max(bars)
	i := slices.Index(bars, longest)
	if slices.Contains(bars[i+1:], longest) {
		return 0, fmt.Errorf("%q twice between the braces that end before byte %d, which leaves open where the game is parted", strings.Repeat("|", longest), p.at+1)
	}
	l, err := p.side(lists[:i+1], bars[:i])
	if err != nil {
		return 0, err
	}
	r, err := p.side(lists[i+1:], bars[i+1:])
	if err != nil {
		return 0, err
	}
	return p.arena.Make(l, r)
}

// side is a list of options, or the one option that bars without braces make.
func (p *parser) side(lists [][]Game, bars []int) ([]Game, error) {
	if len(bars) == 0 {
		return lists[0], nil
	}
	g, err := p.split(lists, bars)
	return []Game{g}, err
}

// simple = [ number ] [ arrows ] [ "*" [ digits ] ], not all missing and without spaces
func (p *parser) simple() (Game, error) {
	p.space()
	begin := p.at
	var x Dyadic
	var err error
	if p.digitAt(p.at) || p.digitAt(p.at+1) && p.text[p.at] == '-' {
		if x, err = p.number(); err != nil {
			return 0, err
		}
	}
	up, err := p.arrows()
	if err != nil {
		return 0, err
	}
	star := 0
	if p.word("*") {
		star = 1
		if p.digitAt(p.at) {
			if star, err = p.count(); err != nil {
				return 0, err
			}
		}
	}
	if p.at == begin {
		return 0, p.unexpected("a game")
	}
	return p.arena.simple(x, up, star)
}

// arrows = "^" { "^" } | "^" digits, or the same with "v"
func (p *parser) arrows() (int, error) {
	sign, words := 1, []string{"^", "↑"}
	n := 0
	for p.word(words...) {
		n++
	}
	if n == 0 {
		sign, words = -1, []string{"v", "↓"}
		for p.word(words...) {
			n++
		}
	}
	if n == 1 && p.digitAt(p.at) {
		count, err := p.count()
		return sign * count, err
	}
	return sign * n, nil
}

// word is accept without spaces before.
func (p *parser) word(words ...string) bool {
	for _, w := range words {
		if strings.HasPrefix(p.text[p.at:], w) {
			p.at += len(w)
			return true
		}
	}
	return false
}

func (p *parser) digitAt(i int) bool {
	return i < len(p.text) && '0' <= p.text[i] && p.text[i] <= '9'
}

// count = digits
func (p *parser) count() (int, error) {
	begin := p.at
	for p.digitAt(p.at) {
		p.at++
	}
	n, err := strconv.ParseInt(p.text[begin:p.at], 10, 64)
	if err != nil || n > maxCount {
		return 0, fmt.Errorf("%w: the number %.20s… at byte %d", ErrLimit, p.text[begin:p.at], begin+1)
	}
	return int(n), nil
}

// maxCount is more than any limit and less than what might overflow.
const maxCount = 1 << 62

// number = [ "-" ] digits [ "/" digits ]
func (p *parser) number() (Dyadic, error) {
	p.space()
	negative := p.word("-")
	if !p.digitAt(p.at) {
		return 0, p.unexpected("a number")
	}
	begin := p.at
	num, err := p.count()
	if err != nil {
		return 0, err
	}
	den := 1
	if p.word("/") {
		if !p.digitAt(p.at) {
			return 0, p.unexpected("a denominator")
		}
		if den, err = p.count(); err != nil {
			return 0, err
		}
	}
	if bits.OnesCount(uint(den)) != 1 {
		return 0, fmt.Errorf("the denominator %d before byte %d is not a power of two", den, p.at+1)
	}
	if negative {
		num = -num
	}
	x, ok := NewDyadic(int64(num), bits.TrailingZeros(uint(den)))
	if !ok {
		return 0, fmt.Errorf("%w: the number %s at byte %d", ErrLimit, p.text[begin:p.at], begin+1)
	}
	return x, nil
}
