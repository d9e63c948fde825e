// Package book has the first moves of solved boards, so that nobody waits for a search or
// a table there: of NoGo who wins and how, of Go the score of every move, or bounds of the
// score and how to reach them. A file holds one board. Some are part of the program, others are in the folder book of the user's cache.
// docs/book.md describes them; package build makes them.
//
// The package searches nothing and knows no position beyond its files.
package book

import (
	"bytes"
	"context"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"tengen/board"
	"tengen/game"
	"tengen/internal/blockfile"
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
	// Stones is how far play by certificates is followed.
	Stones int
	// Certified says that a book of Go is from certificates and not from a table.
	Certified bool
}

// Name is that of the file.
func (h Header) Name() string { return fmt.Sprintf("%s-%s%s", h.Game, h.Size, extension) }

// extension ends the name of every book in the user's cache.
const extension = ".book"

// A file is a blockfile whose entries are pieces of the content. Of its header
//
//	bytes 10-13  "Book"
//	byte  14     0 for NoGo, 1 for Go from a table, 2 for Go from certificates
//	bytes 15-18  rows, columns, Decided, Stones
//	bytes 24-31  number of pieces, little-endian
//
// are used.
const (
	format  = "Book"
	version = 2
	piece   = 16 // bytes, fewer in the last one
	// mostBytes bounds the content of a file.
	mostBytes = 64 << 20
)

var games = []string{game.NoGo{}.Name(), game.Go{}.Name(), game.Go{}.Name()}

// certified is the place of Go from certificates among games.
const certified = 2

func pieces(content []byte) int { return (len(content) + piece - 1) / piece }

// pack is the file of a content.
func pack(h Header, content []byte) ([]byte, error) {
	kind := slices.Index(games, h.Game)
	if h.Certified {
		kind = certified
	}
	header := append(blockfile.Header(format, version), byte(kind),
		byte(h.Size.Rows), byte(h.Size.Cols), byte(h.Decided), byte(h.Stones))
	header = append(header, make([]byte, blockfile.HeaderBytes-len(header))...)
	binary.LittleEndian.PutUint64(header[24:], uint64(pieces(content)))
	var file bytes.Buffer
	err := blockfile.Write(&file, header, pieces(content), func(raw []byte, from, to int) []byte {
		return append(raw, content[from*piece:min(to*piece, len(content))]...)
	})
	return file.Bytes(), err
}

var errBook = errors.New("this is no book that this program can read, or it is damaged")

// unpack checks a file and reads its header and content.
func unpack(file []byte) (h Header, content []byte, err error) {
	in, header, err := blockfile.NewReader(bytes.NewReader(file), format, version)
	if err != nil || in.Entries() > mostBytes/piece {
		return h, nil, errBook
	}
	count := in.Entries()
	about := header[14:19]
	h = Header{Size: board.Size{Rows: int(about[1]), Cols: int(about[2])}, Decided: int(about[3]), Stones: int(about[4])}
	if int(about[0]) >= len(games) || h.Size.Rows < 1 || h.Size != h.Size.Lying() {
		return h, nil, errBook
	}
	h.Game, h.Certified = games[about[0]], about[0] == certified
	err = in.Blocks(context.Background(), 0, piece, func(raw []byte, _ int, _ uint64) error {
		content = append(content, raw...)
		return nil
	})
	if err == nil {
		_, _, err = in.End()
	}
	if err != nil || uint64(pieces(content)) != count {
		return h, nil, errBook
	}
	return h, content, nil
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
