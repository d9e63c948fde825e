package solve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/method"
	"tengen/nogo"
)

// benchMemory is fixed so that the table has the same shape everywhere.
const benchMemory = 256 << 20

// benchPositions are small, varied and fixed: changing one changes every
// signature that was ever published.
var benchPositions = [...]struct{ position, toPlay string }{
	{"............", "black"},
	{"................", "black"},
	{"......../........", "black"},
	{".../.../.../...", "black"},
	{"...../...../.....", "black"},
	{"..../..../..../....", "black"},
	{"....../....../......", "black"},
	{"x...../....../.....o", "white"},
	{"..x./.o../..../....", "black"},
	{"x.o./..../.x../...o", "white"},
	{".x.....o......x.", "white"},
	{"o......../x........", "black"},
}

// BenchLine is the fixed work of one position.
type BenchLine struct {
	Position nogo.Position
	ToPlay   board.Colour
	Winner   board.Winner
	Nodes    uint64
	Elapsed  time.Duration
}

// BenchResult is the result of all positions. Signature is a hash of positions, winners and
// node counts: it changes if and only if a search changes.
type BenchResult struct {
	Method    Method
	Lines     []BenchLine
	Nodes     uint64
	Elapsed   time.Duration
	Signature string
}

// Bench solves a fixed set of positions with one thread and an empty table each.
func Bench(ctx context.Context, by Method) (BenchResult, error) {
	result := BenchResult{Method: Method(method.Resolve(string(by)))}
	sum := sha256.New()
	for _, entry := range benchPositions {
		position, err := nogo.ParsePosition(entry.position)
		if err != nil {
			return result, err
		}
		toPlay, err := board.ParseColour(entry.toPlay)
		if err != nil {
			return result, err
		}
		answer, err := NoGo(ctx, Request{Position: position, ToPlay: toPlay, Method: by, Limits: job.Limits{Memory: benchMemory, Threads: 1}})
		if err != nil {
			return result, err
		}
		result.Lines = append(result.Lines, BenchLine{position, toPlay, answer.Winner, answer.Nodes, answer.Elapsed})
		result.Nodes += answer.Nodes
		result.Elapsed += answer.Elapsed
		fmt.Fprintf(sum, "%s %s %s %d\n", position, toPlay, answer.Winner, answer.Nodes)
	}
	result.Signature = hex.EncodeToString(sum.Sum(nil)[:8])
	return result, nil
}
