//go:build invariants

package bigmem_test

import (
	"testing"

	"tengen/internal/bigmem"
)

func TestMemoryIsCounted(t *testing.T) {
	const words, purpose = 1 << 10, "test of bigmem"
	w, err := bigmem.Alloc(words, purpose)
	if err != nil {
		t.Fatal(err)
	}
	if got := bigmem.InUse()[purpose]; got != words*8 {
		t.Errorf("%d bytes in use are counted as %d", words*8, got)
	}
	w.Free()
	w.Free()
	if got, ok := bigmem.InUse()[purpose]; ok {
		t.Errorf("%d bytes are counted after Free", got)
	}
}
