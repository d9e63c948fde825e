package match

import "math"

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
	return eloOf(betaQuantile(a, b, 0.025)), eloOf(betaQuantile(a, b, 0.975))
}

// betaQuantile inverts the distribution function of the beta distribution by bisection,
// in the logarithm of the odds, since the quantiles of lopsided scores crowd at the ends.
func betaQuantile(a, b, p float64) float64 {
	share := func(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }
	low, high := -40.0, 40.0
	for range 100 {
		if middle := (low + high) / 2; betaCDF(a, b, share(middle)) < p {
			low = middle
		} else {
			high = middle
		}
	}
	// A share of exactly 1 would have no Elo.
	return min(share(low), 1-1e-15)
}

// betaCDF is the regularised incomplete beta function.
func betaCDF(a, b, x float64) float64 {
	if x <= 0 || x >= 1 {
		return min(max(x, 0), 1)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab - la - lb + a*math.Log(x) + b*math.Log1p(-x))
	// The fraction converges fast on this side of the mean only.
	if x < (a+1)/(a+b+2) {
		return front * betaFraction(a, b, x) / a
	}
	return 1 - front*betaFraction(b, a, 1-x)/b
}

// betaFraction is the continued fraction of the incomplete beta function, evaluated by
// Lentz's method.
func betaFraction(a, b, x float64) float64 {
	const tiny, precision = 1e-300, 1e-14
	nonzero := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/nonzero(1-(a+b)*x/(a+1))
	f := d
	for m := 1.0; m <= 10000; m++ {
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d, c = 1/nonzero(1+even*d), nonzero(1+even/c)
		f *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d, c = 1/nonzero(1+odd*d), nonzero(1+odd/c)
		f *= d * c
		if math.Abs(d*c-1) < precision {
			break
		}
	}
	return f
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

// Judge asks the test about a score. A draw counts as half a win and half a loss.
func (t Test) Judge(points [2]float64) Verdict {
	low, high := shareOf(t.Low), shareOf(t.High)
	v := Verdict{Test: t, Bound: math.Log((1 - wrong) / wrong)}
	v.Ratio = points[A]*math.Log(high/low) + points[B]*math.Log((1-high)/(1-low))
	v.Done = math.Abs(v.Ratio) >= v.Bound
	v.Accepted = v.Done && v.Ratio > 0
	return v
}
