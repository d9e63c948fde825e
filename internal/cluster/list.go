package cluster

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tengen/board"
	"tengen/internal/cluster/tree"
	"tengen/internal/text"
	"tengen/nogo"
)

// List is a list of positions to solve, one in each line.
type List struct {
	questions []question
	index     map[int]int // of the questions, by line
	digest    string
}

// maxLine is longer than a line of the largest board.
const maxLine = 4096

// ReadList reads a position from each line, in the notation of diagrams. The side to play
// follows after a blank if it is not Black. Empty lines and lines that begin with # are
// skipped.
func ReadList(from io.Reader) (List, error) {
	var l List
	sum := sha256.New()
	lines := bufio.NewScanner(io.TeeReader(from, sum))
	lines.Buffer(make([]byte, maxLine), maxLine)
	for number := 1; lines.Scan(); number++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		q, err := parseLine(text)
		if err != nil {
			return List{}, fmt.Errorf("line %d: %w", number, err)
		}
		q.Line = number
		l.questions = append(l.questions, q)
	}
	if err := lines.Err(); err != nil {
		return List{}, fmt.Errorf("after line %d: %w", len(l.questions), err)
	}
	if len(l.questions) == 0 {
		return List{}, fmt.Errorf("the list has no position: give one in each line, such as \"x../.o./... w\"")
	}
	l.index = map[int]int{}
	for i, q := range l.questions {
		l.index[q.Line] = i
	}
	l.digest = hex.EncodeToString(sum.Sum(nil))
	return l, nil
}

func parseLine(text string) (question, error) {
	position, side, _ := strings.Cut(text, " ")
	toPlay := board.Black
	if side = strings.TrimSpace(side); side != "" {
		var err error
		if toPlay, err = board.ParseColour(side); err != nil {
			return question{}, err
		}
	}
	p, err := nogo.ParsePosition(position)
	if err != nil {
		return question{}, err
	}
	return question{Position: p.String(), ToPlay: toPlay.String()}, nil
}

// String identifies a list.
func (l List) String() string {
	return fmt.Sprintf("a list of %d positions, sha256 %s", l.Len(), l.digest)
}

// Len is the number of positions.
func (l List) Len() int { return len(l.questions) }

// ListTotals are the totals of a list.
type ListTotals struct {
	Positions, Failed int
	Nodes, Jobs       uint64
	Seconds           float64
	Checks            Checks   // what the answers rest on
	Banned            []string // workers that have answered falsely
}

// SolveList answers every line. It writes a JSON object for each, in the order of the lines.
// When the context ends, the answers so far are in the store.
func SolveList(ctx context.Context, l List, to io.Writer, o Options) (ListTotals, error) {
	m, err := begin(ctx, l.String(), o)
	if err != nil {
		return ListTotals{}, err
	}
	defer m.end()
	for {
		t, err := m.listing(l)
		if err != nil {
			return ListTotals{}, err
		}
		if err = m.run(ctx, t); err == nil {
			return t.write(to)
		}
		if err := m.recover(err); err != nil {
			return ListTotals{}, err
		}
	}
}

// listing is the task of a list.
type listing struct {
	m        *master
	list     List
	answered []bool // by the number of the question
	left     int
	todo     []question
	out      map[string][]question
	jobs     int
	pace     pace
}

// listing makes the task of the lines that earlier runs have not answered.
func (m *master) listing(l List) (*listing, error) {
	t := &listing{m: m, list: l, answered: make([]bool, l.Len()), left: l.Len(), out: map[string][]question{}, pace: pace{least: 4, most: 2000}}
	if n := m.o.lines; n > 0 {
		t.pace = pace{least: n, most: n}
	}
	// Lists share no facts, so a false answer is its worker's own.
	if err := m.examiner.begin(len(m.about.Banned) > 0, "", board.Size{}); err != nil {
		return nil, err
	}
	m.judge = m.disown
	err := each(m.store, answerBucket, func(_ string, a keptAnswer) error {
		at, ok := t.index(a.answer)
		if !ok {
			return nil
		}
		c, err := a.claim(a.Worker)
		if err != nil {
			return fmt.Errorf("the store is damaged: %w", err)
		}
		t.strike(at)
		t.examine(c)
		return nil
	})
	for i, q := range l.questions {
		if !t.answered[i] {
			t.todo = append(t.todo, q)
		}
	}
	return t, err
}

// disown bans a worker and takes its answers back.
func (m *master) disown(l lie) error {
	m.ban(l.worker, l.why)
	return &doubt{why: fmt.Sprintf("%s: %s", l.worker, l.why), liar: l.worker}
}

// keptAnswer is an answer in the store, with its worker.
type keptAnswer struct {
	answer
	Worker string `json:"worker"`
}

func (t *listing) ahead() int { return 1 }

func (t *listing) done() bool { return t.left == 0 }

