//go:build unix

package store

import (
	"errors"
	"syscall"
)

// isReadOnly reports a file system that cannot be written to.
func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
