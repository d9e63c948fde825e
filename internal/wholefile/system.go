package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// System is what changes files. Everything that can fail while a file is written goes
// through it, one step for each call.
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

// machine is the system that there is.
type machine struct{}

func (machine) Open(name string, flag int, permissions fs.FileMode) (File, error) {
	file, err := os.OpenFile(name, flag, permissions)
	if err != nil {
		return nil, err // and no File that holds a nil
	}
	return file, nil
}

func (machine) Rename(from, to string) error { return os.Rename(from, to) }

func (machine) Remove(name string) error { return os.Remove(name) }

// SyncFolder makes a rename last. It does what it can: Windows has no such call, some
// file systems refuse it, and a folder that may be written need not be readable.
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
