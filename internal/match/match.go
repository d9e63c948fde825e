// Package match is a referee: it lets two programs that speak GTP play NoGo or Go
// against each other, holds them to the rules and the clock, records the games and says how
// much stronger one of them is.
//
// A program that breaks the rules, runs out of time, dies, hangs or floods loses the
// game with the reason in its record; it is started again and the match goes on. The
// programs are any: package match knows no player.
package match

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/internal/wholefile"
)

// Side is one of the two programs. A has Black in the first game.
type Side int

// The programs, and who wins a draw.
const (
	A Side = iota
	B
	Nobody
)

func (s Side) other() Side { return 1 - s }

func (s Side) String() string { return [...]string{"a", "b", "nobody"}[s] }

// MarshalText writes a side as a or b, or as nobody.
func (s Side) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Side) UnmarshalText(text []byte) error {
	switch string(text) {
	case "a":
		*s = A
	case "b":
		*s = B
	case "nobody":
		*s = Nobody
	default:
		return fmt.Errorf("%q is neither a nor b nor nobody", text)
	}
	return nil
}

// Options of a match.
type Options struct {
	Rules    game.Rules
	Komi     float64 // that White gets where points are counted
	MaxMoves int     // makes a game a draw; 0 for no limit
	Size     board.Size
	Games    int
	Programs [2][]string // the command and its arguments
	Openings Openings
	Clock    Clock
	Records  string // directory for a game record each; "" for none
	Log      string // file that the match is saved in and resumed from; "" for none
	Test     *Test  // ends the match early; nil to play all games
	Disk     wholefile.Disk

	// Finished is told of every game; Moved of every move, with the number of the
	// game and of the move.
	Finished func(Record, Result)
	Moved    func(game, move int)
}

// begin sets up a game on the empty board.
func (o Options) begin() *game.Game {
	g := game.New(o.Rules, game.NewPosition(o.Size))
	g.Komi, g.MaxMoves = o.Komi, o.MaxMoves
	return g
}

// Clock is the time that programs have. What is zero sets no limit.
type Clock struct {
	PerMove, PerGame time.Duration
	Grace            time.Duration // forgiven at every move
	Patience         time.Duration // for an answer where no other limit holds
}

// DefaultPatience is for programs that are not held to a clock.
const DefaultPatience = 5 * time.Minute

// Result is what a match has come to.
type Result struct {
	Names [2]string // as the programs call themselves, or their commands to tell them apart
	Games []Record
	Wins  [2]int
	Draws int
	Test  *Verdict // nil without a test
}

// Points are wins with half of the draws.
func (r Result) Points() [2]float64 {
	half := float64(r.Draws) / 2
	return [2]float64{float64(r.Wins[A]) + half, float64(r.Wins[B]) + half}
}

// Run plays the games that the log does not hold yet. When ctx ends, the result so far
// comes back with its error. Programs that cannot be started or refuse the board are
// errors, for no game can be played with them.
func Run(ctx context.Context, o Options) (Result, error) {
	m, err := prepare(o)
	if err != nil {
		return Result{}, err
	}
	defer m.close(ctx)
	for number := len(m.log.Games) + 1; number <= o.Games && !m.decided(); number++ {
		game, err := m.play(ctx, number)
		if err != nil {
			return m.result(), err
		}
		if err := m.finish(game); err != nil {
			return m.result(), err
		}
	}
	return m.result(), m.recordMissing()
}

// referee is a match under way.
type referee struct {
	options  Options
	log      *log
	lock     *wholefile.Lock // nil without a log
	programs [2]*program
	names    [2]string // as the programs call themselves, "" before they have
	missing  []int     // numbers of games that are over and not recorded
}

func prepare(o Options) (*referee, error) {
	if o.Games < 1 {
		return nil, fmt.Errorf("a match of %d games is none", o.Games)
	}
	if o.Clock.Patience == 0 {
		o.Clock.Patience = DefaultPatience
	}
	if _, err := o.opening(0); err != nil { // there may be none
		return nil, err
	}
	m := &referee{options: o}
	for side, command := range o.Programs {
		m.programs[side] = &program{command: command}
	}
	if err := m.openFiles(); err != nil {
		m.close(context.Background())
		return nil, err
	}
	return m, nil
}

// openFiles finds out before the first game where the match stands and whether it can
// be kept.
func (m *referee) openFiles() (err error) {
	o := &m.options
	if o.Log != "" {
		if o.Log, err = wholefile.Target(o.Log); err != nil {
			return err
		}
		m.lock, err = wholefile.Acquire(o.Log)
		if held := (*wholefile.Held)(nil); errors.As(err, &held) {
			return fmt.Errorf("another match is being kept in %s: wait for its end, or take another file", o.Log)
		}
		if err != nil {
			return err
		}
		o.Disk.Clean(o.Log)
	}
	if o.Records != "" {
		if err := prepareRecords(*o); err != nil {
			return err
		}
	}
	if m.log, err = openLog(*o); err != nil {
		return err
	}
	if o.Records != "" {
		m.missing, err = m.findMissing()
	}
	return err
}

// close ends the programs: at once if the match was stopped, for they may be thinking.
func (m *referee) close(ctx context.Context) {
	for _, p := range m.programs {
		if ctx.Err() != nil {
			p.kill()
		} else {
			p.quit()
		}
	}
	m.lock.Release()
}

// decided reports that the test has an answer. It is asked when both games with an
// opening are over, so that neither side has had Black more often.
func (m *referee) decided() bool {
	return m.options.Test != nil && len(m.log.Games)%2 == 0 && m.result().Test.Done
}

func (m *referee) result() Result {
	r := Result{Names: m.labels(), Games: m.log.Games}
	for _, g := range r.Games {
		if g.Winner == Nobody {
			r.Draws++
		} else {
			r.Wins[g.Winner]++
		}
	}
	if m.options.Test != nil {
		v := m.options.Test.Verdict(r.Points())
		r.Test = &v
	}
	return r
}

func (m *referee) labels() [2]string {
	if m.names[A] != "" && m.names[B] != "" && m.names[A] != m.names[B] {
		return m.names
	}
	return [2]string{strings.Join(m.options.Programs[A], " "), strings.Join(m.options.Programs[B], " ")}
}

func (m *referee) finish(g Record) error {
	m.log.Games = append(m.log.Games, g)
	if err := m.log.save(m.options.Disk, m.options.Log); err != nil {
		return err
	}
	if m.options.Records != "" {
		m.missing = append(m.missing, g.Number)
	}
	if err := m.recordMissing(); err != nil {
		return err
	}
	if m.options.Finished != nil {
		m.options.Finished(g, m.result())
	}
	return nil
}

// ready starts programs that do not run and asks their names.
func (m *referee) ready(ctx context.Context) error {
	for side, p := range m.programs {
		if p.running() {
			continue
		}
		if err := p.start(); err != nil {
			return fmt.Errorf("program %s cannot be started: %w", Side(side), err)
		}
		if reply, err := p.ask(ctx, m.options.Clock.Patience, "name"); err == nil && reply.Text != "" {
			m.names[side] = firstLine(reply.Text)
		} else if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
