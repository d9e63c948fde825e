package cluster

import (
	"strings"
	"testing"
	"time"
)

// newcomersAndWorkers is a dispatcher with one job, "1", that is out.
func newcomersAndWorkers(t *testing.T, newcomers, workers []string) (*dispatcher, *sentJobs) {
	t.Helper()
	post := &sentJobs{}
	d := newDispatcher(nil, "search", log(t), nil)
	t.Cleanup(d.examiner.close)
	d.transport = post
	for _, name := range newcomers {
		d.newcomers.enter(heartbeat{Worker: name})
	}
	for _, name := range workers {
		d.workers[name] = &member{heartbeat: heartbeat{Worker: name}, seen: time.Now()}
	}
	if err := d.send(t.Context(), job{ID: "1", Kind: solving}); err != nil {
		t.Fatal(err)
	}
	return d, post
}

func failed(t *testing.T, d *dispatcher, worker string, change func(*result)) error {
	t.Helper()
	r := result{Search: "search", ID: "1", Worker: worker, Kind: solving, Failure: "broken"}
	change(&r)
	return d.take(nothing{}, delivered{result: r, kept: func() error { return nil }})
}

// One worker alone does not end a search, whatever it says of a job and however often, as
// long as somebody is there who has not tried it.
func TestOneWorkerEndsNoSearch(t *testing.T) {
	for name, change := range map[string]func(*result){
		"fails":  func(*result) {},
		"spoilt": func(r *result) { r.Spoilt = true },
	} {
		// The honest one has not done a job yet, or has.
		for _, who := range [][2][]string{{{"liar", "honest"}, nil}, {{"liar"}, {"honest"}}, {nil, {"liar", "honest"}}} {
			d, _ := newcomersAndWorkers(t, who[0], who[1])
			for range 5 {
				if err := failed(t, d, "liar", change); err != nil {
					t.Errorf("%s, newcomers %q, workers %q: %v", name, who[0], who[1], err)
					break
				}
			}
		}
	}
	// If the other fails as well, nobody is left. Who is at another search does not count.
	d, _ := newcomersAndWorkers(t, []string{"a", "b"}, nil)
	d.newcomers.enter(heartbeat{Worker: "c", Search: "other", Job: "9"})
	_ = failed(t, d, "a", func(*result) {})
	_ = failed(t, d, "a", func(*result) {})
	if err := failed(t, d, "b", func(*result) {}); err == nil || !strings.Contains(err.Error(), "no worker can do a job") {
		t.Errorf("all have failed, and the error is %v", err)
	}
	// So it is for a job that those who take it never come back from: three others say so.
	d, _ = newcomersAndWorkers(t, nil, []string{"a", "b", "c", "d"})
	spoil := func(r *result) { r.Spoilt = true }
	_ = failed(t, d, "a", spoil)
	_ = failed(t, d, "b", spoil)
	if err := failed(t, d, "c", spoil); err == nil || !strings.Contains(err.Error(), "no worker can do a job") {
		t.Errorf("three have found it spoilt, and the error is %v", err)
	}
}

// A worker that says again and again that it is at a job holds it only until somebody else
// is idle for long. The job goes out again then, each time after twice as long.
func TestJobIsHeldWithBeats(t *testing.T) {
	d, post := newcomersAndWorkers(t, nil, []string{"holder", "idle"})
	later := func(by time.Duration) {
		t.Helper()
		d.takeHeartbeat(heartbeat{Worker: "holder", Search: "search", Job: "1"})
		d.takeHeartbeat(heartbeat{Worker: "idle"})
		d.sent["1"].since = time.Now().Add(-by)
		if err := d.find(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for i, sent := range []int{1, 2, 2, 3} {
		later([]time.Duration{overdue - time.Second, overdue, overdue, 2 * overdue}[i])
		if len(*post) != sent {
			t.Fatalf("step %d: the job was sent %d times, not %d", i, len(*post), sent)
		}
	}
	// If nobody is idle it would only wait.
	d.takeHeartbeat(heartbeat{Worker: "idle", Search: "search", Job: "2"})
	d.takeHeartbeat(heartbeat{Worker: "holder", Search: "search", Job: "1"})
	d.sent["1"].since = time.Now().Add(-100 * overdue)
	if err := d.find(t.Context()); err != nil || len(*post) != 3 {
		t.Errorf("%v: the job was sent %d times", err, len(*post))
	}
}
