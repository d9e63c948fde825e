package strip

import (
	"fmt"
	"math/bits"
)

// MaxCoded is the largest number of points for which codes fit a machine word.
const MaxCoded = 39

// Code is the number whose digits to the base 3 are the slots from the left: 0
// for no stone, 1 for a black and 2 for a white one. It returns false beyond
// MaxCoded points.
func (s Strip) Code() (code uint64, ok bool) {
	if s.n > MaxCoded {
		return 0, false
	}
	return s.code(), true
}

func (s Strip) code() uint64 {
	unused := 63 - s.n
	return ternary(bits.Reverse64(s.black)>>unused) + 2*ternary(bits.Reverse64(s.white)>>unused)
}

// nibbles are the numbers of four bits read to the base 3.
var nibbles = [16]uint64{0, 1, 3, 4, 9, 10, 12, 13, 27, 28, 30, 31, 36, 37, 39, 40}

// ternary reads the binary digits of x to the base 3.
func ternary(x uint64) uint64 {
	sum, unit := uint64(0), uint64(1)
	for ; x != 0; x >>= 4 {
		sum += nibbles[x&15] * unit
		unit *= 81
	}
	return sum
}

// Count is the number of reduced strips with n points, n ≤ MaxCoded.
func Count(n int) uint64 { return powers[n+1] }

// powers are the powers of 3 that fit a machine word.
var powers = [MaxCoded + 2]uint64{
	1, 3, 9, 27, 81,
	243, 729, 2187, 6561, 19683,
	59049, 177147, 531441, 1594323, 4782969,
	14348907, 43046721, 129140163, 387420489, 1162261467,
	3486784401, 10460353203, 31381059609, 94143178827, 282429536481,
	847288609443, 2541865828329, 7625597484987, 22876792454961, 68630377364883,
	205891132094649, 617673396283947, 1853020188851841, 5559060566555523, 16677181699666569,
	50031545098999707, 150094635296999121, 450283905890997363, 1350851717672992089, 4052555153018976267,
	12157665459056928801,
}

// At is the strip with n points and a code.
func At(n int, code uint64) (Strip, error) {
	if n < 1 || n > MaxCoded {
		return Strip{}, fmt.Errorf("strips with a code have 1 to %d points, not %d", MaxCoded, n)
	}
	if code >= Count(n) {
		return Strip{}, fmt.Errorf("strips with %d points have codes below %d, not %d", n, Count(n), code)
	}
	return at(n, code), nil
}

func at(n int, code uint64) Strip {
	s := Strip{n: uint8(n)}
	for slot := n; code != 0; slot-- {
		switch code % 3 {
		case 1:
			s.black |= 1 << slot
		case 2:
			s.white |= 1 << slot
		}
		code /= 3
	}
	return s
}
