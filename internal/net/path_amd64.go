package net

import "golang.org/x/sys/cpu"

var (
	avx2   = kernels{stemAVX2, spreadAVX2, productAVX2, gatherAVX2, shiftAVX2, poolAVX2, linearAVX2}
	avx512 = kernels{stemAVX512, spreadAVX512, productAVX512, gatherAVX512, shiftAVX512, poolAVX512, linearAVX512}
)

// kernelsOf returns the kernels of a path if the processor has its
// instructions.
func kernelsOf(p Path) (*kernels, bool) {
	switch {
	case p == Portable:
		return &portable, true
	case p == AVX2 && cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		return &avx2, true
	case p == AVX512 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ:
		return &avx512, true
	}
	return nil, false
}
