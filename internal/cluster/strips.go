package cluster

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"

	"tengen/engine"
	"tengen/internal/strip"
)

const (
	// ownLayer is the size of layers that the master makes itself.
	ownLayer = 1 << 12
	// stripSlice is the most that goes into a slice, so that it fits a message.
	stripSlice = payload / 2
)

// StripsQuestion tells databases of strips apart.
func StripsQuestion(r engine.StripsRequest) string {
	return fmt.Sprintf("strips of up to %d points, values up to %d", r.Max, r.Simplest)
}

// BuildStrips makes a database of strips as the engine does, but has layers of bounds made
// by all workers. Layers that are finished are in the file of the build, and slices of the
// next in the store: the same call goes on from there.
func BuildStrips(ctx context.Context, r engine.StripsRequest, o Options) (engine.StripsInfo, bool, error) {
	l := &laying{question: StripsQuestion(r), o: o}
	defer l.end(ctx)
	r.Layer = l.layer
	if tell := r.Progress; tell != nil {
		r.Progress = func(p engine.StripsProgress) {
			if !l.shared.Load() { // or the master tells it
				tell(p)
			}
		}
	}
	return engine.BuildStrips(ctx, r)
}

// laying makes layers of strips.
type laying struct {
	question string
	o        Options
	m        *master // from the first layer on
	supplies []supply
	shared   atomic.Bool // a layer is with the workers
}

func (l *laying) end(ctx context.Context) {
	if l.m == nil {
		return
	}
	for _, s := range l.supplies {
		l.m.hub.drop(ctx, l.m.search, s.object)
	}
	l.m.end()
}

// layer makes the layer after those given.
func (l *laying) layer(ctx context.Context, below [][]byte) (layer []byte, err error) {
	if l.m == nil {
		if l.m, err = begin(ctx, l.question, l.o); err != nil {
			return nil, err
		}
	}
	n := len(below) + 1
	entries := strip.LayerEntries(n)
	if entries <= ownLayer {
		return strip.LayerSlice(ctx, below, 0, entries, 1)
	}
	for _, b := range below[len(l.supplies):] {
		l.supplies = append(l.supplies, supplyBytes(b))
	}
	l.shared.Store(true)
	defer l.shared.Store(false)
	layer = make([]byte, entries)
	t := &sharing[[]byte]{
		m: l.m, kind: stripping, name: fmt.Sprintf("strips-%d", n), needs: l.supplies, layer: fmt.Sprint(n),
		add: func(s span, worker string, made []byte) (bool, error) {
			copy(layer[s.From:s.To], made)
			return false, l.check(ctx, below, s, worker, made)
		},
	}
	if err := t.share(ctx, int(entries), pace{least: ownLayer, most: stripSlice}); err != nil {
		return nil, err
	}
	return strip.JoinLayer(n, layer)
}

// check makes one slice in so many again, as answers of searches are found again.
func (l *laying) check(ctx context.Context, below [][]byte, s span, worker string, made []byte) error {
	if len(made) == s.len() && s.From/ownLayer%checkOne != 0 {
		return nil
	}
	right, err := strip.LayerSlice(ctx, below, uint64(s.From), uint64(s.To), 1)
	if err != nil || bytes.Equal(made, right) {
		return err
	}
	l.m.ban(worker, fmt.Sprintf("it made entries %d to %d of the strips with %d points falsely", s.From, s.To, len(below)+1))
	return fmt.Errorf("worker %s has made a slice falsely, so that nothing made so far can be trusted: remove the store and the file of the build that ends in .partial, and begin again without it", worker)
}
