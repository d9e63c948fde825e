package tablebase

import (
	"sync"
	"sync/atomic"
)

// cache keeps decoded frames up to a number of bytes and gives up the one that
// has not been asked for longest, as the second hand of a clock sees it. Finding a
// frame takes no lock.
type cache struct {
	frames []atomic.Pointer[frame] // by number, nil if not held

	mutex sync.Mutex
	limit int64
	held  int64
	ring  []int // numbers of the frames held
	hand  int
}

func newCache(frames int, limit int64) *cache {
	return &cache{frames: make([]atomic.Pointer[frame], frames), limit: limit}
}

func (c *cache) get(number int) *frame {
	f := c.frames[number].Load()
	if f != nil && !f.asked.Load() {
		f.asked.Store(true) // only once, so that readers do not fight for the line
	}
	return f
}

func (c *cache) put(number int, f *frame) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.frames[number].Load() != nil {
		return
	}
	for c.held+int64(f.held) > c.limit && len(c.ring) > 0 {
		c.drop()
	}
	c.frames[number].Store(f)
	c.ring = append(c.ring, number)
	c.held += int64(f.held)
}

// drop moves the hand to the first frame not asked for since it last passed.
func (c *cache) drop() {
	for {
		c.hand %= len(c.ring)
		if !c.frames[c.ring[c.hand]].Load().asked.Swap(false) {
			break
		}
		c.hand++
	}
	gone, last := c.ring[c.hand], len(c.ring)-1
	c.held -= int64(c.frames[gone].Swap(nil).held)
	c.ring[c.hand] = c.ring[last]
	c.ring = c.ring[:last]
}
