package net

import (
	"encoding/binary"
	"slices"
	"sync"
	"syscall/js"
	"unsafe"
)

// In a browser the three kernels that take longest are written for vectors of four numbers,
// which the compiler of Go does not use. They are a WebAssembly module of their own that works
// in the memory of the program: the worker gives that memory as tengenMemory.

// kernelsOf returns the kernels of a path if the browser has its instructions.
func kernelsOf(p Path) (*kernels, bool) {
	switch p {
	case Portable:
		return &portable, true
	case SIMD128:
		k := vectorKernels()
		return k, k != nil
	}
	return nil, false
}

// vectorKernels loads the module, once. It is nil for a browser that refuses it.
var vectorKernels = sync.OnceValue(func() (k *kernels) {
	defer func() {
		if recover() != nil {
			k = nil
		}
	}()
	memory := js.Global().Get("tengenMemory")
	if memory.IsUndefined() {
		return nil
	}
	code := vectorModule()
	bytes := js.Global().Get("Uint8Array").New(len(code))
	js.CopyBytesToJS(bytes, code)
	wasm := js.Global().Get("WebAssembly")
	imports := map[string]any{"m": map[string]any{"m": memory}}
	exports := wasm.Get("Instance").New(wasm.Get("Module").New(bytes), imports).Get("exports")
	multiply, enter, leave, leaveOn := exports.Get("product"), exports.Get("spread"), exports.Get("gather"), exports.Get("gatherOn")
	fast := portable
	fast.product = func(dst, a, b []float32, rows, count int) {
		multiply.Invoke(at(dst), at(a), at(b), rows, count)
	}
	fast.spread = func(dst, src []float32, stride, down, across int, _ []float32) {
		enter.Invoke(at(dst), at(src), 4*stride, down, across)
	}
	fast.gather = func(dst, src, bias []float32, stride, down, across, add int, _ []float32) {
		f := leave
		if add != 0 {
			f = leaveOn
		}
		f.Invoke(at(dst), at(src), 4*stride, down, across, at(bias))
	}
	return &fast
})

// at is where numbers lie in the memory. They do not move while a kernel runs.
func at(x []float32) int { return int(uintptr(unsafe.Pointer(unsafe.SliceData(x)))) }

// A kernel has six parameters, numbered from 0, then integers, then vectors.
const (
	parameters = 6
	integers   = 8
	vectors    = 40
)

func integer(n uint32) uint32 { return parameters + n }
func vector(n uint32) uint32  { return parameters + integers + n }

// Opcodes, those of vectors after the prefix 0xfd.
const (
	i32Const, i32Add, i32Mul = 0x41, 0x6a, 0x6c

	v128Load, v128Splat, v128Store, v128Const = 0x00, 0x09, 0x0b, 0x0c
	f32x4Add, f32x4Sub, f32x4Mul, f32x4Pmax   = 0xe4, 0xe5, 0xe6, 0xeb
)

// assembler writes the code of one kernel.
type assembler struct{ code []byte }

func (a *assembler) number(n uint32) { a.code = binary.AppendUvarint(a.code, uint64(n)) }

func (a *assembler) get(local uint32) { a.code = append(a.code, 0x20); a.number(local) }
func (a *assembler) set(local uint32) { a.code = append(a.code, 0x21); a.number(local) }

func (a *assembler) constant(n int32) {
	a.code = append(a.code, i32Const)
	for ; n < -64 || n > 63; n >>= 7 {
		a.code = append(a.code, byte(n)|0x80)
	}
	a.code = append(a.code, byte(n)&0x7f)
}

// step adds a constant to an integer.
func (a *assembler) step(local uint32, by int32) {
	a.get(local)
	a.constant(by)
	a.code = append(a.code, i32Add)
	a.set(local)
}

// move adds one integer to another.
func (a *assembler) move(local, by uint32) {
	a.get(local)
	a.get(by)
	a.code = append(a.code, i32Add)
	a.set(local)
}

func (a *assembler) copy(to, from uint32) { a.get(from); a.set(to) }

// repeat counts an integer down to zero by steps.
func (a *assembler) repeat(counter uint32, by int32, body func()) {
	a.code = append(a.code, 0x03, 0x40)
	body()
	a.step(counter, -by)
	a.get(counter)
	a.code = append(a.code, 0x0d, 0, 0x0b)
}

func (a *assembler) simd(op uint32) { a.code = append(a.code, 0xfd); a.number(op) }

// access is the operand of loads and stores: aligned to four bytes.
func (a *assembler) access(op, offset uint32) { a.simd(op); a.number(2); a.number(offset) }

