package net

import (
	"fmt"
	"math"

	"tengen/board"
)

// Evaluator evaluates positions of one board size. It is for one goroutine at a time.
type Evaluator struct {
	net  *Net
	path Path
	run  *kernels
	size board.Size

	down, across int // tiles
	rows         int // of the products, for all positions of the batch; a multiple of three
	batch        int

	x, y [][]float32 // frames of activations, by position of the batch
	v, m []float32   // transformed: inputs and products
	room []float32
	flat []float32 // activations of the points of a board
	wide []float32 // the same after the first layer of the heads

	pooled [2 * channels]float32
	hidden [channels]float32
	single [1]View
}

// NewEvaluator makes an evaluator for a board size and for batches of at most batch positions.
// An empty path means the fastest one.
func (n *Net) NewEvaluator(size board.Size, batch int, path Path) (*Evaluator, error) {
	if !Knows(size) {
		return nil, fmt.Errorf("the network knows boards from %d×%d to %d×%d, not %s", MinSide, MinSide, MaxSide, MaxSide, size)
	}
	if path == "" {
		path = Paths()[0]
	}
	run, err := find(path)
	if err != nil {
		return nil, err
	}
	e := &Evaluator{net: n, path: path, run: run, size: size, batch: max(batch, 1)}
	e.down, e.across = (size.Rows+tile-1)/tile, (size.Cols+tile-1)/tile
	e.rows = threes(e.down * e.across * e.batch)
	for range e.batch {
		e.x, e.y = append(e.x, make([]float32, frameSize)), append(e.y, make([]float32, frameSize))
	}
	e.v = make([]float32, window*window*e.rows*channels)
	e.m = make([]float32, window*window*e.rows*channels)
	const widest, slots = 16, 2 * window * window
	e.room = make([]float32, widest*slots)
	e.flat = make([]float32, threes(size.Points())*channels)
	e.wide = make([]float32, threes(size.Points())*channels)
	return e, nil
}

// threes is n rounded up to a multiple of three.
func threes(n int) int { return (n + 2) / 3 * 3 }

// Path is the path that the evaluator uses.
func (e *Evaluator) Path() Path { return e.path }

// Evaluate runs the network on some views, at most the batch size of the evaluator.
func (e *Evaluator) Evaluate(views []View, out []Output) {
	e.trunk(views)
	for i := range views {
		e.heads(e.x[i], &out[i])
	}
}

// Ends predicts where stones are at the end of the game, for the position of a view.
func (e *Evaluator) Ends(v *View, out *Ends) {
	e.single[0] = *v
	e.trunk(e.single[:])
	e.flatten(e.x[0])
	for p := range e.size.Points() {
		for side := range out {
			sum, x := e.net.endsBias[side], point(e.flat, p)
			for i, w := range e.net.ends[side][:channels] {
				sum += w * x[i]
			}
			out[side][p] = float32(1 / (1 + math.Exp(-float64(sum))))
		}
	}
}

// trunk fills x with the activations after all blocks.
func (e *Evaluator) trunk(views []View) {
	n := e.net
	for i := range views {
		e.run.stem(e.x[i], views[i].kind[:], n.stem, n.stemBias, e.size.Rows, e.size.Cols)
	}
	for i := range n.block {
		b := &n.block[i]
		e.convolve(e.y, e.x, b.first, b.firstBias, len(views), 0)
		if b.pooling != nil {
			for j := range views {
				e.lift(e.y[j], b)
			}
		}
		e.convolve(e.x, e.y, b.second, b.secondBias, len(views), 1)
	}
}

// convolve is a 3×3 convolution followed by a cut-off below zero. If add is not 0, the contents
// of dst are added before the cut-off.
func (e *Evaluator) convolve(dst, src [][]float32, weights, bias []float32, n, add int) {
	tiles := e.down * e.across
	rows := threes(tiles * n)
	stride := rows * channels
	for i := range n {
		e.run.spread(e.v[i*tiles*channels:], src[i], stride, e.down, e.across, e.room)
	}
	e.run.product(e.m, e.v, weights, rows, window*window)
	for i := range n {
		e.run.gather(dst[i], e.m[i*tiles*channels:], bias, stride, e.down, e.across, add, e.room)
		e.trim(dst[i])
	}
}

// trim sets to zero the points beside the board that tiles have written.
func (e *Evaluator) trim(frame []float32) {
	rows, cols := e.size.Rows, e.size.Cols
	if beyond := e.across*tile - cols; beyond > 0 {
		for row := range rows {
			at := (row+1)*frameSide + cols + 1
			clear(frame[at*channels : (at+beyond)*channels])
		}
	}
	for row := rows; row < e.down*tile; row++ {
		at := (row+1)*frameSide + 1
		clear(frame[at*channels : (at+e.across*tile)*channels])
	}
}

// lift is global pooling: it adds a function of the mean and the maximum of all channels to all
// points.
func (e *Evaluator) lift(frame []float32, b *block) {
	e.pool(frame, framePoints)
	e.run.linear(e.hidden[:], e.pooled[:], b.pooling, b.poolingBias)
	for row := range e.size.Rows {
		at := (row+1)*frameSide + 1
		e.run.shift(frame[at*channels:], e.hidden[:], e.size.Cols, noFloor)
	}
}

// pool fills pooled with the means and then the maxima over the board of all channels. It reads
// the first points points of x; those beside the board are zero.
func (e *Evaluator) pool(x []float32, points int) {
	e.run.pool(e.pooled[:channels], e.pooled[channels:], x, points)
	for i := range e.pooled[:channels] {
		e.pooled[i] /= float32(e.size.Points())
	}
}

// flatten copies the points of the board out of a frame.
func (e *Evaluator) flatten(frame []float32) {
	cols := e.size.Cols
	for row := range e.size.Rows {
		at := (row+1)*frameSide + 1
		copy(e.flat[row*cols*channels:(row+1)*cols*channels], frame[at*channels:])
	}
}

// heads fills an output.
func (e *Evaluator) heads(frame []float32, out *Output) {
	n, points := e.net, e.size.Points()
	e.flatten(frame)
	e.run.product(e.wide, e.flat, n.heads, threes(points), 1)
	e.run.shift(e.wide, n.headsBias, points, 0)
	for p := range points {
		sum, x := n.policyBias, e.wide[p*channels:][:head]
		for i, w := range n.policy[:head] {
			sum += w * x[i]
		}
		out.Logits[p] = sum
	}
	// The value's channels are the second half. The means and maxima of the first half are not
	// used.
	e.pool(e.wide, points)
	copy(e.pooled[:head], e.pooled[head:channels])
	copy(e.pooled[head:], e.pooled[channels+head:])
	e.run.linear(e.hidden[:], e.pooled[:2*head], n.hidden, n.hiddenBias)
	sum := n.valueBias
	for i, w := range n.value {
		sum += w * max(e.hidden[i], 0)
	}
	out.Value = float32(math.Tanh(float64(sum) / 2))
}
