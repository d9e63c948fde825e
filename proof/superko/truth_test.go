package superko

import (
	"bytes"
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/weiqi"
)

// truth plays by the rules as they are written, on strings of x for the prover, o for the
// opponent and a dot, with a set of all that may not be repeated. It shares no code with the
// checker or the rules of the module.
type truth struct {
	rows, cols  int
	situational bool
	goal        int
	seen        map[string]bool
	nodes       int // left; below 0 an answer means nothing
}

func newTruth(c *Certificate) *truth {
	claim := c.Claim()
	return &truth{
		rows: claim.Start.Size.Rows, cols: claim.Start.Size.Cols, situational: claim.Rules == ssk,
		goal: claim.Goal, seen: map[string]bool{},
	}
}

const stones = "xo"

func (o *truth) name(b string, side int) string {
	if o.situational {
		return b + stones[side:side+1]
	}
	return b
}

// around lists the neighbours of a cell.
func (o *truth) around(i int) (list []int) {
	for j := range o.rows * o.cols {
		if down, right := i/o.cols-j/o.cols, i%o.cols-j%o.cols; down*down+right*right == 1 {
			list = append(list, j)
		}
	}
	return list
}

// block is the set of cells like i that are connected to it, and the kinds of cells beside them.
func (o *truth) block(b []byte, i int) (same []int, beside string) {
	same = []int{i}
	for n := 0; n < len(same); n++ {
		for _, j := range o.around(same[n]) {
			if b[j] != b[i] {
				beside += string(b[j])
			} else if !slices.Contains(same, j) {
				same = append(same, j)
			}
		}
	}
	return same, beside
}

// put returns the board after a stone, or "" if that is a suicide or no empty point.
func (o *truth) put(b string, side, i int) string {
	next := []byte(b)
	if next[i] != '.' {
		return ""
	}
	next[i] = stones[side]
	for _, j := range o.around(i) {
		if next[j] == stones[1-side] {
			if same, beside := o.block(next, j); !strings.Contains(beside, ".") {
				for _, gone := range same {
					next[gone] = '.'
				}
			}
		}
	}
	if _, beside := o.block(next, i); !strings.Contains(beside, ".") {
		return ""
	}
	return string(next)
}

// reached reports whether the prover has the goal on a board.
func (o *truth) reached(b string) bool {
	score := 0
	for i := range b {
		kind := b[i : i+1]
		if kind == "." {
			_, kind = o.block([]byte(b), i)
		}
		x, y := strings.Contains(kind, "x"), strings.Contains(kind, "o")
		if x && !y {
			score++
		}
		if y && !x {
			score--
		}
	}
	return score >= o.goal
}

// wins reports whether the prover reaches the goal.
func (o *truth) wins(b string, side int, passed bool) bool {
	if o.nodes--; o.nodes < 0 {
		return false
	}
	own := side == 0 // what a move of this side decides
	if passed && o.reached(b) == own {
		return own
	}
	if !passed && o.after(b, side, true) == own {
		return own
	}
	for i := range b {
		next := o.put(b, side, i)
		if next != "" && !o.seen[o.name(next, 1-side)] && o.after(next, side, false) == own {
			return own
		}
	}
	return !own
}

// after is the answer after a move to a board.
func (o *truth) after(next string, side int, pass bool) bool {
	name := o.name(next, 1-side)
	before := o.seen[name]
	o.seen[name] = true
	won := o.wins(next, 1-side, pass)
	o.seen[name] = before
	return won
}

// text is a position in the form of the oracle.
func (o *truth) text(c *coder, s state) (b string, side int) {
	var text strings.Builder
	for _, p := range c.points {
		text.WriteByte(".xo"[s.stones[0]>>p&1|s.stones[1]>>p&1<<1])
	}
	return text.String(), int(bit(s.opponent))
}

// of is the name of an id.
func (o *truth) of(c *coder, id uint32) string {
	code := 4 * uint64(id)
	if c.situational {
		code = 4*uint64(id/2) + uint64(id%2)
	}
	return o.name(o.text(c, c.state(code)))
}

