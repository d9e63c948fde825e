package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"tengen/internal/solver/sums"
)

const (
	epochs = 10
	batch  = 64
	rate   = 0.002 // of learning, at the beginning

	// effortWeight says how much a winning move loses of its weight among winning moves if it
	// takes twice the search, as a power of two.
	effortWeight = 0.7
)

// train fits a network to examples. If moves were drawn at random by the network's scores, the
// share of winning moves should be as large as possible. A tenth of the examples is held back
// as a test.
func train(ctx context.Context, examples []example) *network {
	chance := rand.New(rand.NewPCG(1, 2))
	shuffle := func(list []example) {
		chance.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	}
	shuffle(examples)
	held, rest := examples[:len(examples)/10], examples[len(examples)/10:]
	t := newTrainer(chance)
	for e := range epochs {
		shuffle(rest)
		slow := (1 + math.Cos(math.Pi*float64(e)/epochs)) / 2
		loss := 0.0
		for i, x := range rest {
			loss += t.learn(x)
			if (i+1)%batch == 0 {
				t.step(float32(rate * slow))
			}
			if ctx.Err() != nil {
				return t.net
			}
		}
		fmt.Printf("epoch %2d: loss %.4f; of %d other positions %s\n", e+1, loss/float64(len(rest)), len(held), report(t.net, held))
	}
	return t.net
}

// report says how often a network puts a winning move first. It also says how much search goes
// to losing moves before a winning one, as a multiple of the search that the cheapest winning
// move takes.
func report(n *network, examples []example) string {
	hits, waste := 0, 0.0
	for _, x := range examples {
		best, least := 0, math.MaxInt
		scores := make([]float64, len(x))
		for i := range x {
			scores[i] = n.score(&x[i])
			if x[i].Wins {
				least = min(least, x[i].Effort)
			}
			if x[i].Wins && (!x[best].Wins || scores[i] > scores[best]) {
				best = i
			}
		}
		wasted := 0.0
		for i := range x {
			if scores[i] > scores[best] {
				wasted += math.Exp2(float64(x[i].Effort - least))
			}
		}
		if wasted == 0 {
			hits++
		}
		waste += math.Log2(wasted + math.Exp2(float64(x[best].Effort-least)))
	}
	count := float64(max(len(examples), 1))
	return fmt.Sprintf("a winning move is first in %.1f %%, the cost is 2^%.3f", 100*float64(hits)/count, waste/count)
}

// trainer is gradient descent by the method Adam.
type trainer struct {
	net, slope, mean, square *network
	steps                    int
}

func newTrainer(chance *rand.Rand) *trainer {
	return &trainer{newNetwork(chance), new(network), new(network), new(network), 0}
}

// learn adds the gradient of the loss of one example and returns the loss.
func (t *trainer) learn(x example) float64 {
	scores := make([]float64, len(x))
	units := make([][sums.Hidden + 1]float32, len(x))
	top, least := math.Inf(-1), math.MaxInt
	for i := range x {
		units[i] = t.net.units(&x[i].Look)
		scores[i] = t.net.sum(&units[i], &x[i])
		top = max(top, scores[i])
		if x[i].Wins {
			least = min(least, x[i].Effort)
		}
	}
	all, good := 0.0, 0.0
	weights := make([]float64, len(x))
	for i := range x {
		scores[i] = math.Exp(scores[i] - top)
		if x[i].Wins {
			weights[i] = math.Exp2(-effortWeight * float64(x[i].Effort-least))
		}
		all += scores[i]
		good += weights[i] * scores[i]
	}
	for i := range x {
		t.descend(&x[i], &units[i], float32(scores[i]/all-weights[i]*scores[i]/good))
	}
	return math.Log(all / good)
}

// descend adds the gradient of a score, times by.
func (t *trainer) descend(o *sums.Observed, units *[sums.Hidden + 1]float32, by float32) {
	var back [sums.Hidden + 1]float32
	back[sums.Hidden] = by
	for i, u := range units[:sums.Hidden] {
		if u > 0 {
			t.slope.output[i] += by * u
			back[i] = by * t.net.output[i]
			t.slope.bias[i] += back[i]
		}
	}
	t.slope.output[sums.Hidden] += by * experience(o)
	add := func(to *[sums.Hidden + 1]float32, by float32) {
		for i, b := range back {
			to[i] += by * b
		}
	}
	for k, c := range o.Counts {
		if c != 0 {
			add(&t.slope.counts[k], float32(c))
		}
	}
	for _, s := range o.Shapes {
		add(&t.slope.shapes[s], 1)
	}
}

// step moves the weights against the mean gradient of a batch.
func (t *trainer) step(rate float32) {
	const keepMean, keepSquare = 0.9, 0.999
	t.steps++
	mean := float32(1 - math.Pow(keepMean, float64(t.steps)))
	square := 1 - math.Pow(keepSquare, float64(t.steps))
	slopes, means, squares := t.slope.rows(), t.mean.rows(), t.square.rows()
	for r, row := range t.net.rows() {
		for i := range row.weights {
			d := slopes[r].weights[i] / batch
			m, s := &means[r].weights[i], &squares[r].weights[i]
			*m += (1 - keepMean) * (d - *m)
			*s += (1 - keepSquare) * (d*d - *s)
			row.weights[i] -= rate * row.pace * (*m / mean) / (float32(math.Sqrt(float64(*s)/square)) + 1e-8)
			slopes[r].weights[i] = 0
		}
	}
}
