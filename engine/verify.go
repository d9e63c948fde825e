package engine

import (
	"context"
	"io"

	"tengen/board"
	"tengen/nogo"
	"tengen/proof"
)

// ProofRequest names a certificate and what may be used to look at it.
type ProofRequest struct {
	Path string    // file to read
	From io.Reader // where to read the certificate from instead, if it is not nil

	Limits // the memory is not limited
	// Progress is called now and then while a proof is checked, by one goroutine at a
	// time, with the entries that are done and all of them.
	Progress func(done, total uint64)
}

// Claim is what a certificate says it proves.
type Claim struct {
	Position     nogo.Position
	ToPlay       board.Colour
	Winner       board.Colour
	Entries      int
	EndgameNodes int // limit of each endgame search that completes the proof
	Bytes        int64
	Checksum     string
}

func claimOf(c *proof.Certificate) Claim {
	return Claim{c.Root(), c.ToPlay(), c.Winner(), c.Len(), c.EndgameNodes(), c.Bytes(), c.Checksum()}
}

// ProofReport is the result of a check.
type ProofReport struct {
	Valid           bool
	Positions       uint64 // entries checked
	EndgameSearches uint64
	EndgameNodes    uint64
	Failure         *ProofFailure // nil if the proof holds
}

// ProofFailure is the first thing wrong with a certificate: at the root, or else at the
// entry with the lowest code.
type ProofFailure struct {
	Position string // as a diagram line
	Move     string // "" if it is not about a move
	Reply    string // "" if it is not about a reply to it
	Reason   string
	sentence string
}

func (f *ProofFailure) Error() string { return f.sentence }

// Verify checks a certificate with code that shares only the rules of NoGo with the
// searches. The error is for what is no certificate and for a check that was stopped;
// a proof that fails is a report that is not valid.
func Verify(ctx context.Context, request ProofRequest) (Claim, ProofReport, error) {
	ctx, cancel := request.Limits.context(ctx)
	defer cancel()
	c, err := request.read()
	if err != nil {
		return Claim{}, ProofReport{}, err
	}
	r, err := proof.Verify(ctx, c, proof.VerifyOptions{Threads: request.Threads, Progress: request.Progress})
	report := ProofReport{Valid: r.Valid, Positions: r.Positions, EndgameSearches: r.EndgameSearches, EndgameNodes: r.EndgameNodes}
	if f := r.Failure; f != nil {
		report.Failure = &ProofFailure{f.Position, f.Move, f.Reply, f.Reason, f.Error()}
	}
	return claimOf(c), report, err
}

// read opens the certificate and settles the limits.
func (request *ProofRequest) read() (c *proof.Certificate, err error) {
	if request.Limits, err = request.settle(); err != nil {
		return nil, err
	}
	if request.From != nil {
		return proof.Read(request.From)
	}
	return proof.ReadFile(request.Path)
}

// ProofStatistics describe the proof a certificate stands for, played out from the
// root: one move for the winner, every move for the loser. Symmetric positions count
// as one.
type ProofStatistics struct {
	// PlayedOut says that the positions left to the endgame search were played out
	// too. Otherwise they are leaves, and the counts of terminal positions cover only
	// what the entries reach.
	PlayedOut bool

	Positions      uint64
	Transpositions uint64
	ByDepth        []DepthStatistics

	// Endgames counts the positions with the winner to move that are not entries but
	// left to the endgame search.
	Endgames uint64

	// Terminal counts positions where the loser is to move and cannot. An eye is an
	// empty point whose neighbours are all stones of one side.
	Terminal              uint64
	TerminalWithWinnerEye uint64
	TerminalWithLoserEye  uint64
}

// DepthStatistics describe the positions a number of moves from the root. A
// transposition is an arc of the proof to a position that another arc has already
// reached; the frequency is the share of such arcs.
type DepthStatistics struct {
	Depth          int
	Positions      uint64
	Transpositions uint64
	Frequency      float64
}

// CountProof counts the proof that a certificate stands for. Verify it first.
func CountProof(ctx context.Context, request ProofRequest) (Claim, ProofStatistics, error) {
	ctx, cancel := request.Limits.context(ctx)
	defer cancel()
	c, err := request.read()
	if err != nil {
		return Claim{}, ProofStatistics{}, err
	}
	s, err := proof.Stats(ctx, c, proof.StatsOptions{Threads: request.Threads})
	stats := ProofStatistics{
		PlayedOut: s.PlayedOut, Positions: s.Positions, Transpositions: s.Transpositions, Endgames: s.Endgames,
		Terminal: s.Terminal, TerminalWithWinnerEye: s.TerminalWithWinnerEye, TerminalWithLoserEye: s.TerminalWithLoserEye,
	}
	for _, d := range s.ByDepth {
		stats.ByDepth = append(stats.ByDepth, DepthStatistics(d))
	}
	return claimOf(c), stats, err
}
