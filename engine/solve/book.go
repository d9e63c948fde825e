package solve

import (
	"cmp"
	"os"
	"slices"

	"tengen/engine/job"
	"tengen/engine/table"
	"tengen/internal/book"
	"tengen/internal/player"
)

// consult answers from the book if it knows all that is asked.
func (r *run) consult() bool {
	request, q := r.request, r.query
	if !request.Book || request.Within != nil || request.Why != nil || request.proves() || request.Checkpoint != "" ||
		q.Position.Size.Points() <= book.SearchedPoints {
		return false
	}
	known := book.OfNoGo(q.Position.Size)
	if known == nil {
		return false
	}
	winner, _, ok := known.Lookup(q.Position, q.ToPlay)
	if !ok {
		return false
	}
	result := r.result
	if request.EachMove {
		for _, class := range player.Classes(q.Position, q.ToPlay) {
			winner, _, ok := known.Lookup(q.After(class[0]).Position, q.ToPlay.Opponent())
			if !ok {
				return false
			}
			for _, move := range class {
				result.Moves = append(result.Moves, Move{move, winner.Wins()})
			}
		}
		slices.SortFunc(result.Moves, func(a, b Move) int { return cmp.Compare(a.Move, b.Move) })
	}
	result.Winner, result.Line, result.Method = winner.Wins(), known.Line(q.Position, q.ToPlay), Book
	r.result = result
	return true
}

// consult answers from the book if it has the position and there is no table in the user's
// cache.
func (request GoRequest) consult(result *GoResult) bool {
	if !request.Book || request.Stubborn || request.Endless != table.EndlessDrawn || request.Table != job.Cache {
		return false
	}
	if path, err := table.CachePath(request.Position.Size); err == nil {
		if _, err := os.Stat(path); err == nil {
			return false
		}
	}
	page, f, found := book.OfGo(request.Position.Size).Page(result.Position)
	if found {
		result.Answer, result.Known, result.FromBook = page.Answer(f, result.Position.ToPlay), true, true
	}
	return found
}
