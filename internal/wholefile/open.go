package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

var errNotRegular = errors.New("it is not a regular file")

// Open opens a file for reading. It refuses a pipe: opening one would wait for its
// other end, and the wait could not be interrupted.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	return os.Open(name)
}

// CheckRegular refuses to read what would block, such as a pipe.
func CheckRegular(what, name string) error {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s %s is not a regular file", what, name)
	}
	return nil
}
