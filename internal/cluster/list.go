package cluster

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"tengen/board"
	"tengen/nogo"
)

// List are positions to be solved, a line each.
type List struct {
	questions []question
	index     map[int]int // of the questions, by line
	digest    string
}

// maxLine is more than the largest board takes.
const maxLine = 4096

// ReadList reads a position from each line, in the notation of diagrams, and after a
// blank the side to play if it is not Black. Empty lines and those that begin with # are
// passed over.
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

// String tells lists apart.
func (l List) String() string {
	return fmt.Sprintf("a list of %d positions, sha256 %s", l.Len(), l.digest)
}

// Len is the number of positions.
func (l List) Len() int { return len(l.questions) }

// ListTotals counts what a list came to.
type ListTotals struct {
	Positions, Failed int
	Nodes, Jobs       uint64
	Seconds           float64
}

// SolveList answers every line, and writes the answers in the order of the lines, a JSON
// object each. When the context ends, the answers so far are in the store.
func SolveList(ctx context.Context, l List, to io.Writer, o Options) (ListTotals, error) {
	m, err := begin(ctx, l.String(), o)
	if err != nil {
		return ListTotals{}, err
	}
	defer m.end()
	t := &listing{m: m, list: l, answered: make([]bool, l.Len()), left: l.Len(), out: map[string][]question{}, pace: pace{least: 4, most: 2000}}
	if o.lines > 0 {
		t.pace = pace{least: o.lines, most: o.lines}
	}
	err = each(m.store, answerBucket, func(_ string, a answer) error {
		t.fresh(a)
		return nil
	})
	if err != nil {
		return ListTotals{}, err
	}
	for i, q := range l.questions {
		if !t.answered[i] {
			t.todo = append(t.todo, q)
		}
	}
	if err := m.run(ctx, t); err != nil {
		return ListTotals{}, err
	}
	return t.write(to)
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

func (t *listing) ahead() int { return 1 }

func (t *listing) done() bool { return t.left == 0 }

func (t *listing) next() (job, bool) {
	if len(t.todo) == 0 {
		return job{}, false
	}
	n := min(t.pace.size(), len(t.todo))
	j := job{ID: fmt.Sprintf("list-%d-%d", t.todo[0].Line, t.jobs), Kind: batching, Batch: t.todo[:n:n]}
	t.jobs++
	t.out[j.ID] = j.Batch
	t.todo = t.todo[n:]
	return j, true
}

func (t *listing) take(r result) ([]string, error) {
	if r.Kind != batching {
		return nil, nil
	}
	asked, ours := t.out[r.ID]
	delete(t.out, r.ID)
	if r.Failure != "" {
		return nil, fmt.Errorf("worker %s cannot do a job: %s", r.Worker, r.Failure)
	}
	if len(r.Batch) == 0 && ours { // dropped
		t.todo = append(t.todo, asked...)
		return nil, nil
	}
	fresh := r.Batch[:0:0]
	for _, a := range r.Batch {
		if t.fresh(a) {
			fresh = append(fresh, a)
		}
	}
	t.pace.took(len(r.Batch), r.Seconds)
	return nil, t.m.store.answers(t.m.account(), fresh)
}

// fresh reports whether an answer is the first to a question of this list.
func (t *listing) fresh(a answer) bool {
	at, ok := t.list.index[a.Line]
	if !ok || t.list.questions[at] != a.question || t.answered[at] {
		return false
	}
	t.answered[at] = true
	t.left--
	return true
}

func (t *listing) report(s *Status) {
	s.Question, s.Phase = t.m.about.Question, "list"
	s.Part, s.Whole = uint64(t.list.Len()-t.left), uint64(t.list.Len())
}

// write writes all answers in the order of their lines, which is that of their keys.
func (t *listing) write(to io.Writer) (ListTotals, error) {
	total := ListTotals{Nodes: t.m.nodes, Jobs: t.m.jobs, Seconds: t.m.spent().Seconds()}
	out := bufio.NewWriter(to)
	encoder := json.NewEncoder(out)
	err := each(t.m.store, answerBucket, func(_ string, a answer) error {
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
