package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bberrors "go.etcd.io/bbolt/errors"
)

// store keeps all decided positions in a bbolt file. One program at a time has it open. It
// does not depend on anything that NATS keeps.
//
//	about      header: the question, and what was spent
//	decided    key of a position → record
//	opened     key of a position → its moves, best first
//	doubted    as decided: answers that were taken back
//	answers    number of a line of a list → answer, or slice → result
type store struct {
	db      *bbolt.DB
	holding bool // writes of values wait for the end of together
	held    []func(*bbolt.Tx) error
	about   about // with the last of them
}

var (
	aboutBucket   = []byte("about")
	decidedBucket = []byte("decided")
	openedBucket  = []byte("opened")
	doubtedBucket = []byte("doubted")
	answerBucket  = []byte("answers")
)

// record is a decided position and the worker that decided it.
type record struct {
	Outcome int8    `json:"outcome"` // for the side to move
	Nodes   uint64  `json:"nodes"`
	Seconds float64 `json:"seconds"`
	Worker  string  `json:"worker"`
}

// opening are the moves of a position that took too long, and the worker that listed them.
type opening struct {
	Worker   string   `json:"worker"`
	Branches []branch `json:"branches"`
}

// about is the header of a store.
type about struct {
	Format   int    `json:"format"`
	Question string `json:"question"`
	Search   string `json:"search"`         // its name on NATS
	Epoch    int    `json:"epoch"`          // how often all answers were taken back
	Port     int    `json:"port,omitempty"` // of the server inside

	Banned []string `json:"banned,omitempty"` // workers that have answered falsely

	// Workers whose slices are in the layers of strips that are done, up to this layer.
	Authors []string `json:"authors,omitempty"`
	Made    int      `json:"made,omitempty"`

	// The cost of all runs.
	Nodes   uint64  `json:"nodes"`
	Jobs    uint64  `json:"jobs"`
	Seconds float64 `json:"seconds"`
	Error   float64 `json:"error"`
}

// openStore opens the store of a question, or makes it.
func openStore(path, question, search string) (*store, about, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, about{}, fmt.Errorf("store: %w", err)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, about{}, fmt.Errorf("store %s is not a regular file", path)
	}
	db, err := bbolt.Open(path, 0o666, &bbolt.Options{Timeout: time.Second})
	switch {
	case errors.Is(err, bberrors.ErrTimeout):
		return nil, about{}, fmt.Errorf("store %s is in use by another tengen: wait for it, or give another --store", path)
	case errors.Is(err, bberrors.ErrInvalid), errors.Is(err, bberrors.ErrChecksum), errors.Is(err, bberrors.ErrVersionMismatch):
		return nil, about{}, fmt.Errorf("%s is no store of tengen, or it is damaged: give another --store", path)
	case err != nil:
		return nil, about{}, fmt.Errorf("store: %w", err)
	}
	s := &store{db: db}
	a, err := s.claim(about{Format: protocol, Question: question, Search: search})
	if err != nil {
		db.Close()
		return nil, about{}, fmt.Errorf("store %s: %w", path, err)
	}
	return s, a, nil
}

// claim writes the header of a new store, and reads that of an old one.
func (s *store) claim(want about) (a about, err error) {
	err = s.db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{aboutBucket, decidedBucket, openedBucket, doubtedBucket, answerBucket} {
			if tx.Bucket(name) == nil && tx.Bucket(aboutBucket) != nil && tx.Bucket(aboutBucket).Get(aboutBucket) != nil {
				return errors.New("a part of it is missing: give another --store")
			}
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		text := tx.Bucket(aboutBucket).Get(aboutBucket)
		if text == nil {
			a = want
			return put(tx, aboutBucket, string(aboutBucket), a)
		}
		if err := json.Unmarshal(text, &a); err != nil {
			return fmt.Errorf("it is damaged: %w", err)
		}
		switch {
		case a.Format != want.Format:
			return fmt.Errorf("it has format %d, this program writes %d: give another --store", a.Format, want.Format)
		case a.Question != want.Question:
			return fmt.Errorf("it belongs to another question, %q and not %q: give another --store", a.Question, want.Question)
		}
		return nil
	})
	return a, err
}

func put(tx *bbolt.Tx, bucket []byte, key string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return tx.Bucket(bucket).Put([]byte(key), text)
}

