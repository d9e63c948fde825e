package sums

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
)

// Weights are the learned weights of the network: see internal/train/ordering,
// which writes them. Hidden units add up the counts and the shapes of all points.
// The last number of a count or a shape bypasses them and goes to the score. The
// last number of Output is for experience. The unit is WeightUnit.
type Weights struct {
	Counts [Counts][Hidden + 1]int16
	Shapes [Shapes][Hidden + 1]int16
	Bias   [Hidden]int16
	Output [Hidden + 1]int16
}

const (
	// Hidden is the number of hidden units.
	Hidden = 16
	// WeightUnit is the integer that stands for a weight of 1.
	WeightUnit = 1 << 11
	// ExperienceUnit scales experience, in the units of order.go, to about the
	// range of counts.
	ExperienceUnit = 300
)

// Bytes are the weights as the file holds them.
func (w *Weights) Bytes() ([]byte, error) { return binary.Append(nil, binary.LittleEndian, w) }

// network orders moves by the positions they lead to. It is a small neural network
// that has learned which moves of a position win, and win with little search. It
// affects only the order of moves. It uses integer arithmetic, so that all
// machines search in the same order.
type network struct {
	counts [Counts]units
	shapes [Shapes]units
	bias   units
	output [Hidden]int64
	earned int64 // the weight of experience
}

// units packs two numbers of 32 bits into a word, the second times 2³². Adding
// words, or multiplying a word by a number, acts on both. The last word is the
// score so far.
type units [Hidden/2 + 1]int64

func pack(numbers []int16) units {
	var u units
	for i, n := range numbers {
		u[i/2] += int64(n) << (32 * (i & 1))
	}
	return u
}

// unpack is word i.
func (u *units) unpack(i int) (first, second int64) {
	first = int64(int32(u[i]))
	return first, (u[i] - first) >> 32
}

// add adds v times by.
func (u *units) add(v *units, by int64) {
	u[0] += by * v[0]
	u[1] += by * v[1]
	u[2] += by * v[2]
	u[3] += by * v[3]
	u[4] += by * v[4]
	u[5] += by * v[5]
	u[6] += by * v[6]
	u[7] += by * v[7]
	u[8] += by * v[8]
}

//go:embed ordering.weights
var orderingFile []byte

// learned is the network that searches use. Its name for --without is judge.
var learned = func() *network {
	w, err := readWeights(orderingFile)
	if err != nil {
		panic(err)
	}
	return newNetwork(w)
}()

func readWeights(data []byte) (*Weights, error) {
	w := new(Weights)
	if len(data) != binary.Size(w) {
		return nil, fmt.Errorf("the weights of the learned ordering have %d bytes instead of %d", len(data), binary.Size(w))
	}
	return w, binary.Read(bytes.NewReader(data), binary.LittleEndian, w)
}

func newNetwork(w *Weights) *network {
	n := &network{bias: pack(w.Bias[:]), earned: int64(w.Output[Hidden])}
	for i := range w.Counts {
		n.counts[i] = pack(w.Counts[i][:])
	}
	for i := range w.Shapes {
		n.shapes[i] = pack(w.Shapes[i][:])
	}
	for i := range n.output {
		n.output[i] = int64(w.Output[i])
	}
	return n
}

// score is high for moves that should be tried first.
func (n *network) score(l *Look, experience int) int {
	u := n.bias
	for _, s := range l.Shapes {
		u.add(&n.shapes[s], 1)
	}
	for i, count := range l.Counts {
		if count != 0 {
			u.add(&n.counts[i], int64(count))
		}
	}
	direct, _ := u.unpack(Hidden / 2)
	score := WeightUnit * (direct + n.earned*int64(experience)/ExperienceUnit)
	for i := range Hidden / 2 {
		a, b := u.unpack(i)
		score += max(a, 0)*n.output[2*i] + max(b, 0)*n.output[2*i+1]
	}
	return int(score / WeightUnit)
}
