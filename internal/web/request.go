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
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tengen/internal/text"
)

// maxBody bounds the bytes of a question.
const maxBody = 64 << 10

// bodyTime limits the time to send a body.
const bodyTime = 15 * time.Second

// bodyLimits are the limits of the paths that take files.
var bodyLimits = map[string]int64{"/api/v1/certificates": MaxProof, "/api/v1/sgf/read": MaxRecord}

// counted logs and counts each request. It logs nothing of the body.
func (s *Server) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		answer := &answerWriter{ResponseWriter: w, control: http.NewResponseController(w)}
		_ = answer.control.SetWriteDeadline(time.Time{}) // the last answer on this connection set one
		if r.ContentLength != 0 {
			// Also for a body that is not used: net/http reads some of it before it answers.
			_ = answer.control.SetReadDeadline(begin.Add(bodyTime)) // not every writer has one
		}
		client := clientAddress(r, s.options.Proxies)
		r = r.WithContext(context.WithValue(r.Context(), clientKey{}, client))
		defer func() {
			route := cmp.Or(r.Pattern, "none") // refused before it was routed
			trouble := recover()
			if trouble != nil && trouble != http.ErrAbortHandler {
				s.options.Log.Error("panic", "route", route, "value", fmt.Sprint(trouble))
				if answer.status == 0 {
					plain(answer, http.StatusInternalServerError, "The server has failed. The fault is not in your request.")
					trouble = nil
				}
			}
			if trouble != nil { // the client must see that the answer is cut
				defer panic(http.ErrAbortHandler)
			}
			took := time.Since(begin)
			s.counts.answered(route, answer.code(), took)
			if s.options.Log.Enabled(r.Context(), slog.LevelInfo) {
				s.options.Log.LogAttrs(r.Context(), slog.LevelInfo, "request",
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
	control *http.ResponseController
	status  int
	bytes   int64
}

// A client that reads nothing must not keep an answer in memory. It has writeTime to read an
// event, or writePiece bytes of an answer.
const (
	writeTime  = 5 * time.Second
	writePiece = 32 << 10
)

func (w *answerWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *answerWriter) Write(p []byte) (n int, err error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	for more := true; more && err == nil; more = n < len(p) {
		_ = w.control.SetWriteDeadline(time.Now().Add(writeTime)) // not every writer has one
		var written int
		written, err = w.ResponseWriter.Write(p[n:min(n+writePiece, len(p))])
		n += written
	}
	w.bytes += int64(n)
	return n, err
}

func (w *answerWriter) code() int {
	if w.status == 0 {
		return http.StatusOK
	}
	return w.status
}

// Unwrap gives http.ResponseController the server's own writer.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// clientKey is the key of the client in the context of a request.
type clientKey struct{}

func clientOf(ctx context.Context) string {
	client, _ := ctx.Value(clientKey{}).(string)
	return client
}

// gathered charges the client for the body and reads it first, within the limits of size
// and time. Then it clears the read deadline: net/http watches the connection for a client
// that hangs up, and a deadline would look the same.
func (s *Server) gathered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limit, weight, held := int64(maxBody), int64(questionWeight), s.questions
		if larger, found := bodyLimits[r.URL.Path]; found {
			limit, weight, held = larger, fileWeight, s.files
		}
		length := r.ContentLength
		if length < 0 {
			length = limit // the body states no length
		}
		large := func() { problem(w, http.StatusRequestEntityTooLarge, codeLarge, tooLarge(limit)) }
		if length > limit {
			turnAway(w, r, large)
			return
		}
		giveBack, err := held.take(clientOf(r.Context()), weight*max(length-smallBody, 0))
		if err != nil {
			turnAway(w, r, func() { refuse(w, err) })
			return
		}
		defer giveBack()
		body, err := readBody(w, r, length, limit)
		var more *http.MaxBytesError
		switch {
		case errors.As(err, &more):
			giveBack()
			turnAway(w, r, large)
			return
		case err != nil:
			problem(w, http.StatusRequestTimeout, codeBusy, "The body did not arrive in time.")
			return
		}
		r = r.WithContext(context.WithValue(r.Context(), chargeKey{}, giveBack))
		r.Body = gatheredBody{bytes.NewReader(body), body}
		next.ServeHTTP(w, r)
	})
}

// The body of a request that is refused is read and dropped within these limits.
const (
	drainBytes = 2 * MaxProof
	drainTime  = 5 * time.Second
)

// turnAway refuses a request before its body is read. Then it drains the body: the client
// may not read the answer before it has sent everything, and if the connection breaks
// before that, the answer is lost and a proxy reports 502. answer must state its length,
// so that a client that does read it does not wait.
func turnAway(w http.ResponseWriter, r *http.Request, answer func()) {
	w.Header().Set("Connection", "close")
	answer()
	control := http.NewResponseController(w)
	_ = control.Flush() // if this fails, the client is gone
	_ = control.SetReadDeadline(time.Now().Add(drainTime))
	_, _ = io.CopyN(io.Discard, r.Body, drainBytes)
}

func tooLarge(limit int64) string {
	return fmt.Sprintf("The body is larger than %s, the limit here.", text.Bytes(limit))
}

// readBody reads a body that was charged for.
func readBody(w http.ResponseWriter, r *http.Request, length, limit int64) ([]byte, error) {
	if length == 0 {
		return nil, nil
	}
	var body []byte
	var err error
	if r.ContentLength < 0 {
		body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	} else {
		body = make([]byte, length)
		_, err = io.ReadFull(r.Body, body)
	}
	if err == nil {
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	}
	return body, err
}

// chargeKey is the key of the function, in the context of a request, that ends its charge.
type chargeKey struct{}

// understood ends the charge for the body of a request, which has been read. The request
// goes on as a stream, and a gate limits the number of streams.
func understood(ctx context.Context) {
	if giveBack, ok := ctx.Value(chargeKey{}).(func()); ok {
		giveBack()
	}
}

// refuse answers a request above the limits, with the time to ask again.
func refuse(w http.ResponseWriter, err error) {
	w.Header().Set("Retry-After", retryAfter)
	problem(w, refusal(err), codeBusy, sentence(err.Error()))
}

// gatheredBody is a body that has been read.
type gatheredBody struct {
	*bytes.Reader
	text []byte
}

func (gatheredBody) Close() error { return nil }

// problem answers like the API, for requests that do not reach it.
func problem(w http.ResponseWriter, status int, code, detail string) {
	text, err := json.Marshal(coded(huma.NewError(status, detail), code))
	if err != nil {
		panic(err) // strings and a number always marshal
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // if this fails, the client is gone
}
