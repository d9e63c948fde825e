package engine

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"tengen/board"
	"tengen/internal/player"
	"tengen/internal/solver"
)

// Phase is the stage of a request.
type Phase string

// The stages, in order.
const (
	PhaseBoards Phase = "boards" // under superko: they are listed, with their moves
	PhaseSearch Phase = "search"
	PhaseProof  Phase = "certificate"
	PhaseLine   Phase = "line"
	PhaseWhy    Phase = "why" // a move is refuted
)

// Progress is a glance at a running request.
type Progress struct {
	Phase     Phase
	Elapsed   time.Duration
	Nodes     uint64
	Rate      float64 // nodes per second since the last report
	Stored    uint64  // table entries
	Fill      float64 // of the table, 0 if it is unbounded
	Bytes     int64
	Disk      int64
	MovesDone int // root moves decided, of those that symmetries exchange one
	MovesAll  int
	Settled   []MoveResult  // these, where a search of NoGo tells
	Line      []board.Point // the best line so far: at each step what came before has been refuted
	Replies   Replies       // to the first move of it
	Proved    uint64        // certificate entries so far
	Layer     int           // of the proof being extracted
	Layers    int
	Share     float64 // of that layer done
	Proven    *Proven // under superko
	size      board.Size
}

// LineNames spells the line.
func (p Progress) LineNames() []string { return namesOf(p.size, p.Line) }

// Replies are those to a move that is being searched, of those that symmetries exchange
// one.
type Replies struct {
	Refuted, All int
}

// Proven is how far a search under superko has come with the question it is at, Black
// minus White.
type Proven struct {
	Low, High int
	Asked     int          // Black is asked for this score or more, White for this or less
	ToPlay    board.Colour // who is asked
	Depth     int          // plies looked ahead
	Full      bool         // proofs had to be forgotten for want of memory
}

const (
	progressEvery = 250 * time.Millisecond
	saveFirst     = 5 * time.Second
	saveEvery     = 30 * time.Second
)

// background starts what runs beside the search, and returns what ends it.
func (r *run) background() (halt func()) {
	done := make(chan struct{})
	var running sync.WaitGroup
	if r.request.Progress != nil {
		running.Go(func() { report(done, r.start, r.progress, r.request.Progress) })
	}
	if r.request.Checkpoint != "" {
		running.Go(func() { r.saveUntil(done) })
	}
	return func() {
		close(done)
		running.Wait()
	}
}

// report passes on what it sees at every glance, with the rate since the last.
func report(done <-chan struct{}, start time.Time, glance func() Progress, tell func(Progress)) {
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	last, lastNodes := start, glance().Nodes
	for {
		select {
		case <-done:
			return
		case now := <-tick.C:
			p := glance()
			p.Rate = float64(p.Nodes-lastNodes) / now.Sub(last).Seconds()
			last, lastNodes = now, p.Nodes
			tell(p)
		}
	}
}

func (r *run) progress() Progress {
	p := progressOf(r.solver.Stats(), r.start)
	p.Nodes += r.past.Nodes
	p.Elapsed += time.Duration(r.past.Seconds * float64(time.Second))
	r.mu.Lock()
	defer r.mu.Unlock()
	p.Phase = r.phase
	p.Proved, p.Layer, p.Layers, p.Share = r.proved, r.layer, r.layers, r.share
	if r.phase != PhaseSearch {
		return p
	}
	p.size = r.query.Position.Size
	p.Line, p.Replies = r.line()
	p.Settled, p.MovesDone, p.MovesAll = r.settled()
	return p
}

// settled lists what is known of the moves: what was decided one by one, or what the
// search can tell of them. Without a search that tells, there is only a count. The caller
// holds the lock.
func (r *run) settled() (list []MoveResult, done, all int) {
	if r.classes > 0 {
		return slices.Clone(r.moves), r.decided, r.classes
	}
	classes := player.Classes(r.query.Position, r.query.ToPlay)
	teller, ok := r.solver.(solver.Teller)
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
			list = append(list, MoveResult{move, winner, r.query.Position.Size})
		}
	}
	slices.SortFunc(list, func(a, b MoveResult) int { return cmp.Compare(a.Move, b.Move) })
	return list, done, len(classes)
}

// line is the line being searched, from the moves of the request on, and how many replies
// to its first move are refuted. The caller holds the lock.
func (r *run) line() (line []board.Point, replies Replies) {
	teller, ok := r.solver.(solver.Teller)
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

// progressOf is what a search alone can tell.
func progressOf(stats solver.Stats, start time.Time) Progress {
	p := Progress{
		Phase:     PhaseSearch,
		Elapsed:   time.Since(start),
		Nodes:     stats.Nodes,
		Stored:    stats.Stored,
		Bytes:     stats.Bytes,
		Disk:      stats.DiskBytes,
		MovesDone: stats.RootDone,
		MovesAll:  stats.RootMoves,
	}
	if stats.Capacity > 0 {
		p.Fill = float64(stats.Stored) / float64(stats.Capacity)
	}
	return p
}

// saveUntil saves early for the first time, so that a search that is killed soon has
// something to show. It counts the interval from the end of one save, so that a slow
// disk does not save all the time.
func (r *run) saveUntil(done <-chan struct{}) {
	every := r.request.SaveEvery
	if every <= 0 {
		every = saveEvery
	}
	for wait := min(saveFirst, every); ; wait = every {
		select {
		case <-done:
			return
		case <-time.After(wait):
			r.save()
		}
	}
}
