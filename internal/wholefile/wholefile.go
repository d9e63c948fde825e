// Package wholefile writes files that are whole or not there: beside their place
// first, then renamed. It is for files that fit memory.
package wholefile

import (
	"os"
	"path/filepath"
)

// Write puts a file in place, readable by all, over what has its name. After an error
// that is as it was and nothing is left beside it.
func Write(name string, data []byte) (err error) {
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	_, err = file.Write(data)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	if err := os.Chmod(file.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}
