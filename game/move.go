package game

import (
	"fmt"
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
