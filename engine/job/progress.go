package job

import "time"

// Phase is the stage of a request.
type Phase string

// The stages, in order.
const (
	PhaseBoards Phase = "boards" // under superko: they are listed, with their moves
	PhaseStones Phase = "stones" // of Go: those are counted that make the whole board safe
	PhaseSearch Phase = "search"
	PhaseProof  Phase = "certificate"
	PhaseLine   Phase = "line"
	PhaseWhy    Phase = "why" // a move is refuted
)

// Progress is the state of a running search.
type Progress struct {
	Phase     Phase
	Elapsed   time.Duration
	Nodes     uint64
	Rate      float64 // nodes per second since the last report
	Stored    uint64  // table entries
	Fill      float64 // of the table, 0 if it is unbounded
	Bytes     int64
	Disk      int64
	MovesDone int // root moves decided, of those that symmetries exchange one
	MovesAll  int
}

// Meter measures how fast a count grows.
type Meter struct {
	at    time.Time
	nodes uint64
}

// NewMeter starts the clock.
func NewMeter(nodes uint64) *Meter { return &Meter{time.Now(), nodes} }

// Rate is the growth per second since the last call.
func (m *Meter) Rate(nodes uint64) float64 {
	now := time.Now()
	rate := float64(nodes-m.nodes) / max(now.Sub(m.at).Seconds(), 1e-9)
	m.at, m.nodes = now, nodes
	return rate
}
