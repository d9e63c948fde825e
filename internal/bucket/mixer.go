package bucket

// mixer is a bijection of codes that changes only their low bits. Positions of a game
// fill some buckets and leave others empty. Mixing spreads them evenly over a group of
// buckets. It does not go beyond the group, because a search visits positions with the
// same leading digits together: so their part of the directory stays in the cache. The
// zero mixer changes nothing.
type mixer struct {
	mask            uint64 // the bits that change
	shift           int
	first, second   uint64 // odd, so invertible modulo a power of two
	first1, second1 uint64 // their inverses
}

// The multipliers are the odd constants of the SplitMix64 finaliser.
const (
	mixFirst  = 0xbf58476d1ce4e5b9
	mixSecond = 0x94d049bb133111eb
)

func newMixer(width int) mixer {
	return mixer{
		mask:    1<<width - 1,
		shift:   (width + 1) / 2,
		first:   mixFirst,
		second:  mixSecond,
		first1:  inverse(mixFirst),
		second1: inverse(mixSecond),
	}
}

// inverse solves a·x = 1 modulo 2^64 by Newton's iteration, which doubles the number of
// correct low bits at each step. It starts with a, which is correct in three bits.
func inverse(a uint64) uint64 {
	x := a
	for range 5 {
		x *= 2 - a*x
	}
	return x
}

// mix multiplies, folds the well-mixed high half onto the low one, and multiplies again.
func (m *mixer) mix(x uint64) uint64 {
	if m.mask == 0 {
		return x
	}
	high := x &^ m.mask
	x = x * m.first & m.mask
	x ^= x >> m.shift
	return high | x*m.second&m.mask
}

// unmix undoes mix. The fold is its own inverse: shift is at least half the width.
func (m *mixer) unmix(x uint64) uint64 {
	if m.mask == 0 {
		return x
	}
	high := x &^ m.mask
	x = x * m.second1 & m.mask
	x ^= x >> m.shift
	return high | x*m.first1&m.mask
}

func (m *mixer) mixAll(codes []uint64) {
	if m.mask == 0 {
		return
	}
	for i, x := range codes {
		codes[i] = m.mix(x)
	}
}
