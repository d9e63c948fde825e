package match

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
)

// Rating is the strength of a program in a tournament, in Elo above the mean of all, with
// its 95 per cent interval.
type Rating struct {
	Elo, Low, High float64
}

// natural is the difference in Elo that stands for a factor of e in strength.
var natural = 400 / math.Ln10

// Ratings are the maximum-likelihood strengths of n programs in the model of Bradley and
// Terry: A beats B with probability 1/(1+e^(b-a)). A draw is half a win for both. One
// drawn game is added to every pairing: otherwise a program that has won all its games
// would have an infinite strength. The intervals follow from the curvature of the
// likelihood.
func Ratings(n int, pairings []Pairing) []Rating {
	at := make([]float64, n)
	var spread *mat.Dense
	for range 100 {
		slope, curve := slopes(at, pairings)
		spread = inverse(curve)
		most := 0.0
		for i := range at {
			step := 0.0
			for j := range at {
				step += spread.At(i, j) * slope[j]
			}
			step = min(max(step, -1), 1) // far from the maximum a step by the curvature would be too large
			at[i] += step
			most = max(most, math.Abs(step))
		}
		if most < 1e-9 {
			break
		}
	}
	ratings := make([]Rating, n)
	mean := 0.0
	for _, a := range at {
		mean += a / float64(n)
	}
	for i, a := range at {
		elo, wide := natural*(a-mean), natural*1.959964*math.Sqrt(max(spread.At(i, i), 0))
		ratings[i] = Rating{elo, elo - wide, elo + wide}
	}
	return ratings
}

// slopes returns the first derivatives of the log-likelihood, and the second derivatives
// with their sign changed.
func slopes(at []float64, pairings []Pairing) ([]float64, *mat.Dense) {
	slope, curve := make([]float64, len(at)), mat.NewDense(len(at), len(at), nil)
	for _, p := range pairings {
		a, b := p.Programs[A], p.Programs[B]
		points := p.Points()
		games := points[A] + points[B] + 1
		share := 1 / (1 + math.Exp(at[b]-at[a]))
		missing := points[A] + 0.5 - games*share
		slope[a] += missing
		slope[b] -= missing
		w := games * share * (1 - share)
		for _, c := range []struct {
			i, j int
			w    float64
		}{{a, a, w}, {b, b, w}, {a, b, -w}, {b, a, -w}} {
			curve.Set(c.i, c.j, curve.At(c.i, c.j)+c.w)
		}
	}
	return slope, curve
}

// inverse inverts a curvature. The curvature is zero in the direction in which all
// strengths rise alike, since only differences count.
func inverse(curve *mat.Dense) *mat.Dense {
	n, _ := curve.Dims()
	level := 1 / float64(n)
	sum := mat.NewDense(n, n, nil)
	sum.Apply(func(_, _ int, v float64) float64 { return v + level }, curve)
	var inverse mat.Dense
	if err := inverse.Inverse(sum); err != nil { // so badly conditioned that nothing is known
		inverse.Apply(func(i, j int, _ float64) float64 { return 0 }, sum)
		return &inverse
	}
	inverse.Apply(func(_, _ int, v float64) float64 { return v - level }, &inverse)
	return &inverse
}

// PairElo is the difference in strength by pairs of games with the same opening and
// exchanged colours, with its 95 per cent interval. The two games of a pair depend on
// each other: an opening that favours a colour gives each side one win. So the interval
// may be narrower or wider than that of independent games. It is the interval of a Beta
// distribution with the mean and the variance of the share of points. The prior counts
// each of the five results of a pair as a fifth of a pair.
func PairElo(pairs [5]int) (elo, low, high float64) {
	const before = 0.2
	all, mean, square := 0.0, 0.0, 0.0
	for i, n := range pairs {
		w, share := float64(n)+before, float64(i)/4
		all += w
		mean += w * share
		square += w * share * share
	}
	mean, square = mean/all, square/all
	variance := (square - mean*mean) / (all + 1)
	size := mean*(1-mean)/variance - 1
	a, b := mean*size, (1-mean)*size
	return eloOf(mean), eloOf(mathext.InvRegIncBeta(a, b, 0.025)), eloOf(mathext.InvRegIncBeta(a, b, 0.975))
}
