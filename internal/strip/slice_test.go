package strip_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"tengen/internal/strip"
)

// inSlices makes layers in slices of random lengths and order, as several machines
// would.
func inSlices(rng *rand.Rand) func(ctx context.Context, below [][]byte) ([]byte, error) {
	return func(ctx context.Context, below [][]byte) ([]byte, error) {
		n := len(below) + 1
		cuts := []uint64{0}
		for cuts[len(cuts)-1] < strip.LayerEntries(n) {
			next := cuts[len(cuts)-1] + 1 + rng.Uint64N(strip.LayerEntries(n)/3+1)
			cuts = append(cuts, min(next, strip.LayerEntries(n)))
		}
		slices := make([][]byte, len(cuts)-1)
		for _, i := range rng.Perm(len(slices)) {
			var err error
			if slices[i], err = strip.LayerSlice(ctx, below, cuts[i], cuts[i+1], 1+i%2); err != nil {
				return nil, err
			}
		}
		return strip.JoinLayer(n, slices...)
	}
}

// A database with layers made in slices is the same, byte for byte.
func TestSlicesBuildTheSame(t *testing.T) {
	dir := t.TempDir()
	o := strip.Options{Max: 9, Simplest: 6, Threads: 2}
	want := build(t, filepath.Join(dir, "whole"), o)
	for i := range uint64(3) {
		o.Layer = inSlices(rand.New(rand.NewPCG(1, i)))
		if got := build(t, filepath.Join(dir, fmt.Sprint("slices", i)), o); !bytes.Equal(got, want) {
			t.Error("slices build another file")
		}
	}
}

func TestSlicesRefuse(t *testing.T) {
	ctx := context.Background()
	one, err := strip.LayerSlice(ctx, nil, 0, strip.LayerEntries(1), 0)
	if err != nil {
		t.Fatal(err)
	}
	if one, err = strip.JoinLayer(1, one); err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]func() ([]byte, error){
		"a layer too short":   func() ([]byte, error) { return strip.LayerSlice(ctx, [][]byte{one[1:]}, 0, 1, 1) },
		"the end before":      func() ([]byte, error) { return strip.LayerSlice(ctx, [][]byte{one}, 2, 1, 1) },
		"beyond the layer":    func() ([]byte, error) { return strip.LayerSlice(ctx, [][]byte{one}, 0, strip.LayerEntries(2)+1, 1) },
		"too many points":     func() ([]byte, error) { return strip.LayerSlice(ctx, make([][]byte, strip.MaxBounds), 0, 1, 1) },
		"a slice is missing":  func() ([]byte, error) { return strip.JoinLayer(2, one) },
		"no such layer":       func() ([]byte, error) { return strip.JoinLayer(0) },
		"bounds that are not": func() ([]byte, error) { return strip.JoinLayer(1, bytes.Repeat([]byte{255}, len(one))) },
	} {
		if _, err := try(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	gone := errors.New("nobody is there")
	o := ordinary
	o.Layer = func(context.Context, [][]byte) ([]byte, error) { return nil, gone }
	if _, err := strip.Make(ctx, o); !errors.Is(err, gone) {
		t.Errorf("a layer that nobody makes: %v", err)
	}
	o.Layer = func(_ context.Context, below [][]byte) ([]byte, error) { return make([]byte, 3), nil }
	if _, err := strip.Make(ctx, o); err == nil {
		t.Error("a layer of three entries was taken")
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := strip.LayerSlice(stopped, [][]byte{one}, 0, 1, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped before it began: %v", err)
	}
}
