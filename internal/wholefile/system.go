package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// System is the set of operations that change files. Every step that can fail while a
// file is written is one call of it, so that tests can make each step fail.
type System interface {
	Open(name string, flag int, permissions fs.FileMode) (File, error)
	Rename(from, to string) error
	Remove(name string) error
	SyncFolder(name string) error
}

// File is an open file.
type File interface {
	io.WriteSeeker
	Name() string
	Truncate(size int64) error
	Chmod(fs.FileMode) error
	Sync() error
	Close() error
}

// machine is the operating system.
type machine struct{}

func (machine) Open(name string, flag int, permissions fs.FileMode) (File, error) {
	file, err := os.OpenFile(name, flag, permissions)
	if err != nil {
		return nil, err // not a File with a nil pointer in it
	}
	return file, nil
}

func (machine) Rename(from, to string) error { return os.Rename(from, to) }

func (machine) Remove(name string) error { return os.Remove(name) }

// SyncFolder flushes a folder, so that a rename survives a crash. It does nothing
// where that is impossible: Windows has no such call, some file systems refuse it,
// and a folder that may be written need not be readable.
func (machine) SyncFolder(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(name)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