// names lists what can occur in a game.
func (o *truth) names(c *coder) (list []string) {
	for id := range uint32(c.ids()) {
		code := 4 * uint64(id)
		if c.situational {
			code = 4 * uint64(id/2)
		}
		if s := c.state(code); c.Sound(s.stones[0], s.stones[1]) {
			list = append(list, o.of(c, id))
		}
	}
	return list
}

// checkTruth compares every entry that the checker accepts with plain search, after histories
// that meet its conditions: all, if they are few, or some at random. It returns the number of
// comparisons.
func checkTruth(t *testing.T, c *Certificate, rnd *rand.Rand, histories int) (done int) {
	t.Helper()
	o := newTruth(c)
	all := o.names(c.coder)
	k := newChecker(c)
	for i := range c.entries {
		if !k.check(i) {
			return done
		}
		b, side := o.text(c.coder, k.present)
		fixed := map[string]bool{o.name(b, side): true}
		for _, id := range k.barred {
			fixed[o.of(c.coder, id)] = true
		}
		if slices.ContainsFunc(k.free, func(id uint32) bool { return fixed[o.of(c.coder, id)] }) {
			continue // no history meets both conditions
		}
		for _, id := range k.free {
			fixed[o.of(c.coder, id)] = false
		}
		rest := slices.DeleteFunc(slices.Clone(all), func(name string) bool { _, ok := fixed[name]; return ok })
		n := histories
		if len(rest) < 20 && 1<<len(rest) <= histories {
			n = 1 << len(rest)
		}
		for choice := range n {
			o.seen = maps.Clone(fixed)
			share := rnd.Float64()
			for bit, name := range rest {
				o.seen[name] = rnd.Float64() < share
				if n < histories {
					o.seen[name] = choice>>bit&1 != 0
				}
			}
			o.nodes = 3000
			won := o.wins(b, side, k.present.passed)
			if o.nodes < 0 {
				continue
			}
			if done++; !won {
				t.Fatalf("%s: entry %d, %s with %d to play, does not hold after %v", c.Claim(), i, b, side, o.seen)
			}
		}
	}
	return done
}

// randomStart is a legal position with random stones.
func randomStart(rnd *rand.Rand, size board.Size) weiqi.Position {
	for {
		p := weiqi.NewPosition(size)
		p.ToPlay, p.Passes = board.Colour(rnd.IntN(2)), uint8(rnd.IntN(2))
		for _, at := range size.All() {
			if c := rnd.IntN(4); c < 2 {
				p.Stones[c].Add(at)
			}
		}
		if p.Validate() == nil {
			return p
		}
	}
}

// randomClaim is a claim about a position in a random game.
func randomClaim(rnd *rand.Rand, start weiqi.Position, rules weiqi.Rules, moves int) Claim {
	h := weiqi.NewHistory(rules, start)
	for range moves {
		list := slices.Collect(h.Legal().Points())
		if len(list) > 0 && rnd.IntN(8) > 0 {
			_ = h.Push(list[rnd.IntN(len(list))])
		} else if h.Position().Passes == 0 {
			_ = h.Push(weiqi.Pass)
		}
	}
	return Claim{Rules: rules, Start: start, Moves: h.Moves()}
}

var tiny = []board.Size{{Rows: 1, Cols: 1}, {Rows: 1, Cols: 2}, {Rows: 1, Cols: 3}, {Rows: 1, Cols: 4}, {Rows: 1, Cols: 5}, {Rows: 2, Cols: 2}, {Rows: 4, Cols: 1}}

