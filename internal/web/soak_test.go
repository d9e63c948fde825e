package web

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"tengen/internal/longtest"
)

// Mixed traffic for ten minutes, of which the first warms up: then neither goroutines nor
// the heap grow.
func TestSoak(t *testing.T) {
	longtest.Skip(t)
	const all, warm, pause = 10 * time.Minute, time.Minute, 40 * time.Millisecond
	server := start(t, func(o *Options) { o.Time = 2 * time.Second })
	rng := rand.New(rand.NewPCG(1, 2))
	asked := map[string]int{}
	begin := time.Now()
	var before measured
	for time.Since(begin) < all {
		if before.goroutines == 0 && time.Since(begin) > warm {
			before = measure()
		}
		name, body := traffic(rng)
		asked[name]++
		if name == "analyse" && rng.IntN(3) == 0 {
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond) // who goes away
			_, _ = listen(t, ctx, server.URL, hard, func(event) bool { return true })
			cancel()
		} else if status := send(t, server.URL, name, body); status >= 500 {
			t.Errorf("%s %s: %d", name, body, status)
		}
		time.Sleep(pause)
	}
	within(t, 5*time.Second, "all work is over", func() bool {
		return metric(t, server, "tengen_analyses_running") == 0 && metric(t, server, "tengen_short_running") == 0
	})
	after := measure()
	t.Logf("%v in %s: %d goroutines and %d KiB of heap after a minute, %d and %d KiB at the end",
		asked, all, before.goroutines, before.heap>>10, after.goroutines, after.heap>>10)
	if after.goroutines > before.goroutines+2 || after.heap > before.heap+before.heap/4+4<<20 {
		t.Errorf("from %+v to %+v", before, after)
	}
}

type measured struct {
	goroutines int
	heap       uint64
}

func measure() measured {
	http.DefaultClient.CloseIdleConnections()
	time.Sleep(100 * time.Millisecond)
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return measured{runtime.NumGoroutine(), m.HeapAlloc}
}

// traffic is a request: right, wrong, known and new ones of all kinds.
func traffic(rng *rand.Rand) (name, body string) {
	size := []string{"2x3", "3x3", "2x5", "3x4", "1x9"}[rng.IntN(5)]
	move := fmt.Sprintf("%c%d", 'A'+rng.IntN(3), 1+rng.IntN(2))
	question := fmt.Sprintf(`"game":"nogo","size":"%s","moves":["%s"]`, size, move)
	switch rng.IntN(11) {
	case 0, 1:
		return "probe", "{" + question + "}"
	case 2:
		return "position", "{" + question + "}"
	case 3, 4:
		return "analyse", "{" + question + `,"estimates":true}`
	case 5:
		return "analyse", fmt.Sprintf(`{"game":"go","size":"2x3","moves":["%s"],"lines":true}`, move)
	case 6:
		return "play", `{"game":"nogo","size":"9x9","level":1,"seconds":0.05}`
	case 7:
		return "why", "{" + question + "}"
	case 8:
		return "learn", fmt.Sprintf(`{"game":"nogo","position":"..x.%s.o.."}`, strings.Repeat(".", rng.IntN(4)))
	}
	if rng.IntN(2) == 0 {
		return "review", "{" + question + "}"
	}
	return "sgf/read", fmt.Sprintf(`(;GM[1]RU[NoGo]SZ[5:3];B[a%c];W[bb])`, 'a'+rng.IntN(5))
}

// send asks and reads the whole answer.
func send(t *testing.T, url, name, body string) int {
	t.Helper()
	response, err := http.Post(url+"/api/v1/"+name, map[bool]string{true: "application/x-go-sgf", false: "application/json"}[name == "sgf/read"], strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode
}
