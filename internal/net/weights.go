package net

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// The weights file is described in train/README.md.
const (
	magic   = "TGNN"
	version = 1
	prefix  = len(magic) + 4 + 4 // magic, version, length of the header
)

// header is the part of a weights file that a player needs.
type header struct {
	Planes  int      `json:"planes"`
	Blocks  int      `json:"blocks"`
	Tensors []tensor `json:"tensors"`
}

// tensor is a name with a shape, written as a pair.
type tensor struct {
	name  string
	shape []int
}

func (t *tensor) UnmarshalJSON(data []byte) error {
	pair := []any{&t.name, &t.shape}
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	if len(pair) != 2 {
		return errors.New("a tensor is a name and a shape")
	}
	return nil
}

// Read takes the contents of a weights file. It refuses a file that is damaged, of
// another version, or not of the shape that the kernels are made for.
func Read(data []byte) (*Net, error) {
	h, numbers, err := open(data)
	if err != nil {
		return nil, err
	}
	if h.Planes != planes || h.Blocks != blocks {
		return nil, fmt.Errorf("the weights are of a network of %d planes and %d blocks, this program has one of %d and %d", h.Planes, h.Blocks, planes, blocks)
	}
	p := parts{}
	for _, t := range h.Tensors {
		size := 1
		for _, n := range t.shape {
			if n <= 0 || n > len(numbers)/2/size {
				return nil, fmt.Errorf("tensor %q of the weights is larger than the file: make the file again", t.name)
			}
			size *= n
		}
		p[t.name] = part{t.shape, halves(numbers[:2*size])}
		numbers = numbers[2*size:]
	}
	if len(numbers) > 0 {
		return nil, fmt.Errorf("the weights have %d bytes that belong to no tensor: make the file again", len(numbers))
	}
	return p.net()
}

// open checks a file and returns its header and its numbers.
func open(data []byte) (header, []byte, error) {
	var h header
	if len(data) < prefix || string(data[:len(magic)]) != magic {
		return h, nil, errors.New("this is not a weights file: it does not begin with " + magic)
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != version {
		return h, nil, fmt.Errorf("the weights file is of version %d, this program reads version %d", v, version)
	}
	if len(data) < prefix+sha256.Size {
		return h, nil, errors.New("the weights file is cut off: make it again")
	}
	body, digest := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], digest) {
		return h, nil, errors.New("the weights file is damaged: its checksum does not agree, make it again")
	}
	length := binary.LittleEndian.Uint32(data[8:])
	if int64(length) > int64(len(body)-prefix) {
		return h, nil, errors.New("the weights file is cut off within its header: make it again")
	}
	if err := json.Unmarshal(body[prefix:prefix+int(length)], &h); err != nil {
		return h, nil, fmt.Errorf("the header of the weights file cannot be read: %w", err)
	}
	return h, body[prefix+int(length):], nil
}

// halves are numbers of half precision.
func halves(data []byte) []float32 {
	out := make([]float32, len(data)/2)
	for i := range out {
		out[i] = half(binary.LittleEndian.Uint16(data[2*i:]))
	}
	return out
}

// half is a number of half precision: a sign, 5 bits of exponent, 10 of mantissa.
func half(bits uint16) float32 {
	sign, exponent, mantissa := uint32(bits>>15)<<31, uint32(bits>>10&31), uint32(bits&1023)
	switch exponent {
	case 0: // zero and subnormal numbers
		return math.Float32frombits(sign | math.Float32bits(float32(mantissa)/(1<<24)))
	case 31: // infinite, or no number
		return math.Float32frombits(sign | 255<<23 | mantissa<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | mantissa<<13)
}

// parts are tensors by name, with their shapes.
type parts map[string]part

type part struct {
	shape []int
	data  []float32
}

// take returns a tensor of a given shape. It notes the first tensor that is missing, has
// another shape or has a number that is not finite.
func (p parts) take(failed *error, name string, shape ...int) []float32 {
	got, ok := p[name]
	size := 1
	for _, n := range shape {
		size *= n
	}
	switch {
	case *failed != nil:
	case !ok:
		*failed = fmt.Errorf("the weights have no tensor %q: they are of another network", name)
	case !equal(got.shape, shape):
		*failed = fmt.Errorf("tensor %q of the weights has the shape %v, this program wants %v", name, got.shape, shape)
	case !finite(got.data):
		*failed = fmt.Errorf("tensor %q of the weights has a number that is not finite: make the file again", name)
	default:
		return got.data
	}
	return make([]float32, size)
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func finite(x []float32) bool {
	for _, v := range x {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// net puts tensors in the order that the kernels need.
func (p parts) net() (*Net, error) {
	var failed error
	take := func(name string, shape ...int) []float32 { return p.take(&failed, name, shape...) }
	n := &Net{
		stem:     stemTable(take("stem", channels, planes, 3, 3)),
		stemBias: take("stem.bias", channels),

		heads: panels(append(append([]float32(nil), take("policy", head, channels, 1, 1)...), take("value", head, channels, 1, 1)...), 1),
		headsBias: append(append([]float32(nil), take("policy.bias", head)...),
			take("value.bias", head)...),
		policy:     take("policy_out", 1, head, 1, 1),
		policyBias: take("policy_out.bias", 1)[0],
		hidden:     transposed(take("value_hidden", channels, 2*head), channels, 2*head),
		hiddenBias: take("value_hidden.bias", channels),
		value:      take("value_out", 1, channels),
		valueBias:  take("value_out.bias", 1)[0],
	}
	for i := range n.block {
		b, name := &n.block[i], fmt.Sprintf("block%d.", i)
		b.first, b.firstBias = transform(take(name+"first", channels, channels, 3, 3)), take(name+"first.bias", channels)
		b.second, b.secondBias = transform(take(name+"second", channels, channels, 3, 3)), take(name+"second.bias", channels)
		if _, ok := p[name+"pooling"]; ok {
			b.pooling = transposed(take(name+"pooling", channels, 2*channels), channels, 2*channels)
			b.poolingBias = take(name+"pooling.bias", channels)
		}
	}
	ends, endsBias := take("ends", 2, channels, 1, 1), take("ends.bias", 2)
	for i := range n.ends {
		n.ends[i], n.endsBias[i] = ends[i*channels:(i+1)*channels], endsBias[i]
	}
	if failed != nil {
		return nil, failed
	}
	return n, nil
}

// transposed transposes a matrix of some rows and columns, so that the outputs of a layer
// are contiguous.
func transposed(x []float32, rows, cols int) []float32 {
	out := make([]float32, len(x))
	for r := range rows {
		for c := range cols {
			out[c*rows+r] = x[r*cols+c]
		}
	}
	return out
}

// stemTable adds up the planes of each kind of point. A tap sees one neighbour, and the
// neighbour is of one kind.
func stemTable(w []float32) []float32 {
	table := make([]float32, 9*int(kinds)*channels)
	for tap := range 9 {
		for kind, set := range seen {
			for c := range channels {
				for _, plane := range set {
					table[(tap*int(kinds)+kind)*channels+c] += w[(c*planes+plane)*9+tap]
				}
			}
		}
	}
	return table
}
