package main

import (
	"math"
	"math/rand/v2"

	"tengen/internal/solver/sums"
)

// network is the network of method sums during training, in floating point.
type network struct {
	counts [sums.Counts][sums.Hidden + 1]float32
	shapes [sums.Shapes][sums.Hidden + 1]float32
	bias   [sums.Hidden]float32
	output [sums.Hidden + 1]float32
}

func newNetwork(chance *rand.Rand) *network {
	n := new(network)
	n.output[sums.Hidden] = 1
	fill := func(row []float32, spread float64) {
		for i := range row {
			row[i] = float32(spread * chance.NormFloat64())
		}
	}
	fill(n.output[:sums.Hidden], 0.1)
	for i := range n.counts {
		fill(n.counts[i][:sums.Hidden], 0.05)
	}
	for i := range n.shapes {
		fill(n.shapes[i][:sums.Hidden], 0.05)
	}
	return n
}

// units are the hidden units, which count if they are positive, and the score that bypasses
// them.
func (n *network) units(l *sums.Look) [sums.Hidden + 1]float32 {
	var units [sums.Hidden + 1]float32
	copy(units[:], n.bias[:])
	for _, s := range l.Shapes {
		for i, v := range n.shapes[s] {
			units[i] += v
		}
	}
	for k, c := range l.Counts {
		if c != 0 {
			for i, v := range n.counts[k] {
				units[i] += float32(c) * v
			}
		}
	}
	return units
}

func (n *network) score(o *sums.Observed) float64 {
	units := n.units(&o.Look)
	return n.sum(&units, o)
}

// sum is the score from the units.
func (n *network) sum(units *[sums.Hidden + 1]float32, o *sums.Observed) float64 {
	score := units[sums.Hidden] + n.output[sums.Hidden]*experience(o)
	for i, u := range units[:sums.Hidden] {
		score += max(u, 0) * n.output[i]
	}
	return float64(score)
}

func experience(o *sums.Observed) float32 { return float32(o.Experience) / sums.ExperienceUnit }

// row is some of the weights, with their learning rate.
type row struct {
	weights []float32
	pace    float32
}

// rows are all weights. The weights of counts take small steps, because counts are often
// larger than one.
func (n *network) rows() []row {
	list := []row{{n.bias[:], 1}, {n.output[:], 1}}
	for i := range n.counts {
		list = append(list, row{n.counts[i][:], 0.25})
	}
	for i := range n.shapes {
		list = append(list, row{n.shapes[i][:], 1})
	}
	return list
}

// weights are what method sums reads.
func (n *network) weights() *sums.Weights {
	w := new(sums.Weights)
	round := func(to []int16, from []float32) {
		for i, v := range from {
			v := math.Round(float64(v) * sums.WeightUnit)
			to[i] = int16(max(math.MinInt16, min(math.MaxInt16, v)))
		}
	}
	round(w.Bias[:], n.bias[:])
	round(w.Output[:], n.output[:])
	for i := range n.counts {
		round(w.Counts[i][:], n.counts[i][:])
	}
	for i := range n.shapes {
		round(w.Shapes[i][:], n.shapes[i][:])
	}
	return w
}
