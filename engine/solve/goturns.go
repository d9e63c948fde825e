package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/solver/gosearch"
	"tengen/weiqi"
)

// firstSave and saveEvery are the times between two checkpoints. A search that rests long
// while it is saved goes on for savePause times as long before the next one.
const (
	firstSave = 5 * time.Second
	saveEvery = 30 * time.Second
	savePause = 30
)

// narrow searches within a span, mostly for proofs of one side unless it is board.Empty.
// The search rests while it is saved.
func (r *areaRun) narrow(ctx context.Context, p weiqi.Position, s span, side board.Colour) (gosearch.Answer, error) {
	for {
		turn, nodes, cancel := r.turn(ctx)
		a, err := r.solver.SolveFor(turn, p, gosearch.Answer{Low: s.low, High: s.high}, side, nodes)
		cancel()
		s = between(a.Low, a.High)
		if err == nil || s.exact() {
			return a, nil
		}
		if !job.IsStop(err) && !errors.Is(err, gosearch.ErrNodes) || ctx.Err() != nil {
			return a, err
		}
		if r.checkpoint != nil && !time.Now().Before(r.due()) {
			r.save()
		}
		if err := r.grow(); err != nil {
			return a, err
		}
	}
}

// Memory costs time when it is first touched, so a search begins with a small table and
// gets a larger one when that is half full. It must be stopped for that and repeats a
// part of its work, so the turns between two looks at the table become longer. They end
// by positions and not by time: then one thread searches the same ones every time.
const (
	firstTable = 64 << 20
	growth     = 8
	growTurn   = 1 << 18
	growShare  = 16 // of the positions so far
)

// larger is the size of the next table. The present one must have room beside it.
func (r *areaRun) larger() int64 {
	limit := r.plan.Memory - r.plan.Fixed
	if next := growth * r.memory; 2*next <= limit {
		return next
	}
	return limit - r.memory
}

// small reports whether the table may grow.
func (r *areaRun) small() bool { return r.memory < r.larger() }

// grow takes a larger table, if the present one is half full.
func (r *areaRun) grow() error {
	if stats := r.solver.Stats(); !r.small() || 2*stats.Stored < stats.Capacity {
		return nil
	}
	r.memory = r.larger()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.solver.Grow(r.memory)
}

// turn ends when a checkpoint is due and, while the table is small, after some nodes.
func (r *areaRun) turn(ctx context.Context) (turn context.Context, nodes uint64, cancel context.CancelFunc) {
	if r.small() {
		nodes = max(r.look, r.stats().Nodes/growShare)
	}
	if r.checkpoint == nil {
		return ctx, nodes, func() {}
	}
	turn, cancel = context.WithDeadline(ctx, r.due())
	return turn, nodes, cancel
}

// due is when the checkpoint is to be written next.
func (r *areaRun) due() time.Time {
	wait := max(cmp.Or(r.request.SaveEvery, saveEvery), savePause*r.saving)
	if r.checkpoint.Saved() == "" {
		wait = min(wait, firstSave)
	}
	return r.saved.Add(wait)
}

// save writes the checkpoint, if there is one. A failure is a warning.
func (r *areaRun) save() {
	if r.checkpoint == nil {
		return
	}
	spent := job.Cost{Nodes: r.past.Nodes + r.stats().Nodes, Seconds: r.past.Seconds + time.Since(r.start).Seconds()}
	begun := time.Now()
	if err := r.checkpoint.Save(spent, r.solver); err != nil {
		r.warnings = append(r.warnings, fmt.Sprintf("the checkpoint could not be written: %v", err))
	}
	r.saved, r.saving = time.Now(), time.Since(begun)
}
