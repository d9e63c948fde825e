package web

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/longtest"
	"tengen/internal/store"
	"tengen/nogo"
)

// A stranger asks for position after position: a million in the long form. The disk keeps
// the store within its size, and memory what it was.
func TestStrangerFillsNothing(t *testing.T) {
	positions := 1000
	if longtest.On() {
		positions = 1_000_000
	}
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	s, err := New(Options{Store: job.Cache, Limits: job.Limits{Memory: 128 << 20, Threads: 1, Time: time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	var next, answered atomic.Int64
	var all sync.WaitGroup
	var early measured
	var once sync.Once
	for hand := range 2 {
		rng := rand.New(rand.NewPCG(11, uint64(hand)))
		all.Go(func() {
			for n := next.Add(1); n <= int64(positions); n = next.Add(1) {
				if n > int64(positions)/10 {
					once.Do(func() { early = measure() })
				}
				body := fmt.Sprintf(`{"game":"nogo","position":"%s"}`, scattered(rng))
				r := httptest.NewRequest(http.MethodPost, "http://localhost/api/v1/analyse", strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				s.ServeHTTP(w, r)
				if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "event: done") {
					t.Errorf("%s: %d %s", body, w.Code, w.Body)
					return
				}
				answered.Add(1)
			}
		})
	}
	all.Wait()
	late := measure()
	disk := diskOf(t, cache)
	t.Logf("%d positions in %s: %d KiB on disk, of a store of at most %d KiB; heap %d KiB after a tenth, %d at the end",
		answered.Load(), time.Since(begin).Round(time.Second), disk>>10, store.Size>>10, early.heap>>10, late.heap>>10)
	if answered.Load() != int64(positions) || disk == 0 || disk > store.Size+1<<20 {
		t.Errorf("%d positions left %d bytes on disk", answered.Load(), disk)
	}
	if late.heap > early.heap+32<<20 {
		t.Errorf("the heap grew from %d to %d bytes", early.heap, late.heap)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// scattered is a position of 4×5 with most of its points taken.
func scattered(rng *rand.Rand) string {
	p := nogo.NewPosition(board.Size{Rows: 4, Cols: 5})
	for move := range 12 + rng.IntN(5) {
		c := board.Colour(move % 2)
		legal := p.Legal(c)
		if legal.IsEmpty() {
			break
		}
		skip := rng.IntN(legal.Len())
		for q := range legal.Points() {
			if skip == 0 {
				p.Stones[c].Add(q)
				break
			}
			skip--
		}
	}
	return p.Size.Line(p.Stones)
}

// diskOf is the length of all files in a folder.
func diskOf(t testing.TB, dir string) (bytes int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}
