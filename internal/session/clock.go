package session

import (
	"time"

	"tengen/board"
)

// clock is the time of both sides: main time, then periods in which a number of
// stones must be played. Without a limit every move gets the same time.
type clock struct {
	main, period time.Duration
	stones       int
	left         [2]remaining
}

// remaining is the time that a side has left: of its main time if stones is 0, else
// of a period.
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

// limited is false for a period without stones, which means no limit in the protocol. It
// is also false if all times are zero, which some programs send to mean the same.
func (c *clock) limited() bool {
	return c.periods() || c.main > 0 && c.period == 0
}

// lag is subtracted from the time for a move, for the transmission to the other side
// and back.
const lag = 30 * time.Millisecond

// budget is the time for the next move of a side with this number of legal moves. A
// side plays about a third of the moves it has, and late moves need little time. If
// the main time is less than the time of a stone in a period, it is used up with the
// first of these stones.
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

// spend subtracts the time of a move. When the main time runs out, the first period
// begins and the stone counts in it. When all stones of a period are played, the next
// period begins.
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
