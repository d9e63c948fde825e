package cli

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"tengen/engine/job"
	"tengen/engine/solve"
)

func TestMemoryFlag(t *testing.T) {
	for text, want := range map[string]memory{
		"8GiB": 8 << 30, "512MiB": 512 << 20, "2G": 2 << 30, "2g": 2 << 30, "1.5GiB": 3 << 29,
		"1000000": 1000000, "1kb": 1000, " 4 MiB ": 4 << 20, "7b": 7,
	} {
		var m memory
		if err := m.Set(text); err != nil || m != want {
			t.Errorf("--memory %q is %d, want %d: %v", text, m, want, err)
		}
	}
	for _, text := range []string{"", "G", "lots", "-1G", "0", "nan", "inf", "1e300", "0.1b", "3 apples", "9999999TiB"} {
		var m memory
		if err := m.Set(text); err == nil {
			t.Errorf("--memory %q reads as %d bytes", text, m)
		}
	}
}

func FuzzMemoryFlag(f *testing.F) {
	for _, seed := range []string{"8GiB", "1e3", "0x10", "NaN", "_1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var m memory
		if m.Set(text) == nil && m <= 0 {
			t.Errorf("%q reads as %d bytes", text, m)
		}
	})
}

func TestProgressLine(t *testing.T) {
	line := progressLine(solve.Progress{Progress: job.Progress{Phase: job.PhaseSearch, Elapsed: 61 * time.Second, Nodes: 1234567, Rate: 1e6, Fill: 0.25, Bytes: 1 << 30, MovesDone: 2, MovesAll: 6}})
	if want := "1m1s  1,234,567 positions  1,000,000/s  moves 2/6  table 25 %  1.0 GiB"; line != want {
		t.Errorf("%q, want %q", line, want)
	}
	line = progressLine(solve.Progress{Progress: job.Progress{Phase: job.PhaseProof}, Proved: 1000, Layer: 3, Layers: 9, Share: 0.5})
	if !strings.HasSuffix(line, "proof 3/9, 50 %: 1,000 entries") {
		t.Errorf("%q does not speak of the proof", line)
	}
}

// Off a terminal there is no status line to write over, but a line for the log
// once in a while.
func TestStatusIsRareInAPipe(t *testing.T) {
	var b bytes.Buffer
	s := newStatus(&b)
	s.show("busy")
	if b.Len() > 0 {
		t.Errorf("%q was written at once", b.String())
	}
	s.last = s.last.Add(-logPause)
	s.show("still busy")
	s.show("and busy")
	s.clear()
	if b.String() != "still busy\n" {
		t.Errorf("%q was written", b.String())
	}
}

func TestNoEloIsNotBelowNothing(t *testing.T) {
	for elo, want := range map[float64]string{-0.3: "+0", 0: "+0", 0.4: "+0", -0.6: "-1", 12.5: "+12"} {
		if text := signed(elo); text != want {
			t.Errorf("%g is shown as %s, want %s", elo, text, want)
		}
	}
	if math.Signbit(round(-0.001)) {
		t.Error("round leaves a zero below nothing, which JSON has as -0")
	}
}
