// Command asm writes the kernels of package net for processors with AVX2 and with AVX-512.
// Every kernel is written once for vectors of either width. The widths differ in the number
// of registers that can hold sums.
//
//	go generate ./internal/net
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The shapes of package net.
const (
	channels   = 64
	float      = 4
	row        = channels * float // bytes of a point
	frameSide  = 11
	frameLine  = frameSide * row
	window     = 5 // of a tile of inputs
	tile       = 3 // of outputs
	kinds      = 7
	panel      = 32 // outputs of one step of a product
	panelBytes = panel * float
)

// target is a set of instructions.
type target struct {
	name   string
	bytes  int // of a vector
	blocks []int
	vector func() reg.VecVirtual
	kept   bool // there are enough registers for a whole window
}

func main() {
	ConstraintExpr("amd64")
	for _, t := range []target{
		{"AVX2", 32, []int{3}, YMM, false},
		{"AVX512", 64, []int{9, 6, 3}, ZMM, true},
	} {
		t.stem()
		t.spread()
		t.product()
		t.gather()
		t.shift()
		t.pool()
		t.linear()
	}
	Generate()
}

// begin opens a kernel.
func (t target) begin(name, doc, signature string) {
	TEXT(name+t.name, NOSPLIT, "func("+signature+")")
	Pragma("noescape")
	Doc(name + t.name + " " + doc)
}

func end() {
	VZEROUPPER()
	RET()
}

// repeat emits a loop that ends when a counter is 0.
func repeat(label string, counter reg.GPVirtual, body func()) {
	Label(label)
	body()
	DECQ(counter)
	JNZ(operand.LabelRef(label))
}

func pointer(name string) reg.GPVirtual { return Load(Param(name).Base(), GP64()).(reg.GPVirtual) }

