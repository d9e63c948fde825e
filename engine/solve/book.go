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

// consult answers from the book if it knows all that is asked. Otherwise the search goes on
// from what it knows.
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
	r.book = known
	winner, ok := r.listed(q)
	if !ok {
		return false
	}
	r.setWinner(winner)
	r.result.RootFromBook, r.result.Line = true, known.Line(q.Position, q.ToPlay)
	result := r.result
	if request.EachMove {
		for _, class := range player.Classes(q.Position, q.ToPlay) {
			winner, ok := r.listed(q.After(class[0]))
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
	result.Method, result.RootFromBook = Book, false
	r.result = result
	return true
}

// listed is the winner by the book, if that may answer and has the position.
func (r *run) listed(q solver.Query) (winner board.Colour, ok bool) {
	if r.book == nil {
		return board.Empty, false
	}
	winner, _, ok = r.book.Lookup(q.Position, q.ToPlay)
	return winner, ok
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

// lists is the book that may answer from certificates, nil if there is none.
func (request GoRequest) lists() *book.Go {
	if !request.Book || request.proves() || request.Checkpoint != "" || request.Rules.Ko != weiqi.Basic {
		return nil
	}
	return book.OfGo(request.Position.Size)
}

// bookBounds narrows the bounds of a score by the book, or to the score if the game is over.
func (request GoRequest) bookBounds(p weiqi.Position, s span) span {
	if p.Over() {
		return between(p.Score(), p.Score())
	}
	if v, known := request.lists().Bounds(p); known {
		s = between(max(s.low, v.Low), min(s.high, v.High))
	}
	return s
}

// bookRoot bounds the score of the position by the book. If that answers all that is asked
// about the position, a search is for the moves only.
func (r *areaRun) bookRoot() span {
	p := r.result.Position
	s := r.request.bookBounds(p, r.root)
	if s != r.root && !r.request.open(s) {
		r.result.RootFromBook, r.result.Line = true, r.request.lists().Line(p)
	}
	return s
}

// consultLists answers from a book that is made from certificates, if it knows all that is
// asked: the bounds, or else the score, and the score of each move.
func (request GoRequest) consultLists(result *GoResult) bool {
	p := result.Position
	known := request.lists()
	v, found := known.Bounds(p)
	score := between(v.Low, v.High)
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
			if spans[n] = request.bookBounds(next, between(-p.Size.Points(), p.Size.Points())); request.open(spans[n]) {
				return false
			}
		}
		result.Moves = provenMoves(classes, spans, p.ToPlay, request.Endless)
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
