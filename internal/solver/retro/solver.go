package retro

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"tengen/tablebase"
)

// solver holds the state of a build.
type solver struct {
	options   Options
	geometry  *geometry
	points    int
	planes    int
	start     [2]int // value of each plane before anything is known
	team      *team
	index     *index
	directory *directory
	pool      *pool  // of packed memory; nil if all of it is plain
	values    *store // by rank: an entry
	koValues  *store // by ban: a koEntry
	far       *store // by rank: a farEntry
	koFar     *store // by ban: a farEntry

	marked, late marks // boards to be evaluated: now, and when the bar falls
	stages       []stage
	stage        int
	workers      []*worker
	past         Report // of the runs that this one resumes
	sweeps       int
	began        time.Time
	saved        time.Time     // when the last checkpoint was written
	pause        time.Duration // until the next
	reported     time.Time
}

// stage is a part of the work that ends when nothing is marked. Its bar delays
// changes that would be overwritten later. It affects only the order of the work,
// not the result.
type stage struct {
	distances bool
	bar       int
}

// newSolver finds the boards and reserves the memory for their values.
func newSolver(ctx context.Context, o Options) (*solver, error) {
	s := &solver{options: o, geometry: newGeometry(o.Size), points: o.Size.Points(), planes: o.Loops.Planes(), began: time.Now()}
	s.saved, s.pause = s.began, min(firstSave, o.Every)
	s.team = &team{ctx, o.Threads}
	if o.Loops == tablebase.Range {
		s.start = [2]int{-s.points, s.points}
	}
	s.stages = s.plan()
	for range o.Threads {
		s.workers = append(s.workers, &worker{s: s})
	}
	var err error
	s.report("boards", 0)
	if s.index, err = newIndex(s.geometry, s.team); err != nil {
		return s, err
	}
	s.report("bans", 0)
	if s.directory, err = newDirectory(s.geometry, s.index, s.team); err != nil {
		return s, err
	}
	return s, s.reserve()
}

// extent holds the counts of the index and the directory.
func (s *solver) extent() extent {
	return extent{s.geometry.codes, uint64(s.index.lines), s.index.boards, uint64(len(s.directory.keys))}
}

// reserve takes the memory for values. If there is too little, it packs them.
func (s *solver) reserve() error {
	boards, bans := s.index.boards, uint64(len(s.directory.keys))
	if err := s.makePool(); err != nil {
		return err
	}
	var errs [6]error
	s.values, errs[0] = newStore(s.pool, boards, uint64(16*s.planes), "values of Go boards")
	s.koValues, errs[1] = newStore(s.pool, bans, uint64(8*s.planes), "values of Go boards with a ban")
	s.marked, errs[2] = newMarks(s.pool, boards, "marks of Go boards")
	s.late, errs[3] = newMarks(s.pool, boards, "marks of Go boards")
	if s.options.Distance {
		s.far, errs[4] = newStore(s.pool, boards, uint64(16*s.planes), "distances of Go boards")
		s.koFar, errs[5] = newStore(s.pool, bans, uint64(8*s.planes), "distances of Go boards with a ban")
	}
	if err := cmp.Or(errs[:]...); err != nil {
		return err
	}
	s.clear()
	return nil
}

// makePool makes a pool of the remaining memory, if the values do not fit
// unpacked.
func (s *solver) makePool() (err error) {
	e, limit := s.extent(), s.options.Memory
	needs := s.options.needs(e)
	if limit > 0 {
		debug.FreeOSMemory() // the garbage of finding boards and bans would count against the limit
	}
	switch {
	case !needs.Packs(limit):
		return nil
	case limit < needs.Least:
		return tooMuch(s.options, needs.Least)
	}
	blocks := uint64(0)
	for _, a := range s.options.arrays(e) {
		blocks += blocksOf(a.words)
	}
	s.pool, err = newPool(blocks, limit-s.options.fixed(e))
	return err
}

// memory is the memory that the build takes.
func (s *solver) memory() int64 {
	e := s.extent()
	if s.pool != nil {
		return s.options.fixed(e) + s.pool.bytes()
	}
	return s.options.needs(e).Plain
}

// clear gives every value its start and notes which boards can have a ban.
func (s *solver) clear() {
	var e entry
	var k koEntry
	for plane := range s.planes {
		e = e.with(plane, 0, s.start[plane]).with(plane, 1, s.start[plane])
		k = k.with(plane, s.start[plane])
	}
	s.values.fill(uint32(e))
	s.koValues.fill(uint32(k))
	for rank := range s.directory.boards() {
		s.values.replace(rank, uint32(e), uint32(e|hasKo))
	}
}

func (s *solver) free() {
	if s.index != nil {
		s.index.words.Free()
	}
	for _, x := range []*store{s.values, s.koValues, s.far, s.koFar} {
		if x != nil {
			x.free()
		}
	}
	s.marked.free()
	s.late.free()
	s.pool.freeMemory()
}

// plan lists the stages. Values are final from the extremes inwards and distances
// from the shortest up. The bars follow that order, so that most are written
// once.
func (s *solver) plan() []stage {
	var list []stage
	if s.planes == 1 {
		list = append(list, stage{bar: s.points}, stage{bar: 1})
	} else {
		for bar := s.points; bar > -s.points; bar-- {
			list = append(list, stage{bar: bar})
		}
	}
	if s.options.Distance {
		for bar := 8; bar < maxDistance; bar += 8 {
			list = append(list, stage{true, bar})
		}
		list = append(list, stage{true, maxDistance})
	}
	return list
}

