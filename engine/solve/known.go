package solve

import (
	"fmt"
	"slices"

	"tengen/engine/job"
	"tengen/internal/method"
	"tengen/internal/player"
	"tengen/internal/text"
)

// known says in one clause how far the search came.
func (r *run) known() string {
	positions := fmt.Sprintf("%s positions", text.Thousands(r.result.Nodes))
	if r.result.Resumed {
		positions += fmt.Sprintf(", %s of them in this run", text.Thousands(r.result.RunNodes))
	}
	switch {
	case r.won && r.request.proves() && r.phase == job.PhaseProof:
		return fmt.Sprintf("%s wins, but the certificate is not written", r.result.Winner)
	case r.won && r.request.Why != nil && r.phase == job.PhaseWhy:
		return fmt.Sprintf("%s wins, but why %s loses or wins is not found out", r.result.Winner, r.query.Position.Size.Name(r.request.Why.Move))
	case r.won && r.classes > 0:
		return fmt.Sprintf("%s wins, and %d of %d distinct moves are decided", r.result.Winner, r.decided, r.classes)
	case r.classes > 0:
		return fmt.Sprintf("the winner is not known, %d of %d distinct moves are decided after %s", r.decided, r.classes, positions)
	}
	if r.plan.Method == method.Endgame {
		positions += "; " + openClause(r.query.Position)
	}
	return "the winner is not known after " + positions + r.settledClause()
}

// settledClause says which moves are settled, if any are. As long as the winner is not
// known these are moves that lose.
func (r *run) settledClause() string {
	list, done, all := r.result.Settled, 0, 0
	var names []string
	for _, class := range player.Classes(r.query.Position, r.query.ToPlay) {
		all++
		if slices.ContainsFunc(list, func(m Move) bool { return m.Move == class[0] }) {
			done++
			names = append(names, r.request.nameOf(class[0]))
		}
	}
	if done == 0 {
		return ""
	}
	verb := "lose"
	if done == 1 {
		verb = "loses"
	}
	return fmt.Sprintf("; of %d distinct moves %s %s", all, text.List(names), verb)
}
