package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
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
