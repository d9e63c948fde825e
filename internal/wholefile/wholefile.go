// Package wholefile is the one way in which files are written. A file is made beside
// its place, flushed to the disk and renamed, and then its folder is flushed: whatever
// fails and whenever the machine stops, its name leads to the old file or to the new
// one.
//
// Links are followed and stay. What is not a regular file, such as a device or a pipe, is
// refused and never replaced. A new file has the permissions that the umask leaves, and
// one that replaces another has those of the other.
package wholefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Disk writes files. The zero value is the disk of the machine; tests write to one that
// fails.
type Disk struct{ system System }

// On is a disk that reaches files through a system.
func On(s System) Disk { return Disk{s} }

func (d Disk) sys() System {
	if d.system == nil {
		return machine{}
	}
	return d.system
}

// Write puts a file in place. After an error, which names the file, what had its name is
// as it was and nothing is left beside it; only if the folder alone could not be flushed
// is the new file there.
func (d Disk) Write(name string, data []byte) error {
	return d.Stream(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Stream is Write for a file that does not fit memory.
func (d Disk) Stream(name string, write func(io.Writer) error) error {
	w, err := d.Create(name)
	if err != nil {
		return err
	}
	if err := write(w); err != nil {
		w.Abort()
		return err
	}
	return w.Commit()
}

// Writer is a file under way: Commit puts it in place, Abort removes it.
type Writer struct {
	name   string // as given
	target string
	system System
	file   File
	out    *bufio.Writer
	over   bool
}

// bufferSize is what goes to the disk at once.
const bufferSize = 1 << 18

// Create begins a file.
func (d Disk) Create(name string) (*Writer, error) {
	target, err := Target(name)
	if err != nil {
		return nil, err
	}
	w := &Writer{name: name, target: target, system: d.sys()}
	if w.file, err = create(w.system, temporary(target)); err != nil {
		return nil, w.failed(err)
	}
	w.out = bufio.NewWriterSize(w.file, bufferSize)
	return w, nil
}

// create makes a temporary file, which no other writer has.
func create(s System, begin string) (File, error) {
	for try := 0; ; try++ {
		file, err := s.Open(fmt.Sprintf("%s%08x%s", begin, rand.Uint32(), ending), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) && try < 100 {
			continue
		}
		return file, err
	}
}

// ending and temporary are what the names of temporary files end and begin with.
const ending = ".tmp"

func temporary(target string) string {
	const longest = 200 // of the 255 bytes that names have on most systems
	base := filepath.Base(target)
	if len(base) > longest {
		base = base[:longest]
		for !utf8.ValidString(base) && len(base) > longest-utf8.UTFMax {
			base = base[:len(base)-1]
		}
	}
	return filepath.Join(filepath.Dir(target), "."+base+".")
}

// Write adds to the file. Its error comes again from Commit.
func (w *Writer) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	if err != nil {
		err = w.failed(err)
	}
	return n, err
}

// Commit puts the file in place. After an error it is aborted.
func (w *Writer) Commit() error {
	if err := w.commit(); err != nil {
		w.Abort()
		return w.failed(err)
	}
	return nil
}

func (w *Writer) commit() error {
	if err := w.out.Flush(); err != nil {
		return err
	}
	if err := w.likeBefore(); err != nil {
		return err
	}
	if err := w.file.Sync(); err != nil {
		return err
	}
	if err := w.file.Close(); err != nil {
		return err
	}
	if err := w.system.Rename(w.file.Name(), w.target); err != nil {
		return err
	}
	w.over = true
	return w.system.SyncFolder(filepath.Dir(w.target))
}

// likeBefore takes over the permissions of the file that is replaced.
func (w *Writer) likeBefore() error {
	old, err := os.Stat(w.target)
	if err != nil {
		return nil
	}
	if now, err := os.Stat(w.file.Name()); err == nil && now.Mode().Perm() == old.Mode().Perm() {
		return nil
	}
	return w.file.Chmod(old.Mode().Perm())
}

// Abort gives up and leaves nothing behind. After Commit it does nothing.
func (w *Writer) Abort() {
	if w.over {
		return
	}
	w.over = true
	_ = w.file.Close()
	_ = w.system.Remove(w.file.Name())
}

// failed names the file, and not the temporary one, which would tell nobody anything.
func (w *Writer) failed(err error) error { return failed(w.name, err) }

func failed(name string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path) && path.Path == name:
		return err
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return &fs.PathError{Op: "write", Path: name, Err: err}
}

// Append opens a file that grows over several runs, behind its first bytes. It gets its
// final name from Place.
func (d Disk) Append(name string, behind int64) (File, error) {
	file, err := d.sys().Open(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	err = file.Truncate(behind)
	if err == nil {
		_, err = file.Seek(behind, io.SeekStart)
	}
	if err != nil {
		_ = file.Close()
		return nil, failed(name, err)
	}
	return file, nil
}

// Place gives a file that was flushed and closed its final name. The name must be a
// Target in the same folder.
func (d Disk) Place(file, target string) error {
	err := d.sys().Rename(file, target)
	if err == nil {
		err = d.sys().SyncFolder(filepath.Dir(target))
	}
	if err != nil {
		return failed(target, err)
	}
	return nil
}

// Remove takes a file away.
func (d Disk) Remove(name string) error {
	if err := d.sys().Remove(name); err != nil {
		return failed(name, err)
	}
	return nil
}

// Clean removes what a writer that was killed has left beside a file. No other may be
// writing it, so a lock must be held.
func (d Disk) Clean(name string) {
	target, err := Target(name)
	if err != nil {
		return
	}
	entries, err := os.ReadDir(filepath.Dir(target))
	if err != nil {
		return
	}
	for _, entry := range entries {
		middle, mine := strings.CutPrefix(entry.Name(), filepath.Base(temporary(target)))
		middle, whole := strings.CutSuffix(middle, ending)
		if mine && whole && len(middle) == 8 && entry.Type().IsRegular() {
			_ = d.sys().Remove(filepath.Join(filepath.Dir(target), entry.Name()))
		}
	}
}
