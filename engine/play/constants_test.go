package play

import (
	"testing"

	"tengen/internal/player"
)

// The constants are those of package player.
func TestConstantsOfThePlayers(t *testing.T) {
	if Levels != player.Levels || DefaultTime != player.DefaultTime {
		t.Errorf("%d levels and %v, below %d and %v", Levels, DefaultTime, player.Levels, player.DefaultTime)
	}
}
