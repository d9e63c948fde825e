package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"tengen/internal/wholefile"
)

// sliced is work that can be cut into slices: the check of a certificate or of a table, or a
// layer of strips.
type sliced interface {
	// load reads the next file that the work needs. It closes the file, or close does.
	load(ctx context.Context, file *wholefile.Nameless, bytes int64) error
	// cut does a slice.
	cut(ctx context.Context, s span) (any, error)
	// close frees everything.
	close()
}

// material is the work that slices are cut from, with its files. A worker keeps it from job
// to job.
type material struct {
	kind    kind
	objects []object
	work    sliced
}

// clear frees everything.
func (m *material) clear() {
	if m.work != nil {
		m.work.close()
	}
	*m = material{}
}

// newWork prepares the work of a kind of slices.
func (e *executor) newWork(k kind) (sliced, error) {
	switch k {
	case auditing:
		return &certificateCheck{threads: e.threads, memory: e.memory}, nil
	case tabling:
		e.release() // a table takes the memory of the solver
		return &tableCheck{threads: e.threads, memory: e.memory}, nil
	case stripping:
		return &stripLayers{threads: e.threads}, nil
	}
	return nil, fmt.Errorf("there are no slices of kind %q", k)
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
	found, err := e.material.work.cut(ctx, j.Slice.span)
	r.Seconds = time.Since(began).Seconds()
	if err != nil {
		return nil, err
	}
	return json.Marshal(found)
}

// provide fetches the files that are not loaded. Layers of strips are added to those before;
// all other files replace them.
func (e *executor) provide(ctx context.Context, h *hub, j job) (err error) {
	m, needs := &e.material, j.Slice.Needs
	n := len(m.objects)
	if m.kind != j.Kind || n > len(needs) || !slices.Equal(m.objects, needs[:n]) {
		m.clear()
		m.kind = j.Kind
		if m.work, err = e.newWork(j.Kind); err != nil {
			return err
		}
	}
	for _, o := range needs[len(m.objects):] {
		file, err := h.fetch(ctx, j.Search, o)
		if errors.Is(err, errMissing) {
			wait(ctx, 200*time.Millisecond) // the master puts it there again
		}
		if err != nil {
			return err
		}
		if err := m.work.load(ctx, file, o.Bytes); err != nil {
			return err
		}
		m.objects = append(m.objects, o)
	}
	return nil
}
