package proof

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"tengen/board"
	"tengen/nogo"
)

// The file form is described byte by byte in docs/certificate-format.md.
const (
	magic       = "TENGENPF"
	game        = "nogo"
	version     = 1 // of the layout and of the endgame search: a file relies on both
	headerBytes = 48
	blockLength = 1 << 16 // entries of every block but the last
	maxVarint   = 15      // bytes of a code: 1×63 needs 100 bits
)

var (
	errTruncated = errors.New("the certificate is cut short: copy or make it again")
	errAppended  = errors.New("the certificate is followed by bytes that do not belong to it")
	errForeign   = errors.New("this is not a tengen certificate: it does not start with " + magic)
)

// damaged is the error for a file that contradicts the format or its own checksum.
func damaged(format string, args ...any) error {
	return fmt.Errorf("the certificate is damaged: "+format, args...)
}

// Write writes the certificate as docs/certificate-format.md describes it.
func (c *Certificate) Write(w io.Writer) error {
	sum := sha256.New()
	buffered := bufio.NewWriterSize(w, 1<<16)
	both := io.MultiWriter(buffered, sum)
	if _, err := both.Write(c.header()); err != nil {
		return err
	}
	// One encoder goroutine and no frame checksum: the bytes depend on the entries
	// alone, and the checksum of the trailer covers them.
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return err
	}
	defer encoder.Close()
	var raw, packed []byte
	for from := 0; from < c.Len(); from += blockLength {
		raw = c.entries.appendBlock(raw[:0], from, min(from+blockLength, c.Len()))
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
	h := make([]byte, 0, headerBytes)
	h = append(h, magic...)
	h = binary.LittleEndian.AppendUint16(h, version)
	h = append(h, game...)
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
	var n counter
	sum := sha256.New()
	if err := c.Write(io.MultiWriter(sum, &n)); err != nil {
		panic("proof: writing to memory failed: " + err.Error())
	}
	return seal{int64(n), hex.EncodeToString(sum.Sum(nil))}
}

// counter is a writer that only counts.
type counter int64

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}

// ReadFile reads a certificate. It does not check the proof: see Verify.
func ReadFile(path string) (*Certificate, error) {
	return ReadFileWithin(context.Background(), path, 0)
}

// ReadFileWithin is ReadWithin for a file.
func ReadFileWithin(ctx context.Context, path string, memory int64) (*Certificate, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read certificate %s: it is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read certificate: %w", err)
	}
	defer f.Close()
	c, err := ReadWithin(ctx, f, memory)
	if err != nil {
		return nil, fmt.Errorf("read certificate %s: %w", path, err)
	}
	return c, nil
}

// Read reads a certificate up to the end of r. Its memory grows with the bytes
// actually read, never with the numbers in a header.
func Read(r io.Reader) (*Certificate, error) { return ReadWithin(context.Background(), r, 0) }

// ReadWithin is Read with a limit on the memory of the entries, in bytes; 0 means
// none. It refuses a certificate that needs more before it makes an entry. It stops
// when the context ends.
func ReadWithin(ctx context.Context, r io.Reader, memory int64) (*Certificate, error) {
	in := &summed{from: bufio.NewReaderSize(r, 1<<16), sum: sha256.New()}
	c, count, err := readHeader(in)
	if err != nil {
		return nil, err
	}
	if most := uint64(memory) / uint64(c.entries.each()); memory > 0 && count > most {
		return nil, &TooManyEntries{count, most}
	}
	if err := c.readBlocks(ctx, in, count); err != nil {
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
	s := seal{in.bytes, hex.EncodeToString(in.sum.Sum(nil))}
	c.seal = func() seal { return s }
	return c, nil
}

// TooManyEntries reports that a certificate has more entries than the memory for
// entries holds.
type TooManyEntries struct{ Entries, Most uint64 }

func (e *TooManyEntries) Error() string {
	return fmt.Sprintf("the certificate has %d entries, and the memory for it holds %d: give it more memory", e.Entries, e.Most)
}

// A file may expand to smallEntries whatever its size, and beyond that to densest
// entries for each of its bytes. Proofs have about one entry in two bytes. Without
// this bound thirty bytes that encode one repeated byte make 65,536 entries.
const (
	smallEntries = 1 << 20
	densest      = 16
)

// summed reads exactly the requested bytes and hashes them.
type summed struct {
	from  *bufio.Reader
	sum   hash.Hash
	bytes int64
}

func (in *summed) read(p []byte) error {
	n, err := io.ReadFull(in.from, p)
	in.sum.Write(p[:n])
	in.bytes += int64(n)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errTruncated
	}
	return err
}

