package cli

import (
	"testing"

	"tengen/board"
)

// The player and the analyst that judges its opponent's moves take no more than --memory
// together.
func TestPlayerAndAnalystShareTheMemory(t *testing.T) {
	p := nogoPlay{terminalGame: terminalGame{app: &app{}, limits: limits{memory: 256 << 20}}, player: oneOf("auto"), level: 10}
	options, _, err := p.settle(board.Size{Rows: 5, Cols: 5})
	if all := options.Memory + p.half().Memory; err != nil || all > int64(p.limits.memory) {
		t.Errorf("of %s they take %d bytes: %v", &p.limits.memory, all, err)
	}
	if p.limits.memory = 0; p.half().Memory != 0 {
		t.Error("without the flag the defaults hold")
	}
}
