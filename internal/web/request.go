package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tengen/internal/text"
)

// maxBody bounds a question.
const maxBody = 64 << 10

// bodyTime is what a client may take to send a body.
const bodyTime = 15 * time.Second

// bodyLimits are those of paths that take more.
var bodyLimits = map[string]int64{"/api/v1/certificates": MaxProof, "/api/v1/sgf/read": MaxRecord}

// counted writes one line of log and one count for each request, and none of its body.
func counted(d *desk, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		answer := &answerWriter{ResponseWriter: w}
		client := clientAddress(r)
		r = r.WithContext(context.WithValue(r.Context(), clientKey{}, client))
		defer func() {
			route := cmp.Or(r.Pattern, "none") // refused before it was routed
			trouble := recover()
			if trouble != nil && trouble != http.ErrAbortHandler {
				d.options.Log.Error("panic", "route", route, "value", fmt.Sprint(trouble))
				if answer.status == 0 {
					plain(answer, http.StatusInternalServerError, "Something went wrong here, and it is not your fault.")
					trouble = nil
				}
			}
			if trouble != nil { // half an answer must not look like a whole one
				defer panic(http.ErrAbortHandler)
			}
			took := time.Since(begin)
			d.counts.answered(route, answer.code(), took)
			if d.options.Log.Enabled(r.Context(), slog.LevelInfo) {
				d.options.Log.LogAttrs(r.Context(), slog.LevelInfo, "request",
					slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", answer.code()),
					slog.Int64("bytes", answer.bytes), slog.Duration("took", took), slog.String("client", client))
			}
		}()
		next.ServeHTTP(answer, r)
	})
}

// answerWriter remembers what was answered.
type answerWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *answerWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *answerWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

func (w *answerWriter) code() int {
	if w.status == 0 {
		return http.StatusOK
	}
	return w.status
}

// Unwrap lets the server's own writer be found, for flushing and deadlines.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// clientKey is where the context of a request has its client.
type clientKey struct{}

// clientAddress is who asks: the address without the port.
func clientAddress(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}

func clientOf(ctx context.Context) string {
	client, _ := ctx.Value(clientKey{}).(string)
	return client
}

// gathered reads the body before anything else happens: within its size, within its
// time. When it is there the connection is watched for a client that hangs up, and no
// deadline for reading may stand, since its end would look the same.
func gathered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limit := int64(maxBody)
		if more, found := bodyLimits[r.URL.Path]; found {
			limit = more
		}
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Now().Add(bodyTime)) // not every writer has one
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
		_ = control.SetReadDeadline(time.Time{})
		var large *http.MaxBytesError
		switch {
		case errors.As(err, &large):
			problem(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("The body is larger than %s.", text.Bytes(limit)))
			return
		case err != nil:
			problem(w, http.StatusRequestTimeout, "The body did not arrive in time.")
			return
		}
		r.Body = gatheredBody{bytes.NewReader(body), body}
		next.ServeHTTP(w, r)
	})
}

// gatheredBody is a body that is there.
type gatheredBody struct {
	*bytes.Reader
	text []byte
}

func (gatheredBody) Close() error { return nil }

// problem answers as the API does where it is not asked.
func problem(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	// What cannot be written has no reader.
	_ = json.NewEncoder(w).Encode(huma.ErrorModel{Title: http.StatusText(status), Status: status, Detail: detail})
}
