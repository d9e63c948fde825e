package cluster

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"tengen/board"
	"tengen/internal/cluster/tree"
	"tengen/internal/lockless"
	"tengen/internal/longtest"
	"tengen/nogo"
)

// lieInResults answers the wrong way round.
func lieInResults(r *result) { r.Outcome = -r.Outcome }

// lieDearly does so too, and says that it took long.
func lieDearly(r *result) {
	r.Outcome = -r.Outcome
	r.Nodes += 300_000
}

// lieInBranches inverts the outcomes of moves.
func lieInBranches(r *result) {
	for i := range r.Branches {
		r.Branches[i].Outcome = -r.Branches[i].Outcome
	}
}

// leaveAllMovesOut opens positions without their moves.
func leaveAllMovesOut(r *result) { r.Branches = nil }

// leaveOneMoveOut opens positions without their first move.
func leaveOneMoveOut(r *result) {
	if len(r.Branches) > 0 {
		r.Branches = r.Branches[1:]
	}
}

// makeMoveUp opens positions with one that no move leads to.
func makeMoveUp(r *result) {
	if len(r.Branches) > 0 {
		r.Branches[0].Key = r.Key
	}
}

// lieInProofs says that no position of a proof needs a move.
func lieInProofs(r *result) {
	if r.Proof != nil {
		for i := range r.Proof.Moves {
			r.Proof.Moves[i] = 0xFF
		}
	}
}

// proveWithAnyMove gives the first legal move of every position of a proof.
func proveWithAnyMove(t *testing.T, q Question, winner board.Colour) func(*result) {
	slice := proofSlice{Root: Key{q.Position.Small(), q.ToPlay}, Winner: winner}
	x, err := slice.extraction(q.Position.Size, 1)
	if err != nil {
		t.Fatal(err)
	}
	return func(r *result) {
		if r.Proof == nil {
			return
		}
		for i := range r.Proof.Moves {
			if _, ok := x.Move(r.Proof.Moves[i]); ok {
				r.Proof.Moves[i] ^= 1 // a neighbour, which may be illegal
			}
		}
	}
}

// lieInFacts turns every fact into its opposite.
func lieInFacts(facts []byte) {
	const noAt, yesAt, half, all = 7, 15, 128, 255
	for at := 0; at < len(facts); at += lockless.EntryBytes {
		word := binary.LittleEndian.Uint64(facts[at+8:])
		yes, no := word>>yesAt&all, word>>noAt&all
		word &^= all<<yesAt | all<<noAt
		if yes != lockless.NeverYes+half { // yes from here on: no up to here
			yes, no = lockless.NeverYes+half, yes
		} else {
			yes, no = no, 0
		}
		binary.LittleEndian.PutUint64(facts[at+8:], word|yes<<yesAt|no<<noAt)
	}
}

// lieInLists says of every position that the other side wins.
func lieInLists(r *result) {
	for i := range r.Batch {
		a := &r.Batch[i]
		p, err := nogo.ParsePosition(a.Position)
		if err != nil {
			continue
		}
		toPlay, _ := board.ParseColour(a.ToPlay)
		legal := p.Legal(toPlay)
		switch {
		case a.Winner == toPlay.String():
			a.Winner, a.Move = toPlay.Opponent().String(), ""
		case !legal.IsEmpty():
			for move := range legal.Points() {
				a.Winner, a.Move = toPlay.String(), p.Size.Name(move)
				break
			}
		}
	}
}

// liar is the name of the first worker that is hired.
const liar = "worker-1"

// honestLater has an honest worker come when the liar is banned.
func honestLater(s *system, o *Options) {
	var once sync.Once
	o.Progress = func(now Status) {
		if slices.Contains(now.Banned, liar) {
			once.Do(func() { s.hire(nil) })
		}
	}
}