func number(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

func copied(r reg.GPVirtual) reg.GPVirtual {
	c := GP64()
	MOVQ(r, c)
	return c
}

func at(base reg.Register, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }

// constant is a vector of one number, given by its bits.
func (t target) constant(bits uint32) reg.VecVirtual {
	scalar, x, v := GP32(), XMM(), t.vector()
	MOVL(operand.U32(bits), scalar)
	VMOVD(scalar, x)
	VBROADCASTSS(x, v)
	return v
}

const two = 0x40000000 // the bits of 2.0

func (t target) zero() reg.VecVirtual {
	v := t.vector()
	VXORPS(v, v, v)
	return v
}

func (t target) load(m operand.Mem) reg.VecVirtual {
	v := t.vector()
	VMOVUPS(m, v)
	return v
}

// sum is a+b.
func (t target) sum(a, b operand.Op) reg.VecVirtual {
	v := t.vector()
	VADDPS(b, a, v)
	return v
}

// less is a-b.
func (t target) less(a, b operand.Op) reg.VecVirtual {
	v := t.vector()
	VSUBPS(b, a, v)
	return v
}

// stem adds up, for every point, the contributions of the nine points around it by their
// kinds.
func (t target) stem() {
	t.begin("stem", "is the first convolution: see stem.", "dst []float32, kind []uint8, table, bias []float32, rows, cols int")
	dst, kind, table, bias := pointer("dst"), pointer("kind"), pointer("table"), pointer("bias")
	rows, cols := number("rows"), number("cols")
	ADDQ(operand.I32(frameLine+row), dst)
	repeat("rows", rows, func() {
		out, in, count := copied(dst), copied(kind), copied(cols)
		repeat("points", count, func() {
			var sums []reg.VecVirtual
			for i := 0; i < row; i += t.bytes {
				sums = append(sums, t.load(at(bias, i)))
			}
			for tap := range 9 {
				which := GP64()
				MOVBQZX(at(in, tap/3*frameSide+tap%3), which)
				SHLQ(operand.U8(8), which) // a row
				for i, s := range sums {
					VADDPS(operand.Mem{Base: table, Index: which, Scale: 1, Disp: tap*kinds*row + i*t.bytes}, s, s)
				}
			}
			zero := t.zero()
			for i, s := range sums {
				VMAXPS(zero, s, s)
				VMOVUPS(s, at(out, i*t.bytes))
			}
			ADDQ(operand.U32(row), out)
			INCQ(in)
		})
		ADDQ(operand.I32(frameLine), dst)
		ADDQ(operand.I32(frameSide), kind)
	})
	end()
}

// slots hold the vectors between the two halves of a transform: in registers, or in memory.
type slots struct {
	t     target
	room  reg.GPVirtual
	kept  map[int]reg.VecVirtual
	bytes int
}

func (t target) slots() *slots {
	s := &slots{t: t, kept: map[int]reg.VecVirtual{}, bytes: t.bytes}
	s.room = pointer("room")
	return s
}

func (s *slots) put(i int, v reg.VecVirtual) {
	if s.t.kept {
		s.kept[i] = v
		return
	}
	VMOVUPS(v, at(s.room, i*s.bytes))
}

func (s *slots) get(i int) reg.VecVirtual {
	if s.t.kept {
		return s.kept[i]
	}
	return s.t.load(at(s.room, i*s.bytes))
}

// enter is one dimension of the transform of inputs:
//
//	v0 = 2(d0−d2) + (d3−d1)   v1 = (d3−d2) − 2d1   v2 = (d3−d2) − 2(d2−d1)
//	v3 = d3−d1                v4 = (d4−d2) − 2(d3−d1)
func (t target) enter(twice reg.VecVirtual, d [window]reg.VecVirtual, put func(int, reg.VecVirtual)) {
	v3 := t.less(d[3], d[1])
	v0 := t.less(d[0], d[2])
	VFMADD213PS(v3, twice, v0)
	put(0, v0)
	v4 := t.less(d[4], d[2])
	VFNMADD231PS(twice, v3, v4)
	put(4, v4)
	put(3, v3)
	v1, v2 := t.less(d[3], d[2]), t.less(d[2], d[1])
	VFNMADD213PS(v1, twice, v2)
	put(2, v2)
	VFNMADD231PS(twice, d[1], v1)
	put(1, v1)
}

// spread transforms the windows of all tiles.
func (t target) spread() {
	t.begin("spread", "transforms inputs: see spread.", "dst, src []float32, stride, down, across int, room []float32")
	dst, src, stride := pointer("dst"), pointer("src"), number("stride")
	down, across := number("down"), number("across")
	room := t.slots()
	twice := t.constant(two)
	SHLQ(operand.U8(2), stride)
	repeat("down", down, func() {
		tileSrc, count := copied(src), copied(across)
		repeat("across", count, func() {
			groups := GP64()
			MOVQ(operand.U32(row/t.bytes), groups)
			repeat("groups", groups, func() {
				for c := range window {
					var d [window]reg.VecVirtual
					for r := range d {
						d[r] = t.load(at(tileSrc, r*frameLine+c*row))
					}
					t.enter(twice, d, func(r int, v reg.VecVirtual) { room.put(r*window+c, v) })
				}
				out := copied(dst)
				for r := range window {
					var d, v [window]reg.VecVirtual
					for c := range d {
						d[c] = room.get(r*window + c)
					}
					t.enter(twice, d, func(c int, x reg.VecVirtual) { v[c] = x })
					for _, x := range v {
						VMOVUPS(x, at(out, 0))
						ADDQ(stride, out)
					}
				}
				ADDQ(operand.U32(t.bytes), dst)
				ADDQ(operand.U32(t.bytes), tileSrc)
			})
			ADDQ(operand.I32((tile-1)*row), tileSrc)
		})
		ADDQ(operand.I32(tile*frameLine), src)
	})
	end()
}

// product multiplies matrices: blocks of rows by panels of 32 columns.
func (t target) product() {
	t.begin("product", "multiplies matrices: see product.", "dst, a, b []float32, rows, count int")
	dst, a, b := pointer("dst"), pointer("a"), pointer("b")
	rows, count := number("rows"), number("count")
	repeat("matrices", count, func() {
		panels := GP64()
		MOVQ(operand.U32(channels/panel), panels)
		repeat("panels", panels, func() {
			in, out, left := copied(a), copied(dst), copied(rows)
			for i, block := range t.blocks {
				label := fmt.Sprintf("rows%d", block)
				last := i == len(t.blocks)-1
				Label(label)
				CMPQ(left, operand.U8(block))
				if last {
					JLT(operand.LabelRef("done"))
				} else {
					JLT(operand.LabelRef(fmt.Sprintf("rows%d", t.blocks[i+1])))
				}
				t.block(label, out, in, b, block)
				ADDQ(operand.I32(block*row), in)
				ADDQ(operand.I32(block*row), out)
				SUBQ(operand.U8(block), left)
				JMP(operand.LabelRef(label))
			}
			Label("done")
			ADDQ(operand.I32(channels*panelBytes), b)
			ADDQ(operand.I32(panelBytes), dst)
		})
		// The next matrix follows the last row.
		step := copied(rows)
		SHLQ(operand.U8(8), step)
		ADDQ(step, a)
		ADDQ(step, dst)
		SUBQ(operand.I32(channels/panel*panelBytes), dst)
	})
	end()
}

const unrolled = 4

// ahead is the distance in bytes at which weights are prefetched.
const ahead = 2048

// block multiplies some rows by a panel.
func (t target) block(label string, out, in, b reg.GPVirtual, rows int) {
	var sums [][]reg.VecVirtual
	for range rows {
		var s []reg.VecVirtual
		for range panelBytes / t.bytes {
			s = append(s, t.zero())
		}
		sums = append(sums, s)
	}
	x, w, steps := copied(in), copied(b), GP64()
	MOVQ(operand.U32(channels/unrolled), steps)
	repeat(label+"steps", steps, func() {
		for k := range unrolled {
			for line := 0; line < panelBytes; line += 64 {
				PREFETCHT0(at(w, k*panelBytes+line+ahead))
			}
			t.step(sums, x, w, k)
		}
		ADDQ(operand.U8(unrolled*float), x)
		ADDQ(operand.I32(unrolled*panelBytes), w)
	})
	for r, s := range sums {
		for i, v := range s {
			VMOVUPS(v, at(out, r*row+i*t.bytes))
		}
	}
}

// step adds the products of one input channel. With few registers the inputs stay in
// registers and the weights are loaded one by one; with many it is the other way round.
func (t target) step(sums [][]reg.VecVirtual, x, w reg.GPVirtual, k int) {
	input := func(r int) reg.VecVirtual {
		v := t.vector()
		VBROADCASTSS(at(x, r*row+k*float), v)
		return v
	}
	weight := func(i int) reg.VecVirtual { return t.load(at(w, k*panelBytes+i*t.bytes)) }
	if !t.kept {
		var xs []reg.VecVirtual
		for r := range sums {
			xs = append(xs, input(r))
		}
		for i := range sums[0] {
			v := weight(i)
			for r, x := range xs {
				VFMADD231PS(v, x, sums[r][i])
			}
		}
		return
	}
	var ws []reg.VecVirtual
	for i := range sums[0] {
		ws = append(ws, weight(i))
	}
	for r, s := range sums {
		v := input(r)
		for i, w := range ws {
			VFMADD231PS(w, v, s[i])
		}
	}
}

// leave is one dimension of the transform of outputs:
//
//	y0 = m0+m1+m2+m3   y1 = m1−m2+2m3   y2 = m1+m2+4m3+m4
func (t target) leave(m [window]reg.VecVirtual, put func(int, reg.VecVirtual)) {
	both, double := t.sum(m[1], m[2]), t.sum(m[3], m[3])
	y0 := t.sum(m[0], m[3])
	VADDPS(both, y0, y0)
	put(0, y0)
	y1 := t.less(m[1], m[2])
	VADDPS(double, y1, y1)
	put(1, y1)
	y2 := t.sum(m[4], both)
	VADDPS(double, y2, y2)
	VADDPS(double, y2, y2)
	put(2, y2)
}

// gather transforms products back, adds the bias and the previous contents, and cuts off
// below zero.
func (t target) gather() {
	t.begin("gather", "transforms outputs: see gather.", "dst, src, bias []float32, stride, down, across, add int, room []float32")
	dst, src, bias, stride := pointer("dst"), pointer("src"), pointer("bias"), number("stride")
	down, across, add := number("down"), number("across"), number("add")
	room := t.slots()
	ADDQ(operand.I32(frameLine+row), dst)
	SHLQ(operand.U8(2), stride)
	repeat("down", down, func() {
		out, count := copied(dst), copied(across)
		repeat("across", count, func() {
			b, groups := copied(bias), GP64()
			MOVQ(operand.U32(row/t.bytes), groups)
			repeat("groups", groups, func() {
				in := copied(src)
				// The rows of the products come first because they lie in memory already.
				for r := range window {
					var m [window]reg.VecVirtual
					for c := range m {
						m[c] = t.load(at(in, 0))
						ADDQ(stride, in)
					}
					t.leave(m, func(c int, v reg.VecVirtual) { room.put(r*tile+c, v) })
				}
				zero, shift := t.zero(), t.load(at(b, 0))
				for c := range tile {
					var m [window]reg.VecVirtual
					for r := range m {
						m[r] = room.get(r*tile + c)
					}
					t.leave(m, func(r int, v reg.VecVirtual) { room.put(window*tile+r*tile+c, t.sum(v, shift)) })
				}
				CMPQ(add, operand.U8(0))
				JEQ(operand.LabelRef("plain"))
				t.finish(room, out, zero, true)
				JMP(operand.LabelRef("next"))
				Label("plain")
				t.finish(room, out, zero, false)
				Label("next")
				ADDQ(operand.U32(t.bytes), src)
				ADDQ(operand.U32(t.bytes), out)
				ADDQ(operand.U32(t.bytes), b)
			})
			ADDQ(operand.I32((tile-1)*row), out)
		})
		ADDQ(operand.I32(tile*frameLine), dst)
	})
	end()
}

// finish writes a tile.
func (t target) finish(room *slots, out reg.GPVirtual, zero reg.VecVirtual, add bool) {
	for r := range tile {
		for c := range tile {
			v, place := room.get(window*tile+r*tile+c), at(out, r*frameLine+c*row)
			if add {
				VADDPS(place, v, v)
			}
			VMAXPS(zero, v, v)
			VMOVUPS(v, place)
		}
	}
}

// shift adds a vector to points and cuts off below a floor.
func (t target) shift() {
	t.begin("shift", "adds a vector to points: see shift.", "x, by []float32, points int, floor float32")
	x, by, points := pointer("x"), pointer("by"), number("points")
	floor, scalar := t.vector(), XMM()
	Load(Param("floor"), scalar)
	VBROADCASTSS(scalar, floor)
	var bys []reg.VecVirtual
	for i := 0; i < row; i += t.bytes {
		bys = append(bys, t.load(at(by, i)))
	}
	repeat("points", points, func() {
		for i, b := range bys {
			v := t.vector()
			VADDPS(at(x, i*t.bytes), b, v)
			VMAXPS(floor, v, v)
			VMOVUPS(v, at(x, i*t.bytes))
		}
		ADDQ(operand.U32(row), x)
	})
	end()
}

// pool finds sums and maxima of channels.
func (t target) pool() {
	t.begin("pool", "finds sums and maxima: see pool.", "sum, most, x []float32, points int")
	sum, most, x, points := pointer("sum"), pointer("most"), pointer("x"), number("points")
	groups := GP64()
	MOVQ(operand.U32(row/t.bytes), groups)
	repeat("groups", groups, func() {
		in, count, s, m := copied(x), copied(points), t.zero(), t.zero()
		repeat("points", count, func() {
			v := t.load(at(in, 0))
			VADDPS(v, s, s)
			VMAXPS(v, m, m)
			ADDQ(operand.U32(row), in)
		})
		VMOVUPS(s, at(sum, 0))
		VMOVUPS(m, at(most, 0))
		for _, p := range []reg.GPVirtual{x, sum, most} {
			ADDQ(operand.U32(t.bytes), p)
		}
	})
	end()
}

// linear multiplies a vector by a matrix of 64 columns.
func (t target) linear() {
	t.begin("linear", "is a layer of 64 outputs: see linear.", "dst, x, w, bias []float32")
	dst, w, bias := pointer("dst"), pointer("w"), pointer("bias")
	x, n := pointer("x"), Load(Param("x").Len(), GP64()).(reg.GPVirtual)
	var sums []reg.VecVirtual
	for i := 0; i < row; i += t.bytes {
		sums = append(sums, t.load(at(bias, i)))
	}
	repeat("inputs", n, func() {
		v := t.vector()
		VBROADCASTSS(at(x, 0), v)
		for i, s := range sums {
			VFMADD231PS(at(w, i*t.bytes), v, s)
		}
		ADDQ(operand.U8(float), x)
		ADDQ(operand.U32(row), w)
	})
	for i, s := range sums {
		VMOVUPS(s, at(dst, i*t.bytes))
	}
	end()
}
