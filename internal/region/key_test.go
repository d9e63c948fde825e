package region_test

import (
	"fmt"
	"math/bits"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/oracle"
	"tengen/internal/region"
	"tengen/nogo"
)

// families are groups of boards whose regions can be compared: all boards on rows of
// eight cells form one group, and each wider shape is a group of its own.
var families = [][]string{
	{"2x2", "3x3", "4x3", "2x7", "3x4", "1x7", "4x4", "3x6", "4x5", "7x2", "5x5", "6x5", "6x6"},
	{"1x8"},
	{"1x19"},
	{"2x11", "11x2"},
	{"3x9", "9x3"},
}

// The key of a region does not depend on where it lies or how it is turned, and
// exchanging the colours exchanges the two keys.
func TestKeysKnowSymmetry(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for _, family := range families {
		for _, r := range sample(t, family, 150, rng) {
			key, inverse := r.Keys(r.grid)
			images := r.images()
			for range 4 {
				m := images[rng.Intn(len(images))]
				m.row += rng.Intn(r.room.rows - m.rows + 1)
				m.col += rng.Intn(r.room.cols - m.cols + 1)
				moved := r.moved(m)
				if k, i := moved.Keys(r.grid); k != key || i != inverse {
					t.Fatalf("%v moved by %+v has other keys", r, m)
				}
				swapped := inverted(moved)
				if k, i := swapped.Keys(r.grid); k != inverse || i != key {
					t.Fatalf("%v moved by %+v: the keys of the inverse are not the keys exchanged", r, m)
				}
			}
		}
	}
}

// The same for whole positions and the symmetries of their board.
func TestKeysOfPositionsKnowSymmetry(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for _, text := range []string{"1x12", "2x6", "2x9", "3x4", "4x4", "5x5", "7x3", "3x9", "11x2"} {
		size := parseSize(t, text)
		layout := region.NewLayout(size)
		for range 300 {
			p := randomPosition(size, rng.Intn(size.Points()), rng)
			key, inverse := positionKeys(layout, p)
			for _, sym := range size.Symmetries() {
				if k, i := positionKeys(layout, p.Map(sym)); k != key || i != inverse {
					t.Fatalf("symmetry %d changes the keys of\n%s", sym, size.Diagram(p.Stones))
				}
			}
			if k, i := positionKeys(layout, p.Inverse()); k != inverse || i != key {
				t.Fatalf("exchanging the colours does not exchange the keys of\n%s", size.Diagram(p.Stones))
			}
		}
	}
}

// A board and the same board on its side have one layout.
func TestKeysOfTurnedBoards(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	for _, text := range []string{"3x5", "1x9", "2x11", "3x9"} {
		size := parseSize(t, text)
		turned := board.Size{Rows: size.Cols, Cols: size.Rows}
		for range 200 {
			p := randomPosition(size, rng.Intn(size.Points()), rng)
			q := nogo.NewPosition(turned)
			for c := range p.Stones {
				for at := range p.Stones[c].Points() {
					q.Stones[c].Add(turned.At(size.Col(at), size.Row(at)))
				}
			}
			k, i := positionKeys(region.NewLayout(size), p)
			if tk, ti := positionKeys(region.NewLayout(turned), q); tk != k || ti != i {
				t.Fatalf("laid on its side, this has other keys:\n%s", size.Diagram(p.Stones))
			}
		}
	}
}

// Two regions have equal keys exactly if their full descriptions are equal in some
// orientation.
func TestKeysTellRegionsApart(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	for _, family := range families {
		d := make(dictionary)
		for _, r := range sample(t, family, 450, rng) {
			key, inverse := r.Keys(r.grid)
			d.enter(t, key, r.text())
			swapped := place{r.grid, r.room, inverted(r.Region)}
			d.enter(t, inverse, swapped.text())
		}
		t.Logf("%v: %d regions", family, len(d)/2)
	}
}

// Sums of two or three regions have equal keys exactly if their regions are the
// same. Small regions, which have much in common, are the hardest.
func TestKeysTellSumsApart(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	for _, family := range families {
		pool := distinct(sample(t, family, 400, rng))
		keys := make([]region.Key, len(pool))
		for i, r := range pool {
			keys[i], _ = r.Keys(r.grid)
		}
		small := min(len(pool), 500)
		seen := make(map[region.Key][3]int)
		check := func(k region.Key, members [3]int) {
			if other, ok := seen[k]; ok && other != members {
				t.Fatalf("the sums of\n%v\nand of\n%v\nhave equal keys", list(pool, members), list(pool, other))
			}
			seen[k] = members
		}
		for i := range small {
			check(keys[i], [3]int{-1, -1, i})
			for j := range i + 1 {
				check(keys[i].Add(keys[j]), [3]int{-1, j, i})
			}
		}
		for range 150_000 {
			m := []int{rng.Intn(small), rng.Intn(small), rng.Intn(len(pool))}
			slices.Sort(m)
			check(keys[m[0]].Add(keys[m[1]]).Add(keys[m[2]]), [3]int(m))
		}
	}
}

