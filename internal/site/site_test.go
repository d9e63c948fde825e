package site

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/internal/web"
	"tengen/internal/wholefile"
)

var small = Options{Version: `v1 "x"`, Memory: 64 << 20, Program: Program{Packed: []byte("program"), Script: []byte("script")}}

// A folder has every file, twice the same; the page names the version and the memory, and the
// list of files to keep names everything but itself.
func TestWrite(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "site")
	list, err := Write(folder, small)
	if err != nil {
		t.Fatal(err)
	}
	before := map[string]string{}
	for _, f := range list {
		data, err := os.ReadFile(filepath.Join(folder, f.Name))
		if err != nil || int64(len(data)) != f.Bytes {
			t.Errorf("%s has %d bytes, not %d: %v", f.Name, len(data), f.Bytes, err)
		}
		before[f.Name] = string(data)
	}
	if list[len(list)-1].Name != index {
		t.Errorf("%s comes last, not the page", list[len(list)-1].Name)
	}
	page := before[index]
	if !strings.Contains(page, `data-version="v1 &#34;x&#34;" data-memory="67108864"`) || strings.Index(page, "local.js") > strings.Index(page, "assets/") {
		t.Errorf("the page does not begin with its server:\n%s", page)
	}
	for name := range before {
		if kept := strings.Contains(before["offline.js"], `"./`+name+`"`); kept != (name != "offline.js") {
			t.Errorf("%s is kept for offline use: %t", name, kept)
		}
	}
	if _, err := Write(folder, small); err != nil {
		t.Fatal(err)
	}
	other := small
	other.Program.Packed = []byte("another")
	again, err := contents(other)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range again {
		changed := c.name == mark || c.name == "offline.js"
		if (before[c.name] != string(c.data)) != changed {
			t.Errorf("%s with another program: changed is %t", c.name, !changed)
		}
	}
}

// Files of somebody else are not touched, and a site that was cut short does not open.
func TestWriteRefuses(t *testing.T) {
	folder := t.TempDir()
	if err := (wholefile.Disk{}).Write(filepath.Join(folder, "thesis.tex"), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(folder, small); err == nil || !strings.Contains(err.Error(), "holds other files") {
		t.Errorf("a folder of other files: %v", err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("%d files are in it now", len(entries))
	}
	file := filepath.Join(folder, "thesis.tex")
	if _, err := Write(file, small); err == nil {
		t.Error("a file was taken for a folder")
	}
}

func TestPack(t *testing.T) {
	plain := bytes.Repeat([]byte("tengen"), 10_000)
	packed, err := web.Pack(plain)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if back, err := io.ReadAll(r); err != nil || !bytes.Equal(back, plain) {
		t.Errorf("%d bytes come back of %d: %v", len(back), len(plain), err)
	}
}
