package analyse

import "testing"

// What one question has proven of a position is not lost to another that has proven less.
func TestResultsOfTwoQuestions(t *testing.T) {
	for _, test := range []struct{ now, old, want memory }{
		{memory{low: -25, high: 20}, memory{low: 5, high: 5}, memory{low: 5, high: 5}},
		{memory{low: -25, high: 20}, memory{low: 3, high: 25, effort: 7}, memory{low: 3, high: 20, effort: 7}},
		{memory{low: 1, high: 16, held: true}, memory{low: 1, high: 25}, memory{low: 1, high: 16, held: true}},
		{memory{low: -4, high: 16}, memory{low: 1, high: 16, held: true}, memory{low: 1, high: 16, held: true}},
		{memory{low: 0, high: 9, reply: 3, replied: true}, memory{low: 0, high: 9, reply: 4, replied: true}, memory{low: 0, high: 9, reply: 3, replied: true}},
		{memory{low: 0, high: 9}, memory{low: 0, high: 9, reply: 4, replied: true}, memory{low: 0, high: 9, reply: 4, replied: true}},
		{memory{low: 3, high: 9}, memory{low: -9, high: 2}, memory{low: 3, high: 9}}, // one of them is wrong
	} {
		if got := test.now.and(test.old); got != test.want {
			t.Errorf("%+v and %+v: %+v, not %+v", test.now, test.old, got, test.want)
		}
	}
}
