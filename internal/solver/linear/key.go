package linear

import (
	"math/bits"

	"tengen/internal/lockless"
	"tengen/internal/strip"
)

// The key of a sum adds the keys of its parts, and the key of a game adds the
// keys of its options. So a key must not be linear in its inputs: every key
// ends in scrambles.

// Multipliers of the hashes: arbitrary odd constants.
const (
	mulA = 0x9e3779b97f4a7c15
	mulB = 0xc2b2ae3d27d4eb4f
	mulC = 0x165667b19e3779f9
	mulD = 0xd6e8feb86659fd93
)

func addKeys(k, m lockless.Key) lockless.Key { return lockless.Key{k[0] + m[0], k[1] + m[1]} }

// formKey hashes a game by the sums of the keys of Black's and White's options.
func formKey(options [2]lockless.Key) lockless.Key {
	a := options[0][0]*mulA + bits.RotateLeft64(options[1][0], 23)*mulB + mulC
	b := options[0][1]*mulC + bits.RotateLeft64(options[1][1], 23)*mulD + mulA
	return joinWords(a, b)
}

// stripKeys hash a strip and its inverse. A strip and its reverse have the
// same key.
func stripKeys(s strip.Strip) (key, inverse lockless.Key) {
	return orientedKey(s.Least()), orientedKey(s.Inverse().Least())
}

func orientedKey(s strip.Strip) lockless.Key {
	black, white := s.Slots()
	points := uint64(s.Points()) << 56
	a := fold(black^points, mulA) + bits.RotateLeft64(fold(white, mulB), 23)
	b := fold(black, mulC) + bits.RotateLeft64(fold(white^points, mulD), 29)
	return joinWords(a, b)
}

func joinWords(a, b uint64) lockless.Key {
	return lockless.Key{scramble(a + bits.RotateLeft64(b, 32)), scramble(b ^ a>>31)}
}

func fold(x, k uint64) uint64 {
	hi, lo := bits.Mul64(x^k>>7, k)
	return hi ^ lo
}

// scramble is a bijection without linear structure.
func scramble(x uint64) uint64 {
	x ^= x >> 32
	x *= mulB
	x ^= x >> 29
	x *= mulC
	return x ^ x>>32
}