// readHeader also returns the number of entries that should follow.
func readHeader(in *summed) (*Certificate, uint64, error) {
	h := make([]byte, headerBytes)
	start, _ := in.from.Peek(len(magic))
	if !bytes.HasPrefix([]byte(magic), start) {
		return nil, 0, errForeign
	}
	if err := in.read(h); err != nil {
		return nil, 0, err
	}
	if v := binary.LittleEndian.Uint16(h[8:]); v != version {
		if v > version {
			return nil, 0, fmt.Errorf("the certificate has format version %d, this program reads version %d: use a newer tengen", v, version)
		}
		return nil, 0, damaged("there is no format version %d", v)
	}
	if string(h[10:14]) != game {
		return nil, 0, fmt.Errorf("the certificate is about the game %q, only %s is known", h[10:14], game)
	}
	if h[18] != 0 || h[19] != 0 {
		return nil, 0, damaged("reserved bytes of the header are not zero")
	}
	size, err := board.NewSize(int(h[14]), int(h[15]))
	if err != nil || !size.Small() {
		return nil, 0, damaged("no certificate can be about a board of %d rows and %d columns", h[14], h[15])
	}
	root := nogo.Stones{binary.LittleEndian.Uint64(h[32:]), binary.LittleEndian.Uint64(h[40:])}
	if root[0]&root[1] != 0 || (root[0]|root[1])&^nogo.NewGrid(size).Mask != 0 {
		return nil, 0, damaged("the root has stones off the board or two on one point")
	}
	limit := binary.LittleEndian.Uint32(h[20:])
	if limit == 0 || limit > MaxEndgameNodes {
		return nil, 0, fmt.Errorf("the certificate asks for endgame searches of %d nodes, the limit is 1 to %d", limit, MaxEndgameNodes)
	}
	position := nogo.Position{Size: size, Stones: board.Stones{{root[0]}, {root[1]}}}
	c, err := newCertificate(position, board.Colour(h[16]), board.Colour(h[17]), int(limit))
	if err != nil {
		return nil, 0, damaged("%w", err)
	}
	return c, binary.LittleEndian.Uint64(h[24:]), nil
}

func (c *Certificate) readBlocks(ctx context.Context, in *summed, count uint64) error {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(4<<20))
	if err != nil {
		return err
	}
	defer decoder.Close()
	var lengths [8]byte
	var raw, packed []byte
	for number := 0; count > 0; number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := int(min(count, blockLength))
		count -= uint64(n)
		if err := in.read(lengths[:]); err != nil {
			return err
		}
		rawLength, packedLength := binary.LittleEndian.Uint32(lengths[:]), binary.LittleEndian.Uint32(lengths[4:])
		if rawLength > uint32(n*(maxVarint+1)) || packedLength > rawLength+rawLength>>3+64 {
			return damaged("block %d has impossible lengths", number)
		}
		packed = resize(packed, int(packedLength))
		if err := in.read(packed); err != nil {
			return err
		}
		if int64(c.Len()+n) > smallEntries+densest*in.bytes {
			return damaged("block %d has too few bytes for its entries", number)
		}
		if !oneFrame(packed) {
			return damaged("block %d is not one zstd frame", number)
		}
		raw, err = decoder.DecodeAll(packed, raw[:0])
		if err != nil || len(raw) != int(rawLength) {
			return damaged("block %d does not unpack to its stated length", number)
		}
		c.entries.reserve(n, count+uint64(n))
		if err := c.readBlock(raw, n); err != nil {
			return damaged("block %d: %w", number, err)
		}
	}
	return nil
}

// oneFrame reports whether the bytes are exactly one zstd frame. The decoder would
// go on with further frames and ignore skippable ones.
func oneFrame(packed []byte) bool {
	var header zstd.Header
	if header.Decode(packed) != nil || header.Skippable || header.DictionaryID != 0 {
		return false
	}
	// Every block of a frame begins with three bytes: a bit for the last block, two
	// bits for its type, and its length.
	at := header.HeaderSize
	for last := false; !last; {
		if len(packed) < at+3 {
			return false
		}
		block := int(packed[at]) | int(packed[at+1])<<8 | int(packed[at+2])<<16
		last = block&1 != 0
		const repeated = 1 // one byte, repeated for the whole length
		if block>>1&3 == repeated {
			at += 3 + 1
		} else {
			at += 3 + block>>3
		}
	}
	if header.HasCheckSum {
		at += 4
	}
	return at == len(packed)
}

func resize(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// readBlock reads n entries from an unpacked block and checks the order that lookups
// need.
func (c *Certificate) readBlock(raw []byte, n int) error {
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
