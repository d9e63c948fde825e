// Package faulty interrupts writers of files at each of their steps, for tests: calls
// fail, writes end early, the program is killed, the power fails. It writes real files,
// so that tests can inspect the result.
package faulty

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"tengen/internal/wholefile"
)

// fault is what happens at a step.
type fault int

const (
	none      fault = iota
	fails           // the call returns an error, for writes that of a full disk
	partial         // half is written, then the disk is full
	short           // half is written, without an error
	killed          // the program ends before the step
	torn            // the program ends after half of a write
	powerless       // like killed, and bytes that were not flushed are lost
	forgotten       // like powerless, and renames are lost if the folder was not flushed
)

var faultNames = [...]string{"none", "fails", "partial", "short", "killed", "torn", "powerless", "forgotten"}

func (f fault) String() string { return faultNames[f] }

// crash reports whether the program has ended after the fault.
func (f fault) crash() bool { return f >= killed }

var errCrashed = errors.New("the program has ended")

// system counts steps and has one of them go wrong.
type system struct {
	mu      sync.Mutex
	steps   []string // taken so far
	at      int      // the step that goes wrong
	fault   fault
	dead    bool
	files   map[string]*file // by their present names
	renames []rename         // not flushed
}

type rename struct {
	from, to string
	old      []byte // what was there
	existed  bool
}

func newSystem(at int, f fault) *system {
	return &system{at: at, fault: f, files: map[string]*file{}}
}

// step begins a step and says what is to go wrong in it; the error is that of a program
// that has ended.
func (s *system) step(what string) (fault, error) {
	if s.dead {
		return none, errCrashed
	}
	s.steps = append(s.steps, what)
	if len(s.steps)-1 != s.at {
		return none, nil
	}
	if s.fault.crash() && s.fault != torn {
		s.crash()
		return none, errCrashed
	}
	return s.fault, nil
}

// crash leaves the files as they would be found.
func (s *system) crash() {
	s.dead = true
	if s.fault == forgotten {
		for i := len(s.renames) - 1; i >= 0; i-- {
			s.undo(s.renames[i])
		}
	}
	if s.fault == powerless || s.fault == forgotten {
		for name, f := range s.files {
			if info, err := os.Stat(name); err == nil && info.Size() > f.flushed {
				_ = os.Truncate(name, f.flushed)
			}
		}
	}
}

func (s *system) undo(r rename) {
	_ = os.Rename(r.to, r.from)
	if f := s.files[r.to]; f != nil {
		delete(s.files, r.to)
		s.files[r.from] = f
	}
	if r.existed {
		_ = os.WriteFile(r.to, r.old, 0o644)
	}
}

// call is a step that is done or not.
func (s *system) call(what string, code syscall.Errno, do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := s.step(what)
	switch {
	case err != nil:
		return err
	case f != none:
		return code
	}
	return do()
}

func (s *system) Open(name string, flag int, permissions fs.FileMode) (wholefile.File, error) {
	var opened *file
	err := s.call("open", syscall.ENOSPC, func() error {
		f, err := os.OpenFile(name, flag, permissions)
		if err != nil {
			return err
		}
		info, err := f.Stat()
		if err != nil {
			return err
		}
		opened = &file{File: f, system: s, flushed: info.Size()}
		s.files[name] = opened
		return nil
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return opened, nil
}

func (s *system) Rename(from, to string) error {
	return s.call("rename", syscall.EIO, func() error {
		old, err := os.ReadFile(to)
		s.renames = append(s.renames, rename{from, to, old, err == nil})
		if f := s.files[from]; f != nil {
			delete(s.files, from)
			s.files[to] = f
		}
		return os.Rename(from, to)
	})
}

func (s *system) Remove(name string) error {
	return s.call("remove", syscall.EIO, func() error {
		delete(s.files, name)
		return os.Remove(name)
	})
}

func (s *system) SyncFolder(string) error {
	return s.call("flush the folder", syscall.EIO, func() error {
		s.renames = nil
		return nil
	})
}

// file is an open file.
type file struct {
	*os.File
	system  *system
	flushed int64 // bytes that survive
}

func (f *file) Write(p []byte) (int, error) {
	s := f.system
	s.mu.Lock()
	defer s.mu.Unlock()
	wrong, err := s.step("write")
	switch {
	case err != nil:
		return 0, err
	case wrong == none:
		return f.File.Write(p)
	case wrong == fails:
		return 0, syscall.ENOSPC
	}
	n, err := f.File.Write(p[:len(p)/2])
	switch {
	case err != nil:
		return n, err
	case wrong == torn:
		s.crash()
		return n, errCrashed
	case wrong == partial:
		return n, syscall.ENOSPC
	}
	return n, nil
}

func (f *file) Truncate(size int64) error {
	return f.system.call("truncate", syscall.EIO, func() error {
		f.flushed = min(f.flushed, size)
		return f.File.Truncate(size)
	})
}

func (f *file) Chmod(permissions fs.FileMode) error {
	return f.system.call("set permissions", syscall.EPERM, func() error { return f.File.Chmod(permissions) })
}

func (f *file) Sync() error {
	return f.system.call("flush", syscall.EIO, func() error {
		info, err := f.Stat()
		if err != nil {
			return fmt.Errorf("flush: %w", err)
		}
		f.flushed = info.Size()
		return nil
	})
}

// Close gives the file back in any case, so that no test runs out of them.
func (f *file) Close() error {
	closed := f.File.Close()
	return f.system.call("close", syscall.EIO, func() error { return closed })
}
