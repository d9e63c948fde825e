package area

import (
	"context"
	"encoding/binary"
	"errors"
	"io"

	"tengen/board"
	"tengen/internal/blockfile"
	"tengen/weiqi"
)

// The file form is described byte by byte in docs/go-certificate-format.md.
const (
	game       = "go  "
	version    = 2 // of the layout and of what is safe: a file relies on both
	entryBytes = binary.MaxVarintLen64 + 2
	noBan      = 0xFF
	goalZero   = 128
)

// Write writes the certificate as docs/go-certificate-format.md describes it.
func (c *Certificate) Write(w io.Writer) error {
	return blockfile.Write(w, c.header(), len(c.entries), func(raw []byte, from, to int) []byte {
		return appendBlock(raw, c.entries[from:to])
	})
}

// Sum is the length of the file and its SHA-256 in hexadecimal, as sha256sum prints it.
func (c *Certificate) Sum() (bytes int64, checksum string) {
	if c.checksum != "" {
		return c.bytes, c.checksum
	}
	return blockfile.Sum(c.Write)
}

// IsFile reports whether a file begins as a certificate of Go does, of any version.
// Certificates of NoGo begin with the same magic and another game.
func IsFile(path string) bool { return blockfile.IsFile(path, game) }

// IsStart reports whether bytes are the start of a certificate of Go.
func IsStart(b []byte) bool { return blockfile.IsStart(b, game) }

func (c *Certificate) header() []byte {
	root := c.claim.Root
	ban := byte(noBan)
	if root.Ko != board.NoPoint {
		ban = c.coder.index(root.Ko)
	}
	h := blockfile.Header(game, version)
	h = append(h, byte(root.Size.Rows), byte(root.Size.Cols), byte(root.ToPlay), byte(c.claim.Prover),
		ban, root.Passes, byte(c.claim.Goal+goalZero), 0, 0, 0)
	h = binary.LittleEndian.AppendUint64(h, uint64(len(c.entries)))
	h = binary.LittleEndian.AppendUint64(h, root.Stones[board.Black][0])
	return binary.LittleEndian.AppendUint64(h, root.Stones[board.White][0])
}

// appendBlock writes the codes of entries as differences, then their moves, then their
// ranks.
func appendBlock(raw []byte, entries []entry) []byte {
	last := uint64(0)
	for _, e := range entries {
		raw = binary.AppendUvarint(raw, e.code-last)
		last = e.code
	}
	for _, e := range entries {
		raw = append(raw, e.move)
	}
	for _, e := range entries {
		raw = append(raw, e.rank)
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

// Read reads a certificate up to the end of r. Memory grows with the bytes actually
// read, never with the numbers in a header.
func Read(r io.Reader) (*Certificate, error) { return ReadWithin(context.Background(), r, 0) }

// TooManyEntries reports that a certificate has more entries than the memory for
// entries holds.
type TooManyEntries = blockfile.TooManyEntries

// ReadWithin is Read with a limit on the memory of the entries, in bytes; 0 means none. It
// stops when the context ends.
func ReadWithin(ctx context.Context, r io.Reader, memory int64) (*Certificate, error) {
	in, header, err := blockfile.NewReader(r, game, version)
	if err != nil {
		return nil, err
	}
	c, err := readHeader(header)
	if err != nil {
		return nil, err
	}
	const entrySize = 16 // bytes in memory
	if err := in.Fits(memory, entrySize); err != nil {
		return nil, err
	}
	if err := in.Blocks(ctx, 0, entryBytes, c.readBlock); err != nil {
		return nil, err
	}
	if c.bytes, c.checksum, err = in.End(); err != nil {
		return nil, err
	}
	return c, nil
}

func readHeader(h []byte) (*Certificate, error) {
	if h[21] != 0 || h[22] != 0 || h[23] != 0 {
		return nil, blockfile.Damaged("reserved bytes of the header are not zero")
	}
	size, err := board.NewSize(int(h[14]), int(h[15]))
	if err != nil || !size.Small() || size.Points() > MaxPoints {
		return nil, blockfile.Damaged("no certificate can be about a board of %d rows and %d columns", h[14], h[15])
	}
	c := &Certificate{coder: newCoder(size)}
	root := weiqi.Position{Size: size, ToPlay: board.Colour(h[16]), Ko: board.NoPoint, Passes: h[19]}
	root.Stones[board.Black][0] = binary.LittleEndian.Uint64(h[32:])
	root.Stones[board.White][0] = binary.LittleEndian.Uint64(h[40:])
	black, white := root.Stones[board.Black][0], root.Stones[board.White][0]
	if black&white != 0 || (black|white)&^weiqi.NewGrid(size).Mask != 0 {
		return nil, blockfile.Damaged("the root has stones off the board or two on one point")
	}
	if ban := h[18]; ban != noBan {
		if int(ban) >= size.Points() {
			return nil, blockfile.Damaged("the banned point is not on the board")
		}
		root.Ko = c.coder.points[ban]
	}
	c.claim = Claim{root, board.Colour(h[17]), int(h[20]) - goalZero}
	if err := c.claim.Check(); err != nil {
		return nil, blockfile.Damaged("%w", err)
	}
	return c, nil
}

func (c *Certificate) readBlock(raw []byte, n int, _ uint64) error {
	first, last := len(c.entries), uint64(0)
	before, follows := uint64(0), first > 0
	if follows {
		before = c.entries[first-1].code
	}
	limit := c.coder.limit()
	for range n {
		step, width := binary.Uvarint(raw)
		code := last + step
		if width <= 0 || code < last || code >= limit || follows && code <= before {
			return errors.New("its codes do not ascend")
		}
		raw = raw[width:]
		c.entries = append(c.entries, entry{code: code})
		last, before, follows = code, code, true
	}
	if len(raw) != 2*n {
		return errors.New("it has the wrong length")
	}
	for i := range n {
		e := &c.entries[first+i]
		e.move, e.rank = raw[i], raw[n+i]
		if int(e.move) > len(c.coder.points) || int(e.rank) > MaxRank {
			return errors.New("it has a move or a rank that does not exist")
		}
	}
	return nil
}
