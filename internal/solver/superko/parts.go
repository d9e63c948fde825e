package superko

import (
	"fmt"
	"slices"
	"strings"

	"tengen/board"
	"tengen/weiqi"
)

// Part is a piece of the search that can be switched off and on.
type Part struct {
	Name  string
	Does  string
	Usual bool // on unless it is switched off
	most  int  // points of the longest row it speaks of; 0 for every board
}

// Parts lists what Options can switch. Those that are not usual prune by what the
// paper says of rows under positional superko; they are off unless asked for, so
// that an answer rests on the rules alone. The theorems stand as they passed the tests, which is
// not always as they were printed; the conjecture is not proven, and an answer that may
// rest on it says so. No other part can change an answer.
var Parts = []Part{
	{Name: "tt", Does: "remembering what was proven, with its reason", Usual: true},
	{Name: "depths", Does: "giving up at once where the same depth was not enough before", Usual: true},
	{Name: "deepening", Does: "iterative deepening", Usual: true},
	{Name: "learned", Does: "ordering moves by how they fared before", Usual: true},
	{Name: "knowledge", Does: "ordering moves by the paper's seven rules", Usual: true},
	{Name: "theorem2", Does: "theorem 2: the end of a row is no better than a pass", most: maxPoints},
	{Name: "total", Does: "theorem 4: states in which one side has everything", most: maxPoints},
	{Name: "packed", Does: "theorem 5: loosely packed rows of up to seven points", most: packedPoints},
	{Name: "telomeres", Does: "theorems 6 to 8: ends of a row that are safely held", most: maxPoints},
	{Name: "conjecture", Does: "1-2 conjecture: the end of a row is no better than the point next to it", most: maxPoints},
}

// Names that stand for several parts to switch on, as far as they speak of the board.
const (
	AllParts    = "all"      // every part that is not usual
	AllTheorems = "theorems" // those but for the conjecture
)

const conjecture = "conjecture"

// firstRow is the shortest row that theorems speak of.
const firstRow = 3

// Theorems names the parts that prune by what the paper proves.
func Theorems() []string {
	var names []string
	for _, p := range Parts {
		if !p.Usual && p.Name != conjecture {
			names = append(names, p.Name)
		}
	}
	return names
}

// Speaks reports whether the part can have an effect on a board.
func (p Part) Speaks(size board.Size) bool {
	points := size.Points()
	return p.most == 0 || min(size.Rows, size.Cols) == 1 && points >= firstRow && points <= p.most
}

// scope says what boards a part speaks of.
func (p Part) scope() string {
	if p.most < maxPoints {
		return fmt.Sprintf("rows of %d to %d points", firstRow, p.most)
	}
	return fmt.Sprintf("rows of %d points and more", firstRow)
}

func findPart(name string) (Part, error) {
	i := slices.IndexFunc(Parts, func(p Part) bool { return p.Name == name })
	if i >= 0 {
		return Parts[i], nil
	}
	var names []string
	for _, p := range Parts {
		names = append(names, p.Name)
	}
	return Part{}, fmt.Errorf("the superko solver has no part %q; it has %s", name, strings.Join(names, ", "))
}

// Idle lists, as sentences, the choices that make no difference on a board.
func (o Options) Idle(size board.Size) []string {
	var notes []string
	for _, name := range o.With {
		switch p, err := findPart(name); {
		case err != nil:
		case p.Usual:
			notes = append(notes, fmt.Sprintf("%s is on anyway", name))
		case !p.Speaks(size):
			notes = append(notes, fmt.Sprintf("%s has no effect on %s: it speaks of %s", name, size, p.scope()))
		}
	}
	several := slices.Contains(o.With, AllParts) || slices.Contains(o.With, AllTheorems)
	for _, name := range o.Without {
		if p, err := findPart(name); err == nil && !p.Usual && !several {
			notes = append(notes, fmt.Sprintf("%s is off anyway", name))
		}
	}
	return notes
}

// parts are the switches as the search reads them.
type parts struct {
	facts, depths, deepening, learned, knowledge bool

	theorem2, total, packed, telomeres bool
	conjecture                         bool
}

// flag is the switch of a part.
func (p *parts) flag(part Part) *bool {
	return map[string]*bool{
		"tt": &p.facts, "depths": &p.depths, "deepening": &p.deepening, "learned": &p.learned, "knowledge": &p.knowledge,
		"theorem2": &p.theorem2, "total": &p.total, "packed": &p.packed, "telomeres": &p.telomeres, conjecture: &p.conjecture,
	}[part.Name]
}

// parts settles the switches.
func (o Options) parts(size board.Size) (parts, error) {
	var p parts
	for _, part := range Parts {
		*p.flag(part) = part.Usual || part.Speaks(size) && o.asksFor(part)
	}
	for _, name := range o.With {
		if name == AllParts || name == AllTheorems {
			continue
		}
		part, err := findPart(name)
		if err != nil {
			return p, err
		}
		if slices.Contains(o.Without, name) {
			return p, fmt.Errorf("%s is to be switched on and off at once: choose one", name)
		}
		*p.flag(part) = true
	}
	for _, name := range o.Without {
		part, err := findPart(name)
		if err != nil {
			return p, err
		}
		*p.flag(part) = false
	}
	// The same answer on every board, also where they have nothing to say.
	if o.Rules.Ko != weiqi.Positional && slices.ContainsFunc(Parts, o.asksFor) {
		return p, fmt.Errorf("%s and %s speak of positional superko and cannot be switched on under %s", strings.Join(Theorems(), ", "), conjecture, o.Rules)
	}
	return p, nil
}

// asksFor reports whether a part that is off usually is to be on.
func (o Options) asksFor(part Part) bool {
	group := slices.Contains(o.With, AllParts) || part.Name != conjecture && slices.Contains(o.With, AllTheorems)
	return !part.Usual && (group || slices.Contains(o.With, part.Name)) && !slices.Contains(o.Without, part.Name)
}
