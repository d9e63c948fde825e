package main

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"tengen/internal/solver/sums"
)

func someExamples(t *testing.T, wanted int) []example {
	t.Helper()
	list, err := lesson{size: "3x5", chance: 1}.examples(context.Background(), wanted, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != wanted {
		t.Fatalf("%d examples instead of %d", len(list), wanted)
	}
	return list
}

func TestExamplesTellMovesApart(t *testing.T) {
	for _, x := range someExamples(t, 30) {
		wins := 0
		for _, m := range x {
			if m.Wins {
				wins++
			}
		}
		if wins == 0 || wins == len(x) {
			t.Errorf("%d of %d moves win", wins, len(x))
		}
	}
}

// loss is the loss of one pass over the examples, without learning.
func (t *trainer) loss(examples []example) float64 {
	sum := 0.0
	for _, x := range examples {
		sum += t.learn(x)
	}
	t.slope = new(network)
	return sum
}

func TestTrainingLearns(t *testing.T) {
	list := someExamples(t, 40)
	trainer := newTrainer(rand.New(rand.NewPCG(1, 1)))
	before := trainer.loss(list)
	for range 60 {
		for _, x := range list {
			trainer.learn(x)
		}
		trainer.step(rate)
	}
	if after := trainer.loss(list); after > 0.8*before {
		t.Errorf("the loss is %.2f after learning, %.2f before", after, before)
	}
}

// The slope of the loss is checked against small changes of single weights.
func TestSlope(t *testing.T) {
	list := someExamples(t, 6)
	trainer := newTrainer(rand.New(rand.NewPCG(1, 1)))
	for _, x := range list {
		trainer.learn(x)
	}
	slopes := trainer.slope.rows()
	trainer.slope = new(network)
	checked := 0
	for r, row := range trainer.net.rows() {
		for i := range row.weights {
			want := float64(slopes[r].weights[i])
			if math.Abs(want) < 0.5 {
				continue
			}
			const step = 1e-4 // small, so that hardly a unit changes its sign
			old := row.weights[i]
			row.weights[i] = old + step
			up := trainer.loss(list)
			row.weights[i] = old - step
			down := trainer.loss(list)
			row.weights[i] = old
			if got := (up - down) / (2 * step); math.Abs(got-want) > 0.05*math.Abs(want)+0.05 {
				t.Errorf("row %d, weight %d: the slope is %.3f, the loss changes by %.3f", r, i, want, got)
			}
			checked++
		}
	}
	if checked < 10 {
		t.Errorf("only %d slopes were large enough to check", checked)
	}
}

func TestWeightsAreRounded(t *testing.T) {
	n := new(network)
	n.bias[0], n.output[1], n.counts[2][3], n.shapes[4][5] = 1, -0.5, 0.25, 100
	w := n.weights()
	if w.Bias[0] != sums.WeightUnit || w.Output[1] != -sums.WeightUnit/2 || w.Counts[2][3] != sums.WeightUnit/4 || w.Shapes[4][5] != math.MaxInt16 {
		t.Errorf("weights are %d %d %d %d", w.Bias[0], w.Output[1], w.Counts[2][3], w.Shapes[4][5])
	}
}