// A worker that lies in one kind of message only is found out and sent away before the
// search is over. The answer is right, whoever else is there, and the honest stay.
func TestLiarsAreFoundOut(t *testing.T) {
	q := Question{Position: empty(t, hard()), ToPlay: board.Black}
	want := plain(t, q).Winner
	proved := q
	proved.Proof = true
	for _, test := range []struct {
		name  string
		q     Question
		lie   func(*result)
		facts func([]byte)
	}{
		{"results", q, lieInResults, nil},
		{"results that took long", q, lieDearly, nil},
		{"outcomes of moves", q, lieInBranches, nil},
		{"all moves left out", q, leaveAllMovesOut, nil},
		{"a move left out", q, leaveOneMoveOut, nil},
		{"a move made up", q, makeMoveUp, nil},
		{"facts", q, nil, lieInFacts},
		{"proofs without moves", proved, lieInProofs, nil},
		{"proofs with other moves", proved, proveWithAnyMove(t, q, want), nil},
	} {
		for _, together := range []bool{false, true} {
			if together && test.facts == nil && test.name != "results" && !longtest.On() {
				continue // a liar alone is the harder case, and has the harder check
			}
			t.Run(fmt.Sprintf("%s, together %t", test.name, together), func(t *testing.T) {
				t.Parallel() // most of it is waiting
				s := newSystem(t)
				o := s.options()
				o.check, o.Share = 1, 1
				s.hire(func(o *WorkerOptions) { o.forge, o.forgeFacts = test.lie, test.facts })
				if together {
					s.hire(nil)
				} else {
					honestLater(s, &o)
				}
				a, err := Solve(t.Context(), test.q, o)
				if err != nil {
					t.Fatal(err)
				}
				if a.Winner != want {
					t.Errorf("%s wins, not %s", a.Winner, want)
				}
				// Together with others a liar may get nothing to do once it is suspected.
				if len(a.Banned) == 0 && together {
					return
				}
				if !slices.Equal(a.Banned, []string{liar}) {
					t.Errorf("%q are banned, not the liar alone", a.Banned)
				}
				if test.q.Proof {
					checkProof(t, a)
				}
			})
		}
	}
}

// The same as it is outside of tests: one answer in 24 is found again.
func TestLiarIsFoundOutBySample(t *testing.T) {
	s := newSystem(t)
	s.hire(func(o *WorkerOptions) { o.forge = lieInResults })
	s.hire(nil)
	q := Question{Position: empty(t, "4x4"), ToPlay: board.Black, Proof: true}
	a, err := Solve(t.Context(), q, s.options())
	if err != nil {
		t.Fatal(err)
	}
	if want := plain(t, q).Winner; a.Winner != want {
		t.Errorf("%s wins, not %s", a.Winner, want)
	}
	checkProof(t, a)
	if !slices.Equal(a.Banned, []string{liar}) {
		t.Errorf("%q are banned, not the liar alone", a.Banned)
	}
}

// Honest workers contradict neither each other nor the master.
func TestHonestWorkersAreBelieved(t *testing.T) {
	for _, size := range []string{"3x5", "4x4"} {
		s := newSystem(t)
		for range 3 {
			s.hire(nil)
		}
		o := s.options()
		o.check, o.Share = 1, 1
		q := Question{Position: empty(t, size), ToPlay: board.Black, Proof: true}
		a, err := Solve(t.Context(), q, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Banned) > 0 || a.Epoch > 0 {
			t.Errorf("%s: %q are banned, answers were taken back %d times", size, a.Banned, a.Epoch)
		}
		if a.Checks.Claims == 0 || 2*a.Checks.Checked < a.Checks.Claims {
			t.Errorf("%s: %d claims of %d were found again", size, a.Checks.Checked, a.Checks.Claims)
		}
	}
}

// listOf makes lines up, on boards of several widths.
func listOf(lines int, sizes ...board.Size) string {
	random := rand.New(rand.NewPCG(7, 7))
	var text strings.Builder
	for i := range lines {
		p, c := randomPosition(random, sizes[i%len(sizes)], 6)
		fmt.Fprintf(&text, "%s %s\n", p, c)
	}
	return text.String()
}

