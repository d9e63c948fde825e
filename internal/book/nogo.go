package book

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/game"
	"tengen/internal/player"
	"tengen/nogo"
	"tengen/proof"
)

// NoGo is the book of a board of NoGo: positions that the side to play wins, each with a
// winning move, and some that it loses. Safe for concurrent use.
type NoGo struct {
	Header
	codes []uint64
	moves []uint8 // numbers of points, or lost
}

// lost stands in the place of a move where there is none that wins.
const lost = 0xff

// mostPoints is how many points a code has room for.
const mostPoints = 40

var nogoShelf shelf[NoGo]

// OfNoGo is the book of a board, nil if there is none.
func OfNoGo(size board.Size) *NoGo {
	return nogoShelf.find(Header{Game: game.NoGo{}.Name(), Size: size.Lying()}, parseNoGo)
}

// code is a position as a base-3 number, the least of those of its images: 1 for a stone of
// the side to play and 2 for one of the other.
func code(p nogo.Position, c board.Colour) (least uint64, how Frame) {
	for n, sym := range p.Size.Symmetries() {
		f, sum := Frame{p.Size, sym}, uint64(0)
		for side, set := range p.Stones {
			digit := uint64(1)
			if board.Colour(side) != c {
				digit = 2
			}
			for q := range set.Points() {
				sum += digit * powers[f.Number(q)]
			}
		}
		if n == 0 || sum < least {
			least, how = sum, f
		}
	}
	return least, how
}

var powers = func() (list [mostPoints]uint64) {
	list[0] = 1
	for i := 1; i < mostPoints; i++ {
		list[i] = 3 * list[i-1]
	}
	return list
}()

// find is the entry of a position.
func (b *NoGo) find(p nogo.Position, c board.Colour) (move board.Point, wins, found bool) {
	key, f := code(p, c)
	i, found := slices.BinarySearch(b.codes, key)
	switch {
	case !found:
		return board.NoPoint, false, false
	case b.moves[i] == lost:
		return board.NoPoint, false, true
	}
	return f.Point(int(b.moves[i])), true, true
}

// Lookup reports who wins with c to play, and a winning move if that is c. Besides its
// entries the book knows the positions that a listed move leads to: the opponent loses
// them.
func (b *NoGo) Lookup(p nogo.Position, c board.Colour) (winner board.Colour, move board.Point, ok bool) {
	opponent := c.Opponent()
	stones := p.Stones[board.Black].Len() + p.Stones[board.White].Len()
	if p.Size.Lying() != b.Size || stones > b.Stones+1 {
		return board.Empty, board.NoPoint, false
	}
	if move, wins, found := b.find(p, c); found {
		if wins {
			return c, move, true
		}
		return opponent, board.NoPoint, true
	}
	here, _ := code(p, c)
	for stone := range p.Stones[opponent].Points() {
		before := p
		before.Stones[opponent].Remove(stone)
		move, wins, found := b.find(before, opponent)
		if !found || !wins {
			continue
		}
		after := before
		after.Stones[opponent].Add(move)
		if there, _ := code(after, c); there == here {
			return opponent, board.NoPoint, true
		}
	}
	return board.Empty, board.NoPoint, false
}

// Line is play from a position as far as the book goes: its moves for the winner, and for
// the loser those that leave it the most moves compared with the winner.
func (b *NoGo) Line(p nogo.Position, c board.Colour) (line []board.Point) {
	both := player.New(nil, b)
	for {
		choice, err := both.Move(context.Background(), p, c)
		if err != nil || choice.Source == game.FromGuess {
			return line
		}
		if p, err = p.Play(c, choice.Move); err != nil {
			return line
		}
		line, c = append(line, choice.Move), c.Opponent()
	}
}

// Guide has the replies of the book for a winner, to walk through its play.
func (b *NoGo) Guide(winner board.Colour) proof.Guide { return guide{b, winner} }

// Basis is what replies of the book rest on.
const Basis proof.Basis = "book"

type guide struct {
	book   *NoGo
	winner board.Colour
}

func (g guide) Reply(_ context.Context, p nogo.Position) (board.Point, proof.Basis, error) {
	if won, move, ok := g.book.Lookup(p, g.winner); ok && won == g.winner {
		return move, Basis, nil
	}
	return board.NoPoint, "", proof.ErrElsewhere
}

// Len is the number of entries.
func (b *NoGo) Len() int { return len(b.codes) }

// The content of a file of NoGo is the number of entries, the codes in ascending order,
// each as the difference to the one before, all as varints, and then a byte for the move of
// each entry.
func parseNoGo(h Header, content []byte) (*NoGo, error) {
	b := &NoGo{Header: h}
	damaged := errors.New("the book is damaged")
	count, size := binary.Uvarint(content)
	if size <= 0 || count > uint64(len(content)) || h.Size.Points() > mostPoints {
		return nil, damaged
	}
	content = content[size:]
	last := uint64(0)
	for range count {
		step, size := binary.Uvarint(content)
		if size <= 0 {
			return nil, damaged
		}
		last, content = last+step, content[size:]
		b.codes = append(b.codes, last)
	}
	if b.moves = content; len(b.moves) != len(b.codes) || !slices.IsSorted(b.codes) {
		return nil, damaged
	}
	if slices.ContainsFunc(b.moves, func(m uint8) bool { return m != lost && int(m) >= h.Size.Points() }) {
		return nil, damaged
	}
	return b, nil
}

// NoGoWriter gathers the entries of a book.
type NoGoWriter struct {
	Header
	entries map[uint64]uint8
}

// NewNoGoWriter begins a book.
func NewNoGoWriter(h Header) (*NoGoWriter, error) {
	if h.Size.Points() > mostPoints {
		return nil, fmt.Errorf("a book is of at most %d points, %s has more", mostPoints, h.Size)
	}
	h.Game, h.Size = game.NoGo{}.Name(), h.Size.Lying()
	return &NoGoWriter{Header: h, entries: map[uint64]uint8{}}, nil
}

// Add lists a position with c to play, and a winning move; board.NoPoint says that c loses.
// A position that is listed keeps its move.
func (w *NoGoWriter) Add(p nogo.Position, c board.Colour, move board.Point) error {
	key, f := code(p, c)
	entry := uint8(lost)
	if move != board.NoPoint {
		entry = uint8(f.Number(move))
	}
	old, known := w.entries[key]
	if known && (old == lost) != (entry == lost) {
		return fmt.Errorf("%s, %s to play, is won by one proof and lost by another: please report this", p, c)
	}
	if !known {
		w.entries[key] = entry
	}
	return nil
}

// File is the book.
func (w *NoGoWriter) File() ([]byte, error) {
	codes := make([]uint64, 0, len(w.entries))
	for key := range w.entries {
		codes = append(codes, key)
	}
	slices.Sort(codes)
	content := binary.AppendUvarint(nil, uint64(len(codes)))
	last := uint64(0)
	for _, key := range codes {
		content = binary.AppendUvarint(content, key-last)
		last = key
	}
	for _, key := range codes {
		content = append(content, w.entries[key])
	}
	return pack(w.Header, content)
}
