package strip

import (
	"cmp"
	"context"
	"slices"
)

// Frequency counts the strips with one value.
type Frequency struct {
	Simplest Strip  // the first of them
	Value    uint32 // the number of the value
	Count    int
}

// MostFrequent lists the most frequent values of strips with up to the given
// number of points, at most count of them. A value and its negative are equally
// frequent; the one with the simpler strip stands for both. A strip and its
// reverse count as two. The list is empty if the database does not have the
// values.
func (db *DB) MostFrequent(ctx context.Context, points, count int) ([]Frequency, error) {
	if points > db.size.simplest {
		return nil, nil
	}
	counts := make(map[uint32]int)
	for n := 1; n <= points; n++ {
		for code := range Count(n) {
			if code%checkEvery == 0 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			counts[db.value(at(n, code))]++
		}
	}
	var list []Frequency
	for number, c := range counts {
		s := db.SimplestOf(number)
		if Compare(s, db.SimplestOf(db.negative(number))) <= 0 {
			list = append(list, Frequency{s, number, c})
		}
	}
	slices.SortFunc(list, func(a, b Frequency) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), Compare(a.Simplest, b.Simplest))
	})
	return list[:min(count, len(list))], nil
}