// A worker that lies in the answers of a list is found out, and no line of its stays.
func TestLiarInListIsFoundOut(t *testing.T) {
	text := listOf(200, board.Size{Rows: 3, Cols: 4}, board.Size{Rows: 3, Cols: 3}, board.Size{Rows: 1, Cols: 9})
	for _, together := range []bool{false, true} {
		t.Run(fmt.Sprintf("together %t", together), func(t *testing.T) {
			t.Parallel()
			s := newSystem(t)
			o := s.options()
			o.check, o.lines = 4, 10
			s.hire(func(o *WorkerOptions) { o.forge = lieInLists })
			if together {
				s.hire(nil)
			} else {
				honestLater(s, &o)
			}
			var out bytes.Buffer
			total, err := SolveList(t.Context(), readList(t, text), &out, o)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(total.Banned, []string{liar}) {
				t.Errorf("%q are banned, not the liar alone", total.Banned)
			}
			checkAnswers(t, out.String(), 200)
		})
	}
}

// unchecked is a sample that has no claim in it.
const unchecked = 1 << 62

// A master that is killed, or that bans another worker, has claims that were not checked yet.
// They are checked before an answer rests on them.
func TestKeptClaimsAreChecked(t *testing.T) {
	t.Run("list", func(t *testing.T) {
		text := listOf(40, board.Size{Rows: 3, Cols: 4}, board.Size{Rows: 3, Cols: 3})
		s := newSystem(t)
		o := s.options()
		o.check, o.lines = unchecked, 10
		s.hire(func(o *WorkerOptions) { o.forge = lieInLists })
		var out bytes.Buffer
		if _, err := SolveList(t.Context(), readList(t, text), &out, o); err != nil {
			t.Fatal(err)
		}
		o.check = 1
		honestLater(s, &o)
		out.Reset()
		total, err := SolveList(t.Context(), readList(t, text), &out, o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(total.Banned, []string{liar}) {
			t.Errorf("%q are banned, not the liar alone", total.Banned)
		}
		if total.Checks.Claims > 40 {
			t.Errorf("40 answers are counted as %d claims", total.Checks.Claims)
		}
		checkAnswers(t, out.String(), 40)
	})
	t.Run("search", func(t *testing.T) {
		q := Question{Position: empty(t, "2x8"), ToPlay: board.Black}
		s := newSystem(t)
		o := s.options()
		o.check = unchecked
		s.hire(nil)
		want, err := Solve(t.Context(), q, o)
		if err != nil {
			t.Fatal(err)
		}
		// A worker that is gone has said the opposite.
		kept, a, err := openStore(o.Store, q.String(), "")
		if err != nil {
			t.Fatal(err)
		}
		outcome := tree.Lost
		if want.Winner != q.ToPlay {
			outcome = tree.Won
		}
		err = kept.put(a, decidedBucket, keyOf(q.Position, q.ToPlay).String(), record{int8(outcome), 1, 0, "gone"})
		if err := errors.Join(err, kept.close()); err != nil {
			t.Fatal(err)
		}
		o.check = 1
		got, err := Solve(t.Context(), q, o)
		if err != nil {
			t.Fatal(err)
		}
		if got.Winner != want.Winner || got.Epoch == 0 && len(got.Banned) == 0 {
			t.Errorf("%s wins, not %s; answers were taken back %d times, %q are banned", got.Winner, want.Winner, got.Epoch, got.Banned)
		}
	})
}

// checkAnswers compares the answers of a list with those of one machine.
func checkAnswers(t *testing.T, text string, lines int) {
	t.Helper()
	answers := strings.Split(strings.TrimSpace(text), "\n")
	if len(answers) != lines {
		t.Fatalf("%d answers, not %d", len(answers), lines)
	}
	for _, line := range answers {
		var a answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		p, c := parsed(t, a.question)
		if want := plain(t, Question{Position: p, ToPlay: c}).Winner.String(); a.Winner != want || a.Failure != "" {
			t.Errorf("%s, %s to play: %+v, want %s", p, c, a, want)
		}
	}
}
