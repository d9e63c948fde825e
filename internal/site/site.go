// Package site writes the page as a folder of static files. In it the program itself,
// compiled to WebAssembly, answers the page inside the browser, with the handlers of
// internal/web.
package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"tengen/internal/net"
	"tengen/internal/web"
	"tengen/internal/wholefile"
)

// files are the scripts between the page and the program.
//
//go:embed files
var files embed.FS

// Program is the program for a browser, and the script of Go's library that starts it.
type Program struct {
	Packed []byte // WebAssembly, by gzip
	Script []byte
}

// ErrNoSource means that the program is not at hand and cannot be compiled.
var ErrNoSource = errors.New("this build of tengen has no program for the browser: take one of a release, or run this in a checkout, with Go installed")

// Compile is the program that a release has, or else it compiles the program from the
// checkout that holds the working directory. It calls started before that.
func Compile(ctx context.Context, started func()) (Program, error) {
	if p := packed(); p != nil {
		return *p, nil
	}
	list, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Path}} {{.Dir}}").Output()
	if module, _, _ := strings.Cut(string(list), " "); err != nil || module != "tengen" {
		return Program{}, ErrNoSource
	}
	started()
	folder, err := os.MkdirTemp("", "tengen-site-")
	if err != nil {
		return Program{}, err
	}
	defer os.RemoveAll(folder)
	target := filepath.Join(folder, "program.wasm")
	// A page has no connections of its own, so it needs no HTTP/2.
	build := exec.CommandContext(ctx, "go", "build", "-pgo=off", "-trimpath", "-buildvcs=false", "-tags=nethttpomithttp2", "-ldflags=-s -w", "-o", target, "tengen/internal/site/program")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return Program{}, fmt.Errorf("the program for the browser cannot be compiled: %w: %s", err, bytes.TrimSpace(said))
	}
	plain, err := os.ReadFile(target)
	if err != nil {
		return Program{}, err
	}
	var p Program
	if p.Packed, err = web.Pack(plain); err != nil {
		return Program{}, err
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return Program{}, err
	}
	p.Script, err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	return p, err
}

// Options say what a site is made of.
type Options struct {
	Version string
	Memory  int64 // of all workers of a tab
	Program Program
}

// File is a file of a site.
type File struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// mark is a file that every site has: a folder without it is not overwritten.
const mark = "program.bin"

// Check refuses a folder that is not empty, new or an earlier site.
func Check(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(filepath.Join(folder, mark)); len(entries) > 0 && err != nil {
		return fmt.Errorf("%s holds other files: give an empty folder or an earlier site", folder)
	}
	return nil
}

// Write writes a site into a folder that Check allows. index.html comes last, so that a site
// that was cut short does not open.
func Write(folder string, o Options) ([]File, error) {
	if err := Check(folder); err != nil {
		return nil, err
	}
	content, err := contents(o)
	if err != nil {
		return nil, err
	}
	var list []File
	for _, c := range content {
		name := filepath.Join(folder, filepath.FromSlash(c.name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return list, err
		}
		if err := (wholefile.Disk{}).Write(name, c.data); err != nil {
			return list, err
		}
		list = append(list, File{c.name, int64(len(c.data))})
	}
	return list, nil
}

type content struct {
	name string
	data []byte
}

const index = "index.html"

// contents are all files, index.html last.
func contents(o Options) ([]content, error) {
	results, err := web.Results()
	if err != nil {
		return nil, err
	}
	list := []content{
		{mark, o.Program.Packed},
		{"wasm_exec.js", o.Program.Script},
		{"nogo.weights", net.Weights()},
		{"api/v1/results", results}, // is shown where the program does not run, too
	}
	page, err := web.Page()
	if err != nil {
		return nil, err
	}
	ours, err := fs.Sub(files, "files")
	if err != nil {
		return nil, err
	}
	var first []byte
	for _, folder := range []fs.FS{ours, page} {
		err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := fs.ReadFile(folder, name)
			if name == index {
				first = data
			} else {
				list = append(list, content{name, data})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if first, err = localise(first, o); err != nil {
		return nil, err
	}
	list = append(list, content{index, first})
	return list, keepOffline(list)
}

// policy is that of the server, and lets workers run the program. What a header alone can
// say, such as frame-ancestors, is left out.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
	"connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"

// localise makes the page ask its own tab.
func localise(page []byte, o Options) ([]byte, error) {
	const before = "<script "
	if bytes.Count(page, []byte(before)) != 1 {
		return nil, errors.New("the page has not one script: run make page")
	}
	head := fmt.Sprintf("<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"+
		"    <meta name=\"referrer\" content=\"no-referrer\">\n"+
		"    <link rel=\"manifest\" href=\"./manifest.webmanifest\">\n"+
		"    <link rel=\"apple-touch-icon\" href=\"./icon-192.png\">\n"+
		"    <script type=\"module\" src=\"./local.js\" data-version=\"%s\" data-memory=\"%d\"></script>\n    ", policy, html.EscapeString(o.Version), o.Memory)
	return bytes.Replace(page, []byte(before), []byte(head+before), 1), nil
}

// keepOffline fills in the list of files that the browser keeps, and a name for it that
// changes with any of them.
func keepOffline(list []content) error {
	sum := sha256.New()
	names := []string{"./"}
	at := -1
	for i, c := range list {
		fmt.Fprintf(sum, "%s %d\n", c.name, len(c.data))
		sum.Write(c.data)
		if c.name == "offline.js" {
			at = i
			continue
		}
		names = append(names, "./"+c.name)
	}
	slices.Sort(names)
	text, err := json.Marshal(names)
	if at < 0 || err != nil {
		return errors.Join(errors.New("offline.js is missing"), err)
	}
	list[at].data = []byte(strings.NewReplacer(
		"{{version}}", fmt.Sprintf("%x", sum.Sum(nil)[:8]), "{{files}}", string(text)).Replace(string(list[at].data)))
	return nil
}
