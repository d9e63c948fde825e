package cluster

import (
	"strings"
	"testing"

	"tengen/board"
)

// A line that the master could check is not given up because one worker says so.
func TestLineOfRowIsNotGivenUp(t *testing.T) {
	for position, refused := range map[string]bool{
		"...../.....":           true,
		".........":             true,
		strings.Repeat(".", 60): false, // nobody can check it
		"x../.o./...":           true,
		strings.Repeat(".", 48): true,
	} {
		a := answer{question: question{1, position, board.Black.String()}, Failure: "out of memory"}
		if _, err := a.claim("w"); (err != nil) != refused {
			t.Errorf("%s: %v", position, err)
		}
	}
}
