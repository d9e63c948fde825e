package wholefile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxLinks bounds a chain of links, as systems do.
const maxLinks = 40

// Target is the regular file that a name leads to over links, or will once it is
// written.
func Target(name string) (string, error) {
	if name == "" {
		return "", errors.New("the name of the file is empty")
	}
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

// Check finds out before any work whether a file could be written after it, and what is
// the matter if not. A file that is there must be one that ours accepts: it is replaced,
// and any other is refused. A nil ours accepts every file.
func (d Disk) Check(what, name string, ours func(name string) error) error {
	target, err := Target(name)
	switch {
	case name == "":
		return fmt.Errorf("the name of the %s is empty", what)
	case err != nil:
		return fmt.Errorf("%s %w", what, err)
	}
	if err := d.checkFolder(target); err != nil {
		return fmt.Errorf("%s %s: %w", what, name, err)
	}
	if _, err := os.Stat(target); ours == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := ours(target); err != nil {
		return fmt.Errorf("%s %s exists and is not a %s that may be replaced: %w", what, name, what, err)
	}
	return nil
}

// checkFolder makes a file and removes it.
func (d Disk) checkFolder(target string) error {
	dir := filepath.Dir(target)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no directory %s", dir)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	}
	probe, err := create(d.sys(), temporary(target))
	if err != nil {
		return &fs.PathError{Op: "no file can be made in", Path: dir, Err: errors.Unwrap(err)}
	}
	closed := probe.Close()
	if err := cmp.Or(d.sys().Remove(probe.Name()), closed); err != nil {
		return failed(dir, err)
	}
	return nil
}
