package proof

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/nogo"
)

// Extraction is Extract in steps, for callers that share the work. Each layer of a proof
// is a list of positions that may be cut into slices. The results of the slices may be
// added in any order.
//
//	x, err := proof.NewExtraction(root, toPlay, winner, proof.ExtractOptions{})
//	for layer := x.First(); len(layer) > 0; layer = proof.SortCodes(next) {
//		// for each slice of the layer, anywhere:
//		moves, replies, err := x.Slice(ctx, oracle, slice)
//		// and then, in one place:
//		err = x.Add(slice, moves); next = append(next, replies...)
//	}
//	certificate := x.Certificate()
type Extraction struct {
	inner *extraction
	found []entry
}

// Code is a position with the winner to move, as a number that its turned and mirrored
// forms share. The first word is the higher one.
type Code [2]uint64

// NewExtraction checks the claim.
func NewExtraction(root nogo.Position, toPlay, winner board.Colour, opt ExtractOptions) (*Extraction, error) {
	inner, err := newExtraction(root, toPlay, winner, opt)
	if err != nil {
		return nil, err
	}
	return &Extraction{inner: inner}, nil
}

// First is the first layer.
func (x *Extraction) First() []Code { return asCodes(x.inner.c.frontier()) }

// Position is the position of a code of the board, one that First, Slice or Follow returned.
func (x *Extraction) Position(k Code) nogo.Position {
	coder := x.inner.c.coder
	return coder.position(coder.decode(code{k[0], k[1]}))
}

// Slice finds the moves of positions of one layer, in the form that Add takes, and the
// positions of the next layer that they lead to.
func (x *Extraction) Slice(ctx context.Context, o Oracle, positions []Code) (moves []byte, next []Code, err error) {
	layer := make([]code, len(positions))
	for i, k := range positions {
		if err := x.check(k); err != nil {
			return nil, nil, err
		}
		layer[i] = code{k[0], k[1]}
	}
	x.inner.oracle = o
	moves, replies, err := x.inner.layer(ctx, 1, 0, layer)
	return moves, asCodes(replies), err
}

// check refuses a code that is none of the board.
func (x *Extraction) check(k Code) error {
	if (code{k[0], k[1]}).compare(x.inner.c.coder.limit) >= 0 {
		return fmt.Errorf("%x is no position of a %s board", k, x.inner.c.coder.size)
	}
	return nil
}

// Add adds the moves of positions to the certificate.
func (x *Extraction) Add(positions []Code, moves []byte) error {
	if len(positions) != len(moves) {
		return fmt.Errorf("%d moves for %d positions", len(moves), len(positions))
	}
	for i, move := range moves {
		if move == endgameWon {
			continue
		}
		if int(move) >= len(x.inner.c.coder.points) {
			return fmt.Errorf("move %d is off the board", move)
		}
		if err := x.check(positions[i]); err != nil {
			return err
		}
		x.found = append(x.found, entry{code{positions[i][0], positions[i][1]}, move})
	}
	return nil
}

// Follow lists the positions of the next layer that moves lead to, as Slice does. Moves
// from other programs must be legal; Follow does not check whether they win.
func (x *Extraction) Follow(positions []Code, moves []byte) (next []Code, err error) {
	if len(positions) != len(moves) {
		return nil, fmt.Errorf("%d moves for %d positions", len(moves), len(positions))
	}
	var children gathering
	for i, move := range moves {
		if err := x.check(positions[i]); err != nil {
			return nil, err
		}
		if err := x.inner.follow(code{positions[i][0], positions[i][1]}, move, &children); err != nil {
			return nil, err
		}
	}
	return asCodes(children.moveTo(nil)), nil
}

// Move is the move that a byte of Slice stands for. It returns false if the byte says
// that the endgame search suffices.
func (x *Extraction) Move(move byte) (p board.Point, ok bool) {
	if int(move) >= len(x.inner.c.coder.points) {
		return board.NoPoint, false
	}
	return x.inner.c.coder.points[move], true
}

// Settled reports whether the endgame search suffices for a position of the board.
func (x *Extraction) Settled(k Code) bool {
	return x.inner.workers[0].settle(x.inner.c.coder.decode(code{k[0], k[1]})) == won
}

// Len is the number of entries so far.
func (x *Extraction) Len() int { return len(x.found) }

// Certificate is the complete certificate. Nothing can be added afterwards.
func (x *Extraction) Certificate() *Certificate {
	x.inner.c.entries.addSorted(x.found)
	x.found = nil
	return x.inner.c
}

// SortCodes sorts the positions of a layer in place and drops repeated ones.
func SortCodes(layer []Code) []Code {
	list := make([]code, len(layer))
	for i, k := range layer {
		list[i] = code{k[0], k[1]}
	}
	return asCodes(sortedCodes(list))
}

func asCodes(list []code) []Code {
	codes := make([]Code, len(list))
	for i, k := range list {
		codes[i] = Code{k.hi, k.lo}
	}
	return codes
}
