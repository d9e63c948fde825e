//go:build !amd64 && !js

package net

// kernelsOf returns the kernels of a path. Processors other than amd64 have
// only those in Go.
func kernelsOf(p Path) (*kernels, bool) { return &portable, p == Portable }
