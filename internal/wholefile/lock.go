package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"runtime"

	"github.com/gofrs/flock"
)

// Held is the error about a file that is locked by another program or by another part of
// this one.
type Held struct{ Name string }

func (h *Held) Error() string {
	return h.Name + " is being written by another program: wait for its end, or take another file"
}

// Lock keeps others from writing a file while it is made. It is a lock of the operating
// system on a file beside it. So the lock ends when the program ends, even by a crash.
type Lock struct{ lock *flock.Flock }

// Acquire locks a file, which need not exist, or returns *Held at once. If the file
// system has no locks, the file is not locked and Acquire returns a nil Lock.
func Acquire(name string) (*Lock, error) {
	target, err := Target(name)
	if err != nil {
		return nil, err
	}
	for {
		l := flock.New(target+".lock", flock.SetPermissions(0o666))
		locked, err := l.TryLock()
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			_ = l.Close()
			return nil, nil
		case err != nil:
			return nil, failed(name, err)
		case !locked:
			_ = l.Close()
			return nil, &Held{name}
		}
		// The last holder of the lock may have removed the file after it was opened here.
		mine, err := l.Stat()
		if err == nil {
			var there os.FileInfo
			if there, err = os.Stat(l.Path()); err == nil && os.SameFile(mine, there) {
				return &Lock{l}, nil
			}
		}
		_ = l.Close()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, failed(name, err)
		}
	}
}

// Release removes the lock. It may be called on nil.
func (l *Lock) Release() {
	if l == nil {
		return
	}
	// The file is removed while it is still locked, so that it is not the file of a later
	// lock. Windows does not remove open files, so there the lock is released first.
	if runtime.GOOS == "windows" {
		_ = l.lock.Close()
	}
	_ = os.Remove(l.lock.Path())
	_ = l.lock.Close()
}
