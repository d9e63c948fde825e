package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const statusKey = "search."

// Status is how far a search is, as its master last published it.
type Status struct {
	Search   string    `json:"search"`
	Question string    `json:"question"`
	Phase    string    `json:"phase"` // search, proof, list, verify, table or strips
	Done     bool      `json:"done"`  // with the whole of the question
	At       time.Time `json:"at"`
	Seconds  float64   `json:"seconds"` // earlier runs counted in

	Nodes uint64  `json:"nodes"` // searched by jobs that are done
	Rate  float64 `json:"rate"`  // nodes a second of all workers
	Jobs  uint64  `json:"jobs"`  // done
	Out   int     `json:"out"`   // with workers, or waiting for one
	Facts uint64  `json:"facts"` // that workers have shared in this run

	// The position of the question, the outcomes of its moves as far as known, the winner.
	Position string       `json:"position,omitempty"`
	ToPlay   string       `json:"to_play,omitempty"`
	Moves    []MoveStatus `json:"moves,omitempty"`
	Winner   string       `json:"winner,omitempty"`

	Positions int     `json:"positions,omitempty"` // of the upper tree
	Decided   int     `json:"decided,omitempty"`   // of them, by jobs
	Chance    float64 `json:"chance,omitempty"`    // estimate that the side to play wins
	Line      string  `json:"line,omitempty"`      // moves that look best

	// Progress: moves, lines of a list, slices, or positions of a layer of a proof.
	Part  uint64 `json:"part"`
	Whole uint64 `json:"whole"`
	Layer string `json:"layer,omitempty"` // of a proof

	Epoch   int            `json:"epoch,omitempty"` // how often answers were taken back
	Banned  []string       `json:"banned,omitempty"`
	Workers []WorkerStatus `json:"workers"`
	New     int            `json:"new,omitempty"` // send heartbeats and have answered no job yet

	silent time.Duration // age, by the clock of the server
}

// MoveStatus is a legal move, and who wins after it once that is known.
type MoveStatus struct {
	Move   string `json:"move"`
	Winner string `json:"winner,omitempty"`
}

// WorkerStatus is the status of a worker.
type WorkerStatus struct {
	Name      string  `json:"name"`
	Job       string  `json:"job,omitempty"`
	About     string  `json:"about,omitempty"`     // what the job is about, in words
	Elsewhere bool    `json:"elsewhere,omitempty"` // its job is another search's
	Jobs      uint64  `json:"jobs"`
	Nodes     uint64  `json:"nodes"`
	Rate      float64 `json:"rate"` // nodes a second
	Memory    int64   `json:"memory"`
	Threads   int     `json:"threads"`
	Silent    float64 `json:"silent"` // seconds since its last heartbeat
}

// Silent is the age of the status by the clock of the server. Clocks of master and reader
// may differ.
func (s *Status) Silent() time.Duration { return s.silent }

// Gone reports whether the master is gone: its last status is too old.
func (s *Status) Gone() bool { return !s.Done && s.silent > gone }

// Watch connects to a NATS system to read the status of its searches.
func Watch(ctx context.Context, a Access) (*Watcher, error) {
	h, err := connect(ctx, a)
	if err != nil {
		return nil, err
	}
	return &Watcher{h}, nil
}

// Watcher is a connection for reading.
type Watcher struct{ hub *hub }

// Close ends the connection.
func (w *Watcher) Close() { w.hub.close() }

// Searches lists the searches that are known, the latest first.
func (w *Watcher) Searches(ctx context.Context) ([]Status, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	keys, err := w.hub.status.Keys(ctx)
	if errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the status cannot be read: %w", err)
	}
	kept, err := w.hub.stream.Stream(ctx, "KV_"+statusBucket)
	if err != nil {
		return nil, fmt.Errorf("the status cannot be read: %w", err)
	}
	now := kept.CachedInfo().TimeStamp
	var list []Status
	for _, key := range keys {
		if !strings.HasPrefix(key, statusKey) {
			continue
		}
		entry, err := w.hub.status.Get(ctx, key)
		if err != nil {
			continue // it has just gone
		}
		var s Status
		if json.Unmarshal(entry.Value(), &s) == nil {
			s.silent = now.Sub(entry.Created())
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b Status) int { return cmp.Compare(a.silent, b.silent) })
	return list, nil
}
