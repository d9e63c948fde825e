//go:build !linux && !windows && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd

package bigmem

// Machine is the memory of the machine in bytes, 0 if unknown.
func Machine() int64 { return 0 }
