//go:build !js

package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"tengen/engine/job"
)

// dist is the page as vite builds it. The files are read once, when a server begins, so a
// request can only name one of them.
//
//go:embed all:page/dist
var dist embed.FS

// Page is the page as files.
func Page() (fs.FS, error) { return fs.Sub(dist, "page/dist") }

// tables is where tables of Go are kept.
const tables = job.Cache

// levelTime is the least time of a move below full strength. A server needs none.
const levelTime = 0

// asset is a file of the page.
type asset struct {
	name, kind, cache string
	content           []byte
	packed            []byte // by gzip; nil where that saves nothing
}

// hashed matches the names of files that never change: their name has a hash of the
// content.
var hashed = regexp.MustCompile(`^/assets/.*-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$`)

// kinds are content types that must not depend on the machine's tables.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".woff2": "font/woff2",
	".json": "application/json", ".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8",
}

// readPage lists the files by the paths under which they are asked for.
func readPage() (map[string]asset, error) {
	page := map[string]asset{}
	root, err := Page()
	if err != nil {
		return nil, err
	}
	err = fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		a := asset{name: name, kind: kindOf(name), cache: "no-cache", content: content}
		if hashed.MatchString("/" + name) {
			a.cache = "public, max-age=31536000, immutable"
		}
		packed, err := Pack(content)
		if len(packed) <= len(content)*9/10 {
			a.packed = packed
		}
		page["/"+name] = a
		return err
	})
	if _, found := page["/index.html"]; err == nil && !found {
		err = fmt.Errorf("the program was built without its page")
	}
	page["/"] = page["/index.html"]
	return page, err
}

// Pack compresses a file by gzip. A server does so once, so that no request waits for it.
func Pack(content []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// takesGzip reports whether a client reads gzip. Ranges are of the file as it is.
func takesGzip(r *http.Request) bool {
	if r.Header.Get("Range") != "" {
		return false
	}
	named, others := false, false
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		coding, weight, _ := strings.Cut(part, ";")
		weight = strings.TrimSpace(weight)
		value, err := strconv.ParseFloat(strings.TrimPrefix(weight, "q="), 64)
		taken := weight == "" || err == nil && value > 0
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip", "x-gzip":
			if !taken {
				return false
			}
			named = true
		case "*":
			others = taken
		}
	}
	return named || others
}

func kindOf(name string) string {
	ext := strings.ToLower(path.Ext(name))
	if kind, ok := kinds[ext]; ok {
		return kind
	}
	if kind := mime.TypeByExtension(ext); kind != "" {
		return kind
	}
	return "application/octet-stream"
}

// servePage answers with a file of the page by its exact path.
func servePage(mux *http.ServeMux) error {
	page, err := readPage()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		a, found := page[r.URL.Path]
		if !found {
			plain(w, http.StatusNotFound, "There is nothing here: the page is at / and the API under /api/v1/.")
			return
		}
		w.Header().Set("Content-Type", a.kind)
		w.Header().Set("Cache-Control", a.cache)
		content := a.content
		if a.packed != nil {
			w.Header().Set("Vary", "Accept-Encoding")
			if takesGzip(r) {
				w.Header().Set("Content-Encoding", "gzip")
				content = a.packed
			}
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	})
	return err
}
