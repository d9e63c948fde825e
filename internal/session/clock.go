package session

import (
	"time"

	"tengen/board"
)

// clock is the time of both sides: main time, then periods in which a number of stones
// must be played. As long as no limit is set every move gets the same.
type clock struct {
	main, period time.Duration
	stones       int
	left         [2]remaining
}

// remaining is what a side has: of its main time if stones is 0, else of a period.
type remaining struct {
	time   time.Duration
	stones int
}

func (c *clock) set(mainTime, period time.Duration, stones int) {
	c.main, c.period, c.stones = mainTime, period, stones
	c.reset()
}

func (c *clock) reset() {
	for side := range c.left {
		c.left[side] = remaining{time: c.main}
		if c.main == 0 {
			c.left[side] = remaining{c.period, c.stones}
		}
	}
}

// limited is false for a period without stones, which is the protocol's way to say no
// limit, and where there is no time at all, which is how some programs say it.
func (c *clock) limited() bool {
	return c.periods() || c.main > 0 && c.period == 0
}

// lag is kept back of the time for a move, for the way to the other side and back.
const lag = 30 * time.Millisecond

// budget is what a side with so many legal moves should spend on the next one. A side
// plays about a third of the moves it has, and the late ones need no thought. Main time
// that is less than a stone gets in a period is used up with the first of them.
func (c *clock) budget(side board.Colour, legal int) time.Duration {
	left := c.left[side]
	share := left.time
	switch {
	case left.stones > 0:
		share /= time.Duration(left.stones)
	case c.periods() && left.time < c.perStone():
		share += c.perStone()
	default:
		share /= time.Duration(max(legal/3, 4))
		if c.periods() {
			share = max(share, c.perStone())
		}
	}
	return max(share-min(lag, share/4), time.Millisecond)
}

func (c *clock) periods() bool { return c.stones > 0 && c.period > 0 }

func (c *clock) perStone() time.Duration { return c.period / time.Duration(c.stones) }

// spend takes the time of a move off. Main time that has run out goes on as the first
// period, and the stone counts in it; a period is followed by the next when all its
// stones are played.
func (c *clock) spend(side board.Colour, took time.Duration) {
	left := &c.left[side]
	left.time -= took
	if left.stones == 0 && left.time < 0 && c.periods() {
		left.time += c.period
		left.stones = c.stones
	}
	if left.stones > 0 {
		left.stones--
		if left.stones == 0 {
			*left = remaining{c.period, c.stones}
		}
	}
	left.time = max(left.time, 0)
}
