// Package store keeps small results on disk by key. It is a hash table of fixed size in
// one file, read and written one slot at a time. Any number of programs may use it at
// the same time.
//
// Every slot has its whole key and its own checksum. So after a crash, a full disk, a
// write by another program or a damaged disk a slot is either sound or counts as empty.
// Nothing is locked: this is lockless hashing in a file. The store is a cache. It knows
// nothing of games and never grows. A full bucket drops the result that cost least.
package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"os"
	"sync"
)

// Key names a result. It must be a cryptographic hash of the question, so that no two
// questions have the same key.
type Key [32]byte

// Value is a result, coded by the caller.
type Value [20]byte

// A slot is
//
//	bytes 0-31   key, never all zero
//	byte  32     effort, an argument of Put
//	bytes 33-35  zero
//	bytes 36-55  value
//	bytes 56-63  CRC-64 (ECMA) of bytes 0-55 and of the place of the slot
//
// The file begins with a page that identifies it. Buckets of one page each follow.
const (
	slotBytes   = 64
	bucketBytes = 4096
	buckets     = 1 << 14

	// Size is the largest size of a store on disk, in bytes. On most systems pages that
	// were never written take no space.
	Size = (buckets + 1) * bucketBytes
)

const magic = "tengen results 1\n"

var table = crc64.MakeTable(crc64.ECMA)

// Store is an open file. Any number of goroutines may use it.
type Store struct {
	file *os.File
	mu   sync.Mutex // of writers
}

// ErrForeign says that a file is not a store.
var ErrForeign = errors.New("it is not a store of results: remove it, and a new one is made")

// Open opens a store, or makes one. A store that may not be written to can be read.
func Open(path string) (*Store, error) {
	// Opening a pipe would wait for a program at its other end.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: it is not a regular file", path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if errors.Is(err, os.ErrPermission) || isReadOnly(err) {
		file, err = os.Open(path)
	}
	if err != nil {
		return nil, err
	}
	if err := identify(file); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Store{file: file}, nil
}

// identify writes the first page of an empty file, or checks that of another. Two
// programs may do so at once.
func identify(file *os.File) error {
	var head [len(magic)]byte
	n, err := file.ReadAt(head[:], 0)
	switch {
	case n == 0 && errors.Is(err, io.EOF):
		_, err := file.WriteAt([]byte(magic), 0)
		return err
	case err != nil && !errors.Is(err, io.EOF):
		return err
	case !bytes.HasPrefix([]byte(magic), head[:n]):
		return ErrForeign
	case n < len(magic): // a crash has interrupted the first write
		_, err := file.WriteAt([]byte(magic), 0)
		return err
	}
	return nil
}

// Close closes the file.
func (s *Store) Close() error { return s.file.Close() }

// Get is the value of a key. A damaged slot counts as empty.
func (s *Store) Get(key Key) (Value, bool, error) {
	b, err := s.read(key)
	if err != nil {
		return Value{}, false, err
	}
	for i := range slots {
		if x := b.slot(i); x.key() == key && b.sound(i) {
			return Value(x[36:56]), true, nil
		}
	}
	return Value{}, false, nil
}

// Put keeps a value. In a full bucket it replaces the value of least effort.
func (s *Store) Put(key Key, value Value, effort uint8) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := s.read(key)
	if err != nil {
		return err
	}
	i := b.place(key)
	x := b.slot(i)
	clear(x)
	copy(x, key[:])
	x[32] = effort
	copy(x[36:], value[:])
	binary.LittleEndian.PutUint64(x[56:], b.checksum(i))
	_, err = s.file.WriteAt(x, b.at+int64(i)*slotBytes)
	return err
}

const slots = bucketBytes / slotBytes

// bucket is a page of the file.
type bucket struct {
	at   int64
	data [bucketBytes]byte
}

type slot []byte

func (s slot) key() Key { return Key(s[:32]) }

// read reads the bucket of a key. A bucket behind the end of the file is empty.
func (s *Store) read(key Key) (*bucket, error) {
	n := binary.LittleEndian.Uint64(key[:]) % buckets
	b := &bucket{at: int64(n+1) * bucketBytes}
	_, err := s.file.ReadAt(b.data[:], b.at)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b, err
}

func (b *bucket) slot(i int) slot { return b.data[i*slotBytes : (i+1)*slotBytes] }

// checksum is the checksum that a sound slot has.
func (b *bucket) checksum(i int) uint64 {
	var place [8]byte
	binary.LittleEndian.PutUint64(place[:], uint64(b.at)+uint64(i))
	return crc64.Update(crc64.Checksum(b.slot(i)[:56], table), table, place[:])
}

func (b *bucket) sound(i int) bool {
	return binary.LittleEndian.Uint64(b.slot(i)[56:]) == b.checksum(i) && b.slot(i).key() != Key{}
}

// place is the slot to write a key to: its own, one that is empty or damaged, or the
// one of least effort.
func (b *bucket) place(key Key) int {
	best, least := 0, 256
	for i := range slots {
		x := b.slot(i)
		switch {
		case x.key() == key:
			return i
		case least >= 0 && !b.sound(i):
			best, least = i, -1
		case int(x[32]) < least:
			best, least = i, int(x[32])
		}
	}
	return best
}
