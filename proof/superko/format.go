package superko

import (
	"context"
	"encoding/binary"
	"errors"
	"io"

	"tengen/board"
	"tengen/internal/blockfile"
	"tengen/weiqi"
)

// The file form is described byte by byte in docs/superko-certificate-format.md.
const (
	game     = "gosk"
	version  = 1
	goalZero = 128
)

// IsFile reports whether a file begins as a certificate under superko does, of any version.
func IsFile(path string) bool { return blockfile.IsFile(path, game) }

// IsStart reports whether bytes are the start of a certificate under superko.
func IsStart(b []byte) bool { return blockfile.IsStart(b, game) }

// Write writes the certificate as docs/superko-certificate-format.md describes it.
func (c *Certificate) Write(w io.Writer) error {
	return blockfile.Write(w, c.header(), len(c.entries), c.appendBlock)
}

// Sum is the length of the file and its SHA-256 in hexadecimal, as sha256sum prints it.
func (c *Certificate) Sum() (bytes int64, checksum string) {
	if c.checksum != "" {
		return c.bytes, c.checksum
	}
	return blockfile.Sum(c.Write)
}

func (c *Certificate) header() []byte {
	start := c.claim.Start
	h := blockfile.Header(game, version)
	h = append(h, byte(start.Size.Rows), byte(start.Size.Cols), byte(start.ToPlay), byte(c.claim.Prover),
		byte(c.claim.Rules.Ko), start.Passes, byte(c.claim.Goal+goalZero), 0)
	h = binary.LittleEndian.AppendUint16(h, uint16(len(c.claim.Moves)))
	h = binary.LittleEndian.AppendUint64(h, uint64(len(c.entries)))
	h = binary.LittleEndian.AppendUint64(h, start.Stones[board.Black][0])
	return binary.LittleEndian.AppendUint64(h, start.Stones[board.White][0])
}

// appendBlock writes entries. The moves of the game come before the first.
func (c *Certificate) appendBlock(raw []byte, from, to int) []byte {
	if from == 0 {
		for _, move := range c.claim.Moves {
			raw = append(raw, c.coder.index(move))
		}
	}
	for i := from; i < to; i++ {
		e := c.entries[i]
		raw = binary.AppendUvarint(raw, e.code)
		s := c.coder.state(e.code)
		if !s.opponent {
			raw = append(raw, e.move)
		}
		for _, n := range c.after[e.from:][:c.coder.slots(s)] {
			back := uint64(0)
			if n > 0 {
				back = uint64(i) + 1 - uint64(n)
			}
			raw = binary.AppendUvarint(raw, back)
		}
	}
	return raw
}

// ReadFile reads a certificate. It does not check the proof: see Verify.
func ReadFile(path string) (*Certificate, error) {
	return ReadFileWithin(context.Background(), path, 0)
}

// ReadFileWithin is ReadWithin for a file.
func ReadFileWithin(ctx context.Context, path string, memory int64) (*Certificate, error) {
	return blockfile.ReadFile(path, func(r io.Reader) (*Certificate, error) { return ReadWithin(ctx, r, memory) })
}

// Read reads a certificate up to the end of r. Memory grows with the bytes actually read,
// never with the numbers in a header.
func Read(r io.Reader) (*Certificate, error) { return ReadWithin(context.Background(), r, 0) }

// TooManyEntries reports that a certificate has more entries than the memory for
// entries holds.
type TooManyEntries = blockfile.TooManyEntries

