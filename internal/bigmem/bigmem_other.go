//go:build !linux

package bigmem

import (
	"os"
	"unsafe"
)

func reserve(bytes int) ([]byte, error) {
	words := make([]uint64, (bytes+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), bytes), nil
}

func release([]byte) {}

// Map makes the content of a file available.
func Map(path string) (*File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return &File{data}, nil
}

func unmap([]byte) {}
