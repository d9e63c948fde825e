// Command asm writes the kernel of package movenet for processors with AVX2.
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
	vectors  = channels / 8 // of the sums of a point
	vector   = 32           // bytes
	short    = 2            // bytes of an activation
)

func main() {
	ConstraintExpr("amd64")
	pair()
	Generate()
}

// pair multiplies two activations at a time with two weights of each output. The twelve
// sums of two points, the activations, a weight and a product take all registers.
func pair() {
	TEXT("pairAVX2", NOSPLIT, "func(sums []int32, src, weights []int16, bias []int32, line int)")
	Pragma("noescape")
	Doc("pairAVX2 is pair for processors with AVX2.")
	src, weights, bias := pointer("src"), pointer("weights"), pointer("bias")
	line := Load(Param("line"), GP64()).(reg.GPVirtual)
	SHLQ(operand.U8(1), line) // bytes
	var sums [2][vectors]reg.VecVirtual
	for p := range sums {
		for i := range sums[p] {
			sums[p][i] = YMM()
			VMOVDQU(at(bias, i*vector), sums[p][i])
		}
	}
	row, count := GP64(), GP64()
	MOVQ(operand.U32(3), row)
	Label("row")
	// The channels of three neighbouring points lie one after the other.
	MOVQ(operand.U32(3*channels/2), count)
	from := GP64()
	MOVQ(src, from)
	Label("inputs")
	var inputs [2]reg.VecVirtual
	for p := range inputs {
		inputs[p] = YMM()
		VPBROADCASTD(at(from, p*channels*short), inputs[p])
	}
	w, product := YMM(), YMM()
	for i := range vectors {
		VMOVDQU(at(weights, i*vector), w)
		for p := range sums {
			VPMADDWD(w, inputs[p], product)
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
	out := pointer("sums")
	for p := range sums {
		for i := range sums[p] {
			VMOVDQU(sums[p][i], at(out, (p*vectors+i)*vector))
		}
	}
	VZEROUPPER()
	RET()
}

func pointer(name string) reg.GPVirtual { return Load(Param(name).Base(), GP64()).(reg.GPVirtual) }

func at(base reg.Register, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }
