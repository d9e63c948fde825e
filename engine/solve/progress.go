package solve

import (
	"cmp"
	"slices"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/method"
	"tengen/internal/player"
	"tengen/internal/solver"
)

// Progress is the state of a running question.
type Progress struct {
	job.Progress
	Size    board.Size
	Settled []Move        // root moves decided, where a search of NoGo tells
	Line    []board.Point // the best line so far: at each step what came before has been refuted
	Replies Replies       // to the first move of it
	Proved  uint64        // certificate entries so far
	Layer   int           // of the proof being extracted
	Layers  int
	Share   float64 // of that layer done, or of the table of stones
	Proven  *Proven // of Go
}

// Replies counts the replies to the move that is being searched, one of each class.
type Replies struct {
	Refuted, All int
}

// Proven is the state of a search of Go. Scores are Black minus White.
type Proven struct {
	Low, High int
	Asked     int          // Black is asked for this score or more, White for this or less
	ToPlay    board.Colour // who is asked
	Depth     int          // plies looked ahead
	Full      bool         // proofs had to be forgotten for want of memory
}

func (r *run) progress() Progress {
	p := Progress{Progress: method.Progress(r.solver.Stats(), r.start), Size: r.query.Position.Size}
	p.Nodes += r.past.Nodes
	p.Elapsed += time.Duration(r.past.Seconds * float64(time.Second))
	r.mu.Lock()
	defer r.mu.Unlock()
	p.Phase = r.phase
	p.Proved, p.Layer, p.Layers, p.Share = r.proved, r.layer, r.layers, r.share
	if r.phase != job.PhaseSearch {
		return p
	}
	p.Line, p.Replies = r.line()
	p.Settled, p.MovesDone, p.MovesAll = r.settled()
	return p
}

// settled lists the moves that are decided, one by one or by the search as far as it reports
// them. Other searches give only a count. The caller holds the lock.
func (r *run) settled() (list []Move, done, all int) {
	if r.classes > 0 {
		return slices.Clone(r.moves), r.decided, r.classes
	}
	classes := player.Classes(r.query.Position, r.query.ToPlay)
	teller, ok := r.solver.(solver.Inspectable)
	if !ok {
		stats := r.solver.Stats()
		return nil, stats.RootDone, stats.RootMoves
	}
	won, lost := teller.Settled(r.query)
	for _, class := range classes {
		winner := board.Empty
		for _, move := range class {
			switch {
			case won.Has(move):
				winner = r.query.ToPlay
			case lost.Has(move):
				winner = r.query.ToPlay.Opponent()
			}
		}
		if winner == board.Empty {
			continue
		}
		done++
		for _, move := range class {
			list = append(list, Move{move, winner.Wins()})
		}
	}
	slices.SortFunc(list, func(a, b Move) int { return cmp.Compare(a.Move, b.Move) })
	return list, done, len(classes)
}

// line is the line being searched, after the moves of the request, with the number of refuted
// replies to its first move. The caller holds the lock.
func (r *run) line() (line []board.Point, replies Replies) {
	teller, ok := r.solver.(solver.Inspectable)
	if !ok {
		return nil, replies
	}
	q := r.query
	path := slices.Concat(r.trying, teller.Path())
	for i, move := range path {
		if !q.Position.Legal(q.ToPlay).Has(move) {
			break // read while the search went on
		}
		line, q = append(line, move), q.After(move)
		if i > 0 {
			continue
		}
		won, lost := teller.Settled(q)
		for _, class := range player.Classes(q.Position, q.ToPlay) {
			replies.All++
			if !won.Has(class[0]) && slices.ContainsFunc(class, lost.Has) {
				replies.Refuted++
			}
		}
	}
	return line, replies
}

// reportProgress calls report, unless nil, four times a second with the progress and the
// nodes per second.
func reportProgress(w *job.Work, report func(Progress), look func() Progress) {
	if report == nil {
		return
	}
	meter := job.NewMeter(look().Nodes)
	w.Report(job.Usual, func() {
		p := look()
		p.Rate = meter.Rate(p.Nodes)
		report(p)
	})
}
