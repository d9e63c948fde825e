package net

import (
	"fmt"
	"math"

	"tengen/internal/text"
)

// Path names the instructions that an evaluator uses.
type Path string

// The paths, the fastest first. Portable needs no particular instructions.
const (
	AVX512   Path = "avx512"
	AVX2     Path = "avx2"
	SIMD128  Path = "simd128" // of WebAssembly
	Portable Path = "portable"
)

// kernels are the parts of an evaluation that take time.
//
// Activations are points of 64 channels. product needs a multiple of three rows: it works
// on blocks of three rows, to use the vector registers well.
type kernels struct {
	stem    func(dst []float32, kind []uint8, table, bias []float32, rows, cols int)
	spread  func(dst, src []float32, stride, down, across int, room []float32)
	product func(dst, a, b []float32, rows, count int)
	gather  func(dst, src, bias []float32, stride, down, across, add int, room []float32)
	shift   func(x, by []float32, points int, floor float32)
	pool    func(sum, most, x []float32, points int)
	linear  func(dst, x, w, bias []float32)
}

var portable = kernels{stem, spread, product, gather, shift, pool, linear}

// noFloor is a floor below every number.
var noFloor = float32(math.Inf(-1))

// Paths are those that this processor supports, the fastest first.
func Paths() []Path {
	var paths []Path
	for _, p := range []Path{AVX512, AVX2, SIMD128, Portable} {
		if _, ok := kernelsOf(p); ok {
			paths = append(paths, p)
		}
	}
	return paths
}

func find(p Path) (*kernels, error) {
	if k, ok := kernelsOf(p); ok {
		return k, nil
	}
	return nil, fmt.Errorf("this processor cannot evaluate by path %q: choose %s", p, text.List(Paths()))
}

// stem is the first convolution, from kinds of points in a frame: each of the nine points
// around a point adds its entry of the table [tap][kind].
func stem(dst []float32, kind []uint8, table, bias []float32, rows, cols int) {
	for row := range rows {
		for col := range cols {
			out := point(dst, (row+1)*frameSide+col+1)
			*out = *point(bias, 0)
			for tap := range 9 {
				k := int(kind[(row+tap/3)*frameSide+col+tap%3])
				for i, x := range point(table, tap*int(kinds)+k) {
					out[i] += x
				}
			}
			for i, x := range out {
				out[i] = max(x, 0)
			}
		}
	}
}

// point is a point of an array of them.
func point(x []float32, i int) *[channels]float32 {
	return (*[channels]float32)(x[i*channels:])
}

// spread transforms the windows of down×across tiles of a frame. The 25 results of a tile
// are stride numbers apart. room is scratch memory for kernels without enough registers.
func spread(dst, src []float32, stride, down, across int, room []float32) {
	for t := range down * across {
		corner := t/across*tile*frameSide + t%across*tile
		for c := range channels {
			var d, v [window][window]float32
			for x := range window {
				for y := range window {
					d[x][y] = src[(corner+y*frameSide+x)*channels+c]
				}
				d[x] = enter(d[x])
			}
			for y := range window {
				v[y] = enter([window]float32{d[0][y], d[1][y], d[2][y], d[3][y], d[4][y]})
				for x, value := range v[y] {
					dst[(y*window+x)*stride+t*channels+c] = value
				}
			}
		}
	}
}

func enter(d [window]float32) [window]float32 {
	step := d[3] - d[1]
	return [window]float32{2*(d[0]-d[2]) + step, d[3] - d[2] - 2*d[1], d[3] - d[2] - 2*(d[2]-d[1]), step, d[4] - d[2] - 2*step}
}

// product multiplies count pairs of matrices: rows×64 by 64×64. The second one is in the
// order of panels.
func product(dst, a, b []float32, rows, count int) {
	for range count {
		for first := 0; first < channels; first += panel {
			for r := 0; r < rows; r += 3 {
				for o := 0; o < panel; o += 2 {
					pair(dst[r*channels+first+o:], point(a, r), point(a, r+1), point(a, r+2), b[o:])
				}
			}
			b = b[channels*panel:]
		}
		a, dst = a[rows*channels:], dst[rows*channels:]
	}
}

// pair multiplies three rows by two columns of a panel. The sums are separate variables
// because the compiler would not keep an array of them in registers.
func pair(dst []float32, x, y, z *[channels]float32, w []float32) {
	var x0, x1, y0, y1, z0, z1 float32
	for k := range channels {
		v := (*[2]float32)(w[k*panel:])
		a, b, c := x[k], y[k], z[k]
		x0 += a * v[0]
		x1 += a * v[1]
		y0 += b * v[0]
		y1 += b * v[1]
		z0 += c * v[0]
		z1 += c * v[1]
	}
	dst[0], dst[1] = x0, x1
	dst[channels], dst[channels+1] = y0, y1
	dst[2*channels], dst[2*channels+1] = z0, z1
}

// gather transforms products back to tiles of a frame, adds the bias and, if add is not 0,
// what was there before, and cuts off below zero.
func gather(dst, src, bias []float32, stride, down, across, add int, room []float32) {
	for t := range down * across {
		corner := (t/across*tile+1)*frameSide + t%across*tile + 1
		for c := range channels {
			var m [tile][window]float32
			for y := range window {
				var d [window]float32
				for x := range d {
					d[x] = src[(y*window+x)*stride+t*channels+c]
				}
				m[0][y], m[1][y], m[2][y] = leave(d)
			}
			for x := range tile {
				var out [tile]float32
				out[0], out[1], out[2] = leave(m[x])
				for y, v := range out {
					place := &dst[(corner+y*frameSide+x)*channels+c]
					v += bias[c]
					if add != 0 {
						v += *place
					}
					*place = max(v, 0)
				}
			}
		}
	}
}

func leave(m [window]float32) (a, b, c float32) {
	return m[0] + m[1] + m[2] + m[3], m[1] - m[2] + 2*m[3], m[1] + m[2] + 4*m[3] + m[4]
}

// shift adds a vector to points and cuts off below a floor.
func shift(x, by []float32, points int, floor float32) {
	for p := range points {
		at := point(x, p)
		for i, v := range at {
			at[i] = max(v+by[i], floor)
		}
	}
}

// pool finds the sum and the maximum of every channel; none is negative.
func pool(sum, most, x []float32, points int) {
	s, m := point(sum, 0), point(most, 0)
	*s, *m = [channels]float32{}, [channels]float32{}
	for p := range points {
		for i, v := range point(x, p) {
			s[i] += v
			m[i] = max(m[i], v)
		}
	}
}

// linear is a layer of 64 outputs: the weights of an input lie beside each other.
func linear(dst, x, w, bias []float32) {
	out := point(dst, 0)
	*out = *point(bias, 0)
	for k, v := range x {
		for i, weight := range point(w, k) {
			out[i] += v * weight
		}
	}
}
