package web

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"tengen/engine/job"
)

// bodies are seeds: right ones, and wrong ones of every kind.
var bodies = []string{
	`{"game":"nogo","size":"2x2","variations":[{"parent":-1,"move":"A1"},{"parent":0,"move":"B2","comment":"]"},{"parent":-1,"move":"B1"}]}`,
	`{"game":"go","size":"2x2","variations":[{"parent":9,"move":"A1"}]}`, `{"game":"go","size":"2x2","move":"A1","endless":"lose"}`,
	`{"game":"nogo","size":"2x3"}`, `{"game":"go","size":"1x3","rules":"psk","moves":["B1","pass"]}`,
	`{"game":"go","position":".x/o.","to_play":"w","ko":"A1","passed":true}`, `{"game":"nogo","position":"x..o.","moves":["B1","D1"]}`,
	`{"game":"nogo","size":"99999999999x1"}`, `{"game":"nogo","size":"-1x3"}`, `{"game":"nogo","position":"////"}`, `{"game":1}`, `[]`, `null`, `{`, ``,
	`{"game":"nogo","size":"1x63","moves":["AAA1"]}`, `{"game":"go","size":"2x2","endless":"win","lines":true}`, `{"game":"nogo","size":"2x2","estimates":true}`,
	`{"game":"nogo","size":"3x3","level":1,"seconds":0.01,"player":"uct"}`, `{"game":"nogo","size":"3x3","seconds":1e308}`, `{"game":"nogo","size":"3x3","level":-1}`,
	`{"game":"go","size":"2x2","move":"A1"}`, `{"game":"nogo","size":"2x2","certificate":"0000000000000000"}`,
	`{"game":"nogo","size":"2x2","moves":["A1"],"comments":["\u0000]"],"black":"\\"}`, "{\"game\":\"nogo\",\"size\":\"\xff\"}",
}

// fuzz sends anything to a path. Whatever comes, the answer is no server error, and it is
// there soon after the time that a request may take, which is kept short.
func fuzz(f *testing.F, path, kind string, seeds ...string) {
	for _, body := range seeds {
		f.Add([]byte(body))
	}
	f.Setenv("XDG_CACHE_HOME", f.TempDir())
	s, err := New(Options{Limits: job.Limits{Memory: 128 << 20, Threads: 1, Time: 20 * time.Millisecond}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { s.Close() })
	f.Fuzz(func(t *testing.T, body []byte) {
		r := httptest.NewRequest(http.MethodPost, "http://localhost"+path, bytes.NewReader(body))
		r.Header.Set("Content-Type", kind)
		w := httptest.NewRecorder()
		begin := time.Now()
		s.ServeHTTP(w, r)
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%s", took)
		}
		if w.Code >= 500 && w.Code != http.StatusServiceUnavailable || w.Code == http.StatusTooManyRequests {
			t.Errorf("%d: %s", w.Code, w.Body)
		}
	})
}

const jsonKind = "application/json"

func FuzzPosition(f *testing.F) { fuzz(f, "/api/v1/position", jsonKind, bodies...) }
func FuzzProbe(f *testing.F)    { fuzz(f, "/api/v1/probe", jsonKind, bodies...) }
func FuzzAnalyse(f *testing.F)  { fuzz(f, "/api/v1/analyse", jsonKind, bodies...) }
func FuzzPlay(f *testing.F)     { fuzz(f, "/api/v1/play", jsonKind, bodies...) }
func FuzzWhy(f *testing.F)      { fuzz(f, "/api/v1/why", jsonKind, bodies...) }
func FuzzReview(f *testing.F)   { fuzz(f, "/api/v1/review", jsonKind, bodies...) }
func FuzzLearn(f *testing.F)    { fuzz(f, "/api/v1/learn", jsonKind, bodies...) }

func FuzzWriteSGF(f *testing.F) {
	fuzz(f, "/api/v1/sgf/write", jsonKind, bodies...)
}

func FuzzReadSGF(f *testing.F) {
	fuzz(f, "/api/v1/sgf/read", "application/x-go-sgf",
		`(;GM[1]FF[4]RU[NoGo]SZ[5:3];B[ac];W[bb])`, `(;SZ[3]AB[aa][bb]PL[W];W[];B[cc];B[ab])`, `(;SZ[3](;B[aa](;W[bb])(;W[]))(;AW[ab];B[]))`, `(;SZ[99])`, `(;SZ[2](;B[aa](;W[bb];AB[ab])(;W[]))(;B[bb]))`, `(;`, ``, `(;GM[2])`)
}

func FuzzCertificates(f *testing.F) {
	fuzz(f, "/api/v1/certificates", "application/octet-stream", "", "TENGEN", string(make([]byte, 100)), "TENGENPF\x02\x00go  "+string(make([]byte, 100)))
}
