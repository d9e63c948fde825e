package retro

import (
	"fmt"
	"math/big"

	"tengen/weiqi"
)

// memory is what a build holds at once.
func memory(o Options, codes, boards, bans uint64) int64 {
	perBoard, perBan := int64(2*o.Loops.Planes()), int64(2+o.Loops.Planes())
	if o.Distance {
		perBoard, perBan = perBoard+2, perBan+1
	}
	marks := int64(boards) / 2
	return indexBytes(codes) + int64(boards)*perBoard + int64(bans)*perBan + marks + int64(boards)/64
}

// Need estimates the memory of a build before it begins. Boards that are their own
// images are about as many as the root of all, and bans are common on a single row.
func Need(o Options) int64 {
	legal := weiqi.LegalPositions(o.Size)
	root := new(big.Int).Sqrt(legal).Uint64()
	boards := legal.Uint64()/uint64(2*len(o.Size.Symmetries())) + 2*root
	bans := boards / 10
	if min(o.Size.Rows, o.Size.Cols) == 1 {
		bans = boards / 3
	}
	codes := uint64(1)
	for range o.Size.Points() {
		codes *= 3
	}
	return memory(o, codes, boards, bans)
}

func tooMuch(o Options, need int64) error {
	const mib = 1 << 20
	return fmt.Errorf("a table of %s needs about %d MiB of memory, the limit is %d MiB", o.Size, need/mib+1, o.Memory/mib)
}
