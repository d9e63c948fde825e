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
		answer := &answerWriter{ResponseWriter: w, control: http.NewResponseController(w)}
		_ = answer.control.SetWriteDeadline(time.Time{}) // that of the answer before
		if r.ContentLength != 0 {
			// It also holds for a body that nobody wants: net/http reads some of it
			// before it answers.
			_ = answer.control.SetReadDeadline(begin.Add(bodyTime)) // not every writer has one
		}
		client := clientAddress(r, d.options.Proxies)
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
	control *http.ResponseController
	status  int
	bytes   int64
}

// A client that reads nothing must not keep an answer in memory. writeTime is the time to
// accept an event, or writePiece bytes of an answer.
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

// Unwrap lets the server's own writer be found, for flushing and deadlines.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// clientKey is where the context of a request has its client.
type clientKey struct{}

func clientOf(ctx context.Context) string {
	client, _ := ctx.Value(clientKey{}).(string)
	return client
}

// gathered charges the client for the body and reads it before anything else happens:
// within its size, within its time. When it is there the connection is watched for a
// client that hangs up, and no deadline for reading may stand, since its end would look
// the same.
func gathered(d *desk, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limit, weight, held := int64(maxBody), int64(questionWeight), d.questions
		if more, found := bodyLimits[r.URL.Path]; found {
			limit, weight, held = more, fileWeight, d.files
		}
		length := r.ContentLength
		if length < 0 {
			length = limit // a body without a length may be as long as that
		}
		if length > limit {
			w.Header().Set("Connection", "close") // the body is not waited for
			problem(w, http.StatusRequestEntityTooLarge, codeLarge, tooLarge(limit))
			return
		}
		giveBack, err := held.take(clientOf(r.Context()), weight*max(length-smallBody, 0))
		if err != nil {
			refuse(w, err)
			return
		}
		defer giveBack()
		body, err := readBody(w, r, length, limit)
		var large *http.MaxBytesError
		switch {
		case errors.As(err, &large):
			problem(w, http.StatusRequestEntityTooLarge, codeLarge, tooLarge(limit))
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

// chargeKey is where the context of a request has the function that gives its charge back.
type chargeKey struct{}

// understood gives back what the body of a request was charged: its question has been
// read, and it goes on for as long as somebody listens. A gate bounds how many do.
func understood(ctx context.Context) {
	if giveBack, ok := ctx.Value(chargeKey{}).(func()); ok {
		giveBack()
	}
}

// refuse says that there is no room for a request, and when to ask again.
func refuse(w http.ResponseWriter, err error) {
	w.Header().Set("Retry-After", retryAfter)
	w.Header().Set("Connection", "close") // the body is not waited for
	problem(w, refusal(err), codeBusy, sentence(err.Error()))
}

// gatheredBody is a body that is there.
type gatheredBody struct {
	*bytes.Reader
	text []byte
}

func (gatheredBody) Close() error { return nil }

// problem answers as the API does where it is not asked.
func problem(w http.ResponseWriter, status int, code, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	// What cannot be written has no reader.
	_ = json.NewEncoder(w).Encode(huma.ErrorModel{Type: codeScheme + code, Title: http.StatusText(status), Status: status, Detail: detail})
}
