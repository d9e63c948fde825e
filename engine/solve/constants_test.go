package solve

import (
	"testing"

	"tengen/internal/method"
	"tengen/internal/solver/superko"
)

// Names of methods and parts are those that the searches know.
func TestNamesOfTheSearches(t *testing.T) {
	for ours, below := range map[string]string{
		string(Auto): method.Auto, string(SBH): method.SBH, string(Sums): method.Sums, string(Endgame): method.Endgame,
		SuperkoTheorems: superko.AllTheorems, SuperkoAll: superko.AllParts,
	} {
		if ours != below {
			t.Errorf("%s is %s below", ours, below)
		}
	}
	if len(Methods()) != len(method.Names()) {
		t.Errorf("the methods are %v, below %v", Methods(), method.Names())
	}
}