// together makes one transaction of the values that do writes, so that they are flushed once.
func (s *store) together(do func()) error {
	func() {
		s.holding = true
		defer func() { s.holding = false }()
		do()
	}()
	return s.settle()
}

// settle writes what is held.
func (s *store) settle() error {
	if len(s.held) == 0 {
		return nil
	}
	return s.update(s.about, func(*bbolt.Tx) error { return nil })
}

// write writes values, now or at the end of together.
func (s *store) write(a about, values func(*bbolt.Tx) error) error {
	if !s.holding {
		return s.update(a, values)
	}
	s.held, s.about = append(s.held, values), a
	return nil
}

// update writes the header, what is held, and anything else in one transaction, and flushes
// it.
func (s *store) update(a about, also func(*bbolt.Tx) error) error {
	err := s.db.Update(func(tx *bbolt.Tx) error {
		for _, values := range append(s.held, also) {
			if err := values(tx); err != nil {
				return err
			}
		}
		return put(tx, aboutBucket, string(aboutBucket), a)
	})
	switch {
	case err == nil:
		s.held = nil
		return nil
	case errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), syscall.ENOSPC.Error()): // bbolt does not wrap every error
		return fmt.Errorf("the disk is full under %s: make room and give the same command again. What is decided is kept (%w)", s.db.Path(), err)
	}
	return fmt.Errorf("the store cannot be written: %w", err)
}

// note writes the header only.
func (s *store) note(a about) error {
	return s.update(a, func(*bbolt.Tx) error { return nil })
}

// put writes one value.
func (s *store) put(a about, bucket []byte, key string, value any) error {
	return s.write(a, func(tx *bbolt.Tx) error { return put(tx, bucket, key, value) })
}

// answers writes the answers of a list.
func (s *store) answers(a about, list []keptAnswer) error {
	return s.write(a, func(tx *bbolt.Tx) error {
		for _, line := range list {
			if err := put(tx, answerBucket, fmt.Sprintf("%09d", line.Line), line); err != nil {
				return err
			}
		}
		return nil
	})
}

// each reads all values of a bucket, in the order of their keys.
func each[V any](s *store, bucket []byte, visit func(key string, value V) error) error {
	if err := s.settle(); err != nil {
		return err
	}
	return s.db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(bucket).ForEach(func(k, text []byte) error {
			var value V
			if err := json.Unmarshal(text, &value); err != nil {
				return fmt.Errorf("the store is damaged at %s: %w", k, err)
			}
			return visit(string(k), value)
		})
	})
}

// doubt takes all answers back.
func (s *store) doubt(a about) error {
	return s.update(a, func(tx *bbolt.Tx) error {
		decided, doubted := tx.Bucket(decidedBucket), tx.Bucket(doubtedBucket)
		err := decided.ForEach(func(k, v []byte) error { return doubted.Put(k, v) })
		for _, name := range [][]byte{decidedBucket, openedBucket} {
			if err == nil {
				err = vacate(tx, name)
			}
		}
		return err
	})
}

// disown takes the answers of one worker back.
func (s *store) disown(a about, worker string) error {
	return s.update(a, func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{decidedBucket, openedBucket, answerBucket} {
			var drop [][]byte
			err := tx.Bucket(name).ForEach(func(k, text []byte) error {
				var by struct{ Worker string }
				if err := json.Unmarshal(text, &by); err != nil {
					return err
				}
				if by.Worker == worker {
					drop = append(drop, slices.Clone(k))
				}
				return nil
			})
			for _, k := range drop {
				if err == nil {
					err = tx.Bucket(name).Delete(k)
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// author is the worker that decided a position.
func (s *store) author(key string) (worker string, ok bool) {
	if s.settle() != nil {
		return "", false
	}
	_ = s.db.View(func(tx *bbolt.Tx) error {
		var r record
		if text := tx.Bucket(decidedBucket).Get([]byte(key)); text != nil && json.Unmarshal(text, &r) == nil {
			worker, ok = r.Worker, true
		}
		return nil
	})
	return worker, ok
}

// clear removes all values of a bucket.
func (s *store) clear(a about, bucket []byte) error {
	return s.update(a, func(tx *bbolt.Tx) error { return vacate(tx, bucket) })
}

func vacate(tx *bbolt.Tx, bucket []byte) error {
	if err := tx.DeleteBucket(bucket); err != nil {
		return err
	}
	_, err := tx.CreateBucket(bucket)
	return err
}

func (s *store) close() error { return s.db.Close() }
