package proof

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Found is what extractions of one claim have found so far. An extraction that is given it in
// its options goes on from there and adds to it. It may be saved meanwhile. The zero value is
// empty; nil keeps nothing.
type Found struct {
	mu     sync.Mutex
	layers [][]uint8 // the moves of each layer, in the order of its codes; the last may lack some
}

// foundStep is the number of positions of a layer after which their moves are kept.
const foundStep = 1 << 16

// layer returns the moves of a layer that are known. Layers count from 1.
func (f *Found) layer(number int) []uint8 {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if number > len(f.layers) {
		return nil
	}
	return f.layers[number-1]
}

// keep replaces the moves of a layer by a list that continues them.
func (f *Found) keep(number int, moves []uint8) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if number > len(f.layers) {
		f.layers = append(f.layers, nil)
	}
	f.layers[number-1] = moves
}

// Positions is the number of positions that need not be worked on again.
func (f *Found) Positions() (n uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, moves := range f.layers {
		n += uint64(len(moves))
	}
	return n
}

// Save writes what is found: the number of layers, and each with its length.
func (f *Found) Save(w io.Writer) error {
	f.mu.Lock()
	layers := append([][]uint8(nil), f.layers...) // lists are continued, never changed
	f.mu.Unlock()
	if _, err := w.Write([]byte{byte(len(layers))}); err != nil {
		return err
	}
	for _, moves := range layers {
		if _, err := w.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(moves)))); err != nil {
			return err
		}
		if _, err := w.Write(moves); err != nil {
			return err
		}
	}
	return nil
}

// errFound is what a record of other origin leads to.
var errFound = errors.New("what was found before does not belong to this proof")

// Load reads what Save wrote and nothing behind it. Whether it belongs to a proof shows when
// an extraction goes on with it.
func (f *Found) Load(r io.Reader) error {
	var count [1]byte
	if _, err := io.ReadFull(r, count[:]); err != nil {
		return fmt.Errorf("the saved proof is cut short: %w", err)
	}
	layers := make([][]uint8, count[0])
	for i := range layers {
		var length [8]byte
		if _, err := io.ReadFull(r, length[:]); err != nil {
			return fmt.Errorf("the saved proof is cut short: %w", err)
		}
		var moves bytes.Buffer // grows with what is read
		n := int64(binary.LittleEndian.Uint64(length[:]) & (1<<63 - 1))
		if _, err := io.CopyN(&moves, r, n); err != nil {
			return fmt.Errorf("the saved proof is cut short: %w", err)
		}
		layers[i] = moves.Bytes()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.layers = layers
	return nil
}
