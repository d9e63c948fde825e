//go:build unix

package match

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// acquire locks a log until release or the end of the process, however that comes.
func acquire(log string) (*lock, error) {
	for {
		file, err := os.OpenFile(lockName(log), os.O_CREATE|os.O_RDWR, 0o644)
		if err != nil {
			return nil, err
		}
		if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
			file.Close()
			if errors.Is(err, unix.EWOULDBLOCK) {
				return nil, errLocked(log)
			}
			return nil, &os.PathError{Op: "lock", Path: lockName(log), Err: err}
		}
		// Whoever had the lock may have removed the file after it was opened here.
		mine, err := file.Stat()
		if err == nil {
			var there os.FileInfo
			if there, err = os.Stat(lockName(log)); err == nil && os.SameFile(mine, there) {
				return &lock{file}, nil
			}
		}
		file.Close()
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
}

// release removes the file while it is still locked.
func (l *lock) release() {
	os.Remove(l.file.Name())
	l.file.Close()
}
