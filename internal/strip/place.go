package strip

import "math/bits"

// The tables of a layer cover all strips with n points. A strip, its reverse and its inverses share
// one entry where their end slots differ. Of the nine pairs of end slots four remain:
//
//	0  no stone at either end
//	1  none and black           black and none; with colours exchanged none and white, white and none
//	2  black and black          with colours exchanged white and white
//	3  black and white          white and black
//
// Within each of the four kinds the entries are ordered by the slots between the
// ends, read as a number to the base 3 with the leftmost as its last digit.
const kinds = 4

// ends gives for each pair of end slots (left + 3·right, in digits of the code) its kind and how to
// get there.
var ends = [9]struct {
	kind            uint8
	invert, reverse bool
}{
	{0, false, false},
	{1, false, true},
	{1, true, true},
	{1, false, false},
	{2, false, false},
	{3, false, true},
	{1, true, false},
	{3, false, false},
	{2, true, false},
}

// entries is the number of entries of a layer.
func entries(n int) uint64 { return kinds * inner(n) }

// inner is the number of ways to fill the slots between the ends.
func inner(n int) uint64 { return powers[n-1] }

// place is the entry of a strip with points. If inverse is true, the entry is that of the inverse
// strip.
func (s Strip) place() (index uint64, inverse bool) {
	n := s.n
	left := s.black&1 + 2*(s.white&1)
	right := s.black>>n&1 + 2*(s.white>>n&1)
	end := &ends[left+3*right]
	black, white := s.black, s.white
	if end.reverse {
		black, white = bits.Reverse64(black)>>(63-n), bits.Reverse64(white)>>(63-n)
	}
	if end.invert {
		black, white = white, black
	}
	between := uint64(1)<<n>>1 - 1
	code := ternary(black>>1&between) + 2*ternary(white>>1&between)
	return uint64(end.kind)*inner(int(n)) + code, end.invert
}

// placed is the strip with n points that belongs to an entry.
func placed(n int, index uint64) Strip {
	s := Strip{n: uint8(n)}
	kind, code := index/inner(n), index%inner(n)
	for slot := 1; code != 0; slot++ {
		switch code % 3 {
		case 1:
			s.black |= 1 << slot
		case 2:
			s.white |= 1 << slot
		}
		code /= 3
	}
	switch kind {
	case 1:
		s.black |= 1 << n
	case 2:
		s.black |= 1<<n | 1
	case 3:
		s.black |= 1
		s.white |= 1 << n
	}
	return s
}

// images are the strip and the three others whose values follow from its value: the reverse, the
// inverse, and the reverse of the inverse.
func (s Strip) images() [4]Strip {
	r := s.Reverse()
	return [4]Strip{s, r, s.Inverse(), r.Inverse()}
}

// inverted reports which of the images have the colours exchanged.
var inverted = [4]bool{2: true, 3: true}