// Each entry of an accepted certificate holds after every history that meets its conditions.
func TestEveryEntryIsTrue(t *testing.T) {
	longtest.Alone(t)
	rnd := rand.New(rand.NewPCG(33, 1))
	games, histories := 4, 16
	if longtest.On() {
		games, histories = 100, 64
	}
	for _, size := range tiny {
		for _, rules := range []weiqi.Rules{psk, ssk} {
			s := newSolver(t, size, rules, 1)
			done := 0
			for range games {
				claim := randomClaim(rnd, weiqi.NewPosition(size), rules, rnd.IntN(3*size.Points()))
				for black := -size.Points() + 1; black <= size.Points(); black++ {
					c := prove(t, s, claim, black)
					accepted(t, c)
					done += checkTruth(t, c, rnd, histories)
				}
			}
			t.Logf("%s, %s: %d comparisons", size, rules, done)
			if done < 10 {
				t.Errorf("%s, %s: only %d comparisons", size, rules, done)
			}
		}
	}
}

// All histories of three points and of fewer: any set of boards may have occurred.
func TestEveryHistory(t *testing.T) {
	longtest.Alone(t)
	rnd := rand.New(rand.NewPCG(33, 2))
	for _, size := range tiny[:3] {
		s := newSolver(t, size, psk, 1)
		for black := -size.Points() + 1; black <= size.Points(); black++ {
			for _, moves := range [][]board.Point{nil, {0}, {weiqi.Pass}} {
				if size.Points() == 1 && len(moves) == 1 && moves[0] == 0 {
					continue // a suicide
				}
				checkTruth(t, prove(t, s, Claim{Rules: psk, Start: weiqi.NewPosition(size), Moves: moves}, black), rnd, 1<<15)
			}
		}
	}
}

// A certificate that was altered is refused, or what it claims is true anyway.
func TestAlteredCertificates(t *testing.T) {
	longtest.Alone(t)
	rnd := rand.New(rand.NewPCG(33, 3))
	refused, kept := map[string]int{}, map[string]int{}
	for _, size := range tiny[1:] {
		for _, rules := range []weiqi.Rules{psk, ssk} {
			s := newSolver(t, size, rules, 1)
			for range 20 {
				claim := randomClaim(rnd, randomStart(rnd, size), rules, rnd.IntN(3*size.Points()))
				good := prove(t, s, claim, rnd.IntN(2*size.Points())-size.Points()+1)
				for range 20 {
					c, what := alter(good, rnd)
					if c == nil || c.claim.Check() != nil {
						continue
					}
					report, err := Verify(t.Context(), c, nil)
					if err != nil || report.Valid == (report.Failure != nil) {
						t.Fatalf("%+v, %v", report, err)
					}
					checkTruth(t, c, rnd, 2) // also where a later entry is refused
					if !report.Valid {
						refused[what]++
						continue
					}
					kept[what]++
					if !holds(t, c) {
						t.Fatalf("accepted with another %s: %s", what, c.Claim())
					}
				}
			}
		}
	}
	t.Log("refused", refused, "accepted", kept)
	for _, what := range []string{"position", "move", "entry that follows", "goal", "prover", "rules", "game", "pass before the start", "number of entries"} {
		if refused[what] == 0 {
			t.Errorf("no certificate with another %s was refused", what)
		}
	}
	if len(kept) == 0 {
		t.Error("nothing that was altered is still true")
	}
}

// holds reports whether a claim is true after its own game, or too hard for plain search.
func holds(t *testing.T, c *Certificate) bool {
	t.Helper()
	o := newTruth(c)
	positions, err := c.claim.game()
	if err != nil {
		t.Fatal(err)
	}
	var b string
	var side int
	for _, p := range positions {
		b, side = o.text(c.coder, c.coder.of(p))
		o.seen[o.name(b, side)] = true
		if p.Passes > 0 {
			o.seen[o.name(b, 1-side)] = true
		}
	}
	o.nodes = 100_000
	return o.wins(b, side, positions[len(positions)-1].Passes > 0) || o.nodes < 0
}

