package analyse

import (
	"tengen/game"
)

// ByStrategyAlone is what the strategy for rows knows of a position, table or not.
func ByStrategyAlone(p game.Position) Analysis {
	i, err := newInquiry(Question{Rules: game.Go{}, Start: p}, nil)
	if err != nil {
		panic(err)
	}
	i.answerByStrategy()
	return i.snapshot()
}
