package strip

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"tengen/cgt"
	"tengen/internal/wholefile"
)

// Options say how large a database to build, and how.
type Options struct {
	Max      int   // bounds and outcome classes of strips with up to Max points
	Simplest int   // values and simplest equal games of strips with up to Simplest points
	Threads  int   // 0 stands for all processors
	Memory   int64 // bytes at most; 0 stands for DefaultMemory
	Progress func(Progress)
	Disk     wholefile.Disk
	// Layer, if set, makes the next layer of bounds from the layers below it, for
	// example on other machines: see LayerSlice.
	Layer func(ctx context.Context, below [][]byte) ([]byte, error)
}

// DefaultMemory is enough for a database of any size.
const DefaultMemory = 4 << 30

// Progress reports how much of a section of the database is done. Calls come one at a
// time, a few per second.
type Progress struct {
	Section     string // what is being made, for people
	Done, Total uint64 // entries of the section
}

// arenaMemory is the memory that the canonical forms may take: the limit less the layers
// of bounds and values, a file of the same size, and the memory of the searches.
func (o Options) arenaMemory() (int64, error) {
	const (
		perValue = 100     // a value in its layer and in the memory of Values
		least    = 4 << 20 // of an arena
	)
	taken := int64(o.Threads) * maxKnown * int64(unsafe.Sizeof(enclosure{}))
	for n := 1; n <= o.Max; n++ {
		taken += 2 * int64(entries(n))
	}
	for n := 1; n <= o.Simplest; n++ {
		taken += perValue * int64(entries(n))
	}
	if o.Memory < taken+least {
		return 0, fmt.Errorf("a database of strips of %d and %d points needs %d MiB of memory at least, and the limit is %d KiB: raise it", o.Max, o.Simplest, (taken+least)>>20+1, o.Memory>>10)
	}
	return o.Memory - taken, nil
}

// Check returns an error if the options describe a database that cannot be built.
func (o Options) Check() error {
	_, _, err := o.settle()
	return err
}

// settle fills in defaults and finds the memory of the canonical forms.
func (o Options) settle() (Options, int64, error) {
	if err := (sizes{o.Max, o.Simplest}).check(); err != nil {
		return o, 0, err
	}
	if o.Threads < 0 {
		return o, 0, fmt.Errorf("%d threads cannot build a database", o.Threads)
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	memory, err := o.arenaMemory()
	return o, memory, err
}

// Make builds a database in memory.
func Make(ctx context.Context, o Options) (*DB, error) {
	var out bytes.Buffer
	b, err := newBuilder(o, &out)
	if err != nil {
		return nil, err
	}
	out.Write(b.tables.size.header())
	b.digest.Write(out.Bytes())
	if err := b.run(ctx); err != nil {
		return nil, err
	}
	return parse(out.Bytes())
}

// Build makes a database and puts it at path. It keeps finished sections in a file
// beside it. After an interruption the same call goes on from there, and the result is
// the same, byte for byte.
func Build(ctx context.Context, path string, o Options) error {
	if err := o.Check(); err != nil {
		return err
	}
	target, err := wholefile.Target(path)
	if err != nil {
		return err
	}
	lock, err := wholefile.Acquire(target)
	if err != nil {
		return err
	}
	defer lock.Release()
	partial := target + ".partial"
	file, payloads, err := resume(o.Disk, partial, sizes{o.Max, o.Simplest})
	if err != nil {
		return err
	}
	if err := extend(ctx, file, payloads, o); err != nil {
		file.Close()
		if ctx.Err() != nil {
			return fmt.Errorf("stopped before the end; building %s again goes on from there: %w", path, err)
		}
		return fmt.Errorf("building %s: %w", path, err)
	}
	if err := cmp.Or(file.Sync(), file.Close()); err != nil {
		return err
	}
	db, err := Open(partial)
	if err != nil {
		return fmt.Errorf("reading the new database back: %w", err)
	}
	db.Close()
	return o.Disk.Place(partial, target)
}

// resume opens the file of an interrupted build and moves to the end of its last intact
// section. If there is no such file, it creates one.
func resume(disk wholefile.Disk, partial string, z sizes) (wholefile.File, [][]byte, error) {
	if info, err := os.Stat(partial); err == nil && !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is not a regular file: remove it", partial)
	}
	data, err := os.ReadFile(partial)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	begun := len(data) >= headerSize
	if bytes.HasPrefix(z.header(), data) {
		data = z.header()
	}
	if !bytes.HasPrefix(data, z.header()) {
		return nil, nil, fmt.Errorf("%s does not belong to a database of this size: finish that build or remove the file", partial)
	}
	_, payloads, used, _ := scan(data)
	if begun {
		file, err := disk.Append(partial, int64(used))
		return file, payloads, err
	}
	file, err := disk.Append(partial, 0)
	if err != nil {
		return nil, nil, err
	}
	if _, err := io.Copy(file, bytes.NewReader(z.header())); err != nil { // io.Copy reports a short write
		file.Close()
		return nil, nil, err
	}
	return file, payloads, nil
}

