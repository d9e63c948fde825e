package cluster

import (
	"encoding/json"
	"testing"
	"time"
)

// The clocks of a master and of whoever asks may differ by any amount.
func TestStatusOfMasterWithAnotherClock(t *testing.T) {
	s := newSystem(t)
	h, err := connect(t.Context(), Access{URL: s.server.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	for search, year := range map[string]int{"past": 1999, "future": 2999} {
		data, err := json.Marshal(Status{Search: search, At: time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.status.Put(t.Context(), statusKey+search, data); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Watch(t.Context(), Access{URL: s.server.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	list, err := w.Searches(t.Context())
	if err != nil || len(list) != 2 {
		t.Fatalf("%d searches, %v", len(list), err)
	}
	for _, s := range list {
		if s.Silent() < 0 || s.Silent() > time.Hour {
			t.Errorf("the master of %s has been silent for %s", s.Search, s.Silent())
		}
	}
}
