package movenet

import "tengen/board"

// Evaluator evaluates positions of one board size. It is for one goroutine at a time, and
// an evaluation allocates nothing.
//
// Activations lie in a frame: the board with a margin of zeros, row by row.
type Evaluator struct {
	net        *Net
	rows, cols int
	kernels
	planes    []int16 // the input
	x, y      []int16
	out, none [group * channels]int16
	pooled    []int32
}

// group is the number of neighbouring points that a kernel computes at a time.
const group = 2

// kernels have the meaning of convolve and lift.
type kernels struct {
	convolve func(out, src, weights []int16, bias []int32, add []int16, line, inputs, shift int)
	lift     func(y, weights []int16, bias, pooled []int32, rows, cols int)
}

var plain = kernels{convolve, lift}

// NewEvaluator makes an evaluator for a board size.
func (n *Net) NewEvaluator(size board.Size) *Evaluator {
	e := &Evaluator{net: n, rows: size.Rows, cols: size.Cols, kernels: fastest()}
	// A kernel may read as many points after the last one as it computes at a time.
	points := (e.rows+2)*(e.cols+2) + group
	e.planes = make([]int16, points*planes)
	e.x, e.y = make([]int16, points*channels), make([]int16, points*channels)
	e.pooled = make([]int32, 2*channels)
	return e
}

// at is the place of a point in a frame with some numbers for each point. Row and column
// may be -1.
func (e *Evaluator) at(row, col, numbers int) int { return ((row+1)*(e.cols+2) + col + 1) * numbers }

// Scores scores all points, given by their codes row by row. High scores are moves to try
// first. Those of points that are no moves mean nothing.
func (e *Evaluator) Scores(codes []byte, out []int32) {
	n := e.net
	for i, code := range codes[:e.rows*e.cols] {
		copy(e.planes[e.at(i/e.cols, i%e.cols, planes):][:planes], planesOf[code][:])
	}
	e.layer(e.x, e.planes, planes, n.stem, n.stemBias, stemBits-activationBits, false)
	for i := range n.blocks {
		b := &n.blocks[i]
		e.layer(e.y, e.x, channels, b.first, b.firstBias, weightBits, false)
		e.lift(e.y[e.at(0, 0, channels):], b.pool, b.poolBias, e.pooled, e.rows, e.cols)
		e.layer(e.x, e.y, channels, b.second, b.secondBias, weightBits, true)
	}
	for i := range out[:e.rows*e.cols] {
		sum := n.headBias
		for c, v := range e.x[e.at(i/e.cols, i%e.cols, channels):][:channels] {
			sum += int32(v) * int32(n.head[c])
		}
		out[i] = sum >> (activationBits + weightBits - scoreBits)
	}
}

// planesOf is the input of a point for each code: its bits, and one for the board.
var planesOf = func() (table [256][planes]int16) {
	for code := range table {
		for bit := range 8 {
			table[code][bit] = int16(code >> bit & 1)
		}
		table[code][8] = 1
	}
	return table
}()

// layer is a 3×3 convolution of all points. With add the contents of dst are added before
// the cut-off.
func (e *Evaluator) layer(dst, src []int16, inputs int, weights []int16, bias []int32, shift int, add bool) {
	line := (e.cols + 2) * inputs
	for row := range e.rows {
		for col := 0; col < e.cols; col += group {
			to := dst[e.at(row, col, channels):]
			added := e.none[:]
			if add {
				added = to
			}
			e.convolve(e.out[:], src[e.at(row-1, col-1, inputs):], weights, bias, added, line, inputs, shift)
			copy(to, e.out[:min(group, e.cols-col)*channels])
		}
	}
}

// convolve adds up the products of the nine points around a point, and around the point to
// its right. src begins at the upper left one of the first nine, and line is the distance of
// rows. The sums are shifted, something is added, and they are cut off below zero and above
// what 16 bits hold.
func convolve(out, src, weights []int16, bias []int32, add []int16, line, inputs, shift int) {
	for p := range group {
		var sum [channels]int32
		copy(sum[:], bias)
		for tap := range 9 {
			from := src[tap/3*line+(tap%3+p)*inputs:][:inputs]
			for i := 0; i < inputs; i += 2 {
				a, b := int32(from[i]), int32(from[i+1])
				if a|b == 0 {
					continue
				}
				w := (*[2 * channels]int16)(weights[(tap*inputs+i)*channels:])
				for o := range sum {
					sum[o] += a*int32(w[2*o]) + b*int32(w[2*o+1])
				}
			}
		}
		for o, v := range sum {
			out[p*channels+o] = positive(v>>shift + int32(add[p*channels+o]))
		}
	}
}

// positive cuts an activation off below zero and above what 16 bits hold.
func positive(v int32) int16 { return int16(max(0, min(v, 1<<15-1))) }

// lift is global pooling: it adds a function of the sum and the maximum of all channels to
// all points of y, which begins at the first point of the board.
func lift(y, weights []int16, bias, pooled []int32, rows, cols int) {
	each := func(do func(point []int16)) {
		for row := range rows {
			for col := range cols {
				do(y[(row*(cols+2)+col)*channels:][:channels])
			}
		}
	}
	clear(pooled)
	each(func(point []int16) {
		for c, v := range point {
			pooled[c] += int32(v)
			pooled[channels+c] = max(pooled[channels+c], int32(v))
		}
	})
	for c := range channels {
		pooled[c] >>= poolBits
	}
	var sums [channels]int32
	copy(sums[:], bias)
	for i, v := range pooled {
		for o, w := range weights[i*channels:][:channels] {
			sums[o] += v * int32(w)
		}
	}
	each(func(point []int16) {
		for c, v := range point {
			point[c] = positive(int32(v) + sums[c]>>weightBits)
		}
	})
}
