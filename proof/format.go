package proof

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"tengen/board"
	"tengen/internal/blockfile"
	"tengen/nogo"
)

// The file form is described byte by byte in docs/certificate-format.md.
const (
	game      = "nogo"
	version   = 1  // of the layout and of the endgame search: a file relies on both
	maxVarint = 15 // bytes of a code: 1×63 needs 100 bits
)

// Write writes the certificate as docs/certificate-format.md describes it.
func (c *Certificate) Write(w io.Writer) error {
	return blockfile.Write(w, c.header(), c.Len(), c.entries.appendBlock)
}

func (c *Certificate) header() []byte {
	h := blockfile.Header(game, version)
	h = append(h, byte(c.coder.size.Rows), byte(c.coder.size.Cols), byte(c.toPlay), byte(c.winner), 0, 0)
	h = binary.LittleEndian.AppendUint32(h, uint32(c.endgameNodes))
	h = binary.LittleEndian.AppendUint64(h, uint64(c.Len()))
	h = binary.LittleEndian.AppendUint64(h, c.root[board.Black])
	return binary.LittleEndian.AppendUint64(h, c.root[board.White])
}

// appendBlock writes the codes of a range as differences, then its moves.
func (e *entries) appendBlock(raw []byte, from, to int) []byte {
	var last code
	for i := from; i < to; i++ {
		key := e.key(i)
		raw = appendVarint(raw, key.minus(last))
		last = key
	}
	return append(raw, e.moves[from:to]...)
}

// appendVarint writes seven bits per byte, the lowest first; all bytes but the
// last have the top bit set.
func appendVarint(to []byte, k code) []byte {
	for k.hi != 0 || k.lo >= 0x80 {
		to = append(to, byte(k.lo)|0x80)
		k.lo = k.lo>>7 | k.hi<<57
		k.hi >>= 7
	}
	return append(to, byte(k.lo))
}

// varint is the inverse of appendVarint; n is 0 if the bytes are not such a number.
func varint(from []byte) (k code, n int) {
	for shift := 0; n < len(from) && n < maxVarint; shift += 7 {
		b := from[n]
		n++
		digit := uint64(b & 0x7f)
		if shift < 64 {
			k.lo |= digit << shift
			k.hi |= digit >> (64 - shift)
		} else {
			k.hi |= digit << (shift - 64)
		}
		if b < 0x80 {
			return k, n
		}
	}
	return code{}, 0
}

func (c *Certificate) computeSeal() seal {
	size, checksum := blockfile.Sum(c.Write)
	return seal{size, checksum}
}

// ReadFile reads a certificate. It does not check the proof: see Verify.
func ReadFile(path string) (*Certificate, error) {
	return ReadFileWithin(context.Background(), path, 0)
}

// ReadFileWithin is ReadWithin for a file.
func ReadFileWithin(ctx context.Context, path string, memory int64) (*Certificate, error) {
	return blockfile.ReadFile(path, func(r io.Reader) (*Certificate, error) { return ReadWithin(ctx, r, memory) })
}

// Read reads a certificate up to the end of r. Its memory grows with the bytes
// actually read, never with the numbers in a header.
func Read(r io.Reader) (*Certificate, error) { return ReadWithin(context.Background(), r, 0) }

// ReadWithin is Read with a limit on the memory of the entries, in bytes; 0 means
// none. It refuses a certificate that needs more before it makes an entry. It stops
// when the context ends.
func ReadWithin(ctx context.Context, r io.Reader, memory int64) (*Certificate, error) {
	in, header, err := blockfile.NewReader(r, game, version)
	if err != nil {
		return nil, err
	}
	c, err := readHeader(header)
	if err != nil {
		return nil, err
	}
	if err := in.Fits(memory, c.entries.each()); err != nil {
		return nil, err
	}
	if err := in.Blocks(ctx, 0, maxVarint+1, c.readBlock); err != nil {
		return nil, err
	}
	size, checksum, err := in.End()
	if err != nil {
		return nil, err
	}
	c.seal = func() seal { return seal{size, checksum} }
	return c, nil
}

// TooManyEntries reports that a certificate has more entries than the memory for
// entries holds.
type TooManyEntries = blockfile.TooManyEntries

func readHeader(h []byte) (*Certificate, error) {
	if h[18] != 0 || h[19] != 0 {
		return nil, blockfile.Damaged("reserved bytes of the header are not zero")
	}
	size, err := board.NewSize(int(h[14]), int(h[15]))
	if err != nil || !size.Small() {
		return nil, blockfile.Damaged("no certificate can be about a board of %d rows and %d columns", h[14], h[15])
	}
	root := nogo.Stones{binary.LittleEndian.Uint64(h[32:]), binary.LittleEndian.Uint64(h[40:])}
	if root[0]&root[1] != 0 || (root[0]|root[1])&^nogo.NewGrid(size).Mask != 0 {
		return nil, blockfile.Damaged("the root has stones off the board or two on one point")
	}
	limit := binary.LittleEndian.Uint32(h[20:])
	if limit == 0 || limit > MaxEndgameNodes {
		return nil, fmt.Errorf("the certificate asks for endgame searches of %d nodes, the limit is 1 to %d", limit, MaxEndgameNodes)
	}
	position := nogo.Position{Size: size, Stones: board.Stones{{root[0]}, {root[1]}}}
	c, err := newCertificate(position, board.Colour(h[16]), board.Colour(h[17]), int(limit))
	if err != nil {
		return nil, blockfile.Damaged("%w", err)
	}
	return c, nil
}

// readBlock reads n entries from an unpacked block and checks the order that lookups
// need.
func (c *Certificate) readBlock(raw []byte, n int, left uint64) error {
	c.entries.reserve(n, left)
	if len(raw) < 2*n {
		return errors.New("it is too short")
	}
	moves := raw[len(raw)-n:]
	raw = raw[:len(raw)-n]
	var last code
	for i := range n {
		delta, used := varint(raw)
		key := last.plus(delta)
		switch {
		case used == 0:
			return errors.New("a code is malformed")
		case key.compare(c.coder.limit) >= 0:
			return errors.New("a code is too large for the board")
		case c.Len() > 0 && key.compare(c.entries.key(c.Len()-1)) <= 0:
			return errors.New("codes are out of order")
		case int(moves[i]) >= len(c.coder.points):
			return errors.New("a move is off the board")
		}
		raw = raw[used:]
		c.entries.add(key, moves[i])
		last = key
	}
	if len(raw) != 0 {
		return errors.New("it is too long")
	}
	return nil
}
