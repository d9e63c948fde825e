package area

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"tengen/board"
	"tengen/weiqi"
)

// The file form is described byte by byte in docs/go-certificate-format.md.
const (
	magic       = "TENGENPF"
	game        = "go  "
	version     = 1 // of the layout and of what is safe: a file relies on both
	headerBytes = 48
	blockLength = 1 << 16 // entries of every block but the last
	entryBytes  = binary.MaxVarintLen64 + 2
	noBan       = 0xFF
	goalZero    = 128
)

var (
	errTruncated = errors.New("the certificate is cut short: copy or make it again")
	errAppended  = errors.New("the certificate is followed by bytes that do not belong to it")
	errForeign   = errors.New("this is not a tengen certificate: it does not start with " + magic)
)

// damaged says where a file contradicts the format or its own checksum.
func damaged(format string, args ...any) error {
	return fmt.Errorf("the certificate is damaged: "+format, args...)
}

// Write writes the certificate as docs/go-certificate-format.md describes it.
func (c *Certificate) Write(w io.Writer) error {
	sum := sha256.New()
	buffered := bufio.NewWriterSize(w, 1<<16)
	both := io.MultiWriter(buffered, sum)
	if _, err := both.Write(c.header()); err != nil {
		return err
	}
	// One encoder goroutine and no frame checksum: the bytes depend on the entries
	// alone, and the trailer covers them.
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return err
	}
	defer encoder.Close()
	var raw, packed []byte
	for from := 0; from < len(c.entries); from += blockLength {
		raw = appendBlock(raw[:0], c.entries[from:min(from+blockLength, len(c.entries))])
		packed = binary.LittleEndian.AppendUint32(packed[:0], uint32(len(raw)))
		packed = append(packed, 0, 0, 0, 0)
		packed = encoder.EncodeAll(raw, packed)
		binary.LittleEndian.PutUint32(packed[4:], uint32(len(packed)-8))
		if _, err := both.Write(packed); err != nil {
			return err
		}
	}
	if _, err := buffered.Write(sum.Sum(nil)); err != nil {
		return err
	}
	return buffered.Flush()
}

func (c *Certificate) header() []byte {
	root := c.claim.Root
	ban := byte(noBan)
	if root.Ko != board.NoPoint {
		ban = c.coder.index(root.Ko)
	}
	h := make([]byte, 0, headerBytes)
	h = append(h, magic...)
	h = binary.LittleEndian.AppendUint16(h, version)
	h = append(h, game...)
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
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read certificate %s: it is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read certificate: %w", err)
	}
	defer f.Close()
	c, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("read certificate %s: %w", path, err)
	}
	return c, nil
}

// Read reads a certificate up to the end of r. Memory grows with the bytes actually
// read, never with what a header promises.
func Read(r io.Reader) (*Certificate, error) {
	in := &summed{from: bufio.NewReaderSize(r, 1<<16), sum: sha256.New()}
	c, count, err := readHeader(in)
	if err != nil {
		return nil, err
	}
	if err := c.readBlocks(in, count); err != nil {
		return nil, err
	}
	want := in.sum.Sum(nil)
	got := make([]byte, sha256.Size)
	if err := in.read(got); err != nil {
		return nil, err
	}
	if !bytes.Equal(got, want) {
		return nil, damaged("its checksum does not match its contents")
	}
	if _, err := in.from.ReadByte(); err != io.EOF {
		if err != nil {
			return nil, err
		}
		return nil, errAppended
	}
	return c, nil
}

// A file may expand to smallEntries whatever its size, and beyond that to densest
// entries for each of its bytes, as a certificate of NoGo may.
const (
	smallEntries = 1 << 20
	densest      = 16
)

// summed reads exactly what is asked for and hashes it.
type summed struct {
	from  *bufio.Reader
	sum   hash.Hash
	bytes int64
}

func (in *summed) read(p []byte) error {
	n, err := io.ReadFull(in.from, p)
	in.sum.Write(p[:n])
	in.bytes += int64(n)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errTruncated
	}
	return err
}