// These sums have the same Black halves and the same White halves, but in different
// pairs. A key that is a sum of a Black term and a White term cannot tell them
// apart.
func TestHalvesCannotBeExchanged(t *testing.T) {
	for _, c := range []struct{ name, one, other string }{
		{"1x12, White's stone on either side of Black's", "....xo...o.x", "...ox....o.x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			one, other := parse(t, c.one), parse(t, c.other)
			layout := region.NewLayout(one.Size)
			a, _ := positionKeys(layout, one)
			b, _ := positionKeys(layout, other)
			if a == b {
				t.Errorf("%s and %s have equal keys", one, other)
			}
			o := make(oracle.Oracle)
			if outcomes(o, one) == outcomes(o, other) {
				t.Errorf("%s and %s should be different games", one, other)
			}
		})
	}
}

func TestMarksAreDistinct(t *testing.T) {
	seen := map[region.Key]uint64{{}: 0}
	for x := range uint64(1 << 16) {
		k := region.Key{}.Mark(x)
		if other, ok := seen[k]; ok {
			t.Fatalf("marks %d and %d are equal", x, other)
		}
		seen[k] = x
	}
}

// dictionary checks that keys and texts correspond one to one.
type dictionary map[string]string

func (d dictionary) enter(t *testing.T, key region.Key, text string) {
	t.Helper()
	k := fmt.Sprintf("key %x", key)
	if other, ok := d[k]; ok && other != text {
		t.Fatalf("equal keys of\n%s\nand\n%s", text, other)
	}
	if other, ok := d[text]; ok && other != k {
		t.Fatalf("%s and %s of the same region\n%s", k, other, text)
	}
	d[k], d[text] = text, k
}

// place is a region on a grid with room to move it about.
type place struct {
	grid nogo.Grid
	room box
	region.Region
}

type box struct{ row, col, rows, cols int }

// image is an orientation of a region, then the place of its corner.
type image struct {
	mirror, flip, transpose bool
	box
}

// sample plays random games on each board and takes the regions on the way.
func sample(t *testing.T, boards []string, games int, rng *rand.Rand) []place {
	t.Helper()
	var list []place
	for _, text := range boards {
		size := parseSize(t, text)
		layout := region.NewLayout(size)
		room := box{rows: min(size.Rows, size.Cols), cols: max(size.Rows, size.Cols)}
		if layout.Grid.Stride == 8 {
			room = box{rows: 7, cols: 7}
		}
		for range games * 8 / size.Points() {
			p := randomPosition(size, 0, rng)
			for grow(&p, rng) {
				for _, r := range split(layout.Grid, region.Of(layout.Grid, layout.Stones(p))) {
					list = append(list, place{layout.Grid, room, r})
				}
			}
		}
	}
	return list
}

// distinct keeps one region of every text, the smallest first.
func distinct(all []place) []place {
	seen := make(map[string]bool)
	all = slices.DeleteFunc(all, func(r place) bool {
		text := r.text()
		known := seen[text]
		seen[text] = true
		return known
	})
	slices.SortStableFunc(all, func(a, b place) int {
		return bits.OnesCount64(a.Points()) - bits.OnesCount64(b.Points())
	})
	return all
}

func (r place) extent() box {
	b := box{row: 64, col: 64}
	for x := r.Points(); x != 0; x &= x - 1 {
		at := bits.TrailingZeros64(x)
		row, col := at/r.grid.Stride, at%r.grid.Stride
		b.rows, b.cols = max(b.rows, row+1), max(b.cols, col+1)
		b.row, b.col = min(b.row, row), min(b.col, col)
	}
	b.rows -= b.row
	b.cols -= b.col
	return b
}

// images lists the orientations that keys identify: all eight on rows of eight
// cells, the four that need no transposition elsewhere.
func (r place) images() []image {
	var list []image
	b := r.extent()
	for i := range 8 {
		m := image{mirror: i&1 != 0, flip: i&2 != 0, transpose: i&4 != 0, box: box{rows: b.rows, cols: b.cols}}
		if m.transpose {
			if r.grid.Stride != 8 {
				continue
			}
			m.rows, m.cols = b.cols, b.rows
		}
		list = append(list, m)
	}
	return list
}

