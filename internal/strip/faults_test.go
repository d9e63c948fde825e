package strip

import (
	"path/filepath"
	"testing"

	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
)

func TestInterruptedCache(t *testing.T) {
	db, err := Make(t.Context(), Options{Max: 3, Simplest: 2})
	if err != nil {
		t.Fatal(err)
	}
	faulty.Interrupt(t, faulty.Writer{
		Name: "database of strips in the cache", Before: map[string][]byte{"tengen/strips.db": []byte("old")},
		Write: func(disk wholefile.Disk, dir string) error {
			return db.keep(disk, filepath.Join(dir, "tengen", "strips.db"))
		},
	})
}
