//go:build !amd64

package movenet

// fastest is the kernel in Go: there is no other.
func fastest() kernel { return pair }