// ReadWithin is Read with a limit on the memory of the entries and of the conditions that
// Verify keeps of them, in bytes; 0 means none. It stops when the context ends.
func ReadWithin(ctx context.Context, r io.Reader, memory int64) (*Certificate, error) {
	in, header, err := blockfile.NewReader(r, game, version)
	if err != nil {
		return nil, err
	}
	c, moves, err := readHeader(header)
	if err != nil {
		return nil, err
	}
	most := len(c.coder.points) + 1 // moves of an entry
	const ofEntry, ofMove = 16, 4
	each := ofEntry + ofMove*most
	if err := in.Fits(memory, each); err != nil {
		return nil, err
	}
	if memory > 0 {
		c.memory = max(memory-int64(in.Entries())*int64(each), 1)
	}
	if moves > 0 && in.Entries() == 0 {
		return nil, blockfile.Damaged("it has moves and no entry")
	}
	err = in.Blocks(ctx, moves, binary.MaxVarintLen64*(most+1), func(raw []byte, n int, _ uint64) error {
		if len(c.entries) == 0 {
			if raw, err = c.readMoves(raw, moves); err != nil {
				return err
			}
		}
		return c.readBlock(raw, n)
	})
	if err != nil {
		return nil, err
	}
	if c.bytes, c.checksum, err = in.End(); err != nil {
		return nil, err
	}
	if err := c.claim.Check(); err != nil {
		return nil, blockfile.Damaged("%w", err)
	}
	return c, nil
}

func readHeader(h []byte) (c *Certificate, moves int, err error) {
	size, err := board.NewSize(int(h[14]), int(h[15]))
	switch {
	case err != nil || !size.Small() || size.Points() > MaxPoints:
		return nil, 0, blockfile.Damaged("no certificate can be about a board of %d rows and %d columns", h[14], h[15])
	case h[21] != 0:
		return nil, 0, blockfile.Damaged("a reserved byte of the header is not zero")
	case h[16] > 1 || h[17] > 1:
		return nil, 0, blockfile.Damaged("the prover and the side to play must be black or white")
	}
	start := weiqi.NewPosition(size)
	start.ToPlay, start.Passes = board.Colour(h[16]), h[19]
	black, white := binary.LittleEndian.Uint64(h[32:]), binary.LittleEndian.Uint64(h[40:])
	if black&white != 0 || (black|white)&^weiqi.NewGrid(size).Mask != 0 {
		return nil, 0, blockfile.Damaged("the start has stones off the board or two on one point")
	}
	start.Stones[board.Black][0], start.Stones[board.White][0] = black, white
	claim := Claim{Rules: weiqi.Rules{Ko: weiqi.Ko(h[18])}, Start: start, Prover: board.Colour(h[17]), Goal: int(h[20]) - goalZero}
	if ko := claim.Rules.Ko; ko != weiqi.Positional && ko != weiqi.Situational {
		return nil, 0, blockfile.Damaged("there are no rules of number %d", h[18])
	}
	return &Certificate{claim: claim, coder: newCoder(claim)}, int(binary.LittleEndian.Uint16(h[22:])), nil
}

// readMoves reads the moves of the game and returns the bytes that follow.
func (c *Certificate) readMoves(raw []byte, moves int) ([]byte, error) {
	if len(raw) < moves {
		return nil, errors.New("it has too few moves")
	}
	for _, index := range raw[:moves] {
		if int(index) > len(c.coder.points) {
			return nil, errors.New("it has a move that does not exist")
		}
		c.claim.Moves = append(c.claim.Moves, c.coder.move(index))
	}
	return raw[moves:], nil
}

func (c *Certificate) readBlock(raw []byte, n int) error {
	whole := true
	next := func() uint64 {
		value, width := binary.Uvarint(raw)
		if width <= 0 || width > 1 && raw[width-1] == 0 {
			whole = false
			return 0
		}
		raw = raw[width:]
		return value
	}
	for range n {
		e := entry{code: next(), from: uint32(len(c.after))}
		if e.code >= 4*c.coder.boards {
			return errors.New("it has a position that does not exist")
		}
		s := c.coder.state(e.code)
		if !s.opponent {
			if len(raw) == 0 || int(raw[0]) > len(c.coder.points) {
				return errors.New("it has a move that does not exist")
			}
			e.move, raw = raw[0], raw[1:]
		}
		i := uint64(len(c.entries))
		for range c.coder.slots(s) {
			back := next()
			switch {
			case back > i:
				return errors.New("an entry is followed by one that is not before it")
			case back > 0:
				back = i + 1 - back
			}
			c.after = append(c.after, uint32(back))
		}
		if !whole {
			return errors.New("it has a number that is cut short or too long")
		}
		c.entries = append(c.entries, e)
	}
	if len(raw) > 0 {
		return errors.New("it has the wrong length")
	}
	return nil
}