// readHeader also returns the number of entries that should follow.
func readHeader(in *summed) (*Certificate, uint64, error) {
	start, _ := in.from.Peek(len(magic))
	if !bytes.HasPrefix([]byte(magic), start) {
		return nil, 0, errForeign
	}
	h := make([]byte, headerBytes)
	if err := in.read(h); err != nil {
		return nil, 0, err
	}
	if v := binary.LittleEndian.Uint16(h[8:]); v > version {
		return nil, 0, fmt.Errorf("the certificate has format version %d, this program reads version %d: use a newer tengen", v, version)
	} else if v != version {
		return nil, 0, damaged("there is no format version %d", v)
	}
	if string(h[10:14]) != game {
		return nil, 0, fmt.Errorf("the certificate is about the game %q, only %q is known here", h[10:14], game)
	}
	if h[21] != 0 || h[22] != 0 || h[23] != 0 {
		return nil, 0, damaged("reserved bytes of the header are not zero")
	}
	size, err := board.NewSize(int(h[14]), int(h[15]))
	if err != nil || !size.Small() || size.Points() > MaxPoints {
		return nil, 0, damaged("no certificate can be about a board of %d rows and %d columns", h[14], h[15])
	}
	c := &Certificate{coder: newCoder(size)}
	root := weiqi.Position{Size: size, ToPlay: board.Colour(h[16]), Ko: board.NoPoint, Passes: h[19]}
	root.Stones[board.Black][0] = binary.LittleEndian.Uint64(h[32:])
	root.Stones[board.White][0] = binary.LittleEndian.Uint64(h[40:])
	black, white := root.Stones[board.Black][0], root.Stones[board.White][0]
	if black&white != 0 || (black|white)&^weiqi.NewGrid(size).Mask != 0 {
		return nil, 0, damaged("the root has stones off the board or two on one point")
	}
	if ban := h[18]; ban != noBan {
		if int(ban) >= size.Points() {
			return nil, 0, damaged("the banned point is not on the board")
		}
		root.Ko = c.coder.points[ban]
	}
	c.claim = Claim{root, board.Colour(h[17]), int(h[20]) - goalZero}
	if err := c.claim.Check(); err != nil {
		return nil, 0, damaged("%w", err)
	}
	return c, binary.LittleEndian.Uint64(h[24:]), nil
}

func (c *Certificate) readBlocks(in *summed, count uint64) error {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(4<<20))
	if err != nil {
		return err
	}
	defer decoder.Close()
	var lengths [8]byte
	var raw, packed []byte
	for number := 0; count > 0; number++ {
		n := int(min(count, blockLength))
		count -= uint64(n)
		if err := in.read(lengths[:]); err != nil {
			return err
		}
		rawLength, packedLength := binary.LittleEndian.Uint32(lengths[:]), binary.LittleEndian.Uint32(lengths[4:])
		if rawLength > uint32(n*entryBytes) || packedLength > rawLength+rawLength>>3+64 {
			return damaged("block %d has impossible lengths", number)
		}
		packed = append(packed[:0], make([]byte, packedLength)...)
		if err := in.read(packed); err != nil {
			return err
		}
		if int64(len(c.entries)+n) > smallEntries+densest*in.bytes {
			return damaged("block %d has too few bytes for its entries", number)
		}
		raw, err = decoder.DecodeAll(packed, raw[:0])
		if err != nil || len(raw) != int(rawLength) {
			return damaged("block %d does not unpack to its stated length", number)
		}
		if err := c.readBlock(raw, n, number); err != nil {
			return err
		}
	}
	return nil
}

func (c *Certificate) readBlock(raw []byte, n, number int) error {
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
			return damaged("block %d has codes that do not ascend", number)
		}
		raw = raw[width:]
		c.entries = append(c.entries, entry{code: code})
		last, before, follows = code, code, true
	}
	if len(raw) != 2*n {
		return damaged("block %d has the wrong length", number)
	}
	for i := range n {
		e := &c.entries[first+i]
		e.move, e.rank = raw[i], raw[n+i]
		if int(e.move) > len(c.coder.points) || int(e.rank) > MaxRank {
			return damaged("block %d has a move or a rank that does not exist", number)
		}
	}
	return nil
}
