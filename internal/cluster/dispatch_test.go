package cluster

import (
	"context"
	"testing"
)

// letters are what a dispatcher has sent.
type letters []job

func (l *letters) send(_ context.Context, j job) error {
	*l = append(*l, j)
	return nil
}

func (l *letters) cancel(string, string) {}

// A job that a banned worker has answered goes out again at once.
func TestAnswerOfBannedWorkerIsNotTaken(t *testing.T) {
	var post letters
	d := newDispatcher(nil, "search", log(t), nil)
	d.post = &post
	if err := d.send(t.Context(), job{ID: "1"}); err != nil {
		t.Fatal(err)
	}
	d.banned["liar"] = true
	kept := false
	r := delivered{result{Search: "search", ID: "1", Worker: "liar", Nodes: 1}, func() error {
		kept = true
		return nil
	}}
	if err := d.take(nil, r); err != nil || !kept || d.jobs != 0 {
		t.Fatalf("the answer was taken: %v, %d jobs", err, d.jobs)
	}
	for range 2 {
		if err := d.find(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(post) != 2 || post[1].ID != "1" {
		t.Errorf("the job went out %d times, not twice", len(post))
	}
}
