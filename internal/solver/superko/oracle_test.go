package superko_test

import (
	"bytes"

	"tengen/board"
	"tengen/weiqi"
)

// The oracle plays on a string of x, o and . by the rules as they are written,
// with a list of all earlier boards, and searches by plain alpha-beta. It shares
// only the order of points with the solver and the rules of the module.
type oracle struct {
	rows, cols  int
	situational bool
	seen        map[string]int
	nodes       int
	limit       int // of nodes; beyond it the value is meaningless
	deepest     int
}

const sides = "xo"

func newOracle(size board.Size, rules weiqi.Rules, limit int) *oracle {
	return &oracle{
		rows: size.Rows, cols: size.Cols, situational: rules.Ko == weiqi.Situational,
		seen: map[string]int{}, limit: limit,
	}
}

func (o *oracle) name(b string, side int) string {
	if o.situational {
		return b + sides[side:side+1]
	}
	return b
}

func (o *oracle) around(i int) []int {
	var list []int
	r, c := i/o.cols, i%o.cols
	if r > 0 {
		list = append(list, i-o.cols)
	}
	if r < o.rows-1 {
		list = append(list, i+o.cols)
	}
	if c > 0 {
		list = append(list, i-1)
	}
	if c < o.cols-1 {
		list = append(list, i+1)
	}
	return list
}

// reach is the set of cells like i that are connected to it, and the kinds of
// cells beside them.
func (o *oracle) reach(b []byte, i int) (same []int, beside string) {
	in := map[int]bool{i: true}
	same = []int{i}
	for n := 0; n < len(same); n++ {
		for _, at := range o.around(same[n]) {
			switch {
			case b[at] != b[i]:
				beside += string(b[at])
			case !in[at]:
				in[at] = true
				same = append(same, at)
			}
		}
	}
	return same, beside
}

func (o *oracle) dead(b []byte, i int) []int {
	if same, beside := o.reach(b, i); !bytes.ContainsRune([]byte(beside), '.') {
		return same
	}
	return nil
}

// play returns the board after a stone, or "" if the move is illegal.
func (o *oracle) play(b string, side, i int) string {
	if b[i] != '.' {
		return ""
	}
	next := []byte(b)
	next[i] = sides[side]
	for _, at := range o.around(i) {
		if next[at] == sides[1-side] {
			for _, gone := range o.dead(next, at) {
				next[gone] = '.'
			}
		}
	}
	if o.dead(next, i) != nil || o.seen[o.name(string(next), 1-side)] > 0 {
		return ""
	}
	return string(next)
}

// score is the area of x minus that of o.
func (o *oracle) score(text string) int {
	b, total := []byte(text), 0
	for i := range b {
		kind := string(b[i])
		if b[i] == '.' {
			_, kind = o.reach(b, i)
		}
		x, y := bytes.ContainsRune([]byte(kind), 'x'), bytes.ContainsRune([]byte(kind), 'o')
		if x && !y {
			total++
		}
		if y && !x {
			total--
		}
	}
	return total
}

// value is the score for the side to play within a window, the pass tried first.
func (o *oracle) value(b string, side int, passed bool, low, high, depth int) int {
	o.nodes++
	o.deepest = max(o.deepest, depth)
	if o.nodes > o.limit {
		return low
	}
	try := func(next string, passes bool) {
		if next == "" {
			return
		}
		name := o.name(next, 1-side)
		o.seen[name]++
		low = max(low, -o.value(next, 1-side, passes, -high, -low, depth+1))
		o.seen[name]--
	}
	if !passed {
		try(b, true)
	} else if score := o.score(b) * (1 - 2*side); score > low {
		low = score
	}
	for i := 0; i < len(b) && low < high; i++ {
		try(o.play(b, side, i), false)
	}
	return low
}

// games counts the ways to play to the end.
func (o *oracle) games(b string, side int, passed bool) int {
	n := 0
	if passed {
		n = 1
	} else {
		n = o.games(b, 1-side, true)
	}
	for i := range len(b) {
		if next := o.play(b, side, i); next != "" {
			name := o.name(next, 1-side)
			o.seen[name]++
			n += o.games(next, 1-side, false)
			o.seen[name]--
		}
	}
	return n
}
