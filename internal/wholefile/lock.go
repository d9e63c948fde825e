package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"runtime"

	"github.com/gofrs/flock"
)

// Held is the error of a file that another program, or another part of this one, has a
// lock on.
type Held struct{ Name string }

func (h *Held) Error() string {
	return h.Name + " is being written by another program: wait for its end, or take another file"
}

// Lock keeps others from writing a file for as long as it takes to make it. It is a lock
// of the system on a file beside it, so it ends with the program, however that comes.
type Lock struct{ lock *flock.Flock }

// Acquire locks a file, which need not be there, or returns *Held at once. Where the
// file system knows no locks there is none, and a nil Lock.
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
		// Whoever had the lock may have removed the file after it was opened here.
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
	// While it is still locked, so that it is this one that goes; Windows removes no open
	// files, those of others least of all.
	if runtime.GOOS == "windows" {
		_ = l.lock.Close()
	}
	_ = os.Remove(l.lock.Path())
	_ = l.lock.Close()
}
