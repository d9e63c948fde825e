package value

import (
	"context"

	"tengen/engine/job"
)

// KnownWithoutForms is what is found out of a sum beside its canonical form.
func KnownWithoutForms(ctx context.Context, sum Sum, limits job.Limits) Value {
	k := newKnowledge(sum)
	k.study(ctx, sum, limits)
	return k.value()
}
