package tablebase

import "sync"

// cache keeps decoded frames up to a number of bytes and gives up the one that
// has not been asked for longest, as the second hand of a clock sees it.
type cache struct {
	mutex sync.Mutex
	limit int64
	held  int64
	ring  []held
	at    map[int]int // frame → place in the ring
	hand  int
}

type held struct {
	number int
	frame  *frame
	asked  bool
}

func newCache(limit int64) *cache { return &cache{limit: limit, at: map[int]int{}} }

func (c *cache) get(number int) *frame {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	i, ok := c.at[number]
	if !ok {
		return nil
	}
	c.ring[i].asked = true
	return c.ring[i].frame
}

func (c *cache) put(number int, f *frame) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if _, ok := c.at[number]; ok {
		return
	}
	for c.held+int64(f.raw) > c.limit && len(c.ring) > 0 {
		c.drop()
	}
	c.at[number] = len(c.ring)
	c.ring = append(c.ring, held{number, f, false})
	c.held += int64(f.raw)
}

// drop moves the hand to the first frame not asked for since it last passed.
func (c *cache) drop() {
	for {
		c.hand %= len(c.ring)
		h := &c.ring[c.hand]
		if !h.asked {
			break
		}
		h.asked = false
		c.hand++
	}
	gone := c.ring[c.hand]
	last := len(c.ring) - 1
	c.ring[c.hand] = c.ring[last]
	c.at[c.ring[c.hand].number] = c.hand
	c.ring[last] = held{}
	c.ring = c.ring[:last]
	delete(c.at, gone.number)
	c.held -= int64(gone.frame.raw)
}
