// Package match is a referee for programs that speak GTP. It plays matches of two programs
// and tournaments of many, in NoGo or Go, several games at a time. It enforces the rules
// and the clock, records the games and estimates the differences in strength.
//
// A program loses the game if it breaks the rules, runs out of time, crashes, hangs or
// sends endless output. The record has the reason. The program is started again and the
// match goes on. Any program may play: package match knows no player.
package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/internal/wholefile"
)

// Side is one of the two programs of a pairing. A has Black in the first game.
type Side int

// The programs, and Nobody for a draw.
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
	Komi     float64 // added to White's score in games that are scored
	MaxMoves int     // number of moves after which a game is a draw; 0 for no limit
	Size     board.Size
	Games    int        // number of games of each pairing
	Programs [][]string // the command and its arguments, of two programs or more
	Names    []string   // of the programs; nil to call two of them a and b
	Gauntlet bool       // the first program plays all others, which do not play each other
	Parallel int        // games at a time; 0 is one
	// Fresh starts the programs again for every game, so that a game depends only on its
	// number.
	Fresh bool
	// LetResign lets players of tengen resign. Otherwise they play on.
	LetResign bool
	Openings  Openings
	Clock     Clock
	Records   string // directory for the game records; "" for none
	Log       string // file in which the match is saved and from which it is resumed; "" for none
	Test      *Test  // ends a match of two programs early; nil to play all games
	Disk      wholefile.Disk

	// Finished is called after every game. Moved is called after every move, with the
	// number of the game and of the move. Only one goroutine at a time calls them.
	Finished func(Record, Result)
	Moved    func(game, move int)
	// Asked is called when a game begins to wait for an answer, with the label of the
	// program and the command. It is called with "" for both when the answer is there.
	Asked func(game int, program, command string)
}

// begin sets up a game on the empty board.
func (o Options) begin() *game.Game {
	g := game.New(o.Rules, game.NewPosition(o.Size))
	g.Komi, g.MaxMoves = o.Komi, o.MaxMoves
	return g
}

// Clock is the time that programs have. A zero field sets no limit.
type Clock struct {
	PerMove, PerGame time.Duration
	Grace            time.Duration // extra time that is forgiven at every move
	Patience         time.Duration // limit for answers that have no other limit
}

// DefaultPatience is the limit for the answers of programs without a clock.
const DefaultPatience = time.Minute

// Result is the result of a match so far.
type Result struct {
	Names []string // as given, or the programs' own names, or their commands where those are equal or missing
	Games []Record // by number
	// Unfinished are the games that were interrupted when the match was stopped. They have
	// no result.
	Unfinished []Record
	Pairings   []Pairing
	Tally               // of the first pairing, the only one in a match of two
	Test       *Verdict // nil without a test
}

// Pairing is the result of two programs against each other.
type Pairing struct {
	Programs [2]int // numbers in the options: A and B
	Tally
}

// Tally counts games.
type Tally struct {
	Wins  [2]int
	Draws int
	// Pairs counts the pairs of games with one opening and colours exchanged, by the points
	// of A: 0, ½, 1, 1½ and 2.
	Pairs [5]int
}

// Games is the number of games.
func (s Tally) Games() int { return s.Wins[A] + s.Wins[B] + s.Draws }

// Points is the number of wins plus half the number of draws, for each side.
func (s Tally) Points() [2]float64 {
	half := float64(s.Draws) / 2
	return [2]float64{float64(s.Wins[A]) + half, float64(s.Wins[B]) + half}
}

// Run plays the games that the log does not hold yet. When ctx ends, it returns the result
// so far with the error of ctx. A program that cannot be started or refuses the board is an
// error, since no game can be played with it.
func Run(ctx context.Context, o Options) (Result, error) {
	m, err := prepare(ctx, o)
	if err != nil {
		return Result{}, err
	}
	defer m.lock.Release()
	if err := m.playAll(ctx); err != nil {
		return m.result(), err
	}
	return m.result(), m.recordMissing()
}

