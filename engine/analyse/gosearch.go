package analyse

import (
	"context"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/method"
	"tengen/internal/solver/gosearch"
	"tengen/weiqi"
)

// areaWork is a question about Go without a table.
type areaWork struct {
	*inquiry
	search *gosearch.Solver
	led    int // what the recommended move is proven to reach, for the side to play
}

// answerArea proves bounds of the position and of its moves in turns, until they meet or
// no more can be proven.
func (d *workspace) answerArea(ctx context.Context, i *inquiry) error {
	if d.area == nil {
		s, err := method.OpenArea(d.size, job.Limits{Memory: d.memory, Threads: d.analyst.limits.Threads})
		if err != nil {
			return err
		}
		d.area = s
	}
	w := &areaWork{inquiry: i, search: d.area, led: -d.size.Points()}
	defer i.counting(func() uint64 { return w.search.Stats().Nodes })()
	if i.advised { // by the book
		w.led, _ = i.root.lead(i.toPlay)
	} else {
		i.advise(gosearch.Guess(i.position), nil)
	}
	w.lead(ctx)
	t := i.turns(firstTurn)
	err := t.take(ctx, time.Time{}, func(turn context.Context, n int) (bool, error) {
		if i.decided(n) {
			return true, nil
		}
		closed, err := w.bound(turn, n)
		w.lead(ctx)
		i.report()
		return closed, err
	})
	if err == nil && i.Lines {
		w.line(ctx)
	}
	return err
}

// bound searches a class, or the position, for a turn. It is closed if its score is exact
// or no more can be proven.
func (w *areaWork) bound(turn context.Context, n int) (closed bool, err error) {
	p := w.position
	if n != whole {
		p = w.after(w.classes[n][0].move)
	}
	w.mu.Lock()
	f := *w.at(n)
	w.mu.Unlock()
	low, high := f.proven()
	before := w.search.Stats().Nodes
	a, err := w.search.Solve(turn, p, gosearch.Answer{Low: low, High: high}, 0)
	if err != nil && turn.Err() == nil {
		return false, err
	}
	if a.Low > low || a.High < high || a.Held() {
		w.set(n, a)
		w.keep(n, memory{low: a.Low, high: a.High, held: a.Held(), effort: w.search.Stats().Nodes - before})
	}
	return a.Exact() || err == nil, nil
}

// set notes proven bounds. A score that both sides have proven is the same whatever an
// endless game counts.
func (w *areaWork) set(n int, a gosearch.Answer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a.Held() {
		w.hold(n, a.Low, a.High, w.Endless, BySearch)
	} else {
		w.prove(n, a.Low, a.High, BySearch)
	}
	w.inferScore()
}

// leadTime is for the move of a proof that the search has found already.
const leadTime = 200 * time.Millisecond

// lead recommends a move that reaches the bound that is proven of the position, if that
// has become better. If the bounds are held it is one that reaches the score.
func (w *areaWork) lead(ctx context.Context) {
	w.mu.Lock()
	c := w.toPlay
	goal, _ := w.root.lead(c)
	low, high := w.root.proven()
	proven := c == board.Black && low >= goal || c == board.White && -high >= goal
	known := board.NoPoint
	found := false
	for n, f := range w.found {
		if sure, _ := f.lead(c); sure >= goal {
			known, found = w.classes[n][0].move, true
			break
		}
	}
	w.mu.Unlock()
	if goal <= w.led {
		return
	}
	if !found {
		limited, cancel := context.WithTimeout(ctx, leadTime)
		defer cancel()
		var err error
		if proven {
			known, err = w.search.Move(limited, gosearch.Question{Position: w.position, Prover: c, Goal: goal})
		} else {
			known, err = w.search.Avoid(limited, gosearch.Question{Position: w.position, Prover: c.Opponent(), Goal: 1 - goal})
		}
		if err != nil {
			return // it is tried again after the next turn
		}
		if proven {
			w.reaches(known, goal)
		}
	}
	w.led = goal
	w.advise(known, nil)
}

// reaches notes that a move is proven to reach a goal of the side to play.
func (w *areaWork) reaches(move board.Point, goal int) {
	n := w.classOf(move)
	w.mu.Lock()
	low, high := w.found[n].proven()
	w.mu.Unlock()
	if w.toPlay == board.Black {
		low = max(low, goal)
	} else {
		high = min(high, -goal)
	}
	w.set(n, gosearch.Answer{Low: low, High: high})
}

// line adds best play to an exact score.
func (w *areaWork) line(ctx context.Context) {
	w.mu.Lock()
	root, advised := w.root, w.advice
	w.mu.Unlock()
	if root.Grade != GradeExact {
		return
	}
	limited, cancel := context.WithTimeout(ctx, lineTime)
	defer cancel()
	next, err := weiqi.Rules{}.Play(w.position, advised)
	if err != nil || next.Over() {
		return
	}
	if line, err := w.search.Line(limited, next, root.Score); err == nil {
		w.advise(advised, append([]board.Point{advised}, line...))
	}
}
