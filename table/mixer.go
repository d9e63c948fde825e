package table

// mixer is a bijection of the codes of a given width onto themselves. Nearby
// positions have nearby base-3 codes; mixing spreads them evenly over the
// buckets. The zero mixer leaves codes as they are.
type mixer struct {
	mask            uint64
	shift           int
	first, second   uint64 // odd, so invertible modulo a power of two
	first1, second1 uint64 // their inverses
}

// The multipliers are the odd constants of the SplitMix64 finaliser.
const (
	mixFirst  = 0xbf58476d1ce4e5b9
	mixSecond = 0x94d049bb133111eb
)

func newMixer(keyBits int) mixer {
	return mixer{
		mask:    1<<keyBits - 1,
		shift:   (keyBits + 1) / 2,
		first:   mixFirst,
		second:  mixSecond,
		first1:  inverse(mixFirst),
		second1: inverse(mixSecond),
	}
}

// inverse solves a·x = 1 modulo 2^64 by Newton's iteration, which doubles the
// number of right low bits at each step; a itself is right in three.
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
	x = x * m.first & m.mask
	x ^= x >> m.shift
	return x * m.second & m.mask
}

// unmix undoes mix. The fold is its own inverse: shift is at least half the width.
func (m *mixer) unmix(x uint64) uint64 {
	if m.mask == 0 {
		return x
	}
	x = x * m.second1 & m.mask
	x ^= x >> m.shift
	return x * m.first1 & m.mask
}

func (m *mixer) mixAll(codes []uint64) {
	if m.mask == 0 {
		return
	}
	for i, x := range codes {
		codes[i] = m.mix(x)
	}
}
