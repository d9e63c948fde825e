//go:build !js

package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"syscall"
	"time"
)

// Times of connections. An answer that streams sets its own.
const (
	headerTime   = 10 * time.Second
	idleTime     = 2 * time.Minute
	shutdownTime = 5 * time.Second
)

// Listen opens an address. Its errors say what to do.
func Listen(addr string) (net.Listener, error) {
	listener, err := net.Listen("tcp", addr)
	var named *net.DNSError
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use by another program: stop that one, or give another --addr", addr)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s may not be opened: ports below 1024 need rights that this program does not have", addr)
	case errors.As(err, &named):
		return nil, fmt.Errorf("--addr %s names no machine that is known here", addr)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be opened: %w", addr, err)
	}
	return listener, nil
}

// Serve answers requests until the context ends. Then it stops the analyses under way, whose
// results are in the store, and gives connections a few seconds to end.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    32 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          slog.NewLogLogger(s.options.Log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(s.bounded(listener)) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err := server.Shutdown(limited); err != nil {
		server.Close()
	}
	<-failed
	return nil
}

// BoundHeap sets a memory limit for the garbage collector. It is for a process that only
// serves: requests use up to half of the memory, and tables are not on the heap.
func BoundHeap(memory int64) { debug.SetMemoryLimit(max(memory/2, 64<<20)) }

// bounded limits the connections by the memory. One client gets at most half of them, a
// trusted proxy may have all.
func (s *Server) bounded(listener net.Listener) net.Listener {
	questions := s.questions
	return &boundedListener{listener, newBudget(questions.all, questions.each), s.options.Proxies}
}

type boundedListener struct {
	net.Listener
	open    *budget
	proxies []netip.Prefix
}

// crowded answers connections above the limit. Nothing of them is read.
const crowded = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nRetry-After: " + retryAfter + "\r\nConnection: close\r\n\r\n" +
	`{"title":"Service Unavailable","status":503,"detail":"This server has no room for further connections: close some, or ask again in a while."}`

func (l *boundedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		client := conn.RemoteAddr().String()
		if a, ok := addressOf(client); ok && !trusted(l.proxies, a) {
			client = clientName(a) // each connection of a proxy counts as a client
		}
		giveBack, err := l.open.take(client, 0)
		if err == nil {
			return &boundedConn{conn, giveBack}, nil
		}
		// The answer fits into the buffer of a new connection, so this does not wait.
		_ = conn.SetWriteDeadline(time.Now().Add(time.Millisecond))
		_, _ = io.WriteString(conn, crowded)
		conn.Close()
	}
}

// boundedConn gives its place back when it is closed.
type boundedConn struct {
	net.Conn
	giveBack func()
}

func (c *boundedConn) Close() error {
	c.giveBack()
	return c.Conn.Close()
}

// CloseWrite lets an answer arrive before the connection ends. net/http calls it on
// connections that have it.
func (c *boundedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
