package engine

import (
	"context"

	"tengen/board"
	"tengen/nogo"
	"tengen/proof"
)

// Claim is what a certificate file says it proves.
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

// Verify checks a certificate file with code that shares nothing with the
// searches. The error is for a file that is no certificate and for a check that
// was stopped; a proof that fails is a report that is not valid.
func Verify(ctx context.Context, path string, threads int, progress func(done, total uint64)) (Claim, proof.Report, error) {
	c, err := proof.ReadFile(path)
	if err != nil {
		return Claim{}, proof.Report{}, err
	}
	report, err := proof.Verify(ctx, c, proof.VerifyOptions{Threads: threads, Progress: progress})
	return claimOf(c), report, err
}

// ProofStatistics counts the proof that a certificate file stands for.
func ProofStatistics(ctx context.Context, path string, threads int) (Claim, proof.Statistics, error) {
	c, err := proof.ReadFile(path)
	if err != nil {
		return Claim{}, proof.Statistics{}, err
	}
	stats, err := proof.Stats(ctx, c, proof.StatsOptions{Threads: threads})
	return claimOf(c), stats, err
}
