package match

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Elo is the difference in strength for which this share of the points is expected. A
// win is one point, a draw half a point. No difference gives a share of 0 or 1, so such
// a score counts as if half a game had gone the other way.
func Elo(points [2]float64) float64 {
	w, n := points[A], points[A]+points[B]
	if points[A] == 0 || points[B] == 0 {
		w, n = w+0.5, n+1
	}
	return eloOf(w / n)
}

func eloOf(share float64) float64 { return 400 * math.Log10(share/(1-share)) }

// shareOf is the inverse of eloOf.
func shareOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// Interval is the 95 per cent interval of the difference in strength: the equal-tailed
// interval of Jeffreys. It is finite and holds its probability also for few games and
// for lopsided scores. It counts a draw as half a win and half a loss. Draws vary less
// than that, so with draws the interval is somewhat too wide.
func Interval(points [2]float64) (low, high float64) {
	a, b := points[A]+0.5, points[B]+0.5
	return eloOf(mathext.InvRegIncBeta(a, b, 0.025)), eloOf(mathext.InvRegIncBeta(a, b, 0.975))
}

// Test is a sequential probability ratio test between two differences in strength. Each
// kind of error has a probability of at most 5 per cent.
type Test struct {
	Low, High float64 // Elo, Low below High
}

const wrong = 0.05

// Verdict is the state of a test. Ratio is the logarithm of the likelihood ratio of
// High to Low. The test is done when Ratio leaves the bounds.
type Verdict struct {
	Test
	Ratio, Bound float64
	Pairs        int // number of pairs of games that were counted
	Done         bool
	Accepted     bool // High is accepted, once done
}

// Verdict applies the test to a score. A draw counts as half a win and half a loss.
func (t Test) Verdict(points [2]float64) Verdict {
	low, high := shareOf(t.Low), shareOf(t.High)
	v := Verdict{Test: t, Bound: math.Log((1 - wrong) / wrong)}
	v.Ratio = points[A]*math.Log(high/low) + points[B]*math.Log((1-high)/(1-low))
	v.Done = math.Abs(v.Ratio) >= v.Bound
	v.Accepted = v.Done && v.Ratio > 0
	return v
}
