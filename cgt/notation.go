package cgt

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

const (
	mostText = 1 << 20 // bytes of the longest text that String makes
	mostBars = 4       // bars between the options of a game inside its braces
)

// String is g in the notation of docs/cgt.md, which Parse reads. A game whose
// text could be longer than a mebibyte is {…|…}.
func (a *Arena) String(g Game) string { return spelling{a, false}.of(g) }

// CGSuite is g as CGSuite reads it: +- for ±, Tiny and Miny by name, and sums with the
// number first and a plus sign. Parse reads it as well.
func (a *Arena) CGSuite(g Game) string { return spelling{a, true}.of(g) }

// spelling writes games.
type spelling struct {
	*Arena
	cgsuite bool
}

func (a spelling) of(g Game) string {
	if a.textLength(g, make(map[Game]int)) > mostText {
		return "{…|…}"
	}
	text, _ := a.text(g, true)
	return text
}

// textLength bounds the length of a text from above. It counts every option as
// often as it is printed, so it may be exponential where the work is not.
func (a *Arena) textLength(g Game, known map[Game]int) int {
	const simpleText = 48
	if a.nodes[g].kind&simple != 0 {
		return simpleText
	}
	if n, ok := known[g]; ok {
		return n
	}
	n := 2 + mostBars
	for _, p := range [2]player{left, right} {
		for _, option := range a.moves(p, g) {
			n = min(n+1+a.textLength(option, known), mostText+1)
		}
	}
	known[g] = n
	return n
}

// text writes g. Without braces, {…} around options may be left out; then bars
// is the number of bars between them, so that the game around it uses more.
func (a spelling) text(g Game, braces bool) (text string, bars int) {
	if a.nodes[g].kind&simple != 0 {
		return a.simpleText(g), 0
	}
	if text, ok := a.tinyText(g); ok {
		return text, 0
	}
	if minus, ok := a.knownNegative(g); ok && minus == g {
		return a.switchText(g), 0
	}
	l, leftBars := a.optionTexts(a.Left(g))
	r, rightBars := a.optionTexts(a.Right(g))
	bars = 1 + max(leftBars, rightBars)
	text = l + strings.Repeat("|", bars) + r
	if braces || bars == mostBars {
		return "{" + text + "}", 0
	}
	return text, bars
}

// optionTexts lists options, the larger stops first. A single one needs no braces.
func (a spelling) optionTexts(options []Game) (text string, bars int) {
	if len(options) == 1 {
		return a.text(options[0], false)
	}
	type entry struct {
		node *node
		text string
	}
	entries := make([]entry, 0, len(options))
	for _, g := range options {
		text, _ := a.text(g, true)
		entries = append(entries, entry{&a.nodes[g], text})
	}
	slices.SortFunc(entries, func(x, y entry) int {
		return cmp.Or(
			cmp.Compare(y.node.kind&number, x.node.kind&number),
			cmp.Compare(y.node.leftStop, x.node.leftStop),
			cmp.Compare(y.node.rightStop, x.node.rightStop),
			cmp.Compare(len(x.text), len(y.text)),
			cmp.Compare(x.text, y.text),
		)
	})
	texts := make([]string, 0, len(options))
	for _, e := range entries {
		texts = append(texts, e.text)
	}
	return strings.Join(texts, ","), 0
}

// simpleText is a number, a multiple of ^ and a nimber, those that are not 0.
func (a spelling) simpleText(g Game) string {
	n := &a.nodes[g]
	if n.kind&number != 0 {
		return n.leftStop.String()
	}
	var b strings.Builder
	if n.leftStop != 0 {
		b.WriteString(n.leftStop.String())
		if a.cgsuite {
			b.WriteByte('+')
		}
	}
	arrow, up := "^", int(n.up)
	if up < 0 {
		arrow, up = "v", -up
	}
	switch {
	case up > 2:
		b.WriteString(arrow + strconv.Itoa(up))
	default:
		b.WriteString(strings.Repeat(arrow, up))
	}
	if n.star > 0 {
		b.WriteByte('*')
	}
	if n.star > 1 {
		b.WriteString(strconv.Itoa(int(n.star)))
	}
	return b.String()
}

// tinyText is +_y = {0||0|−y} or -_y = {y|0||0}, with a number x before it if
// that was added, where y is a number.
func (a spelling) tinyText(g Game) (string, bool) {
	for _, p := range [2]player{left, right} {
		home, ok := a.onlyMove(p, g)
		threat, ok2 := a.onlyMove(1-p, g)
		if !ok || !ok2 {
			return "", false
		}
		back, ok := a.onlyMove(p, threat)
		prize, ok2 := a.onlyMove(1-p, threat)
		if !ok || !ok2 || back != home || !a.IsNumber(home) || !a.IsNumber(prize) {
			continue
		}
		x := a.nodes[home].leftStop
		y := x - a.nodes[prize].leftStop
		sign := "+_"
		if p == right {
			y, sign = -y, "-_"
		}
		tiny := sign + y.String()
		if a.cgsuite {
			tiny = map[string]string{"+_": "Tiny(", "-_": "Miny("}[sign] + y.String() + ")"
		}
		switch {
		case x == 0:
			return tiny, true
		case a.cgsuite:
			return x.String() + "+" + tiny, true
		}
		return x.String() + tiny, true
	}
	return "", false
}

func (a *Arena) onlyMove(p player, g Game) (Game, bool) {
	if moves := a.moves(p, g); len(moves) == 1 {
		return moves[0], true
	}
	return 0, false
}

// switchText is a game that is its own negative: ± and the options of Left.
func (a spelling) switchText(g Game) string {
	options := a.Left(g)
	sign, list := "±", "()"
	if a.cgsuite {
		sign, list = "+-", "{}"
	}
	if len(options) > 1 {
		text, _ := a.optionTexts(options)
		return sign + list[:1] + text + list[1:]
	}
	text, _ := a.text(options[0], true)
	x, isNumber := a.Number(options[0])
	if isNumber && (!a.cgsuite || x.exponent() == 0) || text[0] == '{' {
		return sign + text
	}
	return sign + "(" + text + ")"
}

// knownNegative is −g if it is in the arena. It makes no games: all followers of
// a game that is its own negative have theirs there already.
func (a *Arena) knownNegative(g Game) (Game, bool) {
	if minus := a.negatives[g]; minus != 0 || g == 0 {
		return minus, true
	}
	if x, ok := a.Number(g); ok {
		minus, ok := a.numbers[-x]
		return minus, ok
	}
	var sides [2][]Game
	for _, p := range [2]player{left, right} {
		for _, option := range a.moves(p, g) {
			minus, ok := a.knownNegative(option)
			if !ok {
				return 0, false
			}
			sides[1-p] = append(sides[1-p], minus)
		}
	}
	slices.Sort(sides[left])
	slices.Sort(sides[right])
	minus, ok := a.find(hashForm(sides[left], sides[right]), sides[left], sides[right])
	if ok {
		a.negatives[g], a.negatives[minus] = minus, g
	}
	return minus, ok
}
