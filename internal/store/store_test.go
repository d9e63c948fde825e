package store_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"tengen/internal/longtest"
	"tengen/internal/store"
)

// key makes keys of the first buckets, so that the file is small.
func key(n int) store.Key {
	k := store.Key(sha256.Sum256(fmt.Append(nil, n)))
	copy(k[:8], []byte{k[0] % 32, 0, 0, 0, 0, 0, 0, 0})
	return k
}

func value(n int) (v store.Value) {
	copy(v[:], fmt.Sprintf("value %d", n))
	return v
}

func open(t testing.TB, path string) *store.Store {
	t.Helper()
	s, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func put(t testing.TB, s *store.Store, n int) {
	t.Helper()
	if err := s.Put(key(n), value(n), uint8(n)); err != nil {
		t.Fatal(err)
	}
}

// found counts the keys 0 to n-1 that have a value and fails if a value is wrong.
func found(t testing.TB, s *store.Store, n int) (count int) {
	t.Helper()
	for i := range n {
		v, ok, err := s.Get(key(i))
		if err != nil {
			t.Fatal(err)
		}
		if ok && v != value(i) {
			t.Fatalf("key %d has %q", i, v)
		}
		if ok {
			count++
		}
	}
	return count
}

func TestKeepsAndReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store")
	s := open(t, path)
	for i := range 1000 {
		put(t, s, i)
	}
	if err := s.Put(key(1), value(1), 9); err != nil {
		t.Fatal(err)
	}
	if n := found(t, s, 2000); n != 1000 {
		t.Fatalf("%d of 1000 values are found", n)
	}
	if n := found(t, open(t, path), 2000); n != 1000 {
		t.Fatalf("%d of 1000 values are found after opening again", n)
	}
}

// A full bucket drops the result of least effort, and the file does not grow.
func TestFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store")
	s := open(t, path)
	same := func(n int) store.Key { // keys of one bucket
		k := key(n)
		k[0] = 0
		return k
	}
	for i := range 200 {
		if err := s.Put(same(i), value(i), uint8(i)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 200 {
		v, ok, err := s.Get(same(i))
		if err != nil || ok && v != value(i) || ok != (i >= 200-64) {
			t.Fatalf("value %d: %v %v", i, ok, err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Size() > store.Size {
		t.Fatalf("the file has %d bytes: %v", info.Size(), err)
	}
}

// Damaged bytes never make a wrong value, and the store can still be used.
func TestDamage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	path := filepath.Join(t.TempDir(), "store")
	s := open(t, path)
	const n = 300
	for i := range n {
		put(t, s, i)
	}
	s.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var used []int // bytes worth damaging
	for i, b := range whole {
		if b != 0 {
			used = append(used, i)
		}
	}
	for range 100 {
		data := append([]byte(nil), whole...)
		switch random.IntN(3) {
		case 0:
			data = data[:random.IntN(len(data))]
		case 1: // a page moved
			at := random.IntN(len(data)/4096) * 4096
			copy(data[at:at+4096], data[random.IntN(len(data)-4096):])
		}
		for range random.IntN(200) {
			if i := used[random.IntN(len(used))]; i < len(data) {
				data[i] ^= 1 << random.IntN(8)
			}
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(path)
		if errors.Is(err, store.ErrForeign) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		found(t, s, n)
		put(t, s, n)
		if v, ok, err := s.Get(key(n)); v != value(n) || !ok || err != nil {
			t.Fatalf("what is put into a damaged store is not there: %v %v", ok, err)
		}
		s.Close()
	}
}

func TestForeignFilesAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "letter")
	if err := os.WriteFile(path, []byte("Dear reader,"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(path); !errors.Is(err, store.ErrForeign) {
		t.Errorf("a letter is opened: %v", err)
	}
	if _, err := store.Open(dir); err == nil {
		t.Error("a folder is opened")
	}
}

// A store that may not be written can still be read.
func TestReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store")
	put(t, open(t, path), 1)
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	s := open(t, path)
	if n := found(t, s, 2); n != 1 {
		t.Errorf("%d values are found", n)
	}
	if os.Getuid() != 0 && s.Put(key(2), value(2), 0) == nil {
		t.Error("a value is put into a file that may not be written to")
	}
}

func TestManyAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store")
	var running sync.WaitGroup
	for hand := range 4 {
		s := open(t, path)
		for part := range 2 {
			running.Go(func() {
				for i := range 300 {
					if err := s.Put(key(i), value(i), uint8(hand+part)); err != nil {
						t.Error(err)
					}
					if v, ok, err := s.Get(key(299 - i)); err != nil || ok && v != value(299-i) {
						t.Errorf("%q: %v", v, err)
					}
				}
			})
		}
	}
	running.Wait()
	// A slot may be lost to another handle that chose it at the same moment.
	if n := found(t, open(t, path), 300); n < 250 {
		t.Errorf("%d of 300 values are left", n)
	}
}

// Two programs use one store at the same time.
func TestPrograms(t *testing.T) {
	if path := os.Getenv("STORE_OF_TEST"); path != "" {
		s := open(t, path)
		for round := range 20 {
			for i := range 100 {
				put(t, s, i+round)
			}
			found(t, s, 200)
		}
		return
	}
	path := filepath.Join(t.TempDir(), "store")
	var running sync.WaitGroup
	for range 2 {
		running.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestPrograms$")
			cmd.Env = append(os.Environ(), "STORE_OF_TEST="+path)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	running.Wait()
	if n := found(t, open(t, path), 119); n < 100 {
		t.Errorf("%d of 119 values are left", n)
	}
}

// The file stays within its bound for any number of results, and the results that cost
// most stay. The short test fills a few buckets, the long one the whole store.
func TestStaysWithinItsBound(t *testing.T) {
	results, buckets := 8_000, int64(32)
	at := key
	if longtest.On() {
		results, buckets = 3_000_000, store.Size/4096-1
		at = func(n int) store.Key { return sha256.Sum256(fmt.Append(nil, n)) }
	}
	path := filepath.Join(t.TempDir(), "store")
	s := open(t, path)
	const dear = 100 // the first ones, which cost much
	for i := range results {
		effort := uint8(i % 20)
		if i < dear {
			effort = 40
		}
		if err := s.Put(at(i), value(i), effort); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d results take %d bytes, at most %d", results, info.Size(), (buckets+1)*4096)
	if info.Size() > (buckets+1)*4096 {
		t.Errorf("%d bytes for %d buckets", info.Size(), buckets)
	}
	for i := range dear {
		if v, ok, err := s.Get(at(i)); !ok || v != value(i) || err != nil {
			t.Fatalf("result %d, which cost much, is gone: %v", i, err)
		}
	}
}
