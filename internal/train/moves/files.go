package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"

	"tengen/board"
	"tengen/internal/solver/sums"
	"tengen/internal/wholefile"
)

// A record has 96 bytes: rows, columns, open points, kind; two bytes, 1,000 times the
// binary logarithm of the nodes; the point of the move, or for a position the number of
// moves that follow it; 47 counts, one byte each; the codes of up to 30 points. The rest is
// zero.
const (
	recordSize = 96
	kindAt     = 3
	nodesAt    = 4
	moveAt     = 6
	countsAt   = 16
	codesAt    = countsAt + sums.Counts
)

// The kinds of records.
const (
	loses    = 0 // after a settled move, which loses
	wins     = 1
	position = 8 // with all moves
	listed   = 16
)

// files collects the examples of one worker, a few hundred megabytes.
type files struct {
	dice            *rand.Rand
	size            board.Size
	noise           float64
	settled, listed []byte
}

// save writes the files of a worker.
func (f *files) save(disk wholefile.Disk, folder string, number int) error {
	return errors.Join(
		disk.Write(filepath.Join(folder, fmt.Sprintf("settled%d.bin", number)), f.settled),
		disk.Write(filepath.Join(folder, fmt.Sprintf("listed%d.bin", number)), f.listed),
	)
}

// mostNoise is about the difference between the scores of a good and a middling move.
const mostNoise = 6000

// begin prepares for a search. One search in three has no noise.
func (f *files) begin(size board.Size) {
	f.size, f.noise = size, 0
	if f.dice.IntN(3) > 0 {
		f.noise = mostNoise * f.dice.Float64()
	}
}

// Noise is normally distributed.
func (f *files) Noise() int32 { return int32(f.noise * f.dice.NormFloat64()) }

// Wants takes all large positions and some of the smaller ones, which are common.
func (f *files) Wants(points int) (settled, list bool) {
	share := func(least int, shares ...float64) bool {
		return points >= least && (points >= least+len(shares) || f.dice.Float64() < shares[points-least])
	}
	return share(11, 0.01, 0.03, 0.3, 0.7), share(12, 0.1, 0.3, 0.6)
}

// Settled writes one record.
func (f *files) Settled(e sums.Example) {
	kind := byte(loses)
	if e.Wins {
		kind = wins
	}
	f.settled = f.record(f.settled, kind, e)
}

// Listed writes a record for the position and one for each move.
func (f *files) Listed(p sums.Example, moves []sums.Example) {
	p.Move = len(moves)
	f.listed = f.record(f.listed, position, p)
	for _, m := range moves {
		f.listed = f.record(f.listed, listed, m)
	}
}

// record appends a record.
func (f *files) record(to []byte, kind byte, e sums.Example) []byte {
	var r [recordSize]byte
	r[0], r[1] = byte(min(f.size.Rows, f.size.Cols)), byte(max(f.size.Rows, f.size.Cols))
	r[2], r[kindAt], r[moveAt] = byte(e.Points), kind, byte(e.Move)
	binary.LittleEndian.PutUint16(r[nodesAt:], uint16(1000*math.Log2(float64(e.Nodes)+1)))
	for i, v := range e.Counts {
		r[countsAt+i] = byte(int8(max(math.MinInt8, min(v, math.MaxInt8))))
	}
	copy(r[codesAt:], e.Codes)
	return append(to, r[:]...)
}
