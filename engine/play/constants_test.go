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
	for known, below := range map[Known]player.Known{Unknown: player.Unknown, Won: player.Won, Lost: player.Lost} {
		if known != Known(below) {
			t.Errorf("%s is %s below", known, below)
		}
	}
	for source, below := range map[Source]player.Source{
		FromCertificate: player.Certificate, FromSearch: player.Search, FromPlayouts: player.Playouts, FromEvaluation: player.Evaluation, FromGuess: player.Guess,
	} {
		if source != Source(below) {
			t.Errorf("%s is %s below", source, below)
		}
	}
}
