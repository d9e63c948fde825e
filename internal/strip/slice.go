package strip

import (
	"context"
	"fmt"
	"runtime"
)

// LayerEntries is the number of entries of the layer of the strips with n points. The
// layer can be made in slices, on many machines, from the layers below.
func LayerEntries(n int) uint64 { return entries(n) }

// LayerSlice makes the entries from (included) to to (excluded) of the layer that
// follows the layers below, which hold strips with 1, 2, … points. JoinLayer puts the
// slices together. 0 threads means all processors.
func LayerSlice(ctx context.Context, below [][]byte, from, to uint64, threads int) ([]byte, error) {
	n := len(below) + 1
	if n > MaxBounds {
		return nil, fmt.Errorf("a database has bounds of strips with up to %d points, not %d", MaxBounds, n)
	}
	l := layers{nil}
	for i, layer := range below {
		if uint64(len(layer)) != entries(i+1) {
			return nil, fmt.Errorf("the layer of strips with %d points has %d entries instead of %d", i+1, len(layer), entries(i+1))
		}
		l = append(l, layer)
	}
	if from > to || to > entries(n) {
		return nil, fmt.Errorf("entries %d to %d are not a slice of a layer with %d", from, to, entries(n))
	}
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return l.slice(ctx, from, to, threads, func(uint64) {})
}

// JoinLayer makes the layer of the strips with n points out of all its slices, in order.
// The result is the same, byte for byte, for any slices.
func JoinLayer(n int, slices ...[]byte) ([]byte, error) {
	if n < 1 || n > MaxBounds {
		return nil, fmt.Errorf("a database has bounds of strips with up to %d points, not %d", MaxBounds, n)
	}
	layer := make([]byte, 0, entries(n))
	for _, slice := range slices {
		layer = append(layer, slice...)
	}
	if uint64(len(layer)) != entries(n) {
		return nil, fmt.Errorf("the slices of the layer of strips with %d points have %d entries instead of %d", n, len(layer), entries(n))
	}
	for index := range uint64(len(layer)) {
		if c := classOf(n, index); c.first() == index {
			if err := c.fill(layer, 0, unpack(layer[index])); err != nil {
				return nil, err
			}
		}
	}
	return layer, nil
}