// alter changes one thing, and says what. It is nil if the change is not possible.
func alter(good *Certificate, rnd *rand.Rand) (*Certificate, string) {
	c := *good
	c.entries, c.after = slices.Clone(good.entries), slices.Clone(good.after)
	i := rnd.IntN(len(c.entries))
	e := &c.entries[i]
	slots := c.coder.slots(c.coder.state(e.code))
	switch rnd.IntN(9) {
	case 7:
		c.claim.Start.Passes ^= 1
		return &c, "pass before the start"
	case 0:
		code := rnd.Uint64N(4 * c.coder.boards)
		if code == e.code || c.coder.slots(c.coder.state(code)) != slots {
			return nil, ""
		}
		e.code = code
		return &c, "position"
	case 1:
		move := uint8(rnd.IntN(len(c.coder.points) + 1))
		if slots > 1 || move == e.move {
			return nil, ""
		}
		e.move = move
		return &c, "move"
	case 2, 3:
		at := &c.after[int(e.from)+rnd.IntN(slots)]
		other := uint32(rnd.IntN(i + 1))
		if *at == other {
			return nil, ""
		}
		*at = other
		return &c, "entry that follows"
	case 4:
		c.claim.Goal += rnd.IntN(3)
		if c.claim.Goal == good.claim.Goal {
			c.claim.Goal--
		}
		return &c, "goal"
	case 5:
		c.claim.Prover = c.claim.Prover.Opponent()
		c.coder = newCoder(c.claim)
		return &c, "prover"
	case 6:
		if rnd.IntN(2) == 0 {
			c.claim.Rules = weiqi.Rules{Ko: weiqi.Positional + weiqi.Situational - c.claim.Rules.Ko}
			c.coder = newCoder(c.claim)
			return &c, "rules"
		}
		// The same position after another game.
		positions, err := c.claim.game()
		if err != nil || len(c.claim.Moves) == 0 {
			return nil, ""
		}
		from := 1 + rnd.IntN(len(c.claim.Moves))
		if c.claim.Start = positions[from]; c.claim.Start.Ko != board.NoPoint {
			return nil, ""
		}
		c.claim.Moves = c.claim.Moves[from:]
		return &c, "game"
	}
	c.after, c.entries = c.after[:e.from], c.entries[:i]
	return &c, "number of entries"
}

// guess adds an entry that follows the rules or does not: a random position, and moves with
// random entries among those that fit.
func guess(c *Certificate, byCode map[uint64][]int, rnd *rand.Rand) {
	s := c.coder.state(rnd.Uint64N(4 * c.coder.boards))
	e := entry{code: c.coder.code(s), from: uint32(len(c.after))}
	entries := func(move board.Point) uint32 {
		fits := byCode[c.coder.code(c.coder.play(s, move))]
		if len(fits) == 0 || rnd.IntN(6) == 0 {
			return 0
		}
		return uint32(fits[rnd.IntN(len(fits))] + 1)
	}
	if !s.opponent {
		e.move = uint8(rnd.IntN(len(c.coder.points) + 1))
		c.after = append(c.after, entries(c.coder.move(e.move)))
	} else {
		c.after = append(c.after, entries(weiqi.Pass))
		for rest := c.coder.empty(s); rest != 0; rest &= rest - 1 {
			c.after = append(c.after, entries(board.Point(bits.TrailingZeros64(rest))))
		}
	}
	c.entries = append(c.entries, e)
}

// Of entries that were made up the checker accepts those that are true.
func TestGuessedEntries(t *testing.T) {
	longtest.Alone(t)
	rnd := rand.New(rand.NewPCG(33, 4))
	refused := map[string]int{}
	valid := 0
	for _, size := range tiny[1:] {
		for _, rules := range []weiqi.Rules{psk, ssk} {
			for range 4 {
				c, err := New(Claim{Rules: rules, Start: randomStart(rnd, size), Prover: board.Colour(rnd.IntN(2)), Goal: rnd.IntN(3)})
				if err != nil {
					t.Fatal(err)
				}
				byCode := map[uint64][]int{}
				for tries := 0; tries < 4000 && c.Len() < 100; tries++ {
					guess(c, byCode, rnd)
					k, last := newChecker(c), c.Len()-1
					for i := range last {
						k.check(i)
					}
					if e := c.entries[last]; !k.check(last) {
						refused[k.report.Failure.Reason]++
						c.entries, c.after = c.entries[:last], c.after[:e.from]
					} else {
						byCode[e.code] = append(byCode[e.code], last)
					}
				}
				checkTruth(t, c, rnd, 8)
				valid += checkRoots(t, c, byCode, rnd)
			}
		}
	}
	t.Log(valid, "valid, refused", refused)
	for _, why := range []string{"a block has no liberty", "the move is not legal", "the prover returns to this board", "no entry follows", "an entry follows the end of the game"} {
		if refused[why] == 0 {
			t.Errorf("nothing was refused because %s", why)
		}
	}
	if valid == 0 {
		t.Error("nothing was accepted")
	}
}

