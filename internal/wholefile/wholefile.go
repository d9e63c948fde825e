// Package wholefile writes files that are whole or not there: beside their place
// first, then renamed. It is for files that fit memory. Links are followed, and what is
// not a regular file, such as a device or a pipe, is never replaced.
package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts a file in place, readable by all, over what has its name. After an error,
// which names the file, that is as it was and nothing is left beside it.
func Write(name string, data []byte) error {
	target, err := Target(name)
	if err != nil {
		return err
	}
	if err := replace(target, data); err != nil {
		return &fs.PathError{Op: "write", Path: name, Err: cause(err)}
	}
	return nil
}

// maxLinks bounds a chain of links, as systems do.
const maxLinks = 40

// Target is the regular file that a name leads to over links, or will once it is
// written.
func Target(name string) (string, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", name)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	target := name
	for range maxLinks {
		link, err := os.Readlink(target)
		if err != nil { // the end of the chain, there or not
			return target, nil
		}
		if !filepath.IsAbs(link) {
			// Not cleaned: ".." leads elsewhere where the directory is a link.
			link = filepath.Dir(target) + string(filepath.Separator) + link
		}
		target = link
	}
	return "", fmt.Errorf("%s leads over too many links", name)
}

func replace(target string, data []byte) (err error) {
	file, err := os.CreateTemp(filepath.Dir(target), filepath.Base(target)+".*")
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
	return os.Rename(file.Name(), target)
}

// cause is an error without the temporary name, which would tell nobody anything.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
