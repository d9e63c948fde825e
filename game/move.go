package game

import (
	"fmt"
	"slices"
	"strings"

	"tengen/board"
)

// pass is how the move without a stone is written.
const pass = "pass"

// MoveName spells a move, such as B3 or pass.
func MoveName(size board.Size, move board.Point) string {
	if move == Pass {
		return pass
	}
	return size.Name(move)
}

// MoveNames spells moves.
func MoveNames(size board.Size, moves []board.Point) []string {
	names := make([]string, len(moves))
	for i, m := range moves {
		names[i] = MoveName(size, m)
	}
	return names
}

// Cut reports whether the game goes on after a line of play from a position: the line
// neither ends it nor repeats a position.
func Cut(r Rules, p Position, line []board.Point) bool {
	seen := []Position{p}
	for _, m := range line {
		var err error
		if p, err = r.Play(p, m); err != nil {
			return true
		}
		if slices.Contains(seen, p) {
			return false
		}
		seen = append(seen, p)
	}
	_, over := r.End(p, 0)
	return !over
}

// Ellipsis stands after a line that is cut.
const Ellipsis = "…"

// LineNames spells a line of play from a position, with an ellipsis if it is cut.
func LineNames(r Rules, p Position, line []board.Point) []string {
	names := MoveNames(p.Size, line)
	if len(line) > 0 && Cut(r, p, line) {
		names = append(names, Ellipsis)
	}
	return names
}

// ParseMove reads a point or pass, in capital or small letters. It does not check
// whether the rules allow a pass.
func ParseMove(size board.Size, text string) (board.Point, error) {
	if strings.EqualFold(strings.TrimSpace(text), pass) {
		return Pass, nil
	}
	return size.ParsePoint(text)
}

// ParseMoves reads moves separated by spaces or commas.
func ParseMoves(size board.Size, text string) ([]board.Point, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,\t\n", r) })
	moves := make([]board.Point, len(words))
	for i, word := range words {
		move, err := ParseMove(size, word)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		moves[i] = move
	}
	return moves, nil
}
