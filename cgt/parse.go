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
// sums, differences, multiples, spaces, and options that are dominated or reversible.
func (a *Arena) Parse(text string) (Game, error) {
	f, err := ParseFormula(text, Reading{})
	if err != nil {
		return 0, err
	}
	terms, err := f.Terms()
	if err != nil {
		return 0, err
	}
	return SumOf(a, terms, func(t Term) (Game, error) { return a.Evaluate(t, nil) })
}

type parser struct {
	text    string
	reading Reading
	at      int
	depth   int
	braces  int // around the place
}

// wrong is an error at a place.
func (p *parser) wrong(at int, format string, args ...any) error {
	return &SyntaxError{p.text, at, fmt.Errorf(format, args...)}
}

// either is the error about a text with two readings. It shows both.
func (p *parser) either(at int, what, one, other string) error {
	return p.wrong(at, "%s could be read as %.70q or as %.70q: write the one that is meant", what, one, other)
}

// unexpected is the error about a text that stands where want should be.
func (p *parser) unexpected(want string) error {
	p.space()
	if p.at >= len(p.text) {
		return p.wrong(len(p.text), "the text ends where %s should be", want)
	}
	return p.wrong(p.at, "%.10q stands where %s should be", p.text[p.at:], want)
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// accept skips spaces and then the first of the words that stands here.
func (p *parser) accept(words ...string) bool {
	p.space()
	return p.word(words...)
}

// word is accept without skipping spaces.
func (p *parser) word(words ...string) bool {
	for _, w := range words {
		if strings.HasPrefix(p.text[p.at:], w) {
			p.at += len(w)
			return true
		}
	}
	return false
}

// peek skips spaces and reports whether one of the words stands here.
func (p *parser) peek(words ...string) bool {
	p.space()
	at := p.at
	found := p.word(words...)
	p.at = at
	return found
}

// ended sets the place of a node that began at an offset and ends here.
func (p *parser) ended(at int, e *expr) *expr {
	e.at, e.end = at, p.at
	return e
}

// sum = term { "+" term | "-" term | tiny }
func (p *parser) sum() (*expr, error) {
	e, err := p.term()
	if err != nil {
		return nil, err
	}
	at := e.at
	parts := []*expr{e}
	for {
		switch {
		case p.peek("+_", "-_"):
			e, err = p.term()
		case p.peek("+-"):
			e, err = p.plusMinus()
		case p.accept("+"):
			e, err = p.term()
		case p.peek("-"):
			e, err = p.minus()
		case len(parts) == 1:
			return parts[0], nil
		default:
			return &expr{kind: exprSum, parts: parts, at: at, end: parts[len(parts)-1].end}, nil
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, e)
	}
}

// plusMinus reads +- after a term. CGSuite reads it as + ±; others may mean a negative
// summand.
func (p *parser) plusMinus() (*expr, error) {
	if p.reading.CGSuite {
		return p.term()
	}
	return nil, p.either(p.at, `"+-"`, "+ ±", "+ -")
}

// minus reads the sign and the second term of a difference.
func (p *parser) minus() (*expr, error) {
	at := p.at
	if p.reading.Positions != nil {
		if err := p.reading.Positions.Minus(p.text, at); err != nil {
			return nil, err
		}
	}
	p.accept("-")
	e, err := p.term()
	if err != nil {
		return nil, err
	}
	return p.ended(at, &expr{kind: exprMinus, parts: []*expr{e}}), nil
}

// term = position | switch | tiny | braces | "(" sum ")" | "-" term | multiple | simple
func (p *parser) term() (*expr, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.space(); p.depth > mostNesting {
		return nil, p.wrong(p.at, "more than %d braces and signs within each other", mostNesting)
	}
	at := p.at
	if e, err := p.position(); e != nil || err != nil {
		return e, err
	}
	switch {
	case p.accept("±", "+-"):
		options, err := p.switched()
		return p.ended(at, &expr{kind: exprSwitch, parts: options}), err
	case p.accept("+_"):
		return p.tiny(at)
	case p.accept("-_"):
		return p.negative(at, func() (*expr, error) { return p.tiny(at) })
	case p.accept("Tiny("):
		return p.tinyOf(at)
	case p.accept("Miny("):
		return p.negative(at, func() (*expr, error) { return p.tinyOf(at) })
	case p.accept("{"):
		return p.game(at)
	case p.accept("("):
		return p.parentheses()
	case p.peek("-") && !p.digitAt(p.at+1):
		p.accept("-")
		return p.negative(at, p.term)
	}
	return p.simple()
}

// position reads a position if one begins here.
func (p *parser) position() (*expr, error) {
	if p.reading.Positions == nil || p.at >= len(p.text) {
		return nil, nil
	}
	at := p.at
	n, err := p.reading.Positions.Scan(p.text, at, p.braces > 0)
	if n == 0 || err != nil {
		return nil, err
	}
	p.at += n
	return p.ended(at, &expr{kind: exprPosition}), nil
}

func (p *parser) negative(at int, read func() (*expr, error)) (*expr, error) {
	e, err := read()
	if err != nil {
		return nil, err
	}
	return p.ended(at, &expr{kind: exprMinus, parts: []*expr{e}}), nil
}

// parentheses = "(" sum ")", after the first
func (p *parser) parentheses() (*expr, error) {
	at := p.at - 1
	e, err := p.sum()
	if err == nil && !p.accept(")") {
		err = p.unclosed(at, `")"`)
	}
	return e, err
}

// unclosed is the error about a closing bracket that is missing: it names the text that
// stands in its place, or the bracket that is never closed.
func (p *parser) unclosed(at int, want string) error {
	if p.space(); p.at < len(p.text) {
		return p.unexpected(want)
	}
	return p.wrong(at, "%q is never closed: the text ends where %s should be", p.text[at:at+1], want)
}

// tiny = "+_" number, after its sign
func (p *parser) tiny(at int) (*expr, error) {
	p.space()
	begin := p.at
	x, err := p.number()
	if err != nil {
		return nil, err
	}
	if x <= 0 {
		return nil, p.wrong(begin, "the subscript %v is not positive", x)
	}
	subscript := p.ended(begin, &expr{kind: exprSimple, number: x})
	return p.ended(at, &expr{kind: exprTiny, parts: []*expr{subscript}}), nil
}

// tinyOf = "Tiny(" sum ")", after the parenthesis: what CGSuite writes
func (p *parser) tinyOf(at int) (*expr, error) {
	e, err := p.parentheses()
	return p.ended(at, &expr{kind: exprTiny, parts: []*expr{e}}), err
}

// switched = "±" ( number | "(" list ")" | "{" list "}" | braces ), after its sign
func (p *parser) switched() ([]*expr, error) {
	p.space()
	at := p.at
	switch {
	case p.accept("("):
		options, err := p.list()
		if err == nil && !p.accept(")") {
			err = p.unclosed(at, `"," or ")"`)
		}
		return options, err
	case p.accept("{"):
		lists, bars, err := p.options(at)
		if err != nil {
			return nil, err
		}
		if len(bars) == 0 {
			return lists[0], nil
		}
		e, err := p.split(at, lists, bars)
		return []*expr{e}, err
	}
	x, err := p.number()
	return []*expr{p.ended(at, &expr{kind: exprSimple, number: x})}, err
}

// list = [ sum { "," sum } ]
func (p *parser) list() ([]*expr, error) {
	if p.peek("|", "}", ")") {
		return nil, nil
	}
	var games []*expr
	for {
		e, err := p.sum()
		if err != nil {
			return nil, err
		}
		games = append(games, e)
		if !p.accept(",") {
			return games, nil
		}
	}
}

// options = "{" list { bars list } "}", after the brace
func (p *parser) options(at int) (lists [][]*expr, bars []int, err error) {
	p.braces++
	defer func() { p.braces-- }()
	for {
		games, err := p.list()
		if err != nil {
			return nil, nil, err
		}
		lists = append(lists, games)
		if p.accept("}") {
			return lists, bars, nil
		}
		p.space()
		n := 0
		for p.word("|") {
			n++
		}
		if n == 0 {
			return nil, nil, p.unclosed(at, `",", "|" or "}"`)
		}
		bars = append(bars, n)
	}
}

// game = "{" list bars list { bars list } "}", after the brace
func (p *parser) game(at int) (*expr, error) {
	lists, bars, err := p.options(at)
	if err != nil {
		return nil, err
	}
	if len(bars) == 0 {
		return nil, p.wrong(at, `these braces are without "|"`)
	}
	return p.split(at, lists, bars)
}

// split makes the game whose options are separated by the longest row of bars.
func (p *parser) split(at int, lists [][]*expr, bars []int) (*expr, error) {
	longest := slices.Max(bars)
	i := slices.Index(bars, longest)
	if slices.Contains(bars[i+1:], longest) {
		return nil, p.wrong(at, "%q stands twice between these braces, which leaves open where the game is parted", strings.Repeat("|", longest))
	}
	l, err := p.side(at, lists[:i+1], bars[:i])
	if err != nil {
		return nil, err
	}
	r, err := p.side(at, lists[i+1:], bars[i+1:])
	if err != nil {
		return nil, err
	}
	return p.ended(at, &expr{kind: exprBraces, parts: l, rights: r}), nil
}

// side is a list of options, or the one option that bars without braces make.
func (p *parser) side(at int, lists [][]*expr, bars []int) ([]*expr, error) {
	if len(bars) == 0 {
		return lists[0], nil
	}
	e, err := p.split(at, lists, bars)
	return []*expr{e}, err
}

// simple = [ number ] [ arrows ] [ "*" [ digits ] ], not all missing and without spaces,
// or a number and what it multiplies
func (p *parser) simple() (*expr, error) {
	p.space()
	at := p.at
	e := &expr{kind: exprSimple}
	var err error
	if p.digitAt(p.at) || p.digitAt(p.at+1) && p.text[p.at] == '-' {
		if e.number, err = p.number(); err != nil {
			return nil, err
		}
		if multiple, err := p.multiple(at, e.number); multiple != nil || err != nil {
			return multiple, err
		}
	}
	if rest := p.text[p.at:]; p.at > at && (strings.HasPrefix(rest, "Tiny(") || strings.HasPrefix(rest, "Miny(")) {
		x := p.ended(at, e) // as CGSuite writes it: 9Tiny(2)
		tiny, err := p.term()
		return p.ended(at, &expr{kind: exprSum, parts: []*expr{x, tiny}}), err
	}
	if err = p.arrows(e); err != nil {
		return nil, err
	}
	if p.word("*") {
		e.star = 1
		if p.digitAt(p.at) {
			if e.star, err = p.count(); err != nil {
				return nil, err
			}
		}
	}
	if p.at == at {
		return nil, p.unexpected("a game")
	}
	if e.kind != exprSimple && e.number != 0 {
		return p.besideNumber(at, e), nil
	}
	return p.ended(at, e), nil
}

// besideNumber makes a sum of the number and the power in a text such as 1^<2>.
func (p *parser) besideNumber(at int, e *expr) *expr {
	x := p.ended(at, &expr{kind: exprSimple, number: e.number})
	e.number = 0
	return p.ended(at, &expr{kind: exprSum, parts: []*expr{x, p.ended(at, e)}})
}

// multiple = integer ( "·" term | [ "*" ] ( position | "(" sum ")" | braces ) ), after the
// number, which began at an offset. The result is nil if the number stands alone.
//
// A position is separated from the number by a space. Any other game after a space is
// refused: it may be meant as a summand.
func (p *parser) multiple(at int, x Dyadic) (*expr, error) {
	after := p.at
	p.space()
	spaced := p.at > after
	switch {
	case p.accept("·"):
		return p.times(at, x, p.term)
	case p.peek("(", "{"):
		return p.times(at, x, p.term)
	case p.peek("*(", "*{"):
		p.accept("*")
		return p.times(at, x, p.term)
	case spaced && p.peek("*", "^", "v", "↑", "↓", "±", "Tiny(", "Miny("):
		rest, _, _ := strings.Cut(p.text[p.at:], " ")
		number := strings.TrimSpace(p.text[at:p.at])
		return nil, p.either(p.at, "a game after a number and a space", number+" + "+rest, number+"·"+rest)
	}
	if spaced {
		found, err := p.position()
		if err != nil {
			return nil, err
		}
		if found != nil {
			return p.times(at, x, func() (*expr, error) { return found, nil })
		}
	}
	p.at = after
	return nil, nil
}

// times reads the operand of a multiple.
func (p *parser) times(at int, x Dyadic, read func() (*expr, error)) (*expr, error) {
	if x.exponent() > 0 {
		return nil, p.wrong(at, "%v is not an integer: a game is taken an integer number of times", x)
	}
	n := int(x / One)
	if max(n, -n) > mostTimes {
		return nil, p.wrong(at, "%w: more than %d times a game", ErrLimit, mostTimes)
	}
	e, err := read()
	if err != nil {
		return nil, err
	}
	return p.ended(at, &expr{kind: exprTimes, count: n, parts: []*expr{e}}), nil
}

// arrows = "^" { "^" } | "^" digits | "^<" digits ">" | "^[" digits "]", or the same with "v"
func (p *parser) arrows(e *expr) (err error) {
	at := p.at
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
	e.up = sign * n
	switch {
	case n == 1 && p.digitAt(p.at):
		n, err = p.count()
		e.up = sign * n
	case n == 1 && p.word("<"):
		e.kind = exprPower
		err = p.exponent(at, e, ">")
	case n == 1 && p.word("["):
		e.kind = exprPowerTo
		err = p.exponent(at, e, "]")
	}
	return err
}

// mostPower bounds the exponents of ^; canonical forms grow with them.
const mostPower = 100

func (p *parser) exponent(at int, e *expr, end string) (err error) {
	if !p.digitAt(p.at) {
		return p.unexpected("an exponent")
	}
	if e.count, err = p.count(); err != nil {
		return err
	}
	if e.count < 1 || e.count > mostPower {
		return p.wrong(at, "the exponent %d is not from 1 to %d", e.count, mostPower)
	}
	if !p.word(end) {
		return p.unexpected(strconv.Quote(end))
	}
	return nil
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
		return 0, p.wrong(begin, "%w: the number %.20s…", ErrLimit, p.text[begin:p.at])
	}
	return int(n), nil
}

// maxCount is larger than any limit and small enough not to overflow.
const maxCount = 1 << 62

// number = [ "-" ] digits [ "/" digits ]
func (p *parser) number() (Dyadic, error) {
	p.space()
	begin := p.at
	negative := p.word("-")
	if !p.digitAt(p.at) {
		return 0, p.unexpected("a number")
	}
	num, err := p.count()
	if err != nil {
		return 0, err
	}
	den := 1
	if p.word("/") {
		if !p.digitAt(p.at) {
			return 0, p.unexpected("a denominator")
		}
		at := p.at
		if den, err = p.count(); err != nil {
			return 0, err
		}
		if bits.OnesCount(uint(den)) != 1 {
			return 0, p.wrong(at, "the denominator %d is not a power of two", den)
		}
	}
	if negative {
		num = -num
	}
	x, ok := NewDyadic(int64(num), bits.TrailingZeros(uint(den)))
	if !ok {
		return 0, p.wrong(begin, "%w: the number %s", ErrLimit, p.text[begin:p.at])
	}
	return x, nil
}
