package session

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"tengen/board"
)

// strictClock is an independent clock: main time, then periods in each of which a
// number of stones must be played. It shares no state with the session.
type strictClock struct {
	main, period time.Duration
	stones       int

	inPeriod time.Duration // spent in the present one
	played   int           // stones, likewise
}

// move reports whether a move was made in time.
func (c *strictClock) move(took time.Duration) bool {
	if c.main >= took {
		c.main -= took
		return true
	}
	took -= c.main
	c.main = 0
	if c.stones == 0 {
		return false
	}
	c.inPeriod += took
	c.played++
	inTime := c.inPeriod <= c.period
	if c.played == c.stones {
		c.inPeriod, c.played = 0, 0
	}
	return inTime
}

// With any settings, a player that uses its budget and is late by the lag does not
// lose on time.
func TestNoClockRunsOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		milliseconds := func(name string, most int) time.Duration {
			return time.Duration(rapid.IntRange(0, most).Draw(t, name)) * time.Millisecond
		}
		mainTime, period, stones := milliseconds("main", 20000), milliseconds("period", 5000), rapid.IntRange(0, 10).Draw(t, "stones")
		if stones == 0 {
			period = 0
		}
		var c clock
		c.set(mainTime, period, stones)
		if !c.limited() {
			return
		}
		strict := strictClock{main: mainTime, period: period, stones: stones}
		late := rapid.Bool().Draw(t, "late")
		legal := rapid.IntRange(1, 361).Draw(t, "legal")
		for number := 1; number <= 150; number++ {
			took := c.budget(board.Black, legal)
			if took == time.Millisecond {
				return // the session cannot keep a shorter time
			}
			if late && took >= 4*lag {
				took += lag
			}
			if !strict.move(took) {
				t.Fatalf("move %d takes %v and is too late: main %v, period %v, %d stones", number, took, mainTime, period, stones)
			}
			c.spend(board.Black, took)
			legal = max(legal-rapid.IntRange(0, 3).Draw(t, "gone"), 1)
		}
	})
}
