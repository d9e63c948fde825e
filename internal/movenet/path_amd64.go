package movenet

import "golang.org/x/sys/cpu"

// fastest is the best kernel for this processor.
func fastest() kernel {
	if cpu.X86.HasAVX2 {
		return pairAVX2
	}
	return pair
}
