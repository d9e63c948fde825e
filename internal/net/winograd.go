package net

// Winograd's method, F(3×3, 3×3): a tile of 3×3 outputs needs a window of 5×5 inputs.
// Both the window and the weights are transformed to 5×5 numbers. Each pair of these is
// multiplied once: 25 multiplications instead of the 81 of a direct convolution. Over
// all tiles and channels these are 25 products of matrices. With the points 0, 1, −1, 2
// and ∞ the transforms of one dimension are
//
//	inputs   2 −1 −2  1  0     weights   1/2    0    0     outputs   1  1  1  1  0
//	         0 −2 −1  1  0              −1/2 −1/2 −1/2               0  1 −1  2  0
//	         0  2 −3  1  0              −1/6  1/6 −1/6               0  1  1  4  1
//	         0 −1  0  1  0               1/6  1/3  2/3
//	         0  2 −1 −2  1                 0    0    1
//
// (Lavin and Gray, "Fast algorithms for convolutional neural networks", 2016).
const (
	tile   = 3
	window = 5
)

// panel is the number of output channels in one step of a product. The weights of a
// panel lie together, those of one input channel next to each other.
const panel = 32

// panels orders count matrices [output][input][matrix] for the product.
func panels(w []float32, count int) []float32 {
	out := make([]float32, len(w))
	at := 0
	for m := range count {
		for first := 0; first < channels; first += panel {
			for in := range channels {
				for o := first; o < first+panel; o++ {
					out[at] = w[(o*channels+in)*count+m]
					at++
				}
			}
		}
	}
	return out
}

// transform makes weights [output][input][3][3] ready for the product.
func transform(w []float32) []float32 {
	const taps = tile * tile
	out := make([]float32, channels*channels*window*window)
	for i := range channels * channels {
		var half [window][tile]float64
		for c := range tile {
			half[0][c], half[1][c], half[2][c], half[3][c], half[4][c] = weigh(w[i*taps+c], w[i*taps+tile+c], w[i*taps+2*tile+c])
		}
		for r, h := range half {
			v := out[i*window*window+r*window:]
			a, b, c, d, e := weigh(h[0], h[1], h[2])
			v[0], v[1], v[2], v[3], v[4] = float32(a), float32(b), float32(c), float32(d), float32(e)
		}
	}
	return panels(out, window*window)
}

func weigh[T float32 | float64](g0, g1, g2 T) (a, b, c, d, e float64) {
	x, y, z := float64(g0), float64(g1), float64(g2)
	return x / 2, -(x + y + z) / 2, (-x + y - z) / 6, x/6 + y/3 + z*2/3, z
}
