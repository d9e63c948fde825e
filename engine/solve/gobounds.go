package solve

import (
	"fmt"

	"tengen/board"
	"tengen/internal/text"
)

// Truth is the answer to a question that may stay open.
type Truth uint8

// A claim is undecided, true or false. It is avoided if the other side can keep it from coming
// true, by an endless game if need be.
const (
	Undecided Truth = iota
	True
	False
	Avoided
)

// GoBounds are the questions about a score that are easier than the score itself.
// Black's area less White's is meant, whatever an endless game counts.
type GoBounds struct {
	AtLeast, AtMost *int // nil if it is not asked
}

// asks reports whether there is a question.
func (b GoBounds) asks() bool { return b.AtLeast != nil || b.AtMost != nil }

// asked is a question about a bound: the score and the next higher one that it separates,
// and the side that proves it if it holds.
type asked struct {
	span
	side board.Colour
}

// questions are those about bounds.
func (b GoBounds) questions() (list []asked) {
	if b.AtLeast != nil {
		list = append(list, asked{between(*b.AtLeast-1, *b.AtLeast), board.Black})
	}
	if b.AtMost != nil {
		list = append(list, asked{between(*b.AtMost, *b.AtMost+1), board.White})
	}
	return list
}

// Avoided says of which bound a side cannot be sure; "" if none is known to be avoided.
func (b GoBounds) Avoided(r GoResult) string {
	switch {
	case r.AtLeast == Avoided:
		return fmt.Sprintf("black cannot be sure of %s or more", text.Lead(*b.AtLeast))
	case r.AtMost == Avoided:
		return fmt.Sprintf("white cannot be sure of %s or less", text.Lead(*b.AtMost))
	}
	return ""
}

// decide answers the questions about bounds from what is proven.
func (b GoBounds) decide(s span, result *GoResult) {
	if n := b.AtLeast; n != nil {
		result.AtLeast = truth(s.low >= *n, s.high < *n)
	}
	if n := b.AtMost; n != nil {
		result.AtMost = truth(s.high <= *n, s.low > *n)
	}
}

// proven is the bound that a certificate proves: the one that was asked for, or its contrary.
func (b GoBounds) proven(s span) (prover board.Colour, goal int) {
	asked := b.questions()[0]
	if s.low >= asked.high {
		return board.Black, asked.high
	}
	return board.White, -asked.low
}

func truth(yes, no bool) Truth {
	switch {
	case yes:
		return True
	case no:
		return False
	}
	return Undecided
}
