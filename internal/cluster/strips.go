package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"tengen/engine/value"
	"tengen/internal/strip"
	"tengen/internal/wholefile"
)

const (
	// ownLayer is the size up to which the master makes a layer itself.
	ownLayer = 1 << 12
	// stripSlice is the largest slice that fits into a message.
	stripSlice = payload / 2
)

// StripsQuestion names the build of a database of strips.
func StripsQuestion(r value.StripsRequest) string {
	return fmt.Sprintf("strips of up to %d points, values up to %d", r.Max, r.Simplest)
}

// BuildStrips makes a database of strips as the engine does. Workers make the layers of
// bounds. Finished layers are in the file of the build, and slices of the next layer in the
// store. The same call continues from there.
func BuildStrips(ctx context.Context, r value.StripsRequest, o Options) (value.StripsInfo, bool, error) {
	l := &laying{question: StripsQuestion(r), o: o}
	defer l.end(ctx)
	r.Layer = l.layer
	if report := r.Progress; report != nil {
		r.Progress = func(section string, done, total uint64) {
			if !l.shared.Load() { // otherwise the master reports
				report(section, done, total)
			}
		}
	}
	return value.BuildStrips(ctx, r)
}

// laying is a build of strips: it makes one layer after the other.
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
	entries := int(strip.LayerEntries(n))
	work := stripLayers{below, 1}
	if entries <= ownLayer {
		return work.slice(ctx, span{0, entries})
	}
	for _, b := range below[len(l.supplies):] {
		l.supplies = append(l.supplies, supplyBytes(b))
	}
	l.shared.Store(true)
	defer l.shared.Store(false)
	layer = make([]byte, entries)
	t := &sharing[[]byte]{
		m: l.m, kind: stripping, name: fmt.Sprintf("strips-%d", n), needs: l.supplies, layer: fmt.Sprint(n),
		add: func(s span, made []byte) (bool, error) {
			copy(layer[s.From:s.To], made)
			return false, nil
		},
		suspect: func(s span, made []byte) bool { return len(made) != s.len() },
		again: func(s span, made []byte) (string, *[]byte, error) {
			right, err := work.slice(ctx, s)
			if err != nil || bytes.Equal(made, right) {
				return "", nil, err
			}
			return fmt.Sprintf("it made entries %d to %d of the strips with %d points falsely", s.From, s.To, n), &right, nil
		},
		banned: func(worker string) error { return l.suspicion(n, worker) },
	}
	if err := t.share(ctx, entries, pace{least: ownLayer, most: stripSlice}); err != nil {
		return nil, err
	}
	authors := append(slices.Clone(l.m.about.Authors), t.checks.Workers...)
	slices.Sort(authors)
	l.m.about.Authors, l.m.about.Made = slices.Compact(authors), n
	if err := l.m.store.note(l.m.account()); err != nil {
		return nil, err
	}
	return strip.JoinLayer(n, layer)
}

// suspicion ends a build if a liar may have made a part of a finished layer. Its slices of
// the current layer go to others.
func (l *laying) suspicion(n int, worker string) error {
	a := &l.m.about
	known := a.Made >= n-1 || strip.LayerEntries(n-1) <= ownLayer
	if known && !slices.Contains(a.Authors, worker) {
		return nil
	}
	return fmt.Errorf("worker %s has made a slice falsely and has worked on earlier layers, so that these cannot be trusted: remove the store and the file of the build that ends in .partial, and begin again without it", worker)
}

// stripLayers is the work of making a layer of strips in slices, from the layers below it.
type stripLayers struct {
	below   [][]byte // from one point on
	threads int
}

func (l *stripLayers) load(_ context.Context, file *wholefile.Nameless, bytes int64) error {
	layer := make([]byte, bytes)
	_, err := io.ReadFull(file, layer)
	l.below = append(l.below, layer)
	return errors.Join(err, file.Close())
}

func (l *stripLayers) cut(ctx context.Context, s span) (any, error) { return l.slice(ctx, s) }

func (l *stripLayers) slice(ctx context.Context, s span) ([]byte, error) {
	return strip.LayerSlice(ctx, l.below, uint64(s.From), uint64(s.To), l.threads)
}

func (l *stripLayers) close() {}
