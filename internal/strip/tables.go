package strip

import (
	"encoding/binary"
	"fmt"
)

// tables are the contents of the sections of a database.
type tables struct {
	size      sizes
	bounds    layers
	games     []byte
	negatives []byte
	simplest  []byte
	values    [][]byte // by number of points
}

func newTables(z sizes) tables {
	return tables{
		size:   z,
		bounds: layers{nil},
		values: make([][]byte, z.simplest+1),
	}
}

// set stores the content of a section; sections come in the order of the plan. It
// refuses content that could break a lookup.
func (t *tables) set(s section, payload []byte) error {
	switch s.kind {
	case kindBounds:
		t.bounds = append(t.bounds, payload)
	case kindGames:
		t.games = payload
	case kindNegatives:
		t.negatives = payload
	case kindSimplest:
		t.simplest = payload
	case kindValues:
		t.values[s.layer] = payload
	}
	if !t.plausible(s, payload) {
		return fmt.Errorf("the section of the %s is invalid", s)
	}
	return nil
}

func (t *tables) plausible(s section, payload []byte) bool {
	length := uint64(len(payload))
	switch s.kind {
	case kindBounds:
		return length == entries(s.layer)
	case kindNegatives:
		return length > 0 && t.areGames(payload)
	case kindSimplest:
		return len(payload) == len(t.negatives) && areStrips(payload)
	case kindValues:
		return length == 4*entries(s.layer) && t.areGames(payload)
	}
	return true
}

// count is the number of games.
func (t *tables) count() int { return len(t.negatives) / 4 }

// areGames reports whether the words of a payload are numbers of games.
func (t *tables) areGames(payload []byte) bool {
	for i := 0; i+4 <= len(payload); i += 4 {
		if int(binary.LittleEndian.Uint32(payload[i:])) >= t.count() {
			return false
		}
	}
	return len(payload)%4 == 0
}

// areStrips reports whether the words of a payload are packed strips, or 0.
func areStrips(payload []byte) bool {
	for ; len(payload) > 0; payload = payload[4:] {
		s := unpackStrip(binary.LittleEndian.Uint32(payload))
		if s.black&s.white != 0 || (s.black|s.white)>>s.n > 1 || s.n == 0 && s != (Strip{}) {
			return false
		}
	}
	return true
}

// value is the number of the value of a strip in the layers of values.
func (t *tables) value(s Strip) uint32 {
	if s.n < 2 {
		return 0
	}
	index, inverse := s.place()
	number := binary.LittleEndian.Uint32(t.values[s.n][4*index:])
	if inverse {
		return t.negative(number)
	}
	return number
}

func (t *tables) negative(number uint32) uint32 {
	return binary.LittleEndian.Uint32(t.negatives[4*number:])
}

// SimplestOf is the first strip with a value, or the zero strip if there is none.
func (t *tables) SimplestOf(number uint32) Strip {
	return unpackStrip(binary.LittleEndian.Uint32(t.simplest[4*number:]))
}
