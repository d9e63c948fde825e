//go:build !amd64

package movenet

// fastest are the kernels in Go: there are no others.
func fastest() kernels { return plain }
