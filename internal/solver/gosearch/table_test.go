package gosearch

import (
	"sync"
	"testing"
)

// TestTableUnderContention has goroutines write different states to one line of the table.
// What the line holds afterwards, and what is read meanwhile, has been written as it is.
func TestTableUnderContention(t *testing.T) {
	const keys, rounds = 64, 20_000
	table, err := newTable(1)
	if err != nil {
		t.Fatal(err)
	}
	defer table.memory.Free()
	key := func(i int) uint64 { return uint64(i+1) * 0x9e3779b97f4a7c15 }
	written := func(i int) fact { return fact{win: i, fail: -1, move: uint8(i)} }
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			for round := range rounds {
				i := (worker*31 + round*7) % keys
				table.put(key(i), i%3, 0, written(i), i%5)
				if got, ok := table.get(key(i), i%3, 0); ok && got != written(i) {
					t.Errorf("state %d is %+v", i, got)
				}
			}
		})
	}
	wait.Wait()
	entries := 0
	for at := 0; at < len(table.words); at += 2 {
		data := table.words[at+1]
		i := int(data >> moveAt & 127)
		if data&usedBit == 0 || table.words[at]^data != key(i) || goalOf(data) != i%3 || unpack(data, 0) != written(i) {
			t.Errorf("entry %d is %x, %x, which nobody has written", at/2, table.words[at], data)
		}
		entries++
	}
	if got := table.stored.Load(); got != uint64(entries) {
		t.Errorf("%d entries are counted as %d", entries, got)
	}
}

// TestClaimedEntries: nobody reads or writes an entry that a goroutine has claimed.
func TestClaimedEntries(t *testing.T) {
	table, err := newTable(1)
	if err != nil {
		t.Fatal(err)
	}
	defer table.memory.Free()
	proof := fact{win: 3, fail: -1, move: 1}
	for at := 1; at < lineWords; at += 2 {
		table.words[at] = claimed
	}
	table.put(7, 0, 0, proof, 1)
	if _, ok := table.get(7, 0, 0); ok || table.stored.Load() != 0 {
		t.Error("a state was put where every entry is claimed")
	}
	table.words[lineWords-1] = 0
	table.put(7, 0, 0, proof, 1)
	if got, ok := table.get(7, 0, 0); !ok || got != proof {
		t.Errorf("the free entry holds %+v, %t", got, ok)
	}
	table.put(9, 0, 0, proof, 1)
	if _, ok := table.get(7, 0, 0); ok {
		t.Error("a full line has dropped nothing")
	}
	for at := 1; at < lineWords-2; at += 2 {
		if table.words[at] != claimed {
			t.Errorf("the claimed entry %d was written", at/2)
		}
	}
}

// TestProofsStay: who has looked a state up before a proof of it was put does not take the
// proof away.
func TestProofsStay(t *testing.T) {
	table, err := newTable(1)
	if err != nil {
		t.Fatal(err)
	}
	defer table.memory.Free()
	table.put(7, 2, 1, fact{win: 9, fail: 4, move: 5}, 1)
	table.put(7, 2, 1, fact{win: noWin, fail: 8, move: 6}, 1)
	if got, _ := table.get(7, 2, 1); got != (fact{win: 9, fail: 8, move: 5}) {
		t.Errorf("a proof and a failure are %+v", got)
	}
	table.put(7, 2, 1, fact{win: 7, fail: 6, never: true, move: 3}, 1)
	table.put(7, 2, 1, fact{win: 8, fail: 6, move: 4}, 1)
	if got, _ := table.get(7, 2, 1); got != (fact{win: 7, fail: 6, never: true, move: 3}) {
		t.Errorf("two proofs are %+v", got)
	}
}
