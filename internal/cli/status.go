package cli

import (
	"fmt"
	"io"
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

// status is one line on a terminal that is written over and over. In a log it is
// a line once in a while, so that what is soon done leaves none.
type status struct {
	w     io.Writer
	live  bool
	shown bool
	last  time.Time // when a log had its last line
}

// logPause is the time between two lines of a log.
const logPause = time.Minute

func newStatus(w io.Writer) *status {
	file, ok := w.(*os.File)
	return &status{w: w, live: ok && term.IsTerminal(int(file.Fd())) && !dumb(), last: time.Now()}
}

// dumb reports that the terminal takes no escape sequences.
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

// fit keeps the line from wrapping, which would leave parts of it behind.
func (s *status) fit(line string) string {
	width, _, err := term.GetSize(int(s.w.(*os.File).Fd()))
	if runes := []rune(line); err == nil && width > 1 && len(runes) >= width {
		return string(runes[:width-1])
	}
	return line
}

func (s *status) clear() {
	if s.shown {
		fmt.Fprint(s.w, eraseLine)
		s.shown = false
	}
}

// waiting is a status that also tells how long the last line has stood, for work that may
// hang.
type waiting struct {
	status *status
	lines  chan string
	done   chan struct{}
}

func newWaiting(s *status) *waiting {
	w := &waiting{s, make(chan string), make(chan struct{})}
	go w.run()
	return w
}

func (w *waiting) run() {
	defer close(w.done)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	line, since := "", time.Now()
	for {
		select {
		case next, more := <-w.lines:
			if !more {
				w.status.clear()
				return
			}
			line, since = next, time.Now()
			tick.Reset(time.Second)
			w.status.show(line)
		case <-tick.C:
			w.status.show(fmt.Sprintf("%s; waiting for %v", line, time.Since(since).Round(time.Second)))
		}
	}
}

func (w *waiting) tell(line string) { w.lines <- line }

// stop clears the line; nothing is written after it.
func (w *waiting) stop() {
	close(w.lines)
	<-w.done
}

// lookout is a status that also tells which program is waited for, and for how long, when
// it is more than a moment.
type lookout struct {
	mu      sync.Mutex // of all that follows
	status  *status
	line    string
	waiting map[int]question // by game
	done    chan struct{}
	ended   sync.WaitGroup
}

// question is a command that a program has not answered yet.
type question struct {
	program, command string
	since            time.Time
}

// moment is how long an answer may take before it is told that it is waited for.
const moment = 2 * time.Second

func newLookout(s *status) *lookout {
	l := &lookout{status: s, waiting: map[int]question{}, done: make(chan struct{})}
	l.ended.Go(l.run)
	return l
}

func (l *lookout) run() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-l.done:
			return
		case now := <-tick.C:
			l.look(now)
		}
	}
}

// look shows the question that has waited longest.
func (l *lookout) look(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var longest question
	game := 0
	for n, q := range l.waiting {
		if game == 0 || q.since.Before(longest.since) {
			game, longest = n, q
		}
	}
	if wait := now.Sub(longest.since); game > 0 && wait >= moment {
		line := fmt.Sprintf("game %d: waiting for %s to answer %s, %v so far", game, longest.program, longest.command, wait.Round(time.Second))
		if l.line != "" {
			line = l.line + "; " + line
		}
		l.status.show(line)
	}
}

func (l *lookout) tell(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.line = line
	l.status.show(line)
}

// asked notes what a game waits for, or with "" that it waits no longer.
func (l *lookout) asked(game int, program, command string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if delete(l.waiting, game); command != "" {
		l.waiting[game] = question{program, command, time.Now()}
	}
}

// stop clears the line; nothing is written after it.
func (l *lookout) stop() {
	close(l.done)
	l.ended.Wait()
	l.status.clear()
}

// sum shows how far a search of a sum has come.
func (s *status) sum(p job.Progress) { s.show(progressLine(solve.Progress{Progress: p})) }

// progressLine puts a glance at a search into one line.
func progressLine(p solve.Progress) string {
	if p.Phase == job.PhaseBoards {
		return fmt.Sprintf("%s  listing the boards and their moves", p.Elapsed.Round(time.Second))
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
	if p.Phase == job.PhaseProof {
		line += fmt.Sprintf("  proof %d/%d, %.0f %%: %s entries", p.Layer, p.Layers, 100*p.Share, text.Thousands(p.Proved))
	}
	if p.Proven != nil {
		line += provenLine(*p.Proven)
	}
	return line
}

// movesLine tells how many moves of the root are settled, the best line so far, and how
// many replies to its first move are refuted.
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

// provenLine tells how far a search under superko has come with the question it is at.
func provenLine(p solve.Proven) string {
	asked := "≥"
	if p.ToPlay == board.White {
		asked = "≤"
	}
	line := fmt.Sprintf("  score %s to %s, asking %s %s at %d plies", lead(p.Low), lead(p.High), asked, lead(p.Asked), p.Depth)
	if p.Full {
		line += "  memory full"
	}
	return line
}
