package analyse

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"sync"

	"tengen/board"
	"tengen/engine/job"
	"tengen/game"
	"tengen/internal/book"
	"tengen/internal/store"
)

// keeper keeps results by position from one run of a program to the next. If the file cannot
// be used, questions are answered all the same, with a warning.
type keeper struct {
	path string
	once sync.Once
	file *store.Store
	err  error
	mu   sync.Mutex // held from reading a result to replacing it
}

// open opens the file when it is first wanted.
func (k *keeper) open() (*store.Store, error) {
	k.once.Do(func() {
		path := k.path
		if path == job.Cache {
			var dir string
			if dir, k.err = os.UserCacheDir(); k.err != nil {
				return
			}
			dir = filepath.Join(dir, "tengen")
			if k.err = os.MkdirAll(dir, 0o755); k.err != nil {
				return
			}
			path = filepath.Join(dir, "results.store")
		}
		k.file, k.err = store.Open(path)
	})
	return k.file, k.err
}

func (k *keeper) close() {
	k.once.Do(func() {})
	if k.file != nil {
		k.file.Close()
	}
}

// memory is the kept result of a position, seen by the side to play.
type memory struct {
	low, high int         // bounds of the score, or of 1 for a win and -1 for a loss
	held      bool        // they are the scores if Black loses endless games and if he wins them
	reply     board.Point // a best move, if replied
	replied   bool
	bound     float64 // of error
	effort    uint64  // nodes
}

// A value in the store is
//
//	byte  0      format
//	byte  1      1 if there is a reply, and 2 if the bounds are held
//	bytes 2-3    low
//	bytes 4-5    high
//	bytes 6-7    reply: the number of a point, row by row, or 0xffff for a pass
//	bytes 8-15   error bound, as IEEE 754 has it
const (
	memoryFormat = 1
	replyFlag    = 1
	heldFlag     = 2
)

func (m memory) encode(f book.Frame) (v store.Value) {
	v[0] = memoryFormat
	if m.held {
		v[1] = heldFlag
	}
	if m.replied {
		v[1] |= replyFlag
		binary.LittleEndian.PutUint16(v[6:], uint16(f.Number(m.reply)))
	}
	binary.LittleEndian.PutUint16(v[2:], uint16(int16(m.low)))
	binary.LittleEndian.PutUint16(v[4:], uint16(int16(m.high)))
	binary.LittleEndian.PutUint64(v[8:], math.Float64bits(m.bound))
	return v
}

// decode refuses bytes that no encoder writes.
func decode(v store.Value, f book.Frame) (m memory, ok bool) {
	m.low = int(int16(binary.LittleEndian.Uint16(v[2:])))
	m.high = int(int16(binary.LittleEndian.Uint16(v[4:])))
	m.bound = math.Float64frombits(binary.LittleEndian.Uint64(v[8:]))
	most := f.Size.Points()
	if v[0] != memoryFormat || m.low > m.high || m.low < -most || m.high > most || v[1] > replyFlag|heldFlag || !(m.bound >= 0 && m.bound <= 1) {
		return m, false
	}
	m.held = v[1]&heldFlag != 0
	if v[1]&replyFlag != 0 {
		n := int(binary.LittleEndian.Uint16(v[6:]))
		if n >= most && n != book.PassNumber {
			return m, false
		}
		m.replied, m.reply = true, f.Point(n)
	}
	return m, true
}

// key names a position under rules with the moves that were made from it, if those
// count. Positions that a symmetry of the board, a turn of it or an exchange of the
// colours maps to each other share one, and the frame is how this one is seen then.
func key(rules game.Rules, p game.Position, moves ...board.Point) (store.Key, book.Frame) {
	text, how := book.Canonical(rules, p, moves...)
	return sha256.Sum256(text), how
}

// address is where the result of a class, or of the position, is kept, and who is to
// play there. Under superko what was before the question counts, and is not kept.
func (i *inquiry) address(n int) (k store.Key, f book.Frame, toPlay board.Colour, ok bool) {
	p := i.position
	switch {
	case i.historic() && len(i.Moves) > 0:
		return k, f, toPlay, false
	case n == whole:
		k, f = key(i.Rules, p)
	case i.historic():
		k, f = key(i.Rules, p, i.classes[n][0].move)
	default:
		next := i.after(i.classes[n][0].move)
		k, f = key(i.Rules, next)
		return k, f, next.ToPlay, true
	}
	return k, f, p.ToPlay, true
}

// recall adds a kept result.
func (i *inquiry) recall(n int) {
	k, f, toPlay, ok := i.address(n)
	if i.store == nil || !ok || i.decided(n) {
		return
	}
	file, err := i.store.open()
	if err != nil {
		i.warn("results are not kept: %v", err)
		return
	}
	v, ok, err := file.Get(k)
	if err != nil {
		i.warn("results that were kept cannot be read: %v", err)
	}
	if !ok {
		return
	}
	if m, ok := decode(v, f); ok && (i.Rules.Scored() || m.low == m.high && m.low != 0) {
		i.note(n, i.remembered(n, m, toPlay))
		if n == whole && m.replied {
			i.advise(m.reply, nil)
		}
	}
}

// remembered makes a finding from a kept result.
func (i *inquiry) remembered(n int, m memory, toPlay board.Colour) Finding {
	i.mu.Lock()
	defer i.mu.Unlock()
	found := *i.at(n)
	found.By, found.ErrorBound = ByStore, m.bound
	if !i.Rules.Scored() {
		found.Grade, found.Winner = GradeExact, toPlay.WinsIf(m.high >= 0)
		if n != whole && m.replied {
			found.Line = append(found.Line[:1:1], m.reply)
		}
		return found
	}
	low, high := m.low, m.high
	if toPlay == board.White {
		low, high = -high, -low
	}
	found.bound(low, high, i.position.Size.Points())
	if m.held || low == high {
		found.Grade, found.Value = GradeExact, heldValue(low, high, i.Endless)
	}
	return found
}

// keep writes the result of a search.
func (i *inquiry) keep(n int, m memory) {
	k, f, toPlay, ok := i.address(n)
	if i.store == nil || !ok {
		return
	}
	if toPlay == board.White && i.Rules.Scored() {
		m.low, m.high = -m.high, -m.low
	}
	file, err := i.store.open()
	if err != nil {
		i.warn("results are not kept: %v", err)
		return
	}
	i.store.mu.Lock()
	defer i.store.mu.Unlock()
	if v, ok, err := file.Get(k); err == nil && ok && i.Rules.Scored() {
		if old, ok := decode(v, f); ok {
			m = m.and(old)
		}
	}
	if err := file.Put(k, m.encode(f), uint8(bits.Len64(m.effort))); err != nil {
		i.warn("results are not kept: %v", err)
	}
}

// and is what two results of a position say together. Another question may have proven more
// since this one looked.
func (m memory) and(old memory) memory {
	low, high := max(m.low, old.low), min(m.high, old.high)
	if low > high {
		return m
	}
	m.held = m.held && m.low == low && m.high == high || old.held && old.low == low && old.high == high
	m.low, m.high = low, high
	if !m.replied {
		m.reply, m.replied = old.reply, old.replied
	}
	m.bound = min(m.bound+old.bound, 1)
	m.effort = max(m.effort, old.effort)
	return m
}
