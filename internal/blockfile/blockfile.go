// Package blockfile is the container of certificates and books: a header, blocks of
// entries, and a SHA-256 of everything before it. It checks lengths, frames and the
// checksum. It does not know the meaning of a header or of a block: the formats do, in
// proof, proof/area, proof/superko and internal/book.
//
// It is a part of the checkers, so it imports only the standard library and zstd.
package blockfile

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
)

// The header begins with the magic, the version and the game. Its bytes 24 to 31 are the
// number of entries. The format of a game defines the others.
const (
	Magic       = "TENGENPF"
	HeaderBytes = 48
	BlockLength = 1 << 16 // entries of every block but the last
	gameAt      = 10
	countAt     = 24
)

var (
	// ErrTruncated reports a file that ends too early.
	ErrTruncated = errors.New("the certificate is cut short: copy or make it again")
	errAppended  = errors.New("the certificate is followed by bytes that do not belong to it")
	errForeign   = errors.New("this is not a tengen certificate: it does not start with " + Magic)
)

// Damaged is the error for a file that contradicts the format or its own checksum.
func Damaged(format string, args ...any) error {
	return fmt.Errorf("the certificate is damaged: "+format, args...)
}

// Header begins a header. A game has four letters.
func Header(game string, version uint16) []byte {
	h := append(make([]byte, 0, HeaderBytes), Magic...)
	return append(binary.LittleEndian.AppendUint16(h, version), game...)
}

// IsStart reports whether bytes are the start of a file of a game, of any version.
func IsStart(b []byte, game string) bool {
	return len(b) >= gameAt+len(game) && string(b[:len(Magic)]) == Magic && string(b[gameAt:][:len(game)]) == game
}

// IsFile reports whether a regular file begins so.
func IsFile(path, game string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, gameAt+len(game))
	_, err = io.ReadFull(f, start)
	return err == nil && IsStart(start, game)
}

// Write writes a whole file. appendBlock appends the contents of the block with the entries
// from one number to another, the last excluded.
func Write(w io.Writer, header []byte, entries int, appendBlock func(raw []byte, from, to int) []byte) error {
	sum := sha256.New()
	buffered := bufio.NewWriterSize(w, 1<<16)
	both := io.MultiWriter(buffered, sum)
	if _, err := both.Write(header); err != nil {
		return err
	}
	// One encoder goroutine and no frame checksum: the bytes depend on the entries alone,
	// and the checksum at the end covers them.
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return err
	}
	defer encoder.Close()
	var raw, packed []byte
	for from := 0; from < entries; from += BlockLength {
		raw = appendBlock(raw[:0], from, min(from+BlockLength, entries))
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

// Sum is the length of a file that write writes, and its SHA-256 in hexadecimal.
func Sum(write func(io.Writer) error) (size int64, checksum string) {
	var n counter
	sum := sha256.New()
	if err := write(io.MultiWriter(sum, &n)); err != nil {
		panic("blockfile: writing to memory failed: " + err.Error())
	}
	return int64(n), hex.EncodeToString(sum.Sum(nil))
}

// counter is a writer that only counts.
type counter int64

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}

// ReadFile reads a regular file.
func ReadFile[C any](path string, read func(io.Reader) (C, error)) (c C, err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return c, fmt.Errorf("read certificate %s: it is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return c, fmt.Errorf("read certificate: %w", err)
	}
	defer f.Close()
	if c, err = read(f); err != nil {
		return c, fmt.Errorf("read certificate %s: %w", path, err)
	}
	return c, nil
}

// Reader reads a file: first the header, then the blocks, then the checksum.
type Reader struct {
	from    *bufio.Reader
	sum     hash.Hash
	bytes   int64
	entries uint64 // in the blocks that are not read yet
}

// NewReader reads the header. It refuses files of another game or version.
func NewReader(r io.Reader, game string, version uint16) (*Reader, []byte, error) {
	in := &Reader{from: bufio.NewReaderSize(r, 1<<16), sum: sha256.New()}
	start, _ := in.from.Peek(len(Magic))
	if !bytes.HasPrefix([]byte(Magic), start) {
		return nil, nil, errForeign
	}
	h := make([]byte, HeaderBytes)
	if err := in.read(h); err != nil {
		return nil, nil, err
	}
	if about := string(h[gameAt : gameAt+len(game)]); about != game {
		return nil, nil, otherGame(about, game)
	}
	if v := binary.LittleEndian.Uint16(h[len(Magic):]); v > version {
		return nil, nil, fmt.Errorf("the certificate has format version %d, this program reads version %d: use a newer tengen", v, version)
	} else if v != version {
		return nil, nil, Damaged("there is no format version %d", v)
	}
	in.entries = binary.LittleEndian.Uint64(h[countAt:])
	return in, h, nil
}

