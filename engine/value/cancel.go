package value

import (
	"fmt"
	"slices"

	"tengen/internal/region"
	"tengen/internal/solver/sums"
	"tengen/internal/strip"
	"tengen/nogo"
)

// Two summands cancel if one is the other with the players exchanged: their sum is 0. That
// is seen without any search where their normal forms agree up to place and orientation.
// An empty board is its own inverse, so two of them cancel as well.

// cancelled is an equal sum without boards that cancel each other.
func (s Sum) cancelled() Sum {
	if len(s.Positions()) < 2 {
		return s
	}
	left := make(Sum, 0, len(s))
	var inverses []string // of the signatures in left; "" for games
	for _, t := range s {
		if !t.IsPosition() {
			left, inverses = append(left, t), append(inverses, "")
			continue
		}
		signature, inverse := signatures(t.Position)
		if at := slices.Index(inverses, signature); at >= 0 {
			left, inverses = slices.Delete(left, at, at+1), slices.Delete(inverses, at, at+1)
			continue
		}
		left, inverses = append(left, t), append(inverses, inverse)
	}
	return left
}

// signatures tell positions apart that are not seen to be equal, and write down a position
// with the colours exchanged.
func signatures(p nogo.Position) (signature, inverse string) {
	switch parts, err := stripsOfRow(p); {
	case err == nil:
		inverses := make([]strip.Strip, len(parts))
		for i, s := range parts {
			parts[i], inverses[i] = s.Least(), s.Inverse().Least()
		}
		slices.SortFunc(parts, strip.Compare)
		slices.SortFunc(inverses, strip.Compare)
		return "strips " + strip.Format(parts), "strips " + strip.Format(inverses)
	case sums.Takes(p.Size):
		layout := region.NewLayout(p.Size)
		whole := region.Of(layout.Grid, layout.Stones(p))
		signature, inverse = whole.Signatures(layout.Grid)
		stride := fmt.Sprintf("regions %d ", layout.Grid.Stride)
		return stride + signature, stride + inverse
	}
	return "board " + p.String(), "board " + Summand{Position: p}.inverse().Position.String()
}

// stripsOfRow takes a single row apart, and refuses other boards.
func stripsOfRow(p nogo.Position) ([]strip.Strip, error) {
	if !p.Size.IsRow() {
		return nil, fmt.Errorf("%s is not a single row", p.Size)
	}
	return stripsOf(p)
}
