// Package wholefile writes all files of the program. A file is written under a temporary
// name, flushed to the disk and renamed, and then its folder is flushed. So its name
// leads to the old file or to the new one, whatever fails and whenever the machine stops.
//
// Links are followed and not replaced. A device, a pipe and anything else that is not a
// regular file is refused. A new file has the permissions that the umask leaves. A file
// that replaces another keeps its permissions, unless it is written as private.
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

// Disk writes files. The zero value is the disk of the machine. Tests use one that fails.
type Disk struct{ system System }

// On is a disk that changes files through a System.
func On(s System) Disk { return Disk{s} }

func (d Disk) sys() System {
	if d.system == nil {
		return machine{}
	}
	return d.system
}

// Write writes a file. Its error names the file. After an error the old file is unchanged
// and no temporary file is left. There is one exception: if only the flush of the folder
// failed, the new file is in place.
func (d Disk) Write(name string, data []byte) error {
	return d.Stream(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WritePrivate is Write for a file that only this user may read, even if others could
// read the file that it replaces.
func (d Disk) WritePrivate(name string, data []byte) error {
	w, err := d.begin(name, 0o600)
	if err != nil {
		return err
	}
	w.private = true
	if _, err := w.Write(data); err != nil {
		w.Abort()
		return err
	}
	return w.Commit()
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

// Writer is an unfinished file. Commit gives it its name, Abort removes it.
type Writer struct {
	name   string // as given
	target string
	system System
	file   File
	out    *bufio.Writer
	over   bool

	private bool
}

// bufferSize is the number of bytes that are written to the disk at once.
const bufferSize = 1 << 18

// Create begins a file.
func (d Disk) Create(name string) (*Writer, error) { return d.begin(name, 0o666) }

func (d Disk) begin(name string, permissions fs.FileMode) (*Writer, error) {
	target, err := Target(name)
	if err != nil {
		return nil, err
	}
	w := &Writer{name: name, target: target, system: d.sys()}
	if w.file, err = create(w.system, temporary(target), permissions); err != nil {
		return nil, w.failed(err)
	}
	w.out = bufio.NewWriterSize(w.file, bufferSize)
	return w, nil
}

// create makes a temporary file under a name that no other writer uses.
func create(s System, begin string, permissions fs.FileMode) (File, error) {
	for try := 0; ; try++ {
		file, err := s.Open(fmt.Sprintf("%s%08x%s", begin, rand.Uint32(), ending), os.O_WRONLY|os.O_CREATE|os.O_EXCL, permissions)
		if errors.Is(err, fs.ErrExist) && try < 100 {
			continue
		}
		return file, err
	}
}

// The names of temporary files end with ending and begin with temporary.
const ending = ".tmp"

func temporary(target string) string {
	const longest = 200 // bytes; most systems allow 255
	base := filepath.Base(target)
	if len(base) > longest {
		base = base[:longest]
		for !utf8.ValidString(base) && len(base) > longest-utf8.UTFMax {
			base = base[:len(base)-1]
		}
	}
	return filepath.Join(filepath.Dir(target), "."+base+".")
}

// Write adds to the file. After an error Commit returns the same error.
func (w *Writer) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	if err != nil {
		err = w.failed(err)
	}
	return n, err
}

// Commit gives the file its name. After an error the file is aborted.
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

// likeBefore sets the permissions to those of the file that is replaced.
func (w *Writer) likeBefore() error {
	old, err := os.Stat(w.target)
	if err != nil || w.private {
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

// failed names the file in an error, not the temporary file, whose name means nothing to
// the user.
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

// Append opens a file that grows over several runs. It keeps the first behind bytes, cuts
// off the rest, and writes after them. Place gives the file its final name.
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

// Place gives a file its final name. The file must be flushed and closed. The name must
// be a Target in the same folder.
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

// Remove removes a file.
func (d Disk) Remove(name string) error {
	if err := d.sys().Remove(name); err != nil {
		return failed(name, err)
	}
	return nil
}

// Clean removes the temporary files of a writer that was killed. The caller must hold the
// lock, so that no other writer is at work.
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
