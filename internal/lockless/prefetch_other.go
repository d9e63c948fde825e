//go:build !amd64

package lockless

// prefetch does nothing where there is no instruction for it here.
func prefetch(*uint64) {}
