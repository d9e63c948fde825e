package match

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Elo is the difference in strength that makes a share of the points expected, one for
// a win and half a point for a draw. A share of 0 or 1 has none, so such a score counts
// as if half a game had gone the other way.
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

// Interval holds the difference in strength with a probability of 95 per cent: the
// equal-tailed interval of Jeffreys, which stays finite and keeps its promise for few
// games and lopsided scores too. Draws scatter less than the wins and losses it takes
// them for, so with draws it is rather too wide.
func Interval(points [2]float64) (low, high float64) {
	a, b := points[A]+0.5, points[B]+0.5
	return eloOf(mathext.InvRegIncBeta(a, b, 0.025)), eloOf(mathext.InvRegIncBeta(a, b, 0.975))
}

// Test is a sequential test between two differences in strength, with a probability of
// at most 5 per cent to be wrong about either.
type Test struct {
	Low, High float64 // Elo, Low below High
}

const wrong = 0.05

// Verdict is where a test stands: Ratio is the logarithm of how much better High
// explains the games than Low, and the test is done when it leaves the bounds.
type Verdict struct {
	Test
	Ratio, Bound float64
	Done         bool
	Accepted     bool // High, once done
}

// Verdict asks the test about a score. A draw counts as half a win and half a loss.
func (t Test) Verdict(points [2]float64) Verdict {
	low, high := shareOf(t.Low), shareOf(t.High)
	v := Verdict{Test: t, Bound: math.Log((1 - wrong) / wrong)}
	v.Ratio = points[A]*math.Log(high/low) + points[B]*math.Log((1-high)/(1-low))
	v.Done = math.Abs(v.Ratio) >= v.Bound
	v.Accepted = v.Done && v.Ratio > 0
	return v
}
