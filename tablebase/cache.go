package tablebase

import (
	"sync"
	"sync/atomic"
)

// cache keeps decoded frames up to a number of bytes. When it is full it drops a
// frame that was not used lately, by the clock algorithm. Finding a frame takes no
// lock.
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
		f.asked.Store(true) // stored only if it changes, so that readers share the cache line
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

// drop moves the hand of the clock to the first frame that was not used since the
// hand last passed, and removes it.
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
