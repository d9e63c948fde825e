package bigmem_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"tengen/internal/bigmem"
)

func TestAllocIsZeroed(t *testing.T) {
	const words = 1 << 20
	w, err := bigmem.Alloc(words, "test of bigmem")
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Data) != words {
		t.Fatalf("%d words asked for, %d given", words, len(w.Data))
	}
	for i := 0; i < words; i += 511 {
		if w.Data[i] != 0 {
			t.Fatalf("word %d is not zero", i)
		}
		w.Data[i] = ^uint64(0)
	}
	w.Data[words-1] = 7
	w.Free()
	w.Free()
	var none *bigmem.Words
	none.Free()
}

func TestAllocRefusesNothing(t *testing.T) {
	for _, n := range []int{0, -1} {
		if _, err := bigmem.Alloc(n, "nothing"); err == nil {
			t.Errorf("%d words were given", n)
		}
	}
}

// A size far beyond any address space is an error, not a crash.
func TestAllocRefusesTheImpossible(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("without mmap a huge request is a fatal error of the runtime")
	}
	w, err := bigmem.Alloc(1<<58, "everything")
	if err == nil {
		w.Free()
		t.Error("two exabytes were given")
	}
}

func TestMachineHasMemory(t *testing.T) {
	if got := bigmem.Machine(); got != 0 && got < 64<<20 {
		t.Errorf("the machine claims %d bytes", got)
	}
}

func TestMapShowsTheFile(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"empty": "", "short": "tengen", "long": string(make([]byte, 1<<17)) + "end"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := bigmem.Map(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(f.Data) != content {
			t.Errorf("%s: %d bytes mapped, not the %d of the file", name, len(f.Data), len(content))
		}
		f.Close()
		f.Close()
	}
	for _, path := range []string{dir, filepath.Join(dir, "missing")} {
		if f, err := bigmem.Map(path); err == nil {
			f.Close()
			t.Errorf("%s is mapped", path)
		}
	}
	var none *bigmem.File
	none.Close()
}
