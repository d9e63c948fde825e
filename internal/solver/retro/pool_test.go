package retro

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// someWord is a word like those of values: runs, small alphabets, noise.
func someWord(rnd *rand.Rand) uint64 {
	switch rnd.IntN(4) {
	case 0:
		return 0
	case 1:
		return 0x4040404040404040
	case 2:
		return uint64(rnd.IntN(4)) * 0x0101010101010101
	}
	return rnd.Uint64()
}

// Words in a pool of any size have the same content as in plain memory.
func TestPoolIsMemory(t *testing.T) {
	const words = 12_000
	seeds := uint64(6)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		rnd := rand.New(rand.NewPCG(seed, 6))
		blocks := blocksOf(words)
		p, err := newPool(2*blocks, int64(rnd.IntN(4*words*8)))
		if err != nil {
			t.Fatal(err)
		}
		packed := make([]array, 2)
		plain := make([]array, 2)
		for i := range packed {
			packed[i], _ = newArray(p, words, "test of pools")
			plain[i], _ = newArray(nil, words, "test of pools")
		}
		near := uint64(0)
		for range 40_000 {
			if rnd.IntN(8) == 0 {
				near = rnd.Uint64N(words)
			}
			a, at, w := rnd.IntN(2), (near+rnd.Uint64N(64))%words, someWord(rnd)
			var held [2]uint64
			for i, x := range []*array{&packed[a], &plain[a]} {
				switch w % 4 {
				case 0:
					x.put(at, w)
				case 1:
					x.add(at, w)
				case 2:
					x.set(at, w)
				default:
					held[i] = x.clear(at, w)
				}
			}
			if held[0] != held[1] {
				t.Fatalf("seed %d: word %d of array %d held %x, not %x", seed, at, a, held[0], held[1])
			}
			if a, at := rnd.IntN(2), rnd.Uint64N(words); packed[a].load(at) != plain[a].load(at) {
				t.Fatalf("seed %d: word %d of array %d is %x, not %x", seed, at, a, packed[a].load(at), plain[a].load(at))
			}
		}
		for a := range packed {
			for at := range uint64(words) {
				if packed[a].load(at) != plain[a].load(at) {
					t.Fatalf("seed %d: at the end word %d of array %d is %x, not %x", seed, at, a, packed[a].load(at), plain[a].load(at))
				}
			}
			plain[a].free()
		}
		checkPool(t, p)
		p.freeMemory()
	}
}

// checkPool accounts for every page and unit of a pool.
func checkPool(t *testing.T, p *pool) {
	t.Helper()
	for i := range p.shards {
		s := &p.shards[i]
		units := int(s.free.units)
		for _, b := range s.blocks {
			units += int(b.packed.units)
		}
		if units != (s.pages-len(s.open))*blockUnits {
			t.Errorf("shard %d has %d units in %d pages, of which %d are open blocks", i, units, s.pages, len(s.open))
		}
		free := s.free.first
		seen := map[uint32]bool{}
		for range s.free.units {
			if seen[free] {
				t.Fatalf("shard %d: unit %d is free twice", i, free)
			}
			seen[free] = true
			free = s.next[free]
		}
		for at, o := range s.open {
			if s.blocks[o.block].open != uint32(at)+1 {
				t.Errorf("shard %d: open block %d does not know it", i, o.block)
			}
		}
	}
}

// Noise does not pack: the pool reports that it has taken more memory than it
// was given, and still keeps the words.
func TestPoolOutgrown(t *testing.T) {
	const words = 50_000
	p, err := newPool(blocksOf(words), words*8/4)
	if err != nil {
		t.Fatal(err)
	}
	defer p.freeMemory()
	a, _ := newArray(p, words, "test of pools")
	for i := range a.len {
		a.put(i, 0x4040404040404040)
	}
	if p.over.Load() {
		t.Error("a pool of one value is too large")
	}
	given := p.bytes()
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range a.len {
		a.put(i, rnd.Uint64())
	}
	if !p.over.Load() || p.bytes() <= given {
		t.Error("noise was packed")
	}
	rnd = rand.New(rand.NewPCG(1, 2))
	for i := range a.len {
		if got, want := a.load(i), rnd.Uint64(); got != want {
			t.Fatalf("word %d is %x, not %x", i, got, want)
		}
	}
	checkPool(t, p)
}

// Threads that add to fields of the same words lose nothing.
func TestPoolThreads(t *testing.T) {
	const words, rounds, threads = 3000, 4, 8
	p, err := newPool(blocksOf(words), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.freeMemory()
	a, _ := newArray(p, words, "test of pools")
	var wait sync.WaitGroup
	for thread := range threads {
		wait.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(thread), 0))
			for range rounds {
				for _, i := range rnd.Perm(words) {
					a.add(uint64(i), 1<<(8*thread))
				}
			}
		})
	}
	wait.Wait()
	for i := range a.len {
		if got, want := a.load(i), uint64(rounds*0x0101010101010101); got != want {
			t.Fatalf("word %d is %x, not %x", i, got, want)
		}
	}
}
