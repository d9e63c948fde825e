package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/nogo"
)

// VerifyOptions are the options of a check; the zero value is usable.
type VerifyOptions struct {
	Threads  int                      // 0 means one per processor
	Progress func(done, total uint64) // entries; called by one goroutine at a time

	// Memory bounds the memory of gathered codes, in bytes; 0 means about ten codes for
	// each of a million entries. With less memory a position may be searched, and
	// counted, more than once.
	Memory int64

	// From and To bound the entries to check, To excluded; a To of 0 means the end.
	// Slices that cover all entries together make the whole check: the slice that begins
	// at 0 also checks the root.
	From, To int

	segment int // for tests; 0 means the constant
}

// Report is the result of a check.
type Report struct {
	Valid           bool     `json:"valid"`
	Positions       uint64   `json:"positions"` // entries checked
	EndgameSearches uint64   `json:"endgame_searches"`
	EndgameNodes    uint64   `json:"endgame_nodes"`
	Failure         *Failure `json:"failure,omitempty"`
}

// And adds the report of the next slice. A position that entries of both slices need is
// searched by both and counts twice.
func (r Report) And(next Report) Report {
	if r.Failure == nil {
		r.Failure = next.Failure
	}
	r.Valid = r.Valid && next.Valid
	r.Positions += next.Positions
	r.EndgameSearches += next.EndgameSearches
	r.EndgameNodes += next.EndgameNodes
	return r
}

// Failure is the first fault of a certificate: at the root, or else at the entry with
// the lowest code.
type Failure struct {
	Position string `json:"position"` // as a diagram line
	Move     string `json:"move,omitempty"`
	Reply    string `json:"reply,omitempty"`
	Reason   string `json:"reason"`

	entry int
}

func (f *Failure) Error() string {
	text := "in " + f.Position
	if f.Move != "" {
		text += " after " + f.Move
	}
	if f.Reply != "" {
		text += " and the reply " + f.Reply
	}
	return text + ": " + f.Reason
}

// segment is the number of entries that are checked together: their replies are
// gathered, repeated ones are dropped, and the rest are searched. It bounds the memory
// of a check to about ten codes of 16 bytes per entry.
const segment = 1 << 20

// A gathered code takes at most gatheredBytes: lists grow to twice their content, and
// are copied once. The memory is checked after every gatherStep entries.
const (
	gatheredBytes = 64
	gatherStep    = 1 << 10
)

// Verify checks a certificate with the rules of NoGo and the endgame search alone. That
// suffices by induction on the number of empty points. If every entry's move is legal,
// and every reply to it leads to an entry or to a position proven won, then the winner
// wins from every entry. The root is checked in the same way. Entries that cannot be
// reached from the root would do no harm, but they are checked as well.
//
// An error means that the check could not be completed. A certificate that proves
// nothing gives a Report with a Failure.
func Verify(ctx context.Context, c *Certificate, opt VerifyOptions) (Report, error) {
	if opt.To == 0 {
		opt.To = c.Len()
	}
	if opt.From < 0 || opt.To < opt.From || opt.To > c.Len() {
		return Report{}, fmt.Errorf("entries %d to %d are not a slice of a certificate with %d", opt.From, opt.To, c.Len())
	}
	k := &check{c: c, opt: opt, workers: make([]checker, threadsOr(opt.Threads))}
	for i := range k.workers {
		k.workers[i].search = newEndgame(c.coder.grid, c.endgameNodes)
	}
	step := cmp.Or(opt.segment, segment)
	var err error
	if opt.From == 0 {
		err = k.root(ctx)
	}
	for from := opt.From; err == nil && from < opt.To; {
		from, err = k.entries(ctx, from, min(from+step, opt.To))
	}
	for _, w := range k.workers {
		k.report.EndgameSearches += w.searches
		k.report.EndgameNodes += w.nodes
	}
	k.report.Valid = err == nil
	if errors.As(err, &k.report.Failure) {
		return k.report, nil
	}
	return k.report, err
}

// check is one run of Verify. Its methods return a *Failure as an error.
type check struct {
	c       *Certificate
	opt     VerifyOptions
	report  Report
	workers []checker
}

// checker is the state of one goroutine.
type checker struct {
	search   *endgame
	searches uint64
	nodes    uint64
	needed   gathering
	unproven []unproven
}

// unproven is a position that the entries need and the search does not prove.
type unproven struct {
	key     code
	outcome outcome
}

// root checks that the claim follows from the entries.
func (k *check) root(ctx context.Context) error {
	var needed []code
	for _, key := range k.c.frontier() {
		if _, ok := k.c.entries.find(key); !ok {
			needed = append(needed, key)
		}
	}
	open, err := k.prove(ctx, needed, nil)
	if err != nil || len(open) == 0 {
		return err
	}
	fail := &Failure{Position: k.c.Root().String(), Reason: k.reason(open[0].outcome)}
	if k.c.toPlay != k.c.winner {
		fail.Reply, fail.Reason = k.escape(k.c.root, open)
	}
	return fail
}

