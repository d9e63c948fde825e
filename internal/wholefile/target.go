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

// Target is the regular file that a name leads to through links. The file need not exist
// yet.
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
		if err != nil { // not a link: the end of the chain, whether it exists or not
			return target, nil
		}
		if !filepath.IsAbs(link) {
			// The path is not cleaned: if the directory is a link, ".." leads elsewhere.
			link = filepath.Dir(target) + string(filepath.Separator) + link
		}
		target = link
	}
	return "", fmt.Errorf("%s leads through too many links", name)
}

// Check reports, before any work, why a file could not be written at the end of it. An
// existing file will be replaced, so it must be one that ours accepts. A nil ours
// accepts every file.
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

// checkFolder checks that files can be made in a folder: it makes one and removes it.
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
	probe, err := create(d.sys(), temporary(target), 0o666)
	if err != nil {
		return &fs.PathError{Op: "no file can be made in", Path: dir, Err: errors.Unwrap(err)}
	}
	closed := probe.Close()
	if err := cmp.Or(d.sys().Remove(probe.Name()), closed); err != nil {
		return failed(dir, err)
	}
	return nil
}
