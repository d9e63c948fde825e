package solve

import (
	"cmp"
	"context"
	"os"
	"slices"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/table"
	"tengen/internal/book"
	"tengen/internal/method"
	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/proof"
	"tengen/weiqi"
)

// consult answers from the book if it knows all that is asked.
func (r *run) consult(ctx context.Context) bool {
	request, q := r.request, r.query
	if !request.Book || request.Within != nil || request.proves() || request.Checkpoint != "" ||
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
	if request.Why != nil {
		if result.Why, ok = refuted(ctx, known, q, *request.Why); !ok {
			return false
		}
	}
	result.Winner, result.Line, result.Method = winner.Wins(), known.Line(q.Position, q.ToPlay), Book
	r.result = result
	return true
}

// refuted is why a move loses, or that it wins, if the book knows it and every reply that is
// asked for. Where the shortest refutation can be had, a search finds it.
func refuted(ctx context.Context, known *book.NoGo, q solver.Query, why Why) (*Refutation, bool) {
	mover := q.ToPlay
	q = q.After(why.Move)
	winner, _, ok := known.Lookup(q.Position, q.ToPlay)
	if !ok || method.Playable(q.Position) <= shortestPoints {
		return nil, false
	}
	found := &Refutation{Move: why.Move, Winner: winner.Wins(), Line: append([]board.Point{why.Move}, known.Line(q.Position, q.ToPlay)...)}
	if winner == mover {
		return found, true
	}
	var err error
	found.Tree, err = proof.Walk{Guide: known.Guide(winner), Winner: winner, Rounds: why.Rounds}.From(ctx, q.Position, q.ToPlay)
	return found, err == nil
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
	if !found {
		return request.consultLists(result)
	}
	result.Answer, result.Known, result.FromBook = page.Answer(f, result.Position.ToPlay), true, true
	return true
}

// consultLists answers from a book that is made from certificates, if it knows all that is
// asked: the bounds, or else the score, and the score of each move.
func (request GoRequest) consultLists(result *GoResult) bool {
	if !request.Book || request.proves() || request.Checkpoint != "" {
		return false
	}
	p := result.Position
	known := book.OfGo(p.Size)
	v, found := known.Bounds(p)
	score := span{v.Low, v.High}
	if !found || request.open(score) {
		return false
	}
	if request.EachMove {
		classes := moveClasses(p)
		spans := make([]span, len(classes))
		for n, class := range classes {
			next, err := weiqi.Rules{}.Play(p, class[0])
			if err != nil {
				return false
			}
			v, _ := known.Bounds(next)
			if next.Over() {
				v.Low, v.High = next.Score(), next.Score()
			}
			if spans[n] = (span{v.Low, v.High}); request.open(spans[n]) {
				return false
			}
		}
		result.Moves = provenMoves(classes, spans, p.ToPlay)
	}
	r := areaRun{request: request, result: result}
	r.found(score)
	result.FromBook, result.Line = true, known.Line(p)
	return true
}

// open reports whether something that is asked about a score is not known from its bounds.
func (request GoRequest) open(s span) bool {
	if !request.asks() {
		return !s.exact()
	}
	return slices.ContainsFunc(request.questions(), func(a asked) bool { return s.low < a.high && s.high > a.low })
}

// Refutation is what the book says of a move of an answer that is from it: the score after
// it, and best play from it on in which the loser resists as long as it can.
func (r GoResult) Refutation(move board.Point) (score int, line []board.Point, round, ok bool) {
	if !r.FromBook {
		return 0, nil, false, false
	}
	page, f, _ := book.OfGo(r.Position.Size).Page(r.Position)
	m, found := page.Of(f, move)
	return m.ValueOf(r.Position.ToPlay).Score, f.Points(m.Why), m.Round, found && len(m.Why) > 0
}
