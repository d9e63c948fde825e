package cluster

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tengen/board"
)

// refuteBoth has two of three workers say that a slice of a proof is about positions that
// are not won, after answers have been taken back once.
func refuteBoth(t *testing.T, winner board.Colour) (*master, error) {
	t.Helper()
	q := Question{Position: empty(t, "3x4"), ToPlay: board.Black}
	s, about, err := openStore(filepath.Join(t.TempDir(), "store"), q.String(), "nonce")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.close() })
	m := &master{nonce: "this", store: s, about: about, dispatcher: newDispatcher(nil, "search", log(t), nil)}
	t.Cleanup(m.examiner.close)
	m.transport, m.about.Epoch, m.refutation = &sentJobs{}, 1, m.refutes
	x, err := m.extracting(q, winner)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.begin(t.Context(), x.extraction.First()); err != nil {
		t.Fatal(err)
	}
	j, ok := x.next()
	if !ok {
		t.Fatal("there is no slice")
	}
	if err := m.send(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "two", "three"} {
		m.workers[name] = &member{heartbeat: heartbeat{Worker: name}, seen: time.Now()}
	}
	for _, name := range []string{"one", "two"} {
		r := result{Search: "search", ID: j.ID, Epoch: 1, Kind: proving, Worker: name, Failure: "not won", Refuted: true}
		if err = m.take(x, delivered{result: r, kept: func() error { return nil }}); err != nil {
			break
		}
	}
	return m, err
}

// Two that refute what is true are found out and do not have all answers taken back, which
// after eight times ended the search.
func TestFalseRefutation(t *testing.T) {
	winner := plain(t, Question{Position: empty(t, "3x4"), ToPlay: board.Black}).Winner
	m, err := refuteBoth(t, winner)
	var d *doubt
	if !errors.As(err, &d) || d.liar == "" || !slices.Equal(m.about.Banned, []string{"one", "two"}) {
		t.Errorf("%v, banned %q", err, m.about.Banned)
	}
	// If they are right, something above is false, and nobody knows what.
	m, err = refuteBoth(t, winner.Opponent())
	if !errors.As(err, &d) || d.liar != "" || len(m.about.Banned) > 0 {
		t.Errorf("%v, banned %q", err, m.about.Banned)
	}
}
