package web

import (
	"strings"
	"testing"
)

// A late position of 5×5 is solved on the page's API; early ones stream bounds and are
// played within the time of a move.
func TestGoBeyondTheTables(t *testing.T) {
	server := start(t, nil)
	const late = `"position":".xo../xxoo./.xo.o/xxoo./.xo.."`
	got, _ := analyseAll(t, server, `{"game":"go",`+late+`}`)
	if got.Best.Grade != "exact" || *got.Best.Score != -5 || got.Best.By != "search" || got.Best.Move == "" {
		t.Errorf("%+v", got.Best)
	}
	m := ask[Move](t, server, "/api/v1/play", `{"game":"go",`+late+`,"to_play":"w","seconds":2}`)
	if m.Known != "won" || m.Score == nil || *m.Score >= 0 {
		t.Errorf("%+v", m)
	}
	for _, size := range []string{"5x6", "6x6"} {
		m := ask[Move](t, server, "/api/v1/play", `{"game":"go","size":"`+size+`","seconds":0.2}`)
		if m.Move == "" || m.Move == "pass" || m.Known != "unknown" || !strings.Contains(m.Says, "proven") {
			t.Errorf("%s: %+v", size, m)
		}
	}
}
