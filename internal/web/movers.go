package web

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/play"
)

// movers is a pool of players of NoGo. It has at most one player for each slot of short
// work, so that their memory is bounded. A player that is given back keeps its tree for the
// next move on its board.
type movers struct {
	memory  int64 // of each
	threads int

	mu   sync.Mutex
	idle []borrowed // the last one given back comes last
	all  int
}

// borrowed is a player that one request has.
type borrowed struct {
	play.Mover
	kind play.Kind
	size board.Size
}

// borrow finds or makes a player.
func (m *movers) borrow(ctx context.Context, kind play.Kind, size board.Size) (borrowed, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.idle, func(b borrowed) bool { return b.kind == kind && b.size == size }); i >= 0 {
		b := m.idle[i]
		m.idle = slices.Delete(m.idle, i, i+1)
		return b, nil
	}
	if m.all >= shortSlots && len(m.idle) > 0 {
		m.idle[0].Close()
		m.idle = slices.Delete(m.idle, 0, 1)
		m.all--
	}
	mover, err := play.New(ctx, play.Options{Kind: kind, Size: size, Seed: rand.Uint64(), Limits: job.Limits{Memory: m.memory, Threads: m.threads}})
	if err != nil {
		return borrowed{}, err
	}
	m.all++
	return borrowed{mover, kind, size}, nil
}

// giveBack keeps a player for the next.
func (m *movers) giveBack(b borrowed) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.idle = append(m.idle, b)
}

func (m *movers) close() (err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range m.idle {
		err = errors.Join(err, b.Close())
	}
	m.idle, m.all = nil, 0
	return err
}
