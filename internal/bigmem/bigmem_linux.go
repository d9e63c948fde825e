package bigmem

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

func reserve(bytes int) ([]byte, error) {
	raw, err := unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, err
	}
	// This is only advice: without huge pages the array is slower, not
	// wrong.
	_ = unix.Madvise(raw, unix.MADV_HUGEPAGE)
	return raw, nil
}

func release(raw []byte) { _ = unix.Munmap(raw) }

// Map makes the content of a file available.
func Map(path string) (*File, error) {
	// Opening a pipe would wait for its other end, so the kind of file is
	// checked first.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.Size() == 0:
		return &File{}, nil
	}
	data, err := unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mapping %s into memory: %w", path, err)
	}
	return &File{data}, nil
}

func unmap(data []byte) { _ = unix.Munmap(data) }
