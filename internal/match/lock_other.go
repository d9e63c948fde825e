//go:build !unix

package match

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// acquire locks a log until release. A match that was killed leaves the file behind.
func acquire(log string) (*lock, error) {
	file, err := os.OpenFile(lockName(log), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%w; if there is none, remove %s", errLocked(log), lockName(log))
	}
	if err != nil {
		return nil, err
	}
	return &lock{file}, nil
}

func (l *lock) release() {
	l.file.Close()
	os.Remove(l.file.Name())
}