func (t *listing) next() (job, bool) {
	if len(t.todo) == 0 {
		return job{}, false
	}
	n := min(t.pace.size(), len(t.todo))
	// The nonce keeps results of another run apart.
	j := job{ID: fmt.Sprintf("list-%s-%d", t.m.nonce, t.jobs), Kind: batching, Batch: t.todo[:n:n]}
	t.jobs++
	t.out[j.ID] = j.Batch
	t.todo = t.todo[n:]
	return j, true
}

// news reports whether a result answers a line that has no answer yet.
func (t *listing) news(r result) bool {
	return r.Kind == batching && slices.ContainsFunc(r.Batch, func(a answer) bool {
		_, ok := t.index(a)
		return ok
	})
}

func (t *listing) take(r result) ([]string, error) {
	if r.Kind != batching {
		return nil, nonsense("a result of kind %s for job %s", r.Kind, r.ID)
	}
	asked, ours := t.out[r.ID]
	if len(r.Batch) == 0 && ours { // cancelled
		delete(t.out, r.ID)
		t.todo = append(t.todo, asked...)
		return nil, nil
	}
	if ours && !slices.EqualFunc(asked, r.Batch, func(q question, a answer) bool { return a.question == q }) {
		return nil, nonsense("it does not answer the lines of job %s", r.ID)
	}
	claims := make([]claim, 0, len(r.Batch))
	for _, a := range r.Batch {
		c, err := a.claim(r.Worker)
		if err != nil {
			return nil, nonsense("line %d: %v", a.Line, err)
		}
		claims = append(claims, c)
	}
	delete(t.out, r.ID)
	var fresh []keptAnswer
	for i, a := range r.Batch {
		at, ok := t.index(a)
		if !ok {
			continue
		}
		t.strike(at)
		fresh = append(fresh, keptAnswer{a, r.Worker})
		t.examine(claims[i])
	}
	t.pace.took(len(r.Batch), r.Seconds)
	return nil, t.m.store.answers(t.m.account(), fresh)
}

// examine has a sample of the claims checked.
func (t *listing) examine(c claim) {
	if c.outcome != tree.Unknown {
		t.m.examiner.examine(c)
	}
}

// claim is the claim of an answer: the position is lost, or the position after the move is.
// A failure claims nothing.
func (a answer) claim(worker string) (claim, error) {
	p, err := nogo.ParsePosition(a.Position)
	if err != nil {
		return claim{}, err
	}
	toPlay, err := board.ParseColour(a.ToPlay)
	if err != nil {
		return claim{}, err
	}
	switch {
	case a.Failure != "" && a.Winner == "" && a.Move == "":
		if searchable(p.Size) { // the master could check it
			return claim{}, fmt.Errorf("it has no answer for %s: %s", p, text.OneLine(a.Failure, mostText))
		}
		return claim{}, nil
	case a.Failure != "":
		return claim{}, errors.New("it is an answer and a failure")
	case a.Winner == toPlay.Opponent().String() && a.Move == "":
	case a.Winner == toPlay.String():
		move, err := p.Size.ParsePoint(a.Move)
		if err != nil || !p.Legal(toPlay).Has(move) {
			return claim{}, fmt.Errorf("%.10q is no move of %s in %s", a.Move, toPlay, p)
		}
		p, toPlay = played(p, toPlay, move), toPlay.Opponent()
	default:
		return claim{}, fmt.Errorf("%.10q wins by %.10q", a.Winner, a.Move)
	}
	return claim{p.Size, Key{p.Small(), toPlay}, tree.Lost, worker, false}, nil
}

// index is the number of the line that an answer belongs to, if it has no answer yet.
func (t *listing) index(a answer) (int, bool) {
	at, ok := t.list.index[a.Line]
	return at, ok && t.list.questions[at] == a.question && !t.answered[at]
}

// strike counts a question as answered.
func (t *listing) strike(at int) {
	t.answered[at] = true
	t.left--
}

func (t *listing) report(s *Status) {
	s.Question, s.Phase = t.m.about.Question, "list"
	s.Part, s.Whole = uint64(t.list.Len()-t.left), uint64(t.list.Len())
}

// write writes all answers in the order of their lines, which is that of their keys.
func (t *listing) write(to io.Writer) (ListTotals, error) {
	total := ListTotals{Nodes: t.m.nodes, Jobs: t.m.jobs, Seconds: t.m.spent().Seconds(), Checks: t.m.examiner.checks(), Banned: t.m.about.Banned}
	out := bufio.NewWriter(to)
	encoder := json.NewEncoder(out)
	err := each(t.m.store, answerBucket, func(_ string, k keptAnswer) error {
		a := k.answer
		total.Positions++
		if a.Failure != "" {
			total.Failed++
		}
		return encoder.Encode(a)
	})
	if err == nil {
		err = out.Flush()
	}
	return total, err
}
