package gosearch

import "tengen/internal/solver"

// switches are the parts of the search that can be switched off. None of them changes
// an answer.
type switches struct {
	life, rooms, horizon, width, stones, hold, cutoff, liberties, killers bool
}

func (s *switches) features() []solver.Feature {
	return []solver.Feature{
		{Name: "life", On: &s.life},           // points that are safe end a line
		{Name: "rooms", On: &s.rooms},         // rooms that are kept one by one end a line
		{Name: "horizon", On: &s.horizon},     // the prover's last move is found without a search
		{Name: "width", On: &s.width},         // the prover's likely moves are searched deeper than others
		{Name: "stones", On: &s.stones},       // states that need more stones than there are moves left
		{Name: "hold", On: &s.hold},           // claims that the other side can put off for ever are given up
		{Name: "cutoff", On: &s.cutoff},       // enhanced transposition cutoff
		{Name: "liberties", On: &s.liberties}, // blocks with many liberties come first
		{Name: "killers", On: &s.killers},     // killer moves
	}
}

// Parts names the features that Options.Without can switch off.
func Parts() []string { return solver.Names(new(switches).features()) }