// referee is a match that is being played.
type referee struct {
	options  Options
	openings [][]board.Point // by round, if they are balanced
	lock     *wholefile.Lock // nil without a log

	mu       sync.Mutex // guards the fields below
	log      *log
	todo     []int    // numbers of games that no worker has begun
	names    []string // the programs' own names, "" until they have answered
	missing  []int    // numbers of finished games without a record file
	answered []bool   // by program: whether it has answered any command
	begun    []Record // games that were being played when the match was stopped
	err      error    // the error that ended the match
}

func prepare(ctx context.Context, o Options) (*referee, error) {
	if len(o.Programs) < 2 {
		return nil, fmt.Errorf("a match needs at least two programs, and there is %d", len(o.Programs))
	}
	if o.Games < 1 {
		return nil, fmt.Errorf("a match of %d games is not possible: ask for at least one", o.Games)
	}
	if o.Test != nil && len(o.Programs) > 2 {
		return nil, fmt.Errorf("a sequential test compares two programs, and there are %d", len(o.Programs))
	}
	if o.Clock.Patience == 0 {
		o.Clock.Patience = DefaultPatience
	}
	if _, err := o.opening(0); err != nil { // there may be none
		return nil, err
	}
	m := &referee{options: o, names: make([]string, len(o.Programs)), answered: make([]bool, len(o.Programs))}
	if err := m.openFiles(); err != nil {
		m.lock.Release()
		return nil, err
	}
	for _, number := range o.Schedule() {
		if _, played := m.log.find(number); !played {
			m.todo = append(m.todo, number)
		}
	}
	if err := m.balance(ctx); err != nil {
		m.lock.Release()
		return nil, err
	}
	return m, nil
}

// playAll starts one worker for each game that is played at a time. A worker plays one game
// after the other.
func (m *referee) playAll(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var workers sync.WaitGroup
	for range max(m.options.Parallel, 1) {
		workers.Go(func() {
			w := &worker{referee: m}
			defer w.close(ctx)
			for number, more := m.next(); more; number, more = m.next() {
				game, err := w.play(ctx, number)
				if err == nil {
					err = m.finish(game)
				}
				if err != nil {
					m.fail(err, game)
					cancel()
					return
				}
			}
		})
	}
	workers.Wait()
	return m.err
}

// fail keeps the first error, and every interrupted game. Later errors only follow from the
// end of the match.
func (m *referee) fail(err error, game Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, over := m.log.find(game.Number); game.Number > 0 && !over {
		m.begun = append(m.begun, game)
		slices.SortFunc(m.begun, func(a, b Record) int { return a.Number - b.Number })
	}
	if m.err == nil {
		m.err = err
	}
}

// next is the number of the next game to begin, if there is one.
func (m *referee) next() (int, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.todo) == 0 || m.err != nil {
		return 0, false
	}
	number := m.todo[0]
	if secondOfPair := number%2 == 0; !secondOfPair && m.decided() {
		return 0, false
	}
	m.todo = m.todo[1:]
	return number, true
}

// openFiles reads the log and checks that the match can be saved, before the first game.
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

// decided reports whether the test has an answer.
func (m *referee) decided() bool {
	return m.options.Test != nil && m.options.verdict(m.log.Games).Done
}

func (m *referee) result() Result {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.current()
}

// current is the result so far. The caller holds the lock.
func (m *referee) current() Result {
	r := Result{Names: m.labels(), Games: slices.Clone(m.log.Games), Unfinished: slices.Clone(m.begun), Pairings: m.options.score(m.log.Games)}
	r.Tally = r.Pairings[0].Tally
	if m.options.Test != nil {
		v := m.options.verdict(m.log.Games)
		r.Test = &v
	}
	return r
}

// labels are different names for the programs.
func (m *referee) labels() []string {
	if m.options.Names != nil {
		return m.options.Names
	}
	names := slices.Clone(m.names)
	for i, name := range names {
		if name == "" || slices.Contains(names[:i], name) {
			for i, command := range m.options.Programs {
				names[i] = strings.Join(command, " ")
			}
			break
		}
	}
	return names
}

// finish saves a finished game.
func (m *referee) finish(g Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.log.add(g)
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
		m.options.Finished(g, m.current())
	}
	return nil
}
