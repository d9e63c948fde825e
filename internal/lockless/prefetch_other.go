//go:build !amd64

package lockless

// prefetch does nothing on processors other than amd64.
func prefetch(*uint64) {}
