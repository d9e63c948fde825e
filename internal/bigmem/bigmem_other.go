//go:build !linux

package bigmem

import "unsafe"

func reserve(bytes int) ([]byte, error) {
	words := make([]uint64, (bytes+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), bytes), nil
}

func release([]byte) {}

// Machine is the memory of the machine in bytes, 0 if unknown.
func Machine() int64 { return 0 }