// games are the names of games in files, and in sentences.
var games = map[string]string{"nogo": "NoGo", "go  ": "Go", "gosk": "Go under superko"}

// otherGame is the error about a certificate of another game than the one that is read.
func otherGame(about, wanted string) error {
	if games[about] == "" {
		return fmt.Errorf("the certificate is about the game %q, which this program does not know", about)
	}
	return fmt.Errorf("this is a certificate of %s, and only those of %s are taken here: \"tengen proof verify\" checks it", games[about], games[wanted])
}

// Entries is the number of entries that should follow.
func (in *Reader) Entries() uint64 { return in.entries }

// TooManyEntries reports that a certificate has more entries than the memory for
// entries holds.
type TooManyEntries struct{ Entries, Most uint64 }

func (e *TooManyEntries) Error() string {
	return fmt.Sprintf("the certificate has %d entries, and the memory for it holds %d: give it more memory", e.Entries, e.Most)
}

// Fits refuses a file whose entries take more memory, at each bytes; 0 means no limit.
func (in *Reader) Fits(memory int64, each int) error {
	if most := uint64(memory) / uint64(each); memory > 0 && in.entries > most {
		return &TooManyEntries{in.entries, most}
	}
	return nil
}

// read reads exactly the requested bytes and hashes them.
func (in *Reader) read(p []byte) error {
	n, err := io.ReadFull(in.from, p)
	in.sum.Write(p[:n])
	in.bytes += int64(n)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return ErrTruncated
	}
	return err
}

// A file may expand to smallEntries whatever its size, and beyond that to densest entries for
// each of its bytes. Proofs have about one entry in two bytes. Without this bound thirty
// bytes that encode one repeated byte make 65,536 entries.
const (
	smallEntries = 1 << 20
	densest      = 16
)

// Blocks reads the blocks. An entry has at most most bytes, and lead bytes come before the
// first. Each call of add gets the contents
// of a block, its number of entries, and the entries from it on. Memory grows with the bytes
// actually read, never with the numbers in a header.
func (in *Reader) Blocks(ctx context.Context, lead, most int, add func(raw []byte, n int, left uint64) error) error {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(4<<20))
	if err != nil {
		return err
	}
	defer decoder.Close()
	var lengths [8]byte
	var raw, packed []byte
	all := in.entries
	for number := 0; in.entries > 0; number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		left := in.entries
		n := int(min(left, BlockLength))
		in.entries -= uint64(n)
		if err := in.read(lengths[:]); err != nil {
			return err
		}
		rawLength, packedLength := binary.LittleEndian.Uint32(lengths[:]), binary.LittleEndian.Uint32(lengths[4:])
		longest := uint64(lead) + uint64(n)*uint64(most)
		lead = 0
		if r := uint64(rawLength); r > longest || uint64(packedLength) > r+r>>3+64 {
			return Damaged("block %d has impossible lengths", number)
		}
		if cap(packed) < int(packedLength) {
			packed = make([]byte, packedLength)
		}
		packed = packed[:packedLength]
		if err := in.read(packed); err != nil {
			return err
		}
		if int64(all-in.entries) > smallEntries+densest*in.bytes {
			return Damaged("block %d has too few bytes for its entries", number)
		}
		if !oneFrame(packed) {
			return Damaged("block %d is not one zstd frame", number)
		}
		raw, err = decoder.DecodeAll(packed, raw[:0])
		if err != nil || len(raw) != int(rawLength) {
			return Damaged("block %d does not unpack to its stated length", number)
		}
		if err := add(raw, n, left); err != nil {
			return Damaged("block %d: %w", number, err)
		}
	}
	return nil
}

// End checks the checksum, and that the file ends there. It returns the size of the file and
// its SHA-256 in hexadecimal digits.
func (in *Reader) End() (size int64, checksum string, err error) {
	want := in.sum.Sum(nil)
	got := make([]byte, sha256.Size)
	if err := in.read(got); err != nil {
		return 0, "", err
	}
	if !bytes.Equal(got, want) {
		return 0, "", Damaged("its checksum does not match its contents")
	}
	if _, err := in.from.ReadByte(); err == nil {
		return 0, "", errAppended
	} else if err != io.EOF {
		return 0, "", err
	}
	return in.bytes, hex.EncodeToString(in.sum.Sum(nil)), nil
}

// oneFrame reports whether the bytes are exactly one zstd frame. The decoder would go on with
// further frames and ignore skippable ones.
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
