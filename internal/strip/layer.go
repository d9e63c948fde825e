package strip

import (
	"context"
	"sync"
	"sync/atomic"
)

// chunk is the number of entries a worker takes at a time.
const chunk = 4096

// inChunks goes through the entries of a layer on several threads. Each thread
// asks once for a function that works on a range; count hears of finished ranges.
func inChunks(ctx context.Context, total uint64, threads int, count func(uint64), worker func() func(from, to uint64) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Uint64
	var wait sync.WaitGroup
	for range threads {
		wait.Go(func() {
			work := worker()
			for ctx.Err() == nil {
				from := next.Add(chunk) - chunk
				if from >= total {
					return
				}
				to := min(from+chunk, total)
				if err := work(from, to); err != nil {
					cancel(err)
				}
				count(to - from)
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}

// layer bounds all strips with one point more than the layers cover. The result
// does not depend on the number of threads: bounds are exact.
func (l layers) layer(ctx context.Context, threads int, count func(uint64)) ([]byte, error) {
	n := len(l)
	layer := make([]byte, entries(n))
	err := inChunks(ctx, uint64(len(layer)), threads, count, func() func(from, to uint64) error {
		d := newDecider(l)
		return func(from, to uint64) error { return d.fill(layer, n, from, to) }
	})
	return layer, err
}

// fill makes the entries of a range and those that follow from them. A strip has
// up to four images; the one with the first entry brings the others along, so
// that every entry has one writer.
func (d *decider) fill(layer []byte, n int, from, to uint64) error {
	for index := from; index < to; index++ {
		images := placed(n, index).images()
		var at [len(images)]uint64
		var flip [len(images)]bool
		first := true
		for i, s := range images {
			at[i], flip[i] = s.place()
			first = first && at[i] >= index
		}
		if !first {
			continue
		}
		b := d.bounds(images[0])
		for i := range images {
			entry := b
			if inverted[i] != flip[i] {
				entry = b.Inverse()
			}
			packed, err := entry.pack()
			if err != nil {
				return err
			}
			layer[at[i]] = packed
		}
	}
	return nil
}
