package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"
)

// Times of connections. An answer that streams sets its own.
const (
	headerTime   = 10 * time.Second
	idleTime     = 2 * time.Minute
	shutdownTime = 5 * time.Second
)

// Listen opens an address, or says in a sentence why it cannot be had.
func Listen(addr string) (net.Listener, error) {
	listener, err := net.Listen("tcp", addr)
	var named *net.DNSError
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use by another program: stop that one, or give another --addr", addr)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s may not be opened: ports below 1024 take rights that this program does not have", addr)
	case errors.As(err, &named):
		return nil, fmt.Errorf("--addr %s names no machine that is known here", addr)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be opened: %w", addr, err)
	}
	return listener, nil
}

// Serve answers until the context ends. Then analyses under way are stopped, what they
// have decided is in the store, and connections get some seconds to end.
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
	go func() { failed <- server.Serve(listener) }()
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
