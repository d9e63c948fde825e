//go:build !amd64

package net

// kernelsOf are the kernels of a path: the ones in Go, elsewhere than on amd64.
func kernelsOf(p Path) (*kernels, bool) { return &portable, p == Portable }
