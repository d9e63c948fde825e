package bucket

import "tengen/internal/solver"

// cursor yields entries in ascending order of code. err says whether it ended early.
type cursor interface {
	next() (Entry, bool)
	err() error
}

// filterShare is the part of the memory that filters may take.
const filterShare = 4

// Spill moves everything in memory to a file. Files of similar size are merged
// on the way, so their number stays logarithmic in the number of entries.
func (t *Table) Spill() error {
	if !t.options.Disk || t.memory.entries() == 0 {
		return solver.ErrMemory
	}
	merged, total := 0, t.memory.entries()
	for merged < len(t.runs) && t.runs[merged].count < 2*total {
		total += t.runs[merged].count
		merged++
	}
	r, err := writeRun(t.options.Dir, t.merge(t.runs[:merged]), t.options.Budget)
	if err != nil {
		return err
	}
	old := t.runs[:merged]
	t.runs = append([]*run{r}, t.runs[merged:]...)
	for _, o := range old {
		t.fail(o.close())
	}
	t.memory.close()
	if err := t.openMemory(); err != nil {
		return err
	}
	t.fail(r.buildFilter(t.filterRoom()))
	return t.err
}

// filterRoom is the part of the filters' share that the filters of older files do
// not use.
func (t *Table) filterRoom() int64 {
	room := t.options.Budget.limit / filterShare
	for _, r := range t.runs {
		room -= r.filter.bytes()
	}
	return room
}

// mergeAll is a cursor over all entries of the table.
func (t *Table) mergeAll() cursor { return t.merge(t.runs) }

// merge is a cursor over the memory tier and some of the newest files together.
func (t *Table) merge(runs []*run) cursor {
	m := &merger{}
	m.push(t.memory.cursor())
	for _, r := range runs {
		m.push(r.cursor())
	}
	return m
}

// merger takes the smallest head of several cursors. No two have the same code.
type merger struct {
	cursors []cursor
	heads   []Entry
	failed  error
}

func (m *merger) push(c cursor) {
	if r, ok := c.next(); ok {
		m.cursors = append(m.cursors, c)
		m.heads = append(m.heads, r)
	} else if m.failed == nil {
		m.failed = c.err()
	}
}

func (m *merger) next() (Entry, bool) {
	if len(m.heads) == 0 || m.failed != nil {
		return Entry{}, false
	}
	at := 0
	for i, h := range m.heads {
		if h.Code < m.heads[at].Code {
			at = i
		}
	}
	least := m.heads[at]
	m.advance(at)
	return least, true
}

func (m *merger) advance(i int) {
	r, ok := m.cursors[i].next()
	if ok {
		m.heads[i] = r
		return
	}
	if m.failed == nil {
		m.failed = m.cursors[i].err()
	}
	m.cursors = append(m.cursors[:i], m.cursors[i+1:]...)
	m.heads = append(m.heads[:i], m.heads[i+1:]...)
}

func (m *merger) err() error { return m.failed }

// noTier is the memory tier of a table that has no memory.
type noTier struct{}

func (noTier) get(uint64) (Entry, bool) { return Entry{}, false }

func (noTier) getMany(codes []uint64, out []Value) {
	for i := range codes {
		out[i] = Missing
	}
}

func (noTier) add(Entry) bool  { return false }
func (noTier) cursor() cursor  { return &merger{} }
func (noTier) entries() uint64 { return 0 }
func (noTier) bytes() int64    { return 0 }
func (noTier) close()          {}
