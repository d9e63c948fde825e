package movenet

import "golang.org/x/sys/cpu"

// fastest are the best kernels for this processor.
func fastest() kernels {
	if cpu.X86.HasAVX2 {
		return kernels{convolveAVX2, liftAVX2}
	}
	return plain
}
