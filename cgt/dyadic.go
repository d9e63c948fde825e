package cgt

import (
	"fmt"
	"math/bits"
	"strconv"
)

// Dyadic is a fraction whose denominator is a power of two: a whole number of
// units of 1/One. Sums, differences, comparisons and == are those of integers.
type Dyadic int64

const dyadicBits = 48

// One is the number 1.
const One Dyadic = 1 << dyadicBits

// NewDyadic is num/2^exp, if it can be represented: exp must be at most 48 and
// the absolute value less than 2^13. So the sum of a few numbers never
// overflows.
func NewDyadic(num int64, exp int) (Dyadic, bool) {
	if num == 0 {
		return 0, true
	}
	shift := bits.TrailingZeros64(uint64(num))
	num >>= shift
	exp -= shift
	size := num
	if size < 0 {
		size = -size
	}
	if exp > dyadicBits || size < 0 || bits.Len64(uint64(size))-exp > 13 {
		return 0, false
	}
	return Dyadic(num << (dyadicBits - exp)), true
}

// Fraction is d as a fraction in lowest terms.
func (d Dyadic) Fraction() (num, den int64) {
	exp := d.exponent()
	return int64(d >> (dyadicBits - exp)), 1 << exp
}

// exponent is the binary logarithm of the denominator.
func (d Dyadic) exponent() int {
	return max(0, dyadicBits-bits.TrailingZeros64(uint64(d)))
}

// Float64 is d, rounded if it has more than 53 binary digits.
func (d Dyadic) Float64() float64 { return float64(d) / float64(One) }

// String is an integer or a fraction in lowest terms, such as -3/4.
func (d Dyadic) String() string {
	num, den := d.Fraction()
	if den == 1 {
		return strconv.FormatInt(num, 10)
	}
	return fmt.Sprintf("%d/%d", num, den)
}

// floor is the largest multiple of 2^-exp that is at most d.
func (d Dyadic) floor(exp int) Dyadic { return d &^ (One>>exp - 1) }

// interval is a set of numbers between two bounds. Each bound may be missing,
// and may or may not belong to the set.
type interval struct {
	low, high         Dyadic
	hasLow, hasHigh   bool
	withLow, withHigh bool
}

func (i interval) contains(d Dyadic) bool {
	return (!i.hasLow || i.low < d || i.withLow && i.low == d) &&
		(!i.hasHigh || d < i.high || i.withHigh && d == i.high)
}

// simplest is the number in the interval that was born first: the integer
// nearest to zero, or else the one fraction with the smallest denominator.
func (i interval) simplest() (Dyadic, bool) {
	if i.contains(0) {
		return 0, true
	}
	if i.hasHigh && i.high <= 0 {
		mirrored := interval{-i.high, -i.low, i.hasHigh, i.hasLow, i.withHigh, i.withLow}
		d, ok := mirrored.simplest()
		return -d, ok
	}
	for exp := range dyadicBits + 1 {
		d := i.low.floor(exp)
		if !i.contains(d) {
			d += One >> exp
		}
		if i.contains(d) {
			return d, true
		}
	}
	return 0, false
}
