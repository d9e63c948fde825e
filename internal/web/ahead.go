package web

import (
	"context"
	"log/slog"
	"sync"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/value"
)

// ahead builds tables of Go before somebody has to wait for them, one after the other and
// each once. What a table takes is counted as a question's. It also builds the database of
// strips: a question that is stopped would begin with it anew, again and again.
type ahead struct {
	analyst *analyse.Analyst
	log     *slog.Logger
	ctx     context.Context
	stop    context.CancelFunc

	mu    sync.Mutex
	begun map[board.Size]bool
	rows  bool // the database of strips was begun
	work  sync.WaitGroup
	turn  sync.Mutex // is held by the one that builds
}

func newAhead(analyst *analyse.Analyst, log *slog.Logger) *ahead {
	h := &ahead{analyst: analyst, log: log, begun: map[board.Size]bool{}}
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

// build sees to it that there will be a table of a board.
func (h *ahead) build(size board.Size) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.begun[size] || h.ctx.Err() != nil {
		return
	}
	h.begun[size] = true
	h.work.Go(func() {
		h.turn.Lock()
		defer h.turn.Unlock()
		if err := h.analyst.Prepare(h.ctx, size); err != nil && h.ctx.Err() == nil {
			h.log.Warn("table", "size", size.String(), "problem", err.Error())
		}
	})
}

// strips sees to it that there will be a database of strips.
func (h *ahead) strips() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rows || h.ctx.Err() != nil {
		return
	}
	h.rows = true
	h.work.Go(func() {
		if err := value.PrepareStrips(h.ctx); err != nil && h.ctx.Err() == nil {
			h.log.Warn("strips", "problem", err.Error())
		}
	})
}

// close stops the work and waits for it.
func (h *ahead) close() {
	h.mu.Lock()
	h.stop()
	h.mu.Unlock()
	h.work.Wait()
}