func (a *assembler) load(to, from, offset uint32) {
	a.get(from)
	a.access(v128Load, offset)
	a.set(to)
}

func (a *assembler) store(to, offset, from uint32) {
	a.get(to)
	a.get(from)
	a.access(v128Store, offset)
}

// compute sets a vector to x op y.
func (a *assembler) compute(to, x, op, y uint32) {
	a.get(x)
	a.get(y)
	a.simd(op)
	a.set(to)
}

func (a *assembler) zero(to uint32) {
	a.simd(v128Const)
	a.code = append(a.code, make([]byte, 16)...)
	a.set(to)
}

const (
	pointBytes = 4 * channels
	lineBytes  = frameSide * pointBytes
	lanes      = 4 // numbers of a vector
	groups     = channels / lanes
)

// assembleProduct is product: three rows by sixteen columns at a time.
func assembleProduct(a *assembler) {
	const dst, x, w, rows, count = 0, 1, 2, 3, 4
	const wide = 16 // columns
	part, left, row, out, from, weights, k := integer(0), integer(1), integer(2), integer(3), integer(4), integer(5), integer(6)
	sum := func(r, v int) uint32 { return vector(uint32(4*r + v)) }
	weight := func(v int) uint32 { return vector(uint32(12 + v)) }
	value := vector(16)
	a.repeat(count, 1, func() {
		for n := range channels / wide {
			a.copy(part, w)
			a.step(part, int32(n*wide/panel*channels*panel*4+n*wide%panel*4))
			a.copy(left, rows)
			a.copy(row, x)
			a.copy(out, dst)
			a.repeat(left, 3, func() {
				for i := range 12 {
					a.zero(vector(uint32(i)))
				}
				a.copy(from, row)
				a.copy(weights, part)
				a.constant(channels)
				a.set(k)
				a.repeat(k, 1, func() {
					for v := range 4 {
						a.load(weight(v), weights, uint32(16*v))
					}
					for r := range 3 {
						a.get(from)
						a.access(v128Splat, uint32(r*pointBytes))
						a.set(value)
						for v := range 4 {
							a.get(sum(r, v))
							a.get(value)
							a.get(weight(v))
							a.simd(f32x4Mul)
							a.simd(f32x4Add)
							a.set(sum(r, v))
						}
					}
					a.step(from, 4)
					a.step(weights, panel*4)
				})
				for r := range 3 {
					for v := range 4 {
						a.store(out, uint32(r*pointBytes+n*wide*4+16*v), sum(r, v))
					}
				}
				a.step(row, 3*pointBytes)
				a.step(out, 3*pointBytes)
			})
		}
		a.copy(x, row)
		a.copy(dst, out)
		a.step(w, channels*channels*4)
	})
}

// tiles goes through the tiles of a frame and the vectors of their channels.
func (a *assembler) tiles(frame, down, across uint32, body func(tileAt, group uint32)) {
	tileAt, left, group := integer(0), integer(1), integer(2)
	a.repeat(down, 1, func() {
		a.copy(tileAt, frame)
		a.copy(left, across)
		a.repeat(left, 1, func() {
			a.constant(groups)
			a.set(group)
			a.repeat(group, 1, func() {
				body(tileAt, group)
				a.step(tileAt, 16)
			})
			a.step(tileAt, (tile-1)*pointBytes)
		})
		a.step(frame, tile*lineBytes)
	})
}

// assembleSpread is spread.
func assembleSpread(a *assembler) {
	const dst, src, stride, down, across = 0, 1, 2, 3, 4
	out := integer(3)
	d := func(x, y int) uint32 { return vector(uint32(x*window + y)) }
	a.tiles(src, down, across, func(tileAt, _ uint32) {
		for x := range window {
			for y := range window {
				a.load(d(x, y), tileAt, uint32(y*lineBytes+x*pointBytes))
			}
			a.enter(d(x, 0), d(x, 1), d(x, 2), d(x, 3), d(x, 4))
		}
		a.copy(out, dst)
		for y := range window {
			a.enter(d(0, y), d(1, y), d(2, y), d(3, y), d(4, y))
			for x := range window {
				a.store(out, 0, d(x, y))
				a.move(out, stride)
			}
		}
		a.step(dst, 16)
	})
}

// enter is the transform of that name, in place.
func (a *assembler) enter(d0, d1, d2, d3, d4 uint32) {
	step, q, e := vector(30), vector(31), vector(32)
	a.compute(step, d3, f32x4Sub, d1)
	a.compute(q, d3, f32x4Sub, d2)
	a.compute(e, d0, f32x4Sub, d2)
	a.compute(e, e, f32x4Add, e)
	a.compute(d0, e, f32x4Add, step)
	a.compute(e, step, f32x4Add, step)
	a.compute(d4, d4, f32x4Sub, d2)
	a.compute(d4, d4, f32x4Sub, e)
	a.compute(e, d2, f32x4Sub, d1)
	a.compute(e, e, f32x4Add, e)
	a.compute(d2, q, f32x4Sub, e)
	a.compute(e, d1, f32x4Add, d1)
	a.compute(d1, q, f32x4Sub, e)
	a.copy(d3, step)
}

