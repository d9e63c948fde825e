package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"tengen/internal/strip"
	"tengen/internal/wholefile"
	"tengen/proof"
	"tengen/tablebase"
)

// material are the files that slices are cut from. A worker keeps them from job to job.
type material struct {
	kind        kind
	objects     []object
	certificate *proof.Certificate
	table       *tablebase.Verifier
	layers      [][]byte // of the strips, from one point on
	free        func()   // frees the table
}

// clear frees everything.
func (m *material) clear() {
	if m.free != nil {
		m.free()
	}
	*m = material{}
}

// slice does a slice. It first fetches the files that are not loaded.
func (e *executor) slice(ctx context.Context, h *hub, j job, r *result) (json.RawMessage, error) {
	if j.Slice == nil {
		return nil, errors.New("a slice is empty")
	}
	if err := e.provide(ctx, h, j); err != nil {
		e.material.clear()
		return nil, err
	}
	began := time.Now()
	found, err := e.cut(ctx, j.Kind, j.Slice.span)
	r.Seconds = time.Since(began).Seconds()
	if err != nil {
		return nil, err
	}
	return json.Marshal(found)
}

// provide fetches the files that are not loaded. Layers of strips are added to those before;
// all other files replace them.
func (e *executor) provide(ctx context.Context, h *hub, j job) error {
	m, needs := &e.material, j.Slice.Needs
	n := len(m.objects)
	if m.kind != j.Kind || n > len(needs) || !slices.Equal(m.objects, needs[:n]) {
		m.clear()
		m.kind = j.Kind
	}
	for _, o := range needs[len(m.objects):] {
		file, err := h.fetch(ctx, j.Search, o)
		if errors.Is(err, errMissing) {
			wait(ctx, 200*time.Millisecond) // the master puts it there again
		}
		if err != nil {
			return err
		}
		if err := e.load(ctx, file, o); err != nil {
			return err
		}
		m.objects = append(m.objects, o)
	}
	return nil
}

// load reads a file and closes it when it is not needed any more.
func (e *executor) load(ctx context.Context, file *wholefile.Nameless, o object) (err error) {
	m := &e.material
	switch m.kind {
	case tabling:
		return e.loadTable(ctx, file, o)
	case auditing:
		m.certificate, err = proof.ReadWithin(ctx, file, e.memory)
	case stripping:
		layer := make([]byte, o.Bytes)
		_, err = io.ReadFull(file, layer)
		m.layers = append(m.layers, layer)
	}
	return errors.Join(err, file.Close())
}

// loadTable takes the memory of the solver, which is freed.
func (e *executor) loadTable(ctx context.Context, file *wholefile.Nameless, o object) error {
	e.release()
	e.material.free = func() { file.Close() }
	table, err := tablebase.New(file, o.Bytes, 0)
	if err != nil {
		return err
	}
	e.material.free = func() {
		table.Close()
		file.Close()
	}
	v, err := table.Verifier(ctx, tablebase.Verification{Threads: e.threads, Memory: e.memory})
	if err != nil {
		return err
	}
	e.material.table = v
	e.material.free = func() {
		v.Close()
		table.Close()
		file.Close()
	}
	return nil
}

// cut computes a slice.
func (e *executor) cut(ctx context.Context, k kind, s span) (any, error) {
	m := &e.material
	switch {
	case k == auditing && m.certificate != nil:
		return proof.Verify(ctx, m.certificate, proof.VerifyOptions{Threads: e.threads, From: s.From, To: min(s.To, m.certificate.Len())})
	case k == tabling && m.table != nil:
		v, err := m.table.Slice(ctx, s.From, s.To)
		if wrong := (*tablebase.Wrong)(nil); errors.As(err, &wrong) {
			return tableReport{v, wrong.Error()}, nil
		}
		return tableReport{Verified: v}, err
	case k == stripping && s.From >= 0 && s.From <= s.To:
		return strip.LayerSlice(ctx, m.layers, uint64(s.From), uint64(s.To), e.threads)
	}
	return nil, fmt.Errorf("there is nothing that a slice of kind %q is cut from", k)
}
