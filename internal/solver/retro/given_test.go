package retro

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
)

// valuesOf solves a board and writes its values as docs/checker/area.cu does.
func valuesOf(t testing.TB, size board.Size) []byte {
	t.Helper()
	o := Options{Size: size}
	if err := o.prepare(); err != nil {
		t.Fatal(err)
	}
	s, err := newSolver(context.Background(), o)
	defer s.free()
	if err == nil {
		err = s.solve()
	}
	if err != nil {
		t.Fatal(err)
	}
	file := append([]byte(givenMagic), givenVersion, byte(size.Rows), byte(size.Cols), 0)
	for rank := range s.index.boards {
		e := entry(s.values.field(rank))
		file = append(file, byte(e.value(0, 0)+offset), byte(e.value(0, 1)+offset))
	}
	for slot := range s.directory.keys {
		file = append(file, byte(koEntry(s.koValues.field(uint64(slot))).value(0)+offset))
	}
	return signed(file)
}

// signed appends the checksum.
func signed(file []byte) []byte {
	sum := fnv.New64a()
	_, _ = sum.Write(file)
	return binary.LittleEndian.AppendUint64(file, sum.Sum64())
}

// built is the table of a board, with values found or taken from a file.
func built(t testing.TB, o Options) ([]byte, error) {
	t.Helper()
	var out bytes.Buffer
	_, err := Write(context.Background(), &out, o)
	return out.Bytes(), err
}

func write(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "values")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A table of values from a file is the table of a search, byte for byte, whether values are
// packed or not.
func TestTableOfGivenValues(t *testing.T) {
	for _, size := range []board.Size{{Rows: 1, Cols: 1}, {Rows: 1, Cols: 9}, {Rows: 2, Cols: 5}, {Rows: 3, Cols: 3}, {Rows: 3, Cols: 4}} {
		want, err := built(t, Options{Size: size})
		if err != nil {
			t.Fatal(err)
		}
		given := Options{Size: size, Values: write(t, valuesOf(t, size)), Threads: 2}
		for _, memory := range []int64{0, Need(given).Least + 1<<10} {
			given.Memory = memory
			if got, err := built(t, given); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s with %d bytes of memory: %d other bytes than %d, %v", size, memory, len(got), len(want), err)
			}
		}
	}
}

// Values that another program has found are those of the search. The program is for
// graphics cards; on a processor it does the same.
func TestOtherProgramFindsTheSameValues(t *testing.T) {
	area := longtest.Program(t, "../../../docs/checker/area.cu")
	for _, size := range []board.Size{{Rows: 1, Cols: 2}, {Rows: 1, Cols: 10}, {Rows: 2, Cols: 2}, {Rows: 2, Cols: 6}, {Rows: 3, Cols: 3}, {Rows: 3, Cols: 4}, {Rows: 3, Cols: 5}} {
		path := filepath.Join(t.TempDir(), "values")
		rows, cols, _ := strings.Cut(size.String(), "x")
		if out, err := exec.Command(area, rows, cols, path).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, valuesOf(t, size)) {
			t.Errorf("%s: the other program finds other values, %v", size, err)
		}
	}
}

// Files that are no values of the board are refused with a sentence.
func TestRefusedValues(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 4}
	good := valuesOf(t, size)
	altered := func(at int, b byte) []byte {
		data := bytes.Clone(good)
		data[at] = b
		return data
	}
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"nothing", "is not a file of values", nil},
		{"another file", "is not a file of values", []byte("tengenTB and more")},
		{"another version", "is of version 2, this program reads version 1", altered(8, 2)},
		{"another board", "has the values of 2x5, not of 2x4", altered(10, 5)},
		{"too short", "the values of 2x4 are", good[:len(good)-1]},
		{"too long", "the values of 2x4 are", append(bytes.Clone(good), 0)},
		{"an altered value", "it is cut short or altered", altered(100, good[100]^1)},
		{"an altered checksum", "it is cut short or altered", altered(len(good)-1, good[len(good)-1]^1)},
		{"an impossible value", "it is cut short or altered", signed(altered(100, offset+9)[:len(good)-givenSum])},
	} {
		if _, err := built(t, Options{Size: size, Values: write(t, c.data)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	distances := Options{Size: size, Values: write(t, good), Distance: true}
	if _, err := built(t, distances); err == nil || !strings.Contains(err.Error(), "without distances") {
		t.Errorf("distances: %v", err)
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Write(stopped, new(bytes.Buffer), Options{Size: size, Values: write(t, good)}); err != context.Canceled {
		t.Errorf("stopped: %v", err)
	}
}

func FuzzValues(f *testing.F) {
	size := board.Size{Rows: 2, Cols: 2}
	good := valuesOf(f, size)
	f.Add(good)
	f.Add(good[:20])
	want, err := built(f, Options{Size: size})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := built(t, Options{Size: size, Values: write(t, data)})
		if err == nil && bytes.Equal(data, good) != bytes.Equal(got, want) {
			t.Errorf("%d bytes make another table", len(data))
		}
	})
}
