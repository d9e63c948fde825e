package web

import (
	"context"
	"log/slog"
	"sync"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/value"
)

// ahead builds tables of Go in the background, one at a time and each once, so that later
// questions need not wait for them. The memory of a build counts as that of a question. It
// also builds the database of strips, since a question that is stopped would lose its part
// of that work.
type ahead struct {
	analyst *analyse.Analyst
	log     *slog.Logger
	ctx     context.Context
	stop    context.CancelFunc

	mu    sync.Mutex
	begun map[board.Size]bool
	rows  bool // the build of the database of strips has begun
	work  sync.WaitGroup
	turn  sync.Mutex // held while a table is built
}

func newAhead(analyst *analyse.Analyst, log *slog.Logger) *ahead {
	h := &ahead{analyst: analyst, log: log, begun: map[board.Size]bool{}}
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

// build begins to build the table of a board, unless it has begun before.
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

// strips begins to build the database of strips, unless it has begun before.
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