// assembleGather is gather, with or without what was there before.
func assembleGather(add bool) func(*assembler) {
	return func(a *assembler) {
		const dst, src, stride, down, across, biases = 0, 1, 2, 3, 4, 5
		in, bias := integer(3), integer(4)
		d := func(x int) uint32 { return vector(uint32(x)) }
		m := func(x, y int) uint32 { return vector(uint32(5 + x*window + y)) }
		sum, before, none := vector(20), vector(21), vector(22)
		a.zero(none)
		a.step(dst, lineBytes+pointBytes)
		a.tiles(dst, down, across, func(tileAt, group uint32) {
			a.copy(in, src)
			for y := range window {
				for x := range window {
					a.load(d(x), in, 0)
					a.move(in, stride)
				}
				a.leave(m(0, y), m(1, y), m(2, y), d(0), d(1), d(2), d(3), d(4))
			}
			a.get(group) // counts down
			a.constant(-16)
			a.code = append(a.code, i32Mul)
			a.set(bias)
			a.step(bias, pointBytes)
			a.move(bias, biases)
			for x := range tile {
				a.leave(d(0), d(1), d(2), m(x, 0), m(x, 1), m(x, 2), m(x, 3), m(x, 4))
				for y := range tile {
					offset := uint32(y*lineBytes + x*pointBytes)
					a.load(sum, bias, 0)
					a.compute(sum, d(y), f32x4Add, sum)
					if add {
						a.load(before, tileAt, offset)
						a.compute(sum, sum, f32x4Add, before)
					}
					a.compute(sum, sum, f32x4Pmax, none)
					a.store(tileAt, offset, sum)
				}
			}
			a.step(src, 16)
		})
	}
}

// leave is the transform of that name.
func (a *assembler) leave(to0, to1, to2, m0, m1, m2, m3, m4 uint32) {
	twice, four := vector(30), vector(31)
	a.compute(twice, m3, f32x4Add, m3)
	a.compute(four, twice, f32x4Add, twice)
	a.compute(to0, m0, f32x4Add, m1)
	a.compute(to0, to0, f32x4Add, m2)
	a.compute(to0, to0, f32x4Add, m3)
	a.compute(to1, m1, f32x4Sub, m2)
	a.compute(to1, to1, f32x4Add, twice)
	a.compute(to2, m1, f32x4Add, m2)
	a.compute(to2, to2, f32x4Add, four)
	a.compute(to2, to2, f32x4Add, m4)
}

// vectorModule is the module with the kernels. It imports its memory.
func vectorModule() []byte {
	kernels := []struct {
		name     string
		assemble func(*assembler)
	}{{"product", assembleProduct}, {"spread", assembleSpread}, {"gather", assembleGather(false)}, {"gatherOn", assembleGather(true)}}
	const i32, v128, memory, function = 0x7f, 0x7b, 2, 0
	signature := append([]byte{0x60, parameters}, slices.Repeat([]byte{i32}, parameters)...)
	types, functions, exports, code := list(1, append(signature, 0)), list(3), list(7), list(10)
	for i, k := range kernels {
		var a assembler
		a.code = []byte{2, integers, i32, vectors, v128}
		k.assemble(&a)
		a.code = append(a.code, 0x0b)
		functions.add([]byte{0})
		exports.add(append(word(k.name), function, byte(i)))
		code.add(append(binary.AppendUvarint(nil, uint64(len(a.code))), a.code...))
	}
	imports := list(2, slices.Concat(word("m"), word("m"), []byte{memory, 0, 1}))
	module := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range []*section{types, imports, functions, exports, code} {
		body := append(binary.AppendUvarint(nil, uint64(s.count)), s.items...)
		module = append(append(append(module, s.id), binary.AppendUvarint(nil, uint64(len(body)))...), body...)
	}
	return module
}

// section is a part of a module: a list.
type section struct {
	id    byte
	count int
	items []byte
}

func list(id byte, items ...[]byte) *section {
	s := &section{id: id}
	for _, item := range items {
		s.add(item)
	}
	return s
}

func (s *section) add(item []byte) { s.count++; s.items = append(s.items, item...) }

func word(s string) []byte { return append([]byte{byte(len(s))}, s...) }
