package main

import (
	"math"
	"math/rand/v2"

	"tengen/internal/player"
)

const (
	rounds = 6
	// rate is the size of steps. A weight takes smaller steps the more often it
	// has been moved, starting as if it had been moved calm times before.
	rate = 0.02
	calm = 50
)

// learner fits the weights by the logarithmic loss, one position after the other.
type learner struct {
	values [][player.Stages]weight
	tempo  float64
	order  *rand.Rand
}

type weight struct{ value, squares float64 }

func newLearner() *learner {
	return &learner{values: make([][player.Stages]weight, player.Shapes()), order: rand.New(rand.NewPCG(1, 1))}
}

// share is Black's chance by the weights so far.
func (l *learner) share(e *example) float64 {
	logit, part := e.sign()*l.tempo, float64(e.Part)
	for _, s := range e.Shapes {
		sign := 1.0
		if s < 0 {
			s, sign = -s, -1
		}
		v := &l.values[s]
		logit += sign * ((1-part)*v[e.Before].value + part*v[e.Before+1].value)
	}
	return 1 / (1 + math.Exp(-logit))
}

// round learns from every example once.
func (l *learner) round(examples []example) {
	for _, i := range l.order.Perm(len(examples)) {
		e := &examples[i]
		slope := l.share(e) - e.black
		l.tempo -= rate / calm * e.sign() * slope
		for _, s := range e.Shapes {
			slope := slope
			if s < 0 {
				s, slope = -s, -slope
			}
			v := &l.values[s]
			v[e.Before].step(slope * (1 - float64(e.Part)))
			v[e.Before+1].step(slope * float64(e.Part))
		}
	}
}

func (w *weight) step(slope float64) {
	w.squares += slope * slope
	w.value -= rate * slope / math.Sqrt(w.squares+calm)
}

// loss is the average loss over examples, measured by the results of their games.
func (l *learner) loss(examples []example) float64 {
	sum := 0.0
	for i := range examples {
		share := l.share(&examples[i])
		if !examples[i].won {
			share = 1 - share
		}
		sum -= math.Log(max(share, 1e-9))
	}
	return sum / float64(len(examples))
}

// weights in the units of the file.
func (l *learner) weights() *player.Weights {
	w := &player.Weights{Tempo: whole(l.tempo), Shapes: make([][player.Stages]int16, len(l.values))}
	for i := range l.values {
		for k, v := range l.values[i] {
			w.Shapes[i][k] = whole(v.value)
		}
	}
	return w
}

func whole(v float64) int16 {
	return int16(math.Round(min(max(v*player.WeightUnit, math.MinInt16), math.MaxInt16)))
}