// moved is the region in another orientation and place.
func (r place) moved(m image) region.Region {
	b := r.extent()
	mask := func(x uint64) (out uint64) {
		for ; x != 0; x &= x - 1 {
			at := bits.TrailingZeros64(x)
			row, col := at/r.grid.Stride-b.row, at%r.grid.Stride-b.col
			if m.mirror {
				col = b.cols - 1 - col
			}
			if m.flip {
				row = b.rows - 1 - row
			}
			if m.transpose {
				row, col = col, row
			}
			out |= 1 << ((row+m.row)*r.grid.Stride + col + m.col)
		}
		return out
	}
	out := region.Region{Count: r.Count}
	for c := range out.Count {
		out.Open[c], out.Safe[c] = mask(r.Open[c]), mask(r.Safe[c])
		for i, l := range r.Liberties[c][:r.Count[c]] {
			out.Liberties[c][i] = mask(l)
		}
	}
	return out
}

// text writes a region out in full, the same for all its orientations.
func (r place) text() string {
	least := ""
	for _, m := range r.images() {
		if s := m.describe(r.moved(m), r.grid.Stride); least == "" || s < least {
			least = s
		}
	}
	return least
}

// describe draws who may play where and who is safe, then the blocks of each colour.
func (m image) describe(r region.Region, stride int) string {
	var out strings.Builder
	draw := func(cell func(bit uint64) byte) string {
		var s strings.Builder
		for row := range m.rows {
			for col := range m.cols {
				s.WriteByte(cell(1 << (row*stride + col)))
			}
			s.WriteByte('/')
		}
		return s.String()
	}
	out.WriteString(draw(func(bit uint64) byte {
		kind := 0
		for i, x := range []uint64{r.Open[0], r.Open[1], r.Safe[0], r.Safe[1]} {
			if x&bit != 0 {
				kind |= 1 << i
			}
		}
		return "0123456789abcdef"[kind]
	}))
	for c := range r.Count {
		var blocks []string
		for _, l := range r.Liberties[c][:r.Count[c]] {
			blocks = append(blocks, draw(func(bit uint64) byte { return ".*"[min(l&bit, 1)] }))
		}
		slices.Sort(blocks)
		fmt.Fprintf(&out, " %s: %s", board.Colour(c), strings.Join(blocks, " "))
	}
	return out.String()
}

func (r place) String() string { return r.text() }

func list(pool []place, members [3]int) []string {
	var out []string
	for _, i := range members {
		if i >= 0 {
			out = append(out, pool[i].text())
		}
	}
	return out
}

func inverted(r region.Region) region.Region {
	r.Open[0], r.Open[1] = r.Open[1], r.Open[0]
	r.Safe[0], r.Safe[1] = r.Safe[1], r.Safe[0]
	r.Count[0], r.Count[1] = r.Count[1], r.Count[0]
	r.Liberties[0], r.Liberties[1] = r.Liberties[1], r.Liberties[0]
	return r
}

// split takes a position in normal form apart.
func split(g nogo.Grid, whole region.Region) []region.Region {
	var parts []region.Region
	for rest := whole.Points(); rest != 0; {
		points := whole.Component(g, rest)
		rest &^= points
		var part region.Region
		whole.Part(points, &part)
		parts = append(parts, part)
	}
	return parts
}

// sumKeys are the keys of a sum and of its inverse.
func sumKeys(g nogo.Grid, parts []region.Region) (key, inverse region.Key) {
	for i := range parts {
		k, v := parts[i].Keys(g)
		key, inverse = key.Add(k), inverse.Add(v)
	}
	return key, inverse
}

func positionKeys(l region.Layout, p nogo.Position) (key, inverse region.Key) {
	return sumKeys(l.Grid, split(l.Grid, region.Of(l.Grid, l.Stones(p))))
}

// randomPosition has the given number of stones, in any colours, or fewer if
// nobody can move.
func randomPosition(size board.Size, stones int, rng *rand.Rand) nogo.Position {
	p := nogo.NewPosition(size)
	for range stones {
		if !grow(&p, rng) {
			break
		}
	}
	return p
}

// grow adds a stone of either colour and reports whether there was room.
func grow(p *nogo.Position, rng *rand.Rand) bool {
	c := board.Colour(rng.Intn(2))
	if p.Legal(c).IsEmpty() {
		c = c.Opponent()
	}
	legal := p.Legal(c)
	if legal.IsEmpty() {
		return false
	}
	p.Stones[c].Add(pick(legal, rng))
	return true
}

func parseSize(t *testing.T, text string) board.Size {
	t.Helper()
	size, err := board.ParseSize(text)
	if err != nil {
		t.Fatal(err)
	}
	return size
}

func parse(t *testing.T, text string) nogo.Position {
	t.Helper()
	p, err := nogo.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
