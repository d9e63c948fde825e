package value

import (
	"testing"

	"tengen/internal/strip"
)

// The largest databases are those that the builder makes.
func TestConstantsOfStrips(t *testing.T) {
	if MaxStrips != strip.MaxBounds || MaxSimplestStrips != strip.MaxSimplest {
		t.Errorf("%d and %d points, the builder goes to %d and %d", MaxStrips, MaxSimplestStrips, strip.MaxBounds, strip.MaxSimplest)
	}
}
