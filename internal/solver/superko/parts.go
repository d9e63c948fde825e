package superko

import (
	"fmt"
	"slices"
	"strings"

	"tengen/board"
	"tengen/weiqi"
)

// Part is a part of the search that can be switched on and off.
type Part struct {
	Name  string
	Does  string
	Usual bool // on unless it is switched off
	most  int  // points of the longest row it applies to; 0 for every board
}

// switches are the parts as the search reads them.
type switches struct {
	facts, depths, deepening, learned, knowledge bool

	theorem2, total, packed, telomeres bool
	conjecture                         bool
}

// theorems reports whether a part is on that is more than the rules.
func (s *switches) theorems() bool {
	return s.theorem2 || s.total || s.packed || s.telomeres || s.conjecture
}

// feature is a part with its switch.
type feature struct {
	Part
	on *bool
}

// features lists the parts. Those that are not usual prune by the paper's theorems on
// rows under positional superko. They are off by default, so that an answer depends
// on the rules alone. The theorems are stated as they passed the tests, which is not
// always as they were printed. The conjecture is not proven, and an answer that may
// depend on it says so. No other part can change an answer.
func (s *switches) features() []feature {
	return []feature{
		{Part{Name: "tt", Does: "remembering what was proven, with its reason", Usual: true}, &s.facts},
		{Part{Name: "depths", Does: "giving up at once where the same depth was not enough before", Usual: true}, &s.depths},
		{Part{Name: "deepening", Does: "iterative deepening", Usual: true}, &s.deepening},
		{Part{Name: "learned", Does: "ordering moves by how they fared before", Usual: true}, &s.learned},
		{Part{Name: "knowledge", Does: "ordering moves by the paper's seven rules", Usual: true}, &s.knowledge},
		{Part{Name: "theorem2", Does: "theorem 2: the end of a row is no better than a pass", most: maxPoints}, &s.theorem2},
		{Part{Name: "total", Does: "theorem 4: states in which one side has everything", most: maxPoints}, &s.total},
		{Part{Name: "packed", Does: "theorem 5: loosely packed rows of up to seven points", most: packedPoints}, &s.packed},
		{Part{Name: "telomeres", Does: "theorems 6 to 8: ends of a row that are safely held", most: maxPoints}, &s.telomeres},
		{Part{Name: conjecture, Does: "1-2 conjecture: the end of a row is no better than the point next to it", most: maxPoints}, &s.conjecture},
	}
}

// Parts lists the parts that Options can switch.
func Parts() []Part {
	var parts []Part
	for _, f := range new(switches).features() {
		parts = append(parts, f.Part)
	}
	return parts
}

// These names stand for several parts to switch on, as far as they apply to the
// board.
const (
	AllParts    = "all"      // every part that is not usual
	AllTheorems = "theorems" // those without the conjecture
)

const conjecture = "conjecture"

// firstRow is the shortest row that theorems apply to.
const firstRow = 3

// Theorems names the parts that prune by theorems of the paper.
func Theorems() []string {
	var names []string
	for _, p := range Parts() {
		if !p.Usual && p.Name != conjecture {
			names = append(names, p.Name)
		}
	}
	return names
}

// AppliesTo reports whether the part has an effect on a board.
func (p Part) AppliesTo(size board.Size) bool {
	points := size.Points()
	return p.most == 0 || min(size.Rows, size.Cols) == 1 && points >= firstRow && points <= p.most
}

// scope names the boards that a part applies to.
func (p Part) scope() string {
	if p.most < maxPoints {
		return fmt.Sprintf("rows of %d to %d points", firstRow, p.most)
	}
	return fmt.Sprintf("rows of %d points and more", firstRow)
}

// find returns the feature of a name.
func (s *switches) find(name string) (feature, error) {
	features := s.features()
	i := slices.IndexFunc(features, func(f feature) bool { return f.Name == name })
	if i >= 0 {
		return features[i], nil
	}
	var names []string
	for _, f := range features {
		names = append(names, f.Name)
	}
	return feature{}, fmt.Errorf("the superko solver has no part %q; it has %s", name, strings.Join(names, ", "))
}

// WithoutEffect lists, as sentences, the choices that have no effect on a board.
func (o Options) WithoutEffect(size board.Size) []string {
	var notes []string
	for _, name := range o.With {
		switch p, err := new(switches).find(name); {
		case err != nil:
		case p.Usual:
			notes = append(notes, fmt.Sprintf("%s is on anyway", name))
		case !p.AppliesTo(size):
			notes = append(notes, fmt.Sprintf("%s has no effect on %s: it applies to %s", name, size, p.scope()))
		}
	}
	several := slices.Contains(o.With, AllParts) || slices.Contains(o.With, AllTheorems)
	for _, name := range o.Without {
		if p, err := new(switches).find(name); err == nil && !p.Usual && !several {
			notes = append(notes, fmt.Sprintf("%s is off anyway", name))
		}
	}
	return notes
}

// switches determines which parts are on.
func (o Options) switches(size board.Size) (switches, error) {
	var s switches
	for _, f := range s.features() {
		*f.on = f.Usual || f.AppliesTo(size) && o.asksFor(f.Part)
	}
	for _, name := range o.With {
		if name == AllParts || name == AllTheorems {
			continue
		}
		f, err := s.find(name)
		if err != nil {
			return s, err
		}
		if slices.Contains(o.Without, name) {
			return s, fmt.Errorf("%s is to be switched on and off at once: choose one", name)
		}
		*f.on = true
	}
	for _, name := range o.Without {
		f, err := s.find(name)
		if err != nil {
			return s, err
		}
		*f.on = false
	}
	// The error is the same on every board, also where the parts do not apply.
	if o.Rules.Ko != weiqi.Positional && slices.ContainsFunc(Parts(), o.asksFor) {
		return s, fmt.Errorf("%s and %s apply to positional superko only and cannot be switched on under %s", strings.Join(Theorems(), ", "), conjecture, o.Rules)
	}
	return s, nil
}

// asksFor reports whether the options switch on a part that is off by default.
func (o Options) asksFor(part Part) bool {
	group := slices.Contains(o.With, AllParts) || part.Name != conjecture && slices.Contains(o.With, AllTheorems)
	return !part.Usual && (group || slices.Contains(o.With, part.Name)) && !slices.Contains(o.Without, part.Name)
}