// extend appends the missing sections to a file that has the first ones.
func extend(ctx context.Context, file io.Writer, payloads [][]byte, o Options) error {
	b, err := newBuilder(o, file)
	if err != nil {
		return err
	}
	b.digest.Write(b.tables.size.header())
	for _, payload := range payloads {
		if err := b.tables.set(b.plan[0], payload); err != nil {
			return err
		}
		b.digest.Write(appendSection(nil, b.plan[0], payload))
		b.plan = b.plan[1:]
	}
	return b.run(ctx)
}

// builder makes the sections of a database one after the other.
type builder struct {
	tables   tables
	plan     []section // what is still to be made
	out      io.Writer
	digest   hash.Hash // of what has been written
	threads  int
	memory   int64 // of the canonical forms
	progress func(Progress)
	layer    func(ctx context.Context, below [][]byte) ([]byte, error)
	graph    *graph // made for the first section that needs it
	done     atomic.Uint64
}

func newBuilder(o Options, out io.Writer) (*builder, error) {
	o, memory, err := o.settle()
	if err != nil {
		return nil, err
	}
	z := sizes{o.Max, o.Simplest}
	return &builder{
		tables: newTables(z), plan: z.plan(), out: out, digest: sha256.New(),
		threads: o.Threads, memory: memory, progress: o.Progress, layer: o.Layer,
	}, nil
}

func (b *builder) run(ctx context.Context) error {
	for _, s := range b.plan {
		payload, err := b.watched(ctx, s)
		if err != nil {
			return err
		}
		if err := b.tables.set(s, payload); err != nil {
			return err
		}
		encoded := appendSection(nil, s, payload)
		b.digest.Write(encoded)
		if _, err := b.out.Write(encoded); err != nil {
			return err
		}
	}
	return nil
}

// watched makes a section and reports progress meanwhile.
func (b *builder) watched(ctx context.Context, s section) ([]byte, error) {
	total := b.work(s)
	if b.progress == nil || total == 0 {
		return b.make(ctx, s)
	}
	b.done.Store(0)
	finished, watcher := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watcher)
		tick := time.NewTicker(250 * time.Millisecond)
		defer tick.Stop()
		for {
			b.progress(Progress{s.String(), b.done.Load(), total})
			select {
			case <-tick.C:
			case <-finished:
				b.progress(Progress{s.String(), b.done.Load(), total})
				return
			}
		}
	}()
	defer func() {
		close(finished)
		<-watcher
	}()
	return b.make(ctx, s)
}

// work is the number of entries that making a section visits. It is 0 for sections that
// are made at once.
func (b *builder) work(s section) uint64 {
	switch s.kind {
	case kindBounds:
		return entries(s.layer)
	case kindGames:
		total := uint64(0)
		for n := 1; n <= b.tables.size.simplest; n++ {
			total += entries(n)
		}
		return total
	}
	return 0
}

func (b *builder) make(ctx context.Context, s section) ([]byte, error) {
	switch s.kind {
	case kindBounds:
		if b.layer != nil {
			return b.layer(ctx, b.tables.bounds[1:])
		}
		return b.tables.bounds.layer(ctx, b.threads, b.count)
	case kindEnd:
		return b.digest.Sum(nil), nil
	}
	if b.graph == nil {
		var err error
		if b.graph, err = b.values(ctx); err != nil {
			return nil, err
		}
	}
	switch s.kind {
	case kindGames:
		return b.graph.encodeGames(), nil
	case kindNegatives:
		return b.graph.encodeNegatives()
	case kindSimplest:
		return b.graph.encodeSimplest()
	default:
		return b.graph.encodeValues(s.layer), nil
	}
}

func (b *builder) count(entries uint64) { b.done.Add(entries) }

// values makes the canonical forms.
func (b *builder) values(ctx context.Context) (*graph, error) {
	arena := cgt.New(cgt.Limits{Memory: b.memory})
	stop := context.AfterFunc(ctx, arena.Stop)
	defer stop()
	g, err := newGraph(arena, b.tables.size.simplest, func() { b.count(1) })
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return g, err
}
