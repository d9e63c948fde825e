package cgt

// expr is a node of a formula.
type expr struct {
	kind    exprKind
	at, end int     // its place in the text
	parts   []*expr // summands; the operand of a sign, multiple or tiny; the options of Left
	rights  []*expr // the options of Right, in braces
	count   int     // of a multiple or a power
	number  Dyadic  // number, arrows and nimber of a simple game
	up      int
	star    int
}

type exprKind uint8

const (
	exprSum      exprKind = iota
	exprMinus             // the negative of a game
	exprTimes             // count copies of a game
	exprPosition          // a position that Positions found
	exprSimple            // number, arrows and nimber
	exprPower             // count of ^<2>, with the sign up and a nimber
	exprPowerTo           // count of ^[2], with the sign up and a nimber
	exprTiny              // +_g
	exprSwitch            // ± and the options of Left
	exprBraces            // { | }
)

// evaluation computes the nodes of a formula.
type evaluation struct {
	*Arena
	value Valuer
}

// of is the value of a node, which was written as text.
func (v evaluation) of(e *expr, text string) (Game, error) {
	sub := func(part *expr) (Game, error) { return v.of(part, text[part.at-e.at:part.end-e.at]) }
	list := func(parts []*expr) ([]Game, error) {
		games := make([]Game, len(parts))
		for i, part := range parts {
			var err error
			if games[i], err = sub(part); err != nil {
				return nil, err
			}
		}
		return games, nil
	}
	switch e.kind {
	case exprPosition:
		return v.value(text)
	case exprSimple:
		return v.simple(e.number, e.up, e.star)
	case exprPower, exprPowerTo:
		return v.power(e)
	}
	games, err := list(e.parts)
	if err != nil {
		return 0, err
	}
	switch e.kind {
	case exprMinus:
		return v.Neg(games[0])
	case exprTimes:
		return v.Times(games[0], e.count)
	case exprTiny:
		return v.Tiny(games[0])
	case exprSwitch:
		replies := make([]Game, len(games))
		for i, g := range games {
			if replies[i], err = v.Neg(g); err != nil {
				return 0, err
			}
		}
		return v.Make(games, replies)
	case exprBraces:
		rights, err := list(e.rights)
		if err != nil {
			return 0, err
		}
		return v.Make(games, rights)
	}
	return SumOf(v.Arena, games, func(g Game) (Game, error) { return g, nil })
}

// power is ^[n] = {^[n−1]|*}, with ^[0] = 0, or ^<n> = ^[n] − ^[n−1], or the negative of
// either, with a nimber added.
func (v evaluation) power(e *expr) (Game, error) {
	star, err := v.Nimber(1)
	if err != nil {
		return 0, err
	}
	before, g := Game(0), Game(0)
	for range e.count {
		before = g
		if g, err = v.Make([]Game{before}, []Game{star}); err != nil {
			return 0, err
		}
	}
	if e.kind == exprPower {
		if g, err = v.Sub(g, before); err != nil {
			return 0, err
		}
	}
	if g, err = v.Times(g, e.up); err != nil {
		return 0, err
	}
	beside, err := v.Nimber(e.star)
	if err != nil {
		return 0, err
	}
	return v.Add(g, beside)
}
