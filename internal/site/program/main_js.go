// Command program is the server of the page inside a browser. A worker runs it and gives it
// the requests of the page, which are answered by the handlers of tengen serve.
package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall/js"

	"tengen/engine/job"
	"tengen/internal/web"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run defines the function tengen(method, path, headers, body, head, piece, end), which
// answers one request and returns a function that cancels it. The worker gives the version
// and the bytes of memory as arguments.
func run() error {
	if len(os.Args) != 3 {
		return fmt.Errorf("give a version and the memory, not %q", os.Args[1:])
	}
	memory, err := strconv.ParseInt(os.Args[2], 10, 64)
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(memory)
	server, err := web.New(web.Options{
		Version:  os.Args[1],
		Limits:   job.Limits{Memory: memory / 4 * 3, Threads: 1},
		Parallel: 1,
		Hosts:    []string{"*"},
	})
	if err != nil {
		return err
	}
	js.Global().Set("tengen", js.FuncOf(func(_ js.Value, args []js.Value) any {
		ctx, cancel := context.WithCancel(context.Background())
		request, err := read(ctx, args)
		answer := &writer{header: http.Header{}, head: args[4], piece: args[5]}
		stop := js.FuncOf(func(js.Value, []js.Value) any {
			cancel()
			return nil
		})
		go func() {
			defer stop.Release()
			defer cancel()
			defer args[6].Invoke()
			defer func() {
				_ = recover() // the handler has said what is wrong, or the answer ends here
			}()
			if err != nil {
				http.Error(answer, err.Error(), http.StatusBadRequest)
				return
			}
			server.ServeHTTP(answer, request)
			answer.WriteHeader(http.StatusOK)
		}()
		return stop
	}))
	defineMeasure()
	js.Global().Call("tengenReady")
	select {}
}

// read makes a request of what the page gives to fetch.
func read(ctx context.Context, args []js.Value) (*http.Request, error) {
	body := make([]byte, args[3].Get("length").Int())
	js.CopyBytesToGo(body, args[3])
	r, err := http.NewRequestWithContext(ctx, args[0].String(), "http://localhost/"+strings.TrimPrefix(args[1].String(), "/"), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.RemoteAddr = "127.0.0.1:1"
	for i := range args[2].Length() {
		r.Header.Add(args[2].Index(i).Index(0).String(), args[2].Index(i).Index(1).String())
	}
	return r, nil
}

// writer hands an answer to the page, piece by piece.
type writer struct {
	header      http.Header
	head, piece js.Value
	begun       bool
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	if w.begun {
		return
	}
	w.begun = true
	var list []any
	for name, values := range w.header {
		list = append(list, []any{name, strings.Join(values, ", ")})
	}
	w.head.Invoke(status, list)
}

func (w *writer) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	piece := js.Global().Get("Uint8Array").New(len(p))
	js.CopyBytesToJS(piece, p)
	w.piece.Invoke(piece)
	return len(p), nil
}

// Flush does nothing: every piece is sent at once.
func (w *writer) Flush() {}
