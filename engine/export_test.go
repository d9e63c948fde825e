package engine

import (
	"context"

	"tengen/game"
)

// KnownWithoutForms is what is found out of a sum beside its canonical form.
func KnownWithoutForms(ctx context.Context, sum Sum, limits Limits) Value {
	k := newKnowledge(sum)
	k.study(ctx, sum, limits)
	return k.value()
}

// ByStrategyAlone is what the strategy for rows knows of a position, table or not.
func ByStrategyAlone(p game.Position) Analysis {
	i, err := newInquiry(Question{Rules: game.Go{}, Start: p}, nil)
	if err != nil {
		panic(err)
	}
	i.answerByStrategy()
	return i.snapshot()
}
