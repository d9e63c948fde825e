package strip

import (
	"context"
	"sync"
	"sync/atomic"
)

// chunk is the number of entries a worker takes at a time.
const chunk = 4096

// inChunks goes through the entries of a layer on several threads. Each thread calls
// worker once for a function that works on a range. It calls count after every
// finished range.
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
	return l.slice(ctx, 0, entries(len(l)), threads, count)
}

// slice makes the entries of a range of the next layer. Entries that follow from
// entries before the range stay 0.
func (l layers) slice(ctx context.Context, from, to uint64, threads int, count func(uint64)) ([]byte, error) {
	n := len(l)
	slice := make([]byte, to-from)
	err := inChunks(ctx, uint64(len(slice)), threads, count, func() func(low, high uint64) error {
		d := newDecider(l)
		return func(low, high uint64) error {
			for index := from + low; index < from+high; index++ {
				if c := classOf(n, index); c.first() == index {
					if err := c.fill(slice, from, d.bounds(c.images[0])); err != nil {
						return err
					}
				}
			}
			return nil
		}
	})
	return slice, err
}

// class is a strip with its images. Their bounds follow from one another. The image
// with the first entry fills in the others, so that every entry has one writer.
type class struct {
	images [4]Strip
	at     [4]uint64 // their entries
	flip   [4]bool   // the entry is that of the inverse
}

func classOf(n int, index uint64) (c class) {
	c.images = placed(n, index).images()
	for i, s := range c.images {
		c.at[i], c.flip[i] = s.place()
	}
	return c
}

func (c *class) first() uint64 { return min(c.at[0], c.at[1], c.at[2], c.at[3]) }

// fill writes the entries of the class that are in a slice; b bounds the first image.
func (c *class) fill(slice []byte, from uint64, b Bounds) error {
	for i, at := range c.at {
		entry := b
		if inverted[i] != c.flip[i] {
			entry = b.Inverse()
		}
		packed, err := entry.pack()
		if err != nil {
			return err
		}
		if at >= from && at-from < uint64(len(slice)) {
			slice[at-from] = packed
		}
	}
	return nil
}
