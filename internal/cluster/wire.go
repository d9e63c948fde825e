package cluster

import (
	"encoding/json"
	"fmt"
	"strconv"

	"tengen/board"
	"tengen/internal/cluster/tree"
	"tengen/internal/text"
	"tengen/nogo"
)

// protocol is the version of everything that goes over the wire and of what is in the
// store. Master and workers of different versions refuse each other.
const protocol = 1

// Key is a position of one board with a side to move, in the orientation that all its
// turned and mirrored forms share.
type Key struct {
	Stones nogo.Stones
	ToPlay board.Colour
}

// keyOf is the key of a position on a small board.
func keyOf(p nogo.Position, c board.Colour) Key {
	return Key{p.Canonical().Small(), c}
}

// Position is the one a key stands for.
func (k Key) Position(size board.Size) nogo.Position {
	return nogo.Position{Size: size, Stones: board.Stones{{k.Stones[0]}, {k.Stones[1]}}}
}

// After is the key one move later.
func (k Key) After(size board.Size, move board.Point) Key {
	return keyOf(played(k.Position(size), k.ToPlay, move), k.ToPlay.Opponent())
}

// turnTo is the symmetry that makes a position of the one its key stands for.
func (k Key) turnTo(p nogo.Position) board.Symmetry {
	for _, turn := range p.Size.Symmetries() {
		if k.Position(p.Size).Map(turn) == p {
			return turn
		}
	}
	return board.Identity
}

// String is the form of a key in messages and in the store.
func (k Key) String() string {
	return fmt.Sprintf("%016x%016x%d", k.Stones[0], k.Stones[1], k.ToPlay)
}

// MarshalText lets keys stand in JSON.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText is the inverse of MarshalText.
func (k *Key) UnmarshalText(text []byte) error {
	const word = 16
	if len(text) != 2*word+1 {
		return fmt.Errorf("a key of %d characters", len(text))
	}
	var err error
	for i := range k.Stones {
		if k.Stones[i], err = strconv.ParseUint(string(text[i*word:(i+1)*word]), 16, 64); err != nil {
			return fmt.Errorf("a key with stones %q", text)
		}
	}
	switch k.ToPlay = board.Colour(text[2*word] - '0'); k.ToPlay {
	case board.Black, board.White:
		return nil
	}
	return fmt.Errorf("a key without a side to play: %q", text)
}

// kind says what a job is about.
type kind string

const (
	solving   kind = "solve"  // who wins a position, within a budget
	proving   kind = "prove"  // winning moves for a slice of a proof
	batching  kind = "batch"  // positions of a list
	auditing  kind = "verify" // a slice of a certificate
	tabling   kind = "table"  // a slice of a table of Go
	stripping kind = "strips" // a slice of a layer of strips
)

// job is what the master asks of a worker.
type job struct {
	Protocol int    `json:"protocol"`
	Search   string `json:"search"`
	ID       string `json:"id"`
	Epoch    int    `json:"epoch"` // facts of another one are not to be trusted
	Kind     kind   `json:"kind"`

	Size   string         `json:"size,omitempty"`
	Key    Key            `json:"key,omitzero"`
	Turn   board.Symmetry `json:"turn,omitempty"` // of the position, as the search came to it
	Budget uint64         `json:"budget,omitempty"`
	Share  uint64         `json:"share,omitempty"` // nodes from which a fact is told to others; 0 for none

	Proof *proofSlice `json:"proof,omitempty"`
	Batch []question  `json:"batch,omitempty"`
	Slice *sliceJob   `json:"slice,omitempty"`
}

// String says what a job is about.
func (j job) String() string {
	switch j.Kind {
	case solving:
		if size, err := board.ParseSize(j.Size); err == nil {
			return j.Key.Position(size).String() + " " + j.Key.ToPlay.String()[:1]
		}
	case proving:
		return "a slice of the proof"
	case batching:
		return text.Plural(len(j.Batch), "line")
	case auditing, tabling, stripping:
		if j.Slice != nil {
			return fmt.Sprintf("%d to %d", j.Slice.From+1, j.Slice.To)
		}
	}
	return j.ID
}

// result is what a worker has to say of a job.
type result struct {
	Protocol int    `json:"protocol"`
	Search   string `json:"search"`
	ID       string `json:"id"`
	Epoch    int    `json:"epoch"`
	Kind     kind   `json:"kind"`
	Worker   string `json:"worker"`

	Key      Key          `json:"key,omitzero"`
	Outcome  tree.Outcome `json:"outcome,omitempty"`
	Opened   bool         `json:"opened,omitempty"`
	Branches []branch     `json:"branches,omitempty"`
	Nodes    uint64       `json:"nodes,omitempty"`
	Seconds  float64      `json:"seconds,omitempty"`
	Error    float64      `json:"error,omitempty"`   // probability that a table mistook one position for another, at most
	Facts    uint64       `json:"facts,omitempty"`   // that the worker has told the others since its last result
	Failure  string       `json:"failure,omitempty"` // why there is no answer, if the job was not dropped
	Missing  bool         `json:"missing,omitempty"` // an object that the job needs cannot be had

	Proof *provedSlice    `json:"proof,omitempty"`
	Batch []answer        `json:"batch,omitempty"`
	Slice json.RawMessage `json:"slice,omitempty"` // what comes of it depends on the kind
}

// branch is a move of a position that was given up.
type branch struct {
	Key     Key            `json:"key"`
	Turn    board.Symmetry `json:"turn,omitempty"` // as in a job
	Outcome tree.Outcome   `json:"outcome,omitempty"`
}
