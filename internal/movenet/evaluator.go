package movenet

import "tengen/board"

// Evaluator evaluates positions of one board size. It is for one goroutine at a time, and
// an evaluation allocates nothing.
//
// Activations lie in a frame: the board with a margin of zeros, row by row.
type Evaluator struct {
	net        *Net
	rows, cols int
	pair       kernel
	x, y       []int16
	sums       [2 * channels]int32 // of two points
	pooled     [2 * channels]int32
}

// kernel has the meaning of pair.
type kernel func(sums []int32, src, weights []int16, bias []int32, line int)

// NewEvaluator makes an evaluator for a board size.
func (n *Net) NewEvaluator(size board.Size) *Evaluator {
	e := &Evaluator{net: n, rows: size.Rows, cols: size.Cols, pair: fastest()}
	// Points are computed in pairs: the last of a row may read one point further.
	points := (e.rows+2)*(e.cols+2) + 1
	e.x, e.y = make([]int16, points*channels), make([]int16, points*channels)
	return e
}

// at is the place of a point in a frame. Row and column may be -1.
func (e *Evaluator) at(row, col int) int { return ((row+1)*(e.cols+2) + col + 1) * channels }

// Scores scores all points, given by their codes row by row. High scores are moves to try
// first. Those of points that are no moves mean nothing.
func (e *Evaluator) Scores(codes []byte, out []int32) {
	n := e.net
	e.stem(codes)
	for i := range n.blocks {
		b := &n.blocks[i]
		e.convolve(e.y, e.x, b.first, b.firstBias, false)
		e.lift(b)
		e.convolve(e.x, e.y, b.second, b.secondBias, true)
	}
	for i := range out[:e.rows*e.cols] {
		sum := n.headBias
		for c, v := range e.x[e.at(i/e.cols, i%e.cols):][:channels] {
			sum += int32(v) * int32(n.head[c])
		}
		out[i] = sum >> (activationBits + weightBits - 10) // to ScoreUnit
	}
}

// stem is the first convolution: each of the nine points around a point adds its entry of
// the table. The table has two bits more than activations.
func (e *Evaluator) stem(codes []byte) {
	sums := e.sums[:channels]
	for row := range e.rows {
		for col := range e.cols {
			copy(sums, e.net.stemBias)
			for tap := range 9 {
				r, c := row+tap/3-1, col+tap%3-1
				if r < 0 || c < 0 || r >= e.rows || c >= e.cols {
					continue
				}
				entry := e.net.stem[(tap*256+int(codes[r*e.cols+c]))*channels:][:channels]
				for i, w := range entry {
					sums[i] += w
				}
			}
			x := e.x[e.at(row, col):][:channels]
			for i, v := range sums {
				x[i] = positive(v >> 2)
			}
		}
	}
}

// positive cuts an activation off below zero and above what 16 bits hold.
func positive(v int32) int16 { return int16(max(0, min(v, 1<<15-1))) }

// convolve is a 3×3 convolution. With add the contents of dst are added before the cut-off.
func (e *Evaluator) convolve(dst, src, weights []int16, bias []int32, add bool) {
	line := (e.cols + 2) * channels
	for row := range e.rows {
		for col := 0; col < e.cols; col += 2 {
			e.pair(e.sums[:], src[e.at(row-1, col-1):], weights, bias, line)
			count := min(2, e.cols-col) * channels
			to := dst[e.at(row, col):][:count]
			sums := e.sums[:count]
			if add {
				for i, v := range to {
					to[i] = positive((sums[i] + int32(v)<<weightBits) >> weightBits)
				}
				continue
			}
			for i, v := range sums {
				to[i] = positive(v >> weightBits)
			}
		}
	}
}

// pair adds up the products of the nine points around a point, and around the point to its
// right. src begins at the upper left one of the first nine, and line is the distance of
// rows.
func pair(sums []int32, src, weights []int16, bias []int32, line int) {
	for p := range 2 {
		sum := (*[channels]int32)(sums[p*channels:])
		copy(sum[:], bias)
		for tap := range 9 {
			from := src[tap/3*line+(tap%3+p)*channels:][:channels]
			for i := 0; i < channels; i += 2 {
				a, b := int32(from[i]), int32(from[i+1])
				if a|b == 0 {
					continue
				}
				w := (*[2 * channels]int16)(weights[(tap*channels+i)*channels:])
				for o := range sum {
					sum[o] += a*int32(w[2*o]) + b*int32(w[2*o+1])
				}
			}
		}
	}
}

// lift is global pooling: it adds a function of the sum and the maximum of all channels to
// all points of y.
func (e *Evaluator) lift(b *block) {
	clear(e.pooled[:])
	for i := range e.rows * e.cols {
		for c, v := range e.y[e.at(i/e.cols, i%e.cols):][:channels] {
			e.pooled[c] += int32(v)
			e.pooled[channels+c] = max(e.pooled[channels+c], int32(v))
		}
	}
	sums := e.sums[:channels]
	copy(sums, b.poolBias)
	for i, v := range e.pooled {
		if i < channels {
			v >>= poolBits
		}
		for o, w := range b.pool[i*channels:][:channels] {
			sums[o] += v * int32(w)
		}
	}
	for i := range e.rows * e.cols {
		y := e.y[e.at(i/e.cols, i%e.cols):][:channels]
		for c, v := range y {
			y[c] = positive(int32(v) + sums[c]>>weightBits)
		}
	}
}
