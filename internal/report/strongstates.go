package report

import (
	"context"
	"fmt"
	"math/big"

	"tengen/board"
	"tengen/internal/text"
	"tengen/weiqi"
)

func strongStatesExperiment() Experiment {
	return Experiment{
		Name:   "strong-states",
		Shows:  "Go under basic ko: legal states, and how far symmetry and colour compress them",
		Source: strongPaper + ", the compression of 4×5 and the state numbers of the results",
		Points: Range{Least: 4, Most: 22, Usual: 16, Paper: 21, Beyond: 22},
		run:    filled("Legal states of Go, compressed by symmetry and colour", strongStates),
	}
}

func strongStates(ctx context.Context, s *session, r *Report) error {
	boards := strongTo(s.Max)
	s.all = len(boards) + 1
	if err := s.begin(ctx, "4×5"); err != nil {
		return err
	}
	size := board.Size{Rows: 4, Cols: 5}
	legal, kept := weiqi.LegalPositions(size), orbits(size)
	percent := func(part, whole *big.Int, digits string) string {
		x, _ := new(big.Rat).SetFrac(part, whole).Float64()
		return fmt.Sprintf(digits, 100*x)
	}
	r.fact("4×5: legal boards", legal, big.NewInt(publishedLegal))
	r.explained("4×5: share of the possible states", percent(legal, big.NewInt(publishedPossible), "%.3f %%"), "0.837 %", "the paper does not round")
	r.fact("4×5: boards with a side to play, up to symmetry and colour", kept, big.NewInt(publishedCompressed))
	r.fact("4×5: share of the legal boards", percent(kept, legal, "%.2f %%"), "25.01 %")
	for _, b := range boards {
		if err := s.begin(ctx, b.name()); err != nil {
			return err
		}
		bans, err := s.bans(ctx, b.Size)
		if err != nil {
			return err
		}
		s.done++
		each := orbits(b.Size).Uint64()
		states := 2*each + bans
		switch what, published := b.name()+": states", uint64(b.states); {
		case states+each == published:
			r.explained(what, states, published, "with the state after two passes it is the same")
		case exchanged(states, published):
			r.explained(what, states, published, "two neighbouring digits are exchanged in the paper")
		case b.Size == (board.Size{Rows: 2, Cols: 10}) && published > 3*each:
			// From 2×6 to 2×9 a column more makes 9.4 to 9.2 times as many bans. So it does from
			// here to the paper's 2×11, and to here from 2×9. With the paper's count it would not.
			r.explained(what, states, published, fmt.Sprintf("with the state after two passes the paper has %s bans of ko, and the rules allow %s", text.Thousands(published-3*each), text.Thousands(bans)))
		default:
			r.fact(what, states, published)
		}
	}
	r.Notes = []string{"A state of the last rows is a board with a side to play, up to symmetry and exchange of the colours, either without a ban, after a pass, or with a ban of ko. Boards are counted by a recurrence, those that a symmetry leaves as they are one by one (Burnside), and bans by a table."}
	return nil
}

// exchanged reports whether two numbers differ by the order of two neighbouring digits.
func exchanged(a, b uint64) bool {
	for power := uint64(1); power <= a; power *= 10 {
		low, high := a/power%10, a/power/10%10
		if a-low*power-high*power*10+high*power+low*power*10 == b {
			return a != b
		}
	}
	return false
}

// orbits counts the legal boards up to the symmetries of the board, by Burnside's lemma. The
// side to play takes the place of the colours.
func orbits(size board.Size) *big.Int {
	symmetries := size.Symmetries()
	sum := weiqi.LegalPositions(size)
	for _, sym := range symmetries {
		if sym != board.Identity {
			sum.Add(sum, big.NewInt(int64(unmoved(size, sym))))
		}
	}
	return sum.Div(sum, big.NewInt(int64(len(symmetries))))
}

// unmoved counts the legal boards that a symmetry leaves as they are.
func unmoved(size board.Size, sym board.Symmetry) int {
	var groups []uint64 // points that the symmetry exchanges, as sets
	var seen board.Set
	for _, p := range size.All() {
		if seen.Has(p) {
			continue
		}
		var group board.Set
		for q := p; !group.Has(q); q = size.Map(sym, q) {
			group.Add(q)
		}
		groups, seen = append(groups, group[0]), seen.Union(group)
	}
	grid, count := weiqi.NewGrid(size), 0
	var fill func(i int, black, white uint64)
	fill = func(i int, black, white uint64) {
		if i == len(groups) {
			if grid.Sound(black, white) {
				count++
			}
			return
		}
		fill(i+1, black, white)
		fill(i+1, black|groups[i], white)
		fill(i+1, black, white|groups[i])
	}
	fill(0, 0, 0)
	return count
}

// bans counts the boards with a side to play and a ban of ko, up to symmetry and colour.
func (s *session) bans(ctx context.Context, size board.Size) (uint64, error) {
	built, err := s.openTable(ctx, size)
	if err != nil {
		return 0, err
	}
	defer built.close()
	return built.Header().Bans, nil
}
