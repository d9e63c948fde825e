// Command asm writes the kernels of package movenet for processors with AVX2.
//
//	go generate ./internal/movenet
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The shapes of package movenet.
const (
	channels = 48
	points   = 2            // that are computed at a time
	vectors  = channels / 8 // of the sums of a point
	vector   = 32           // bytes
	short    = 2            // bytes of an activation

	weightBits = 9
	poolBits   = 4
)

func main() {
	ConstraintExpr("amd64")
	convolve()
	lift()
	Generate()
}

// convolve multiplies two activations at a time with two weights of each output. The sums
// of two points take twelve registers.
func convolve() {
	TEXT("convolveAVX2", NOSPLIT, "func(out, src, weights []int16, bias []int32, add []int16, line, inputs, shift int)")
	Pragma("noescape")
	Doc("convolveAVX2 is convolve for processors with AVX2.")
	src, weights, bias := pointer("src"), pointer("weights"), pointer("bias")
	line, inputs := Load(Param("line"), GP64()).(reg.GPVirtual), Load(Param("inputs"), GP64()).(reg.GPVirtual)
	var sums [points][vectors]reg.VecVirtual
	for p := range sums {
		for i := range sums[p] {
			sums[p][i] = YMM()
			VMOVDQU(at(bias, i*vector), sums[p][i])
		}
	}
	// The inputs of three neighbouring points lie one after the other.
	pairs := GP64()
	LEAQ(operand.Mem{Base: inputs, Index: inputs, Scale: 2}, pairs)
	SHRQ(operand.U8(1), pairs)
	SHLQ(operand.U8(1), line)   // bytes
	SHLQ(operand.U8(1), inputs) // bytes
	row, count, from := GP64(), GP64(), GP64()
	MOVQ(operand.U32(3), row)
	Label("row")
	MOVQ(pairs, count)
	MOVQ(src, from)
	Label("inputs")
	var input [points]reg.VecVirtual
	for p := range input {
		input[p] = YMM()
	}
	VPBROADCASTD(at(from, 0), input[0])
	VPBROADCASTD(operand.Mem{Base: from, Index: inputs, Scale: 1}, input[1])
	w, product := YMM(), YMM()
	for i := range vectors {
		VMOVDQU(at(weights, i*vector), w)
		for p := range sums {
			VPMADDWD(w, input[p], product)
			VPADDD(product, sums[p][i], sums[p][i])
		}
	}
	ADDQ(operand.U8(2*short), from)
	ADDQ(operand.U32(vectors*vector), weights)
	DECQ(count)
	JNZ(operand.LabelRef("inputs"))
	ADDQ(line, src)
	DECQ(row)
	JNZ(operand.LabelRef("row"))
	cut(sums)
	VZEROUPPER()
	RET()
}

// cut shifts the sums, adds what is to be added and cuts off.
func cut(sums [points][vectors]reg.VecVirtual) {
	out, add, shift := pointer("out"), pointer("add"), GP64()
	Load(Param("shift"), shift)
	bits, zero := XMM(), YMM()
	VMOVQ(shift, bits)
	VPXOR(zero, zero, zero)
	for p, s := range sums {
		for i := range s {
			VPSRAD(bits, s[i], s[i])
		}
		for i, v := range pack(s) {
			place := (p*vectors/2 + i) * vector
			VPADDSW(at(add, place), v, v)
			VPMAXSW(zero, v, v)
			VMOVDQU(v, at(out, place))
		}
	}
}

// pack makes 16 bits of 32, cut off.
func pack(s [vectors]reg.VecVirtual) []reg.VecVirtual {
	var packed []reg.VecVirtual
	for i := 0; i < vectors; i += 2 {
		VPACKSSDW(s[i+1], s[i], s[i])
		VPERMQ(operand.U8(0xd8), s[i], s[i]) // the halves of both
		packed = append(packed, s[i])
	}
	return packed
}

// lift keeps the sum and the maximum of each channel in registers, and then the sums of all
// products.
func lift() {
	TEXT("liftAVX2", NOSPLIT, "func(y, weights []int16, bias, pooled []int32, rows, cols int)")
	Pragma("noescape")
	Doc("liftAVX2 is lift for processors with AVX2.")
	y, pooled := pointer("y"), pointer("pooled")
	each := func(label string, do func(point reg.GPVirtual)) {
		from, row, col := GP64(), GP64(), GP64()
		MOVQ(y, from)
		Load(Param("rows"), row)
		Label(label + "Row")
		Load(Param("cols"), col)
		Label(label)
		do(from)
		ADDQ(operand.U8(channels*short), from)
		DECQ(col)
		JNZ(operand.LabelRef(label))
		ADDQ(operand.U32(2*channels*short), from) // the margin
		DECQ(row)
		JNZ(operand.LabelRef(label + "Row"))
	}
	var both [vectors][2]reg.VecVirtual // sums and maxima
	for i := range both {
		for k := range both[i] {
			both[i][k] = YMM()
			VPXOR(both[i][k], both[i][k], both[i][k])
		}
	}
	v := YMM()
	each("pool", func(point reg.GPVirtual) {
		for i, b := range both {
			VPMOVSXWD(at(point, i*8*short), v)
			VPADDD(v, b[0], b[0])
			VPMAXSD(v, b[1], b[1])
		}
	})
	for i, b := range both {
		VPSRAD(operand.U8(poolBits), b[0], b[0])
		VMOVDQU(b[0], at(pooled, i*vector))
		VMOVDQU(b[1], at(pooled, (vectors+i)*vector))
	}
	bias, weights, count := pointer("bias"), pointer("weights"), GP64()
	var sums [vectors]reg.VecVirtual
	for i := range sums {
		sums[i] = YMM()
		VMOVDQU(at(bias, i*vector), sums[i])
	}
	MOVQ(operand.U32(2*channels), count)
	input := YMM()
	Label("products")
	VPBROADCASTD(at(pooled, 0), input)
	for i := range sums {
		VPMOVSXWD(at(weights, i*8*short), v)
		VPMULLD(v, input, v)
		VPADDD(v, sums[i], sums[i])
	}
	ADDQ(operand.U8(4), pooled)
	ADDQ(operand.U8(channels*short), weights)
	DECQ(count)
	JNZ(operand.LabelRef("products"))
	for i := range sums {
		VPSRAD(operand.U8(weightBits), sums[i], sums[i])
	}
	zero := YMM()
	VPXOR(zero, zero, zero)
	packed := pack(sums)
	each("add", func(point reg.GPVirtual) {
		for i, p := range packed {
			VPADDSW(at(point, i*vector), p, v)
			VPMAXSW(zero, v, v)
			VMOVDQU(v, at(point, i*vector))
		}
	})
	VZEROUPPER()
	RET()
}

func pointer(name string) reg.GPVirtual { return Load(Param(name).Base(), GP64()).(reg.GPVirtual) }

func at(base reg.Register, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }
