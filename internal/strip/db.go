package strip

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"tengen/cgt"
	"tengen/internal/bigmem"
)

// The largest sizes of a database.
const (
	MaxBounds   = 17 // points up to which bounds fit a byte
	MaxSimplest = 13 // points up to which values are within reach
)

// DB answers questions about strips out of a file, or out of memory. Lookups may
// come from any number of goroutines.
type DB struct {
	tables
	digest [sha256.Size]byte
	data   []byte
	file   *bigmem.File
}

// Open reads a database that Build has made and verifies the checksum of every
// section.
func Open(path string) (*DB, error) {
	file, err := bigmem.Map(path)
	if err != nil {
		return nil, fmt.Errorf("the database of strips: %w", err)
	}
	db, err := parse(file.Data)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	db.file = file
	return db, nil
}

func parse(data []byte) (*DB, error) {
	z, payloads, _, err := scan(data)
	if err != nil {
		return nil, err
	}
	db := &DB{tables: newTables(z), data: data}
	for i, s := range z.plan() {
		if err := db.set(s, payloads[i]); err != nil {
			return nil, err
		}
	}
	if copy(db.digest[:], payloads[len(payloads)-1]) != sha256.Size {
		return nil, errors.New("the checksum at the end is damaged")
	}
	return db, nil
}

// Close gives the memory back; the database must not be used afterwards.
func (db *DB) Close() { db.file.Close() }

// Verify compares the whole file with the SHA-256 at its end, which detects what
// the checksums of the sections might miss.
func (db *DB) Verify(ctx context.Context) error {
	end := appendSection(nil, section{kindEnd, 0}, db.digest[:])
	before := db.data[:len(db.data)-len(end)]
	sum := sha256.New()
	for piece := range slices.Chunk(before, 1<<20) {
		if err := ctx.Err(); err != nil {
			return err
		}
		sum.Write(piece)
	}
	if !bytes.Equal(sum.Sum(nil), db.digest[:]) || !bytes.Equal(db.data[len(before):], end) {
		return errors.New("the database is damaged: its checksum differs")
	}
	return nil
}

// Info describes a database.
type Info struct {
	Max      int    // points up to which it has bounds and outcome classes
	Simplest int    // points up to which it has values and simplest equal games
	Strips   uint64 // number of strips with bounds
	Games    int    // number of canonical forms
	Bytes    int    // size of the file
	SHA256   string // of all but the end, in hexadecimal
}

// Info describes the database.
func (db *DB) Info() Info {
	info := Info{
		Max: db.size.max, Simplest: db.size.simplest,
		Games: db.count(), Bytes: len(db.data), SHA256: hex.EncodeToString(db.digest[:]),
	}
	for n := 1; n <= db.size.max; n++ {
		info.Strips += Count(n)
	}
	return info
}

// Bounds are the integers next to the value of a strip.
func (db *DB) Bounds(s Strip) (Bounds, bool) {
	if int(s.n) > db.size.max {
		return Bounds{}, false
	}
	return db.bounds.at(s), true
}

// Value is the number of the value of a strip, an index into the games that Load
// returns. Strips are equal if and only if their numbers are.
func (db *DB) Value(s Strip) (number uint32, ok bool) {
	if int(s.n) > db.size.simplest || db.size.simplest == 0 {
		return 0, false
	}
	return db.value(s), true
}

// Simplest is the first strip that is equal to s.
func (db *DB) Simplest(s Strip) (Strip, bool) {
	number, ok := db.Value(s)
	if !ok {
		return Strip{}, false
	}
	return db.SimplestOf(number), true
}

// checkEvery is the number of entries between two looks at a context.
const checkEvery = 1 << 12

// Load restores all values in an arena and returns them by number.
func (db *DB) Load(ctx context.Context, arena *cgt.Arena) ([]cgt.Game, error) {
	games := make([]cgt.Game, 0, db.count())
	rest := db.games
	for range db.count() {
		if len(games)%checkEvery == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		game, after, err := loadGame(arena, games, rest)
		if err != nil {
			return nil, fmt.Errorf("game %d of the database of strips: %w", len(games), err)
		}
		games = append(games, game)
		rest = after
	}
	if len(rest) > 0 {
		return nil, errors.New("the database of strips holds more games than it says")
	}
	return games, nil
}

func loadGame(arena *cgt.Arena, games []cgt.Game, data []byte) (cgt.Game, []byte, error) {
	if len(data) < 4 {
		return 0, nil, errTruncated
	}
	lefts, rights := int(binary.LittleEndian.Uint16(data)), int(binary.LittleEndian.Uint16(data[2:]))
	data = data[4:]
	if len(data) < 4*(lefts+rights) {
		return 0, nil, errTruncated
	}
	left, err := loadOptions(games, data[:4*lefts])
	if err != nil {
		return 0, nil, err
	}
	right, err := loadOptions(games, data[4*lefts:4*(lefts+rights)])
	if err != nil {
		return 0, nil, err
	}
	game, err := arena.Restore(left, right)
	return game, data[4*(lefts+rights):], err
}

// loadOptions finds games by number. Handles may be in a different order than
// numbers.
func loadOptions(games []cgt.Game, data []byte) ([]cgt.Game, error) {
	options := make([]cgt.Game, 0, len(data)/4)
	for ; len(data) > 0; data = data[4:] {
		number := binary.LittleEndian.Uint32(data)
		if int(number) >= len(games) {
			return nil, fmt.Errorf("option %d comes after it", number)
		}
		options = append(options, games[number])
	}
	slices.Sort(options)
	return options, nil
}