// dual is the plane of the opponent's values: a lost loop for one side is a won
// loop for the other.
func (s *solver) dual(plane int) int { return s.planes - 1 - plane }

// bar is the bar of the stage.
func (s *solver) bar() int { return s.stages[s.stage].bar }

// admits reports whether the bar of the stage lets a value replace the old one.
func (s *solver) admits(plane, old, v int) bool {
	bar := s.bar()
	switch {
	case v == old:
		return true
	case s.planes == 1:
		return v >= bar || v <= -bar
	case plane == 0:
		return v >= bar
	}
	return v <= -bar
}

// solve runs the remaining stages, from the first one or from a checkpoint.
func (s *solver) solve() error {
	resumed := s.past.Resumed // in the middle of a stage, with its marks
	for ; s.stage < len(s.stages); s.stage++ {
		if !resumed {
			if err := s.begin(); err != nil {
				return err
			}
		}
		resumed = false
		for s.marked.any(0, s.index.boards) {
			if err := s.sweep(); err != nil {
				return err
			}
		}
	}
	return nil
}

// begin marks what a stage begins with: the changes that the stage before has held back, or
// all boards for the first distances.
func (s *solver) begin() error {
	switch {
	case s.stage == 0:
		if err := s.seed(); err != nil {
			return err
		}
	case s.stages[s.stage].distances && !s.stages[s.stage-1].distances:
		s.late.fill(s.index.boards)
	}
	s.marked, s.late = s.late, s.marked
	return nil
}

// seed marks the boards on which a side has no stone to play, or only one, which
// may be banned. From the start values every move leads to the start value, so
// only these can change first.
func (s *solver) seed() error {
	grid := s.geometry.grid
	return s.team.run(len(s.index.spans), func(_, span int) {
		s.index.descend(span, inhabited, func(code, rank uint64) {
			b := s.geometry.board(code)
			empty := grid.Mask &^ (b.own | b.other)
			if grid.Around(empty)&empty != 0 {
				return // both may play at two points at least
			}
			if legal := grid.Legal(b.own, b.other); legal&(legal-1) == 0 {
				s.late.mark(rank, 0, unsure)
			}
			if legal := grid.Legal(b.other, b.own); legal&(legal-1) == 0 {
				s.late.mark(rank, 1, unsure)
			}
		})
	})
}

// sweep visits every marked board, the fullest first, so that its changes reach
// all boards with fewer stones in the same sweep.
func (s *solver) sweep() error {
	spans := len(s.index.spans)
	visit := (*worker).values
	if s.stages[s.stage].distances {
		visit = (*worker).distances
	}
	for next := 0; next < spans; {
		next = s.team.runFrom(next, spans, s.restDue, func(thread, span int) {
			w := s.workers[thread]
			s.index.descend(spans-1-span, s.marked.any, func(code, rank uint64) {
				if marked := s.marked.take(rank); marked != 0 {
					visit(w, code, rank, marked)
				}
			})
		})
		if err := s.rest(float64(next) / float64(spans)); err != nil {
			return err
		}
	}
	s.sweeps++
	return nil
}

// rest runs while no thread is at work. It saves, reports and stops.
func (s *solver) rest(swept float64) error {
	s.report(s.phase(), swept)
	for _, w := range s.workers {
		if w.overlong {
			return fmt.Errorf("some games on %s last longer than the %d moves a table can hold: build it without distances", s.options.Size, maxDistance)
		}
	}
	stop := s.team.ctx.Err()
	if stop == nil && s.outgrown() {
		stop = ErrMemory
	}
	if s.options.Checkpoint != "" && (stop != nil || s.saveDue()) {
		begin := time.Now()
		if err := s.save(); err != nil {
			return stopped(stop, err)
		}
		s.saved = time.Now()
		s.pause = max(s.options.Every, (saveShare-1)*s.saved.Sub(begin))
	}
	return stop
}

// stopped is the reason for the stop, joined with an error if there is one.
func stopped(stop, err error) error {
	if stop == nil {
		return err
	}
	return fmt.Errorf("%w, and %w", stop, err)
}

// outgrown reports that packed values take more memory than there is.
func (s *solver) outgrown() bool { return s.pool != nil && s.pool.over.Load() }

// restDue is called by all threads, which then pause together.
func (s *solver) restDue() bool {
	return s.saveDue() || s.outgrown() || s.options.Progress != nil && time.Since(s.reported) >= reportEvery
}

func (s *solver) saveDue() bool {
	return s.options.Checkpoint != "" && time.Since(s.saved) >= s.pause
}

func (s *solver) phase() string {
	if s.stages[s.stage].distances {
		return "distances"
	}
	return "values"
}

// work is the cost of all runs so far.
func (s *solver) work() Report {
	r := s.past
	r.Seconds += time.Since(s.began).Seconds()
	r.Sweeps += s.sweeps
	for _, w := range s.workers {
		r.Visits += w.visits
		r.Changes += w.changes
	}
	if s.index != nil {
		r.Boards = s.index.boards
	}
	if s.directory != nil {
		r.Bans = uint64(len(s.directory.keys))
		r.Memory, r.Packed = s.memory(), s.pool != nil
	}
	return r
}

// reportEvery is the time between reports during a sweep.
const reportEvery = 250 * time.Millisecond

func (s *solver) report(phase string, swept float64) {
	s.reported = time.Now()
	if s.options.Progress != nil {
		s.options.Progress(Progress{Phase: phase, Stage: s.stage, Stages: len(s.stages), Swept: swept, Report: s.work()})
	}
}