// entries checks a range of entries: first each by itself, then the positions they need
// that are not entries. It stops before the end of the range if the memory is used up.
func (k *check) entries(ctx context.Context, from, most int) (to int, err error) {
	step := most - from
	if k.opt.Memory > 0 {
		step = min(step, gatherStep)
	}
	for to = from; err == nil && to < most && k.room(); to = min(to+step, most) {
		err = k.gather(ctx, to, min(to+step, most))
	}
	var needed []code
	for i := range k.workers {
		needed = k.workers[i].needed.moveTo(needed)
	}
	if broken := (*Failure)(nil); errors.As(err, &broken) {
		// An earlier entry may still fail because a position it needs is not proven.
		for at := from; at < broken.entry; {
			if at, err = k.entries(ctx, at, broken.entry); err != nil {
				return at, err
			}
		}
		return to, broken
	}
	if err != nil {
		return to, err
	}
	open, err := k.prove(ctx, sortedCodes(needed), func(done, total int) {
		k.progress(from + int(float64(to-from)*float64(done)/float64(total)))
	})
	if err != nil {
		return to, err
	}
	for i := from; i < to && len(open) > 0; i++ {
		s, move := k.at(i)
		if reply, reason := k.escape(s.Play(k.c.winner, 1<<move), open); reason != "" {
			return to, k.failure(i, reply, reason)
		}
	}
	k.report.Positions += uint64(to - from)
	k.progress(to)
	return to, nil
}

// gather checks entries by themselves and collects the positions they need.
func (k *check) gather(ctx context.Context, from, to int) error {
	w := sweep{threads: len(k.workers), total: to - from, stride: 256}
	return w.run(ctx, func(worker, low, high int) error {
		for i := from + low; i < from+high; i++ {
			if err := k.entry(i, &k.workers[worker].needed); err != nil {
				return err
			}
		}
		return nil
	})
}

// room reports whether there is memory to gather more.
func (k *check) room() bool {
	codes := 0
	for i := range k.workers {
		codes += len(k.workers[i].needed.codes)
	}
	return k.opt.Memory == 0 || codes == 0 || int64(codes)*gatheredBytes < k.opt.Memory
}

func (k *check) progress(done int) {
	if k.opt.Progress != nil {
		k.opt.Progress(uint64(done-k.opt.From), uint64(k.opt.To-k.opt.From))
	}
}

func (k *check) at(i int) (nogo.Stones, board.Point) {
	return k.c.coder.decode(k.c.entries.key(i)), k.c.coder.points[k.c.entries.moves[i]]
}

func (k *check) failure(i int, reply, reason string) *Failure {
	s, move := k.at(i)
	size := k.c.coder.size
	return &Failure{k.c.coder.position(s).String(), size.Name(move), reply, reason, i}
}

// entry checks position and move, and gathers the replies that are not entries.
func (k *check) entry(i int, needed *gathering) error {
	coder, winner := k.c.coder, k.c.winner
	s, move := k.at(i)
	if !alive(coder.grid, s) {
		return k.failure(i, "", "this is not a position of the game: a block has no liberty")
	}
	if least, _ := coder.canonical(s); least != k.c.entries.key(i) {
		return k.failure(i, "", "the position is not in its canonical orientation")
	}
	if legal(coder.grid, s, winner)>>move&1 == 0 {
		return k.failure(i, "", fmt.Sprintf("the move is not legal for %s", winner))
	}
	for _, key := range replies(coder, s.Play(winner, 1<<move), winner.Opponent()) {
		if _, ok := k.c.entries.find(key); !ok {
			needed.add(key)
		}
	}
	return nil
}

// alive reports whether every block has a liberty.
func alive(g nogo.Grid, s nogo.Stones) bool {
	empty := g.Mask &^ (s[0] | s[1])
	return g.Flood(s[0]&g.Around(empty), s[0]) == s[0] && g.Flood(s[1]&g.Around(empty), s[1]) == s[1]
}

// prove searches every position of the list and returns, in ascending order, those that
// are not proven won. It does not stop at the first of these, because it does not know
// which entry comes first.
func (k *check) prove(ctx context.Context, list []code, progress func(done, total int)) (open []unproven, err error) {
	w := sweep{threads: len(k.workers), total: len(list), stride: 8}
	if progress != nil {
		w.progress = func(done int) { progress(done, len(list)) }
	}
	err = w.run(ctx, func(worker, from, to int) error {
		for _, key := range list[from:to] {
			k.workers[worker].prove(key, k.c)
		}
		return nil
	})
	for i := range k.workers {
		open = append(open, k.workers[i].unproven...)
		k.workers[i].unproven = nil
	}
	slices.SortFunc(open, func(a, b unproven) int { return a.key.compare(b.key) })
	return open, err
}

func (w *checker) prove(key code, c *Certificate) {
	r := w.search.solve(c.coder.decode(key), c.winner)
	w.searches++
	w.nodes += uint64(w.search.nodes)
	if r != won {
		w.unproven = append(w.unproven, unproven{key, r})
	}
}

// escape looks for a move of the loser in s to one of the unproven positions.
func (k *check) escape(s nogo.Stones, open []unproven) (reply, reason string) {
	for point, key := range replies(k.c.coder, s, k.c.winner.Opponent()) {
		i, found := slices.BinarySearchFunc(open, key, func(u unproven, key code) int { return u.key.compare(key) })
		if found {
			return k.c.coder.name(point), k.reason(open[i].outcome)
		}
	}
	return "", ""
}

func (k *check) reason(r outcome) string {
	if r == lost {
		return fmt.Sprintf("%s loses there", k.c.winner)
	}
	return fmt.Sprintf("the certificate has no entry there and %d nodes of endgame search do not prove a win", k.c.endgameNodes)
}
