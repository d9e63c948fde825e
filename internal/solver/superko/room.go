package superko

import "math/bits"

// maxUses is the weight of use: a fact in full use is worth a proof that cost
// 2^maxUses times the nodes.
const maxUses = 8

// worth orders facts for forgetting. It is low for facts that cost little for their
// memory and were rarely used. It lies between 0 and worths.
func (f *fact) worth() int {
	return worths/2 + int(f.effort) + int(f.uses) - bits.Len64(uint64(f.bytes()))
}

// makeRoom forgets the facts of least worth until half of the memory is free. Only one
// goroutine does it at a time. The others go on, but facts that they prove meanwhile
// are not kept.
func (m *facts) makeRoom() {
	if !m.sweep.TryLock() {
		return
	}
	defer m.sweep.Unlock()
	var held [worths]int64 // bytes by worth
	m.each(func(bucket []fact) []fact {
		for i := range bucket {
			held[bucket[i].worth()] += bucket[i].bytes()
		}
		return bucket
	})
	least, kept := worths, int64(0)
	for least > 0 && kept+held[least-1] <= m.limit/2 {
		least--
		kept += held[least]
	}
	// Facts of the limiting worth stay as long as there is room for them.
	m.each(func(bucket []fact) []fact {
		left := bucket[:0]
		for _, f := range bucket {
			switch worth := f.worth(); {
			case worth < least-1, worth == least-1 && kept+f.bytes() > m.limit/2:
				m.bytes.Add(-f.bytes())
				m.stored.Add(^uint64(0))
				continue
			case worth == least-1:
				kept += f.bytes()
			}
			f.uses /= 2
			left = append(left, f)
		}
		if len(left) == 0 {
			return nil
		}
		clear(bucket[len(left):])
		return left
	})
	m.sweeps.Add(1)
}

// each replaces every bucket by the result of a function.
func (m *facts) each(change func([]fact) []fact) {
	for from := key(0); int(from) < len(m.buckets); from += m.stretch {
		lock := m.lock(from)
		lock.Lock()
		for at := from; at < from+m.stretch && int(at) < len(m.buckets); at++ {
			if len(m.buckets[at]) > 0 {
				m.buckets[at] = change(m.buckets[at])
			}
		}
		lock.Unlock()
	}
}
