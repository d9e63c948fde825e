package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/term"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/text"
)

// status is a line on a terminal that is overwritten. In a log it writes a line each
// minute, so that short work leaves none.
type status struct {
	w     io.Writer
	live  bool
	shown bool
	last  time.Time // of the last line in a log
}

// logPause is the time between two lines of a log.
const logPause = time.Minute

func newStatus(w io.Writer) *status {
	file, ok := w.(*os.File)
	return &status{w: w, live: ok && term.IsTerminal(int(file.Fd())) && !dumb(), last: time.Now()}
}

// dumb reports that the terminal has no escape sequences.
func dumb() bool {
	name := os.Getenv("TERM")
	return runtime.GOOS != "windows" && (name == "" || name == "dumb")
}

// carriage return, then erase to the end of the line.
const eraseLine = "\r\x1b[K"

func (s *status) show(line string) {
	line = text.Printable(line)
	switch {
	case s.live:
		s.shown = true
		fmt.Fprint(s.w, eraseLine+s.fit(line))
	case time.Since(s.last) >= logPause:
		s.last = time.Now()
		fmt.Fprintln(s.w, line)
	}
}

// fit cuts the line to the width, since a wrapped line cannot be erased.
func (s *status) fit(line string) string {
	width, _, err := term.GetSize(int(s.w.(*os.File).Fd()))
	if runes := []rune(line); err == nil && width > 1 && len(runes) >= width {
		return string(runes[:width-2]) + "…"
	}
	return line
}

func (s *status) clear() {
	if s.shown {
		fmt.Fprint(s.w, eraseLine)
		s.shown = false
	}
}

// waits is a status that also shows what has been waited for longest, after a moment.
type waits struct {
	mu     sync.Mutex // guards the fields below
	status *status
	line   string
	open   map[int]wait // by game
	done   chan struct{}
	ended  sync.WaitGroup
}

// wait is an answer that has not come yet.
type wait struct {
	what  string
	since time.Time
}

// moment is how long an answer may take before the wait is shown.
const moment = 2 * time.Second

func newWaits(s *status) *waits {
	w := &waits{status: s, open: map[int]wait{}, done: make(chan struct{})}
	w.ended.Go(w.run)
	return w
}

func (w *waits) run() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-w.done:
			return
		case now := <-tick.C:
			w.look(now)
		}
	}
}

// look shows the longest wait.
func (w *waits) look(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	longest := wait{since: now}
	for _, open := range w.open {
		if open.since.Before(longest.since) {
			longest = open
		}
	}
	if took := now.Sub(longest.since); took >= moment {
		line := fmt.Sprintf("%s, %v so far", longest.what, took.Round(time.Second))
		if w.line != "" {
			line = w.line + "; " + line
		}
		w.status.show(line)
	}
}

func (w *waits) show(line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.line = line
	w.status.show(line)
}

// begin notes what a game waits for, and end that it waits no longer.
func (w *waits) begin(game int, what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open[game] = wait{what, time.Now()}
}

func (w *waits) end(game int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.open, game)
}

// stop clears the line. Nothing is written after it.
func (w *waits) stop() {
	close(w.done)
	w.ended.Wait()
	w.status.clear()
}

// sum shows the progress of a search of a sum.
func (s *status) sum(p job.Progress) { s.show(progressLine(solve.Progress{Progress: p})) }

// progressLine puts the progress of a search into one line.
func progressLine(p solve.Progress) string {
	switch p.Phase {
	case job.PhaseBoards:
		return fmt.Sprintf("%s  listing the boards and their moves", p.Elapsed.Round(time.Second))
	case job.PhaseStones:
		return fmt.Sprintf("%s  counting the stones that make the whole board safe: %.0f %%", p.Elapsed.Round(time.Second), math.Floor(100*p.Share))
	}
	line := fmt.Sprintf("%s  %s positions  %s/s", p.Elapsed.Round(time.Second), text.Thousands(p.Nodes), text.Thousands(uint64(p.Rate)))
	if p.Phase == job.PhaseSearch {
		line += movesLine(p)
	}
	if p.Fill > 0 {
		line += fmt.Sprintf("  table %.0f %%", 100*p.Fill)
	}
	if p.Bytes > 0 {
		line += "  " + text.Bytes(p.Bytes)
	}
	if p.Disk > 0 {
		line += "  disk " + text.Bytes(p.Disk)
	}
	switch {
	case p.Phase != job.PhaseProof:
	case p.Layers == 0:
		line += fmt.Sprintf("  proof: %s entries", text.Thousands(p.Proved))
	default:
		line += fmt.Sprintf("  proof %d/%d, %.0f %%: %s entries", p.Layer, p.Layers, 100*p.Share, text.Thousands(p.Proved))
	}
	if p.Proven != nil {
		line += provenLine(*p.Proven)
	}
	return line
}

// movesLine counts the settled moves of the root and the refuted replies to the best one,
// and shows the best line so far.
func movesLine(p solve.Progress) string {
	line := ""
	if p.MovesAll > 0 {
		line += fmt.Sprintf("  moves %d/%d", p.MovesDone, p.MovesAll)
	}
	if len(p.Line) > 0 {
		line += "  line " + spell(p.Size, p.Line)
		if p.Replies.All > 0 {
			line += fmt.Sprintf(" (replies %d/%d)", p.Replies.Refuted, p.Replies.All)
		}
	}
	return line
}

// provenLine shows the bounds that a search of Go has proven, and its present
// question.
func provenLine(p solve.Proven) string {
	asked := "≥"
	if p.ToPlay == board.White {
		asked = "≤"
	}
	line := fmt.Sprintf("  score %s to %s, asking %s %s at %d plies", text.Lead(p.Low), text.Lead(p.High), asked, text.Lead(p.Asked), p.Depth)
	if p.Full {
		line += "  memory full"
	}
	return line
}
