package retro

import (
	"errors"
	"fmt"
	"math/big"

	"tengen/weiqi"
)

// Needs is the memory that a build takes, in bytes.
type Needs struct {
	Plain int64 // without packing
	Least int64 // with values packed, which takes several times as long
}

// Packs reports whether a build with this memory packs its values; 0 means no
// limit.
func (n Needs) Packs(memory int64) bool { return memory > 0 && memory < n.Plain }

// ErrMemory reports that even packed values do not fit in the memory.
var ErrMemory = errors.New("the values do not fit into the memory even when packed")

// program is the memory that the process takes beside its tables: code, runtime,
// the buffers for writing. It is the measured peak of resident memory less the
// tables, rounded up.
const program = 26 << 20

// extent holds the counts that determine the memory of a build.
type extent struct {
	codes, lines, boards, bans uint64
}

// needs is the memory of a build of this extent.
func (o Options) needs(e extent) Needs {
	plain, packed, blocks := int64(0), uint64(0), uint64(0)
	for _, a := range o.arrays(e) {
		plain += int64(a.words) * 8
		packed += blocksOf(a.words) * a.percent
		blocks += blocksOf(a.words)
	}
	fixed := o.fixed(e)
	return Needs{fixed + plain, fixed + leastPool(blocks, packed/100)}
}

// fixed is the memory that does not depend on how values are kept.
func (o Options) fixed(e extent) int64 {
	index := int64(e.lines)*lineWords*8 + int64(spansOf(e.codes))*spanBytes
	return program + index + int64(e.bans)*2 + int64(e.boards)*4/bucketBoards
}

// arrayNeed is an array that could be packed, and the percentage of its size that
// it takes when packed. The percentage is measured, with a margin.
type arrayNeed struct{ words, percent uint64 }

func (o Options) arrays(e extent) []arrayNeed {
	planes := uint64(o.Loops.Planes())
	values, marks, distances := uint64(36), uint64(70), uint64(90)
	if o.Size.Points() < 15 {
		values, marks = 50, 90 // hardly compressible
	}
	list := []arrayNeed{
		{storeWords(e.boards, 16*planes), values},
		{storeWords(e.bans, 8*planes), values},
		{marksWords(e.boards), marks},
		{marksWords(e.boards), marks},
	}
	if o.Distance {
		list = append(list, arrayNeed{storeWords(e.boards, 16*planes), distances}, arrayNeed{storeWords(e.bans, 8*planes), distances})
	}
	return list
}

// Need estimates the memory of a build before it begins. The number of boards that
// are their own images is about the square root of the number of all boards. Bans,
// and lines of the index with few boards, are common on a single row.
func Need(o Options) Needs {
	legal := weiqi.LegalPositions(o.Size)
	root := new(big.Int).Sqrt(legal).Uint64()
	e := extent{codes: 1, boards: legal.Uint64()/uint64(2*len(o.Size.Symmetries())) + 2*root}
	switch {
	case min(o.Size.Rows, o.Size.Cols) == 1:
		e.bans, e.lines = e.boards/3, e.boards/98+1
	case o.Size.Points() < 18:
		e.bans, e.lines = e.boards/10, e.boards/120+1
	default:
		e.bans, e.lines = e.boards/10, e.boards/150+1
	}
	for range o.Size.Points() {
		e.codes *= 3
	}
	return o.needs(e)
}

func tooMuch(o Options, need int64) error {
	const mib = 1 << 20
	return fmt.Errorf("a table of %s needs %d MiB of memory at least, the limit is %d MiB", o.Size, need/mib+1, o.Memory/mib)
}