// checkRoots takes entries for the positions of random games, and returns the number of
// certificates that are accepted.
func checkRoots(t *testing.T, c *Certificate, byCode map[uint64][]int, rnd *rand.Rand) (valid int) {
	t.Helper()
	for range 300 {
		game := randomClaim(rnd, c.claim.Start, c.claim.Rules, rnd.IntN(3*c.claim.Start.Size.Points()))
		root := *c
		root.claim.Moves = game.Moves
		positions, err := root.claim.game()
		if err != nil || root.claim.Check() != nil {
			continue
		}
		for _, i := range byCode[c.coder.code(c.coder.of(positions[len(positions)-1]))] {
			root.entries = c.entries[:i+1]
			root.after = c.after[:int(c.entries[i].from)+c.coder.slots(c.coder.state(c.entries[i].code))]
			report, err := Verify(t.Context(), &root, nil)
			if err != nil {
				t.Fatal(err)
			}
			if report.Valid {
				if valid++; !holds(t, &root) {
					t.Fatalf("accepted: %s", root.Claim())
				}
			}
		}
	}
	return valid
}

// The second checker, in Python, agrees on whole and on altered certificates.
func TestSecondChecker(t *testing.T) {
	longtest.Skip(t)
	for _, program := range []string{"python3", "zstd"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("the second checker needs " + program)
		}
	}
	rnd := rand.New(rand.NewPCG(33, 5))
	answers := map[string]int{}
	for _, size := range append(tiny, board.Size{Rows: 1, Cols: 8}) {
		for _, rules := range []weiqi.Rules{psk, ssk} {
			s := newSolver(t, size, rules, 1)
			for range 3 {
				claim := randomClaim(rnd, randomStart(rnd, size), rules, rnd.IntN(size.Points()))
				c := prove(t, s, claim, rnd.IntN(2*size.Points())-size.Points()+1)
				for altered := c; altered != nil; altered, _ = alter(c, rnd) {
					if altered.claim.Check() != nil {
						continue
					}
					report, err := Verify(t.Context(), altered, nil)
					if err != nil {
						t.Fatal(err)
					}
					says := second(t, altered)
					if answers[says]++; report.Valid != (says == "valid") || says == "" {
						t.Fatalf("%s: the second checker says %q, this one %+v", altered.Claim(), says, report)
					}
				}
			}
		}
	}
	t.Log(answers)
}

// second asks the second checker.
func second(t *testing.T, c *Certificate) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "certificate")
	var file bytes.Buffer
	if err := c.Write(&file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command("python3", "../../docs/checker/superko.py", path).Output()
	says, _, _ := strings.Cut(string(out), ":")
	return says
}

func TestFailuresNameTheEntry(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 5}
	c := prove(t, newSolver(t, size, psk, 1), Claim{Rules: psk, Start: weiqi.NewPosition(size)}, 0)
	last := len(c.entries) - 1
	c.after, c.entries = c.after[:c.entries[last].from], c.entries[:last]
	report, err := Verify(t.Context(), c, nil)
	if err != nil || report.Failure == nil || !strings.Contains(fmt.Sprint(report.Failure), "the last entry is not the position of the claim") {
		t.Errorf("%+v, %v", report, err)
	}
}
