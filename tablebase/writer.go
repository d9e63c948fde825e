package tablebase

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Magic is the text that the file of a table begins with.
const Magic = "tengenTB"

// The file begins with magic, version and header and ends with a footer; frames
// and their directory lie between.
const (
	preambleLen = 8 + 4 + 4 // magic, version, length of the header
	footerLen   = 8 + 8 + sha256.Size + sha256.Size
	maxHeader   = 1 << 12
)

// Writer makes a table. Boards and bans come in ascending order of their codes, a
// board before its bans. A table is whole only after Close.
type Writer struct {
	header  Header
	raw     io.Writer
	out     *bufio.Writer
	sum     hash.Hash // of everything written
	written uint64
	intro   []byte // preamble and header
	zip     *zstd.Encoder

	now     frame
	next    int // number of the present frame
	lengths []uint32
	boards  uint64
	bans    uint64
	last    uint64 // code of the last board
	buffer  []byte
	zipped  []byte
}

// NewWriter begins a table.
func NewWriter(out io.Writer, h Header) (*Writer, error) {
	if err := h.Validate(); err != nil {
		return nil, err
	}
	text, err := h.encode()
	if err != nil {
		return nil, err
	}
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
	if err != nil {
		return nil, err
	}
	w := &Writer{header: h, raw: out, zip: zip, sum: sha256.New()}
	w.out = bufio.NewWriterSize(io.MultiWriter(out, w.sum), 1<<18)
	w.intro = append([]byte(Magic), 0, 0, 0, 0, 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(w.intro[8:], h.version())
	binary.LittleEndian.PutUint32(w.intro[12:], uint32(len(text)))
	w.intro = append(w.intro, text...)
	w.empty()
	return w, w.write(w.intro)
}

func (w *Writer) write(b []byte) error {
	w.written += uint64(len(b))
	_, err := w.out.Write(b)
	return err
}

// empty clears the present frame.
func (w *Writer) empty() {
	h, f := w.header, &w.now
	if f.bits == nil {
		f.bits = make([]uint64, (h.frameCodes()+63)/64)
		f.values = make([][]byte, 2*h.Loops.Planes())
		f.banned = make([][]byte, h.Loops.Planes())
		f.far = make([][]byte, 2*h.distances())
		f.banFar = make([][]byte, h.distances())
	}
	clear(f.bits)
	f.bans = f.bans[:0]
	for _, lists := range [][][]byte{f.values, f.far, f.banned, f.banFar} {
		for i := range lists {
			lists[i] = lists[i][:0]
		}
	}
}

// advance finishes frames until code belongs to the present one.
func (w *Writer) advance(code uint64) error {
	for uint64(w.next) < code/w.header.frameCodes() {
		if err := w.finishFrame(); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) finishFrame() error {
	length := 0
	if len(w.now.values[0]) > 0 {
		w.buffer = w.now.encode(w.buffer[:0])
		w.zipped = w.zip.EncodeAll(w.buffer, w.zipped[:0])
		length = len(w.zipped)
		if err := w.write(w.zipped); err != nil {
			return err
		}
	}
	w.lengths = append(w.lengths, uint32(length))
	w.next++
	w.empty()
	return nil
}

var errOrder = errors.New("boards and bans must come to the table in ascending order")

// Add keeps a board.
func (w *Writer) Add(b Board) error {
	if w.boards > 0 && b.Code <= w.last || b.Code/w.header.frameCodes() >= uint64(w.header.frames()) {
		return errOrder
	}
	if err := w.advance(b.Code); err != nil {
		return err
	}
	w.last = b.Code
	w.boards++
	f, at := &w.now, b.Code%w.header.frameCodes()
	f.bits[at/64] |= 1 << (at & 63)
	for i := range f.values {
		f.values[i] = append(f.values[i], byte(int(b.Values[i/2][i%2])+valueOffset))
	}
	for i := range f.far {
		f.far[i] = append(f.far[i], b.Distance[i/2][i%2])
	}
	return nil
}

// AddBan keeps a ban on the board that came last.
func (w *Writer) AddBan(b Ban) error {
	f := &w.now
	key := banKey(len(f.values[0])-1, b.Side, b.Digit)
	if w.boards == 0 || b.Code != w.last || len(f.bans) > 0 && key <= f.bans[len(f.bans)-1] {
		return errOrder
	}
	w.bans++
	f.bans = append(f.bans, key)
	for i := range f.banned {
		f.banned[i] = append(f.banned[i], byte(int(b.Values[i])+valueOffset))
	}
	for i := range f.banFar {
		f.banFar[i] = append(f.banFar[i], b.Distance[i])
	}
	return nil
}

// Close writes the rest of the table. It does not close the writer below.
func (w *Writer) Close() error {
	if w.boards != w.header.Boards || w.bans != w.header.Bans {
		return fmt.Errorf("the table has %d boards and %d bans, its header says %d and %d", w.boards, w.bans, w.header.Boards, w.header.Bans)
	}
	for w.next < w.header.frames() {
		if err := w.finishFrame(); err != nil {
			return err
		}
	}
	return w.finish()
}

// finish writes the directory and the footer.
func (w *Writer) finish() error {
	var plain bytes.Buffer
	for _, n := range w.lengths {
		_ = binary.Write(&plain, binary.LittleEndian, n)
	}
	directory := w.zip.EncodeAll(plain.Bytes(), nil)
	footer := binary.LittleEndian.AppendUint64(nil, w.written)
	footer = binary.LittleEndian.AppendUint64(footer, uint64(len(directory)))
	frameSum := sha256.Sum256(bytes.Join([][]byte{w.intro, directory, footer}, nil))
	footer = append(footer, frameSum[:]...)
	for _, part := range [][]byte{directory, footer} {
		if err := w.write(part); err != nil {
			return err
		}
	}
	if err := w.out.Flush(); err != nil {
		return err
	}
	_, err := w.raw.Write(w.sum.Sum(nil))
	return err
}
