package wholefile

import (
	"errors"
	"io/fs"
	"os"
)

var errNotRegular = errors.New("it is not a regular file")

// Open opens a file to be read. A pipe is refused: opening it would wait for its other
// end, and nothing ends that wait.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	return os.Open(name)
}
