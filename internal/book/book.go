// Package book has the first moves of solved boards, so that nobody waits for a search or
// a table there: of NoGo who wins and how, of Go the score of every move. A file holds one
// board. Some are part of the program, others are in the folder book of the user's cache.
// docs/book.md describes them; package build makes them.
//
// The package searches nothing and knows no position beyond its files.
package book

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"tengen/board"
	"tengen/game"
	"tengen/internal/wholefile"
)

// SearchedPoints is the largest board that a search solves within seconds. Where the
// positions of a search count for more than its answer, the book is for larger boards.
const SearchedPoints = 20

// Header says what a book is about.
type Header struct {
	Game string     // nogo or go
	Size board.Size // lying
	// Decided is the number of moves up to which every position is in the book, with the
	// result of each of its moves one move before that.
	Decided int
	// Stones is how far the winner's play is followed, of NoGo.
	Stones int
}

// Name is that of the file.
func (h Header) Name() string { return fmt.Sprintf("%s-%s.book", h.Game, h.Size) }

// A file is
//
//	bytes 0-7    magic
//	byte  8      version
//	byte  9      0 for NoGo, 1 for Go
//	bytes 10-13  rows, columns, Decided, Stones
//	bytes 14-17  length of the content, unpacked, little-endian
//	then         the content as one zstd frame
//	32 bytes     SHA-256 of everything before
const (
	magic   = "TENGENBK"
	version = 1
	fixed   = 18
	// mostBytes bounds the content of a file.
	mostBytes = 64 << 20
)

var games = []string{game.NoGo{}.Name(), game.Go{}.Name()}

// pack is the file of a content.
func pack(h Header, content []byte) ([]byte, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return nil, err
	}
	file := append([]byte(magic), version, byte(slices.Index(games, h.Game)),
		byte(h.Size.Rows), byte(h.Size.Cols), byte(h.Decided), byte(h.Stones))
	file = binary.LittleEndian.AppendUint32(file, uint32(len(content)))
	file = encoder.EncodeAll(content, file)
	sum := sha256.Sum256(file)
	return append(file, sum[:]...), nil
}

// unpack checks a file and reads its header and content.
func unpack(file []byte) (h Header, content []byte, err error) {
	end := len(file) - sha256.Size
	if end < fixed || string(file[:len(magic)]) != magic {
		return h, nil, errors.New("this is not a book")
	}
	if file[8] != version {
		return h, nil, fmt.Errorf("the book has version %d, this program reads version %d: build it again", file[8], version)
	}
	if sum := sha256.Sum256(file[:end]); !bytes.Equal(sum[:], file[end:]) {
		return h, nil, errors.New("the book is damaged: its checksum is wrong")
	}
	h = Header{Size: board.Size{Rows: int(file[10]), Cols: int(file[11])}, Decided: int(file[12]), Stones: int(file[13])}
	length := binary.LittleEndian.Uint32(file[14:])
	if int(file[9]) >= len(games) || h.Size.Rows < 1 || h.Size != h.Size.Lying() || length > mostBytes {
		return h, nil, errors.New("the book is damaged: its header makes no sense")
	}
	h.Game = games[file[9]]
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostBytes))
	if err != nil {
		return h, nil, err
	}
	defer decoder.Close()
	content, err = decoder.DecodeAll(file[fixed:end], make([]byte, 0, length))
	if err == nil && len(content) != int(length) {
		err = fmt.Errorf("the book is damaged: %d bytes in place of %d", len(content), length)
	}
	return h, content, err
}

//go:embed files
var embedded embed.FS

// Folder is where the user's own books are.
func Folder() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "tengen", "book"), err
}

// read finds the content of a board: the user's own book, or the one in the program.
func read(h Header) (Header, []byte, error) {
	if dir, err := Folder(); err == nil {
		if file, err := load(filepath.Join(dir, h.Name())); err == nil {
			if own, content, err := unpack(file); err == nil && own.Name() == h.Name() {
				return own, content, nil
			}
		}
	}
	file, err := embedded.ReadFile("files/" + h.Name())
	if err != nil {
		return h, nil, err
	}
	return unpack(file)
}

// load reads a file.
func load(name string) ([]byte, error) {
	f, err := wholefile.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, mostBytes))
}

// shelf holds the books that were asked for. A board without a book has nil.
type shelf[B any] struct {
	mu   sync.Mutex
	open map[board.Size]*B
}

func (s *shelf[B]) find(h Header, parse func(Header, []byte) (*B, error)) *B {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, known := s.open[h.Size]
	if known {
		return b
	}
	if found, content, err := read(h); err == nil {
		if b, err = parse(found, content); err != nil {
			b = nil // a test reads those of the program
		}
	}
	if s.open == nil {
		s.open = map[board.Size]*B{}
	}
	s.open[h.Size] = b
	return b
}
