package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra/doc"

	"tengen/internal/longtest"
	"tengen/internal/suite"
	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
)

// What commands write by themselves, each over what it has written before.
func TestInterruptedOutput(t *testing.T) {
	longtest.Alone(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	write := func(command ...string) func(wholefile.Disk, string) error {
		return func(disk wholefile.Disk, dir string) error {
			args := append([]string{}, command...)
			last := len(args) - 1
			args[last] = filepath.Join(dir, args[last])
			var out, errOut bytes.Buffer
			root := newRoot(&app{out: &out, err: &errOut, disk: disk})
			root.SetArgs(args)
			if err := root.ExecuteContext(t.Context()); err != nil {
				return fmt.Errorf("%v: %w", command, err)
			}
			return nil
		}
	}
	record := func(move string) string {
		path := filepath.Join(t.TempDir(), "game.sgf")
		if err := os.WriteFile(path, []byte("(;GM[1]FF[4]SZ[3:1]RU[NoGo];B["+move+"])"), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, w := range []faulty.Writer{
		{
			Name: "plot", Before: faulty.Files(t, write("value", "..x", "--strips", "none", "--plot", "plot.svg")),
			Write: write("value", ".x.", "--strips", "none", "--plot", "plot.svg"),
		},
		{
			Name: "record of an answer", Before: faulty.Files(t, write("solve", "go", "1x2", "--record", "answer.sgf")),
			Write: write("solve", "go", "1x3", "--record", "answer.sgf"),
		},
		{
			Name: "picture", Before: faulty.Files(t, write("solve", "nogo", "1x3", "--picture", "board.svg")),
			Write: write("solve", "nogo", "1x4", "--picture", "board.svg"),
		},
		{
			Name: "book", Before: faulty.Files(t, write("book", "build", "nogo", "2x3", "-o", "first.book")),
			Write: write("book", "build", "nogo", "2x2", "-o", "first.book"),
		},
		{Name: "suite", Before: map[string][]byte{"made.suite": []byte("old")}, Write: func(disk wholefile.Disk, dir string) error {
			set, err := suite.Standard()
			if err != nil {
				return err
			}
			m := &makeSuite{app: &app{disk: disk}, output: filepath.Join(dir, "made.suite")}
			return m.write(set)
		}},
		{
			Name: "judged record", Before: faulty.Files(t, write("annotate", record("aa"), "-o", "judged.sgf")),
			Write: write("annotate", record("ba"), "--again", "-o", "judged.sgf"),
		},
		{
			Name: "answers of a list", Before: faulty.Files(t, write(answered(t, "...")...)),
			Write: write(answered(t, ".x.")...),
		},
		{Name: "manual pages", Write: func(disk wholefile.Disk, dir string) error {
			pages, _, err := newRoot(&app{}).Find([]string{"proof"})
			if err != nil {
				return err
			}
			return writePages(disk, pages, &doc.GenManHeader{Title: "TENGEN", Section: "1", Date: &time.Time{}}, dir)
		}},
	} {
		faulty.Interrupt(t, w)
	}
}

// fullDisk takes no byte.
type fullDisk struct{}

func (fullDisk) Open(name string, flag int, permissions fs.FileMode) (wholefile.File, error) {
	file, err := os.OpenFile(name, flag, permissions)
	return fullFile{file}, err
}
func (fullDisk) Rename(from, to string) error { return os.Rename(from, to) }
func (fullDisk) Remove(name string) error     { return os.Remove(name) }
func (fullDisk) SyncFolder(string) error      { return nil }

type fullFile struct{ *os.File }

func (fullFile) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// The answer is printed whatever becomes of the files that are written beside it.
func TestAnswerDespiteAFullDisk(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, test := range []struct {
		args         []string
		answer, json string
	}{
		{[]string{"value", "..x", "--strips", "none", "--plot", "plot.svg"}, "value          *", `"canonical":"*"`},
		{[]string{"solve", "nogo", "1x3", "--picture", "board.svg"}, "Black to play: black wins", `"winner":"black"`},
		{[]string{"solve", "go", "1x3", "--picture", "board.png"}, "Black to play: black wins by 3", `"score":3`},
		{[]string{"solve", "go", "1x3", "--record", "answer.sgf"}, "Black to play: black wins by 3", `"score":3`},
	} {
		for _, want := range []string{test.answer, test.json} {
			args := append([]string{}, test.args...)
			args[len(args)-1] = filepath.Join(t.TempDir(), args[len(args)-1])
			if want == test.json {
				args = append(args, "--json")
			}
			var out, errOut bytes.Buffer
			root := newRoot(&app{out: &out, err: &errOut, disk: wholefile.On(fullDisk{})})
			root.SetArgs(args)
			err := root.ExecuteContext(t.Context())
			if code := exitCode(err, &errOut); code != exitInput || !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%v: exit code %d, %v", args, code, err)
			}
			if !strings.Contains(out.String(), want) {
				t.Errorf("%v: no %q in %q", args, want, out.String())
			}
		}
	}
}

// A certificate that cannot be written takes nothing from the answer either. The place is
// taken by a folder when the search has begun.
func TestAnswerDespiteALostCertificate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "proof")
	var out bytes.Buffer
	errOut := writerFunc(func(said []byte) (int, error) {
		if bytes.HasPrefix(said, []byte("method ")) {
			if err := os.MkdirAll(filepath.Join(path, "full"), 0o777); err != nil {
				t.Error(err)
			}
		}
		return len(said), nil
	})
	code := Main([]string{"solve", "nogo", "3x3", "--memory", "64MiB", "--certificate", path}, nil, &out, errOut)
	if said := out.String(); code != exitInput || !strings.Contains(said, "Black to play: black wins\n") || !strings.Contains(said, "\nline ") || strings.Contains(said, "certificate") {
		t.Errorf("exit code %d, %q", code, said)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(data []byte) (int, error) { return f(data) }
