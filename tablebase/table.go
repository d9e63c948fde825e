package tablebase

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"tengen/internal/wholefile"
	"tengen/weiqi"
)

// DefaultCache is the size of the cache of decoded frames, in bytes.
const DefaultCache = 64 << 20

// Table is an open table. Any number of goroutines may use it.
type Table struct {
	header  Header
	path    string // or the name of the table in errors
	file    io.ReaderAt
	size    uint64
	close   func() error
	offsets []uint64 // of the frames, and of the directory
	total   uint64   // bytes under the whole-file sum
	coder   *coder
	grid    weiqi.Grid
	zip     *zstd.Decoder
	cache   *cache
}

// Open reads the header and the directory of a table and checks them; frames are
// checked as they are read. A cache of 0 bytes means DefaultCache.
func Open(path string, cacheBytes int64) (*Table, error) {
	if err := wholefile.CheckRegular("table", path); err != nil {
		return nil, err
	}
	file, err := wholefile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot open the table: %w", err)
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%s is not a usable table: %w", path, err)
	}
	t, err := open(&Table{path: path, file: file, size: uint64(info.Size()), close: file.Close}, cacheBytes)
	if err != nil {
		_ = file.Close()
	}
	return t, err
}

// New is Open for a table that is not in a file of its own. The table has size
// bytes.
func New(r io.ReaderAt, size, cacheBytes int64) (*Table, error) {
	return open(&Table{path: "the table", file: r, size: uint64(size), close: func() error { return nil }}, cacheBytes)
}

func open(t *Table, cacheBytes int64) (*Table, error) {
	if err := t.read(); err != nil {
		return nil, fmt.Errorf("%s is not a usable table: %w", t.path, err)
	}
	if cacheBytes == 0 {
		cacheBytes = DefaultCache
	}
	t.cache = newCache(t.header.frames(), cacheBytes)
	t.coder = newCoder(t.header.Size)
	t.grid = weiqi.NewGrid(t.header.Size)
	return t, nil
}

// Header describes the table.
func (t *Table) Header() Header { return t.header }

// Path is the file, or "the table" for one that New has opened.
func (t *Table) Path() string { return t.path }

// Close closes the file.
func (t *Table) Close() error {
	t.zip.Close()
	return t.close()
}

var errShort = errors.New("it is cut short")

func (t *Table) read() error {
	if t.size < preambleLen+footerLen {
		return errShort
	}
	intro, err := t.readIntro(t.size)
	if err != nil {
		return err
	}
	directory, err := t.readDirectory(t.size, intro)
	if err != nil {
		return err
	}
	t.zip, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1<<26))
	if err != nil {
		return err
	}
	return t.readOffsets(directory, uint64(len(intro)))
}

func (t *Table) readIntro(size uint64) ([]byte, error) {
	intro, err := t.part(0, preambleLen)
	if err != nil {
		return nil, err
	}
	if string(intro[:8]) != Magic {
		return nil, errors.New("it does not begin as a table does")
	}
	version := binary.LittleEndian.Uint32(intro[8:])
	if version < 1 || version > 2 {
		return nil, fmt.Errorf("it has version %d, this program reads versions 1 and 2", version)
	}
	n := uint64(binary.LittleEndian.Uint32(intro[12:]))
	if n > maxHeader || n+preambleLen+footerLen > size {
		return nil, errShort
	}
	text, err := t.part(preambleLen, n)
	if err != nil {
		return nil, err
	}
	t.header, err = decodeHeader(text)
	if err == nil && version != t.header.version() {
		err = fmt.Errorf("it has version %d, and a table of its kind has version %d: build it again", version, t.header.version())
	}
	return append(intro, text...), err
}

// readDirectory finds the directory through the footer and checks the sum over
// header, directory and footer.
func (t *Table) readDirectory(size uint64, intro []byte) ([]byte, error) {
	footer, err := t.part(size-footerLen, footerLen)
	if err != nil {
		return nil, err
	}
	start, n := binary.LittleEndian.Uint64(footer), binary.LittleEndian.Uint64(footer[8:])
	if start > size || n > size || start+n != size-footerLen || start < uint64(len(intro)) {
		return nil, errShort
	}
	directory, err := t.part(start, n)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(bytes.Join([][]byte{intro, directory, footer[:16]}, nil))
	if !bytes.Equal(sum[:], footer[16:16+sha256.Size]) {
		return nil, errors.New("its checksum is wrong")
	}
	t.offsets = []uint64{start}
	t.total = size - sha256.Size
	return directory, nil
}

// readOffsets turns the lengths of the frames into offsets.
func (t *Table) readOffsets(directory []byte, at uint64) error {
	end := t.offsets[0]
	plain, err := t.zip.DecodeAll(directory, nil)
	if err != nil || len(plain) != 4*t.header.frames() {
		return errors.New("its directory does not match its size")
	}
	t.offsets = t.offsets[:0]
	for i := 0; i < len(plain); i += 4 {
		t.offsets = append(t.offsets, at)
		at += uint64(binary.LittleEndian.Uint32(plain[i:]))
	}
	t.offsets = append(t.offsets, at)
	if at != end {
		return errShort
	}
	return nil
}

func (t *Table) part(at, n uint64) ([]byte, error) {
	b := make([]byte, n)
	if _, err := t.file.ReadAt(b, int64(at)); err != nil {
		if errors.Is(err, io.EOF) {
			err = errShort
		}
		return nil, err
	}
	return b, nil
}

// frame returns the frame of a number. If the cache does not have it, it is loaded
// and put into the cache. It is nil if the frame holds no boards.
func (t *Table) frame(c *cache, i int) (*frame, error) {
	if f := c.get(i); f != nil {
		return f, nil
	}
	f, err := t.load(i)
	if f != nil {
		c.put(i, f)
	}
	return f, err
}

// load reads and decodes a frame.
func (t *Table) load(i int) (*frame, error) {
	start, end := t.offsets[i], t.offsets[i+1]
	if start == end {
		return nil, nil
	}
	zipped, err := t.part(start, end-start)
	if err != nil {
		return nil, fmt.Errorf("%s: frame %d: %w", t.path, i, err)
	}
	raw, err := t.zip.DecodeAll(zipped, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: frame %d is damaged: %w", t.path, i, err)
	}
	f, err := decodeFrame(t.header, raw)
	if err != nil {
		return nil, fmt.Errorf("%s: frame %d is damaged: %w", t.path, i, err)
	}
	return f, nil
}

// Checksum reads the whole file and compares it with the sum at its end. It returns the
// SHA-256 of the file in hexadecimal, as sha256sum prints it.
func (t *Table) Checksum(ctx context.Context) (string, error) {
	sum := sha256.New()
	body := io.NewSectionReader(t.file, 0, int64(t.total))
	buffer := make([]byte, 1<<20)
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, err := body.Read(buffer)
		sum.Write(buffer[:n])
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
	}
	want, err := t.part(t.total, sha256.Size)
	if err != nil {
		return "", err
	}
	if !bytes.Equal(sum.Sum(nil), want) {
		return "", fmt.Errorf("%s is damaged: its checksum is wrong", t.path)
	}
	sum.Write(want) // the end of the file
	return hex.EncodeToString(sum.Sum(nil)), nil
}
