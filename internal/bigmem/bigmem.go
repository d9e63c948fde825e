// Package bigmem hands out large zeroed arrays outside the garbage-collected heap, on
// huge pages where the system has them. With the build tag "invariants" it counts their
// bytes by purpose, so that tests find arrays that are not freed. It also says how much
// memory the machine has, so that a command can refuse a request that would get it
// killed by the operating system.
package bigmem

import (
	"fmt"
	"unsafe"
)

// Words is an array of zeroed 64-bit words. It lives until Free.
type Words struct {
	purpose string
	raw     []byte
	Data    []uint64
}

// Alloc reserves n words. The purpose appears in errors and counts.
func Alloc(n int, purpose string) (*Words, error) {
	if n <= 0 {
		return nil, fmt.Errorf("memory for %s: %d words asked for", purpose, n)
	}
	raw, err := reserve(n * 8)
	if err != nil {
		return nil, fmt.Errorf("memory for %s (%d bytes): %w", purpose, n*8, err)
	}
	account(purpose, int64(len(raw)))
	return &Words{purpose, raw, unsafe.Slice((*uint64)(unsafe.Pointer(&raw[0])), n)}, nil
}

// Free returns the memory; Data must not be used afterwards. Freeing twice does nothing.
func (w *Words) Free() {
	if w == nil || w.raw == nil {
		return
	}
	account(w.purpose, -int64(len(w.raw)))
	release(w.raw)
	w.raw, w.Data = nil, nil
}
