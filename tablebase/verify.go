package tablebase

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"tengen/board"
	"tengen/weiqi"
)

// Verification says how much of a table to check, and how.
type Verification struct {
	// Sample is the share of the boards to check; 0 means all of them.
	Sample  float64
	Seed    uint64
	Threads int
	// Progress is called now and then with the frames done, if it is set.
	Progress func(done, all int)
}

// Verified says what a verification has looked at.
type Verified struct {
	Boards, Bans uint64 // checked
	Positions    uint64 // legal boards they stand for
	Complete     bool   // every legal board of the size was among them
}

// Verify re-derives values from those of the positions that moves lead to, by the
// rules alone, and compares. It also checks that every board is sound and kept
// under its smallest code, that the bans of a board are those the rules allow, and,
// when all boards are checked, that none is missing.
//
// Agreement with the successors leaves one thing open: values that rest on one
// another in a circle. Distances close it, since each must be one more than that of
// a successor with the same value: with them the scores with loops drawn are proved,
// without them they are consistent.
//
// The error names the first position that does not agree.
func (t *Table) Verify(ctx context.Context, how Verification) (Verified, error) {
	if err := t.CheckSum(ctx); err != nil {
		return Verified{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next, done atomic.Int64
	var wait sync.WaitGroup
	checkers := make([]*checker, max(how.Threads, 1))
	frames := t.header.frames()
	for i := range checkers {
		c := newChecker(t, how.Sample)
		checkers[i] = c
		wait.Go(func() {
			for ctx.Err() == nil {
				n := int(next.Add(1)) - 1
				if n >= frames {
					return
				}
				c.random = rand.New(rand.NewPCG(how.Seed, uint64(n)))
				if err := c.frame(n); err != nil {
					cancel(err)
				}
				if d := int(done.Add(1)); how.Progress != nil && (d%64 == 0 || d == frames) {
					how.Progress(d, frames)
				}
			}
		})
	}
	wait.Wait()
	var sum Verified
	for _, c := range checkers {
		sum.Boards += c.seen.Boards
		sum.Bans += c.seen.Bans
		sum.Positions += c.seen.Positions
	}
	if ctx.Err() != nil {
		return sum, context.Cause(ctx)
	}
	if how.Sample == 0 {
		return t.complete(sum)
	}
	return sum, nil
}

// complete compares what was found with the header and with the number of legal boards.
func (t *Table) complete(v Verified) (Verified, error) {
	if v.Boards != t.header.Boards || v.Bans != t.header.Bans {
		return v, fmt.Errorf("%s holds %d boards and %d bans, its header says %d and %d", t.path, v.Boards, v.Bans, t.header.Boards, t.header.Bans)
	}
	want := weiqi.LegalPositions(t.header.Size)
	if new(big.Int).SetUint64(v.Positions).Cmp(want) != 0 {
		return v, fmt.Errorf("%s stands for %d boards, %s has %s legal ones", t.path, v.Positions, t.header.Size, want)
	}
	v.Complete = true
	return v, nil
}

// checker is one thread of a verification.
type checker struct {
	t      *Table
	sample float64
	random *rand.Rand
	images []*board.Permuter
	seen   Verified
}

func newChecker(t *Table, sample float64) *checker {
	c := &checker{t: t, sample: sample}
	for _, sym := range t.header.Size.Symmetries() {
		c.images = append(c.images, board.NewPermuter(t.header.Size, sym))
	}
	return c
}

func (c *checker) frame(n int) error {
	f, err := c.t.frame(n)
	if err != nil || f == nil {
		return err
	}
	bans := f.bans
	at := -1
	for code := range c.t.codes(n, f) {
		at++
		mine := 0
		for mine < len(bans) && int(bans[mine]>>8) == at {
			mine++
		}
		if c.sample == 0 || c.random.Float64() < c.sample {
			if err := c.board(code, bans[:mine]); err != nil {
				return err
			}
		}
		bans = bans[mine:]
	}
	return nil
}

// codes yields the codes of the boards in a frame.
func (t *Table) codes(n int, f *frame) iter.Seq[uint64] {
	first := uint64(n) * t.header.frameCodes()
	return func(yield func(uint64) bool) {
		for i, w := range f.bits {
			for ; w != 0; w &= w - 1 {
				if !yield(first + uint64(i)*64 + uint64(bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// board checks a board from both sides.
func (c *checker) board(code uint64, bans []uint32) error {
	t := c.t
	ones, twos := t.coder.stones(code)
	if !t.grid.Sound(ones, twos) {
		return fmt.Errorf("%s holds %s, where a block has no liberty", t.path, c.draw(ones, twos))
	}
	if t.coder.find(ones, twos, -1) != (slot{code, 0, noBan}) {
		return fmt.Errorf("%s holds %s, which is not the smallest of its images", t.path, c.draw(ones, twos))
	}
	images, twin := t.coder.images(ones, twos)
	k, _, err := t.look(ones, twos, -1)
	if err != nil {
		return err
	}
	if twin && (k.stone != k.reply || k.stoneFar != k.replyFar) {
		return fmt.Errorf("%s tells apart the sides of %s, which is its own inverse", t.path, c.draw(ones, twos))
	}
	found := 0
	for side, b := range [2][2]uint64{{ones, twos}, {twos, ones}} {
		if err := c.stone(b[0], b[1], -1); err != nil {
			return err
		}
		for _, p := range t.coder.points {
			if !c.retakes(b[0], b[1], 1<<p) {
				continue
			}
			if at := t.coder.find(b[0], b[1], int(p)); at == (slot{code, uint8(side), t.coder.digit[0][p]}) {
				found++
			}
			if err := c.stone(b[0], b[1], int(p)); err != nil {
				return err
			}
		}
		if !twin || side == 0 {
			c.seen.Positions += uint64(images)
		}
	}
	if found != len(bans) {
		return fmt.Errorf("%s holds %d bans on %s, the rules allow %d", t.path, len(bans), c.draw(ones, twos), found)
	}
	c.seen.Boards++
	c.seen.Bans += uint64(found)
	return nil
}

// retakes reports whether own could take a single stone at point and be retaken,
// which is how a point that can be banned looks.
func (c *checker) retakes(own, other, point uint64) bool {
	if (own|other)&point != 0 || c.t.grid.Legal(own, other)&point == 0 {
		return false
	}
	_, _, ban := c.t.grid.Play(own, other, point)
	return ban != 0
}

// stone re-derives the value of the best stone, away from the ban if there is one.
func (c *checker) stone(own, other uint64, ban int) error {
	t := c.t
	k, ok, err := t.look(own, other, ban)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%s does not hold %s with the ban it can have", t.path, c.draw(own, other))
	}
	legal := t.grid.Legal(own, other)
	if ban >= 0 {
		legal &^= 1 << ban
	}
	planes := t.header.Loops.Planes()
	points := t.header.Size.Points()
	best := [2]int{-points, -points}
	var moves []Value
	for ; legal != 0; legal &= legal - 1 {
		v, err := c.after(own, other, legal&-legal)
		if err != nil {
			return err
		}
		v = t.before(v)
		moves = append(moves, v)
		if t.header.Loops == Range {
			best = [2]int{max(best[0], v.Lo), max(best[1], v.Hi)}
		} else {
			best[0] = max(best[0], v.Score)
		}
	}
	for plane := range planes {
		if best[plane] != k.stone[plane] {
			return fmt.Errorf("%s gives the best stone on %s the value %d, its moves say %d", t.path, c.draw(own, other), k.stone[plane], best[plane])
		}
	}
	if t.header.Distance {
		return c.distance(own, other, k.stoneFar, best, moves)
	}
	return nil
}

// distance re-derives the distance of the best stone.
func (c *checker) distance(own, other uint64, far uint8, best [2]int, moves []Value) error {
	v := best[0]
	if c.t.header.Loops == Range {
		v = median(best[0], best[1])
	}
	want := choice{winner: v > 0}
	switch {
	case len(moves) == 0:
		want.far = NoStone
	case v != 0:
		for _, m := range moves {
			if m.Score == v {
				want.add(m.Distance)
			}
		}
	}
	if int(far) != want.far {
		return fmt.Errorf("%s says the best stone on %s ends the game in %d moves, its moves say %d", c.t.path, c.draw(own, other), far, want.far)
	}
	return nil
}

// after is the value of the position after a move. It is looked up under a random
// image, so that positions the file wrongly takes for one another show.
func (c *checker) after(own, other, point uint64) (Value, error) {
	mover, passive, ban := c.t.grid.Play(own, other, point)
	image := c.images[c.random.IntN(len(c.images))]
	cell := -1
	if ban != 0 {
		cell = bits.TrailingZeros64(image.Map(ban))
	}
	v, err := c.t.value(image.Map(passive), image.Map(mover), cell, 0)
	if err != nil {
		return Value{}, err
	}
	if v == nil {
		return Value{}, fmt.Errorf("%s does not hold %s", c.t.path, c.draw(passive, mover))
	}
	return *v, nil
}

func (c *checker) draw(own, other uint64) string {
	var s board.Stones
	s[board.Black][0], s[board.White][0] = own, other
	return c.t.header.Size.Line(s)
}
