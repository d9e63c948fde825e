// Package match is a referee: it lets programs that speak GTP play NoGo or Go against each
// other, two of them or a tournament of many, several games at a time. It holds them to the
// rules and the clock, records the games and says how much stronger one is than another.
//
// A program that breaks the rules, runs out of time, dies, hangs or floods loses the
// game with the reason in its record; it is started again and the match goes on. The
// programs are any: package match knows no player.
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
	Games    int        // of each pairing
	Programs [][]string // the command and its arguments, of two programs or more
	Names    []string   // of the programs; nil to call two of them a and b
	Gauntlet bool       // the first program plays all others, and these not each other
	Parallel int        // games at a time; 0 is one
	// Fresh starts the programs anew for every game, so that a game depends on nothing
	// but its number.
	Fresh bool
	// LetResign lets players of tengen resign. They are told to play on else.
	LetResign bool
	Openings  Openings
	Clock     Clock
	Records   string // directory for a game record each; "" for none
	Log       string // file that the match is saved in and resumed from; "" for none
	Test      *Test  // ends the match early; nil to play all games
	Disk      wholefile.Disk

	// Finished is told of every game; Moved of every move, with the number of the
	// game and of the move. They are called by one goroutine at a time.
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
	Names    []string // as given, or as the programs call themselves, or their commands to tell them apart
	Games    []Record // by number
	Pairings []Pairing
	Tally             // of the first pairing, which is all there is of a match of two
	Test     *Verdict // nil without a test
}

// Pairing is what two programs have come to.
type Pairing struct {
	Programs [2]int // numbers in the options: A and B
	Tally
}

// Tally counts games.
type Tally struct {
	Wins  [2]int
	Draws int
	// Pairs are the pairs of games with one opening and colours exchanged that gave A
	// 0, ½, 1, 1½ and 2 points.
	Pairs [5]int
}

// Games is how many there are.
func (s Tally) Games() int { return s.Wins[A] + s.Wins[B] + s.Draws }

// Points are wins with half of the draws.
func (s Tally) Points() [2]float64 {
	half := float64(s.Draws) / 2
	return [2]float64{float64(s.Wins[A]) + half, float64(s.Wins[B]) + half}
}

// Run plays the games that the log does not hold yet. When ctx ends, the result so far
// comes back with its error. Programs that cannot be started or refuse the board are
// errors, for no game can be played with them.
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

// referee is a match under way.
type referee struct {
	options  Options
	openings [][]board.Point // by round, of balanced ones
	lock     *wholefile.Lock // nil without a log

	mu      sync.Mutex // of what follows
	log     *log
	todo    []int    // numbers of games that nobody has begun
	names   []string // as the programs call themselves, "" before they have
	missing []int    // numbers of games that are over and not recorded
	err     error    // what ended the match
}

func prepare(ctx context.Context, o Options) (*referee, error) {
	if len(o.Programs) < 2 {
		return nil, fmt.Errorf("a match wants two programs at least, and there is %d", len(o.Programs))
	}
	if o.Games < 1 {
		return nil, fmt.Errorf("a match of %d games is none", o.Games)
	}
	if o.Clock.Patience == 0 {
		o.Clock.Patience = DefaultPatience
	}
	if _, err := o.opening(0); err != nil { // there may be none
		return nil, err
	}
	m := &referee{options: o, names: make([]string, len(o.Programs))}
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

// playAll lets as many desks as there are games at a time take one game after the other.
func (m *referee) playAll(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var desks sync.WaitGroup
	for range max(m.options.Parallel, 1) {
		desks.Go(func() {
			d := &desk{referee: m}
			defer d.close(ctx)
			for number, more := m.next(); more; number, more = m.next() {
				game, err := d.play(ctx, number)
				if err == nil {
					err = m.finish(game)
				}
				if err != nil {
					m.fail(err)
					cancel()
					return
				}
			}
		})
	}
	desks.Wait()
	return m.err
}

// fail keeps the first error, for those after it come of its ending the match.
func (m *referee) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err == nil {
		m.err = err
	}
}

// next is the game to begin, if there is one.
func (m *referee) next() (int, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.todo) == 0 || m.err != nil || m.decided() {
		return 0, false
	}
	number := m.todo[0]
	m.todo = m.todo[1:]
	return number, true
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

// decided reports that the test has an answer. It is asked when both games with an
// opening are over, so that neither side has had Black more often.
func (m *referee) decided() bool {
	return m.options.Test != nil && len(m.log.Games)%2 == 0 && m.tell().Test.Done
}

func (m *referee) result() Result {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tell()
}

// tell is the result. The caller holds the lock.
func (m *referee) tell() Result {
	r := Result{Names: m.labels(), Games: slices.Clone(m.log.Games), Pairings: m.options.score(m.log.Games)}
	r.Tally = r.Pairings[0].Tally
	if m.options.Test != nil {
		v := m.options.Test.Verdict(r.Points())
		r.Test = &v
	}
	return r
}

// labels tell the programs apart.
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

// finish keeps a game that is over.
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
		m.options.Finished(g, m.tell())
	}
	return nil
}
