package superko

import (
	"context"
	"math/bits"
	"slices"

	"tengen/board"
	"tengen/weiqi"
)

// MaxBoards is the most legal boards that a size may have: rows to 1x14,
// rectangles to 2x6 and 3x4.
const MaxBoards = 1 << 21

// maxPoints is the most points of a size within MaxBoards.
const maxPoints = 14

// slots is the room for the moves of a state: the pass and one for every point.
const slots = 16

// state is a board and the side to play: board<<1 | colour.
type state uint32

func (s state) colour() board.Colour { return board.Colour(s & 1) }

// edge is a stone put on a board.
type edge struct {
	to    state
	point uint8 // bit of the cell
}

// stones are the sets of cells of Black and White.
type stones [2]uint64

// graph is the game without its history: every legal board is a number, and the
// moves of both sides are lists of numbers. The rules are used once, when the
// graph is made; after that a move is a lookup.
type graph struct {
	size    board.Size // of one row, if the board is one row or column
	points  int
	linear  bool
	power   [64]uint32 // cell → its power of three in codes
	mask    uint64
	boards  []stones
	scores  []int8   // Black minus White
	numbers []uint32 // code → number of the board
	first   []uint32 // state → its first edge; one more at the end
	edges   []edge   // of each state in the order of knowledge

	rules  weiqi.Rules
	images []image // the identity first
	// product[i][j] is the image that has the effect of image j and then image i.
	product [][]uint8
	turn    []uint8 // state → the image in which it is remembered
}

// image is a symmetry of the board, with the colours exchanged or not.
type image struct {
	cells   *board.Permuter
	swap    board.Colour
	to      []uint32 // board → its image
	ids     []uint32 // id in a history → its image
	inverse int
}

func (m *image) stones(s stones) stones {
	return stones{m.cells.Map(s[m.swap]), m.cells.Map(s[m.swap^1])}
}

func (m *image) state(s state) state {
	return state(m.to[s>>1])<<1 | s&1 ^ state(m.swap)
}

// newGraph lists the boards and moves of a small board; boards is their number.
// With knowledge, edges are in the order of the paper; without it, they start from
// the first point.
func newGraph(ctx context.Context, size board.Size, rules weiqi.Rules, knowledge bool, boards int) (*graph, error) {
	g := &graph{size: size, rules: rules, points: size.Points(), linear: size.Rows == 1}
	grid := weiqi.NewGrid(size)
	g.mask = grid.Mask
	codes := uint32(1)
	for _, p := range size.All() {
		g.power[p] = codes
		codes *= 3
	}
	g.numbers = make([]uint32, codes)
	g.boards, g.scores = make([]stones, 0, boards), make([]int8, 0, boards)
	g.list(ctx, grid, size.All(), stones{})
	g.first = make([]uint32, 0, 2*boards+1)
	g.edges = make([]edge, 0, edgesOf(boards, g.points))
	for i, b := range g.boards {
		if i%watchBoards == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for c := range b {
			g.first = append(g.first, uint32(len(g.edges)))
			g.connect(grid, b, c, knowledge)
		}
	}
	g.first = append(g.first, uint32(len(g.edges)))
	g.findImages()
	return g, ctx.Err()
}

const (
	// watchBoards is the number of boards between two checks of the context while
	// the graph is made.
	watchBoards = 1 << 12
	// watchPoints is the number of points left at such a check while boards are
	// listed.
	watchPoints = 8
)

// list numbers the legal boards that continue s on the points that are left.
func (g *graph) list(ctx context.Context, grid weiqi.Grid, left []board.Point, s stones) {
	if len(left) == watchPoints && ctx.Err() != nil {
		return
	}
	if len(left) > 0 {
		bit := uint64(1) << left[0]
		g.list(ctx, grid, left[1:], s)
		g.list(ctx, grid, left[1:], stones{s[0] | bit, s[1]})
		g.list(ctx, grid, left[1:], stones{s[0], s[1] | bit})
		return
	}
	if grid.Sound(s[0], s[1]) {
		g.numbers[g.code(s)] = uint32(len(g.boards))
		g.boards = append(g.boards, s)
		g.scores = append(g.scores, int8(grid.Score(s[0], s[1])))
	}
}

// code has a base-3 digit for every point.
func (g *graph) code(s stones) (code uint32) {
	for c, rest := range s {
		for ; rest != 0; rest &= rest - 1 {
			code += uint32(c+1) * g.power[bits.TrailingZeros64(rest)]
		}
	}
	return code
}

func (g *graph) number(s stones) uint32 { return g.numbers[g.code(s)] }

func (g *graph) connect(grid weiqi.Grid, b stones, c int, knowledge bool) {
	from := len(g.edges)
	var ranks [64]int
	for legal := grid.Legal(b[c], b[1-c]); legal != 0; legal &= legal - 1 {
		point := legal & -legal
		var next stones
		next[c], next[1-c], _ = grid.Play(b[c], b[1-c], point)
		cell := uint8(bits.TrailingZeros64(point))
		g.edges = append(g.edges, edge{state(g.number(next))<<1 | state(1-c), cell})
		ranks[cell] = g.rank(grid, b, next, c, cell)
	}
	if knowledge {
		slices.SortStableFunc(g.edges[from:], func(x, y edge) int { return ranks[x.point] - ranks[y.point] })
	}
}

// rank is the place of a move in the paper's order (section 3.3), in which the
// pass is the first. Rules 2, 3 and 7 apply to rows; elsewhere points with more
// neighbours come first.
func (g *graph) rank(grid weiqi.Grid, b, next stones, c int, cell uint8) int {
	n, at := g.points, int(cell)
	captures := next[1-c] != b[1-c]
	block := grid.Flood(1<<cell, next[c])
	liberties := grid.Around(block) &^ (next[0] | next[1])
	atari := liberties&(liberties-1) == 0
	empty := g.mask &^ (b[0] | b[1])
	switch {
	case !g.linear && captures:
		return 0
	case !g.linear && !atari:
		return 5 - bits.OnesCount64(grid.Around(1<<cell))
	case !g.linear:
		return 6
	case at == 1 && empty&1 != 0, at == n-2 && empty>>(n-1)&1 != 0:
		return 2
	case at == 0, at == n-1:
		return 7
	case at&1 == 1, (n-1-at)&1 == 1:
		return 3
	case captures:
		return 4
	case !atari:
		return 5
	}
	return 6
}

// findImages maps every board by every symmetry, and chooses for each state the
// image with Black to play and the smallest number.
func (g *graph) findImages() {
	syms := g.size.Symmetries()
	for swap := range board.Colour(2) {
		for _, sym := range syms {
			m := image{cells: board.NewPermuter(g.size, sym), swap: swap, to: make([]uint32, len(g.boards))}
			for n, s := range g.boards {
				m.to[n] = g.number(m.stones(s))
			}
			back := slices.Index(syms, g.size.Inverse(sym))
			m.inverse = int(swap)*len(syms) + back
			m.ids = make([]uint32, g.ids())
			for s := range state(2 * len(g.boards)) {
				m.ids[g.id(s)] = g.id(m.state(s))
			}
			g.images = append(g.images, m)
		}
	}
	g.multiply()
	g.turn = make([]uint8, 2*len(g.boards))
	for s := range g.turn {
		best := ^state(0)
		for i := range g.images {
			if to := g.images[i].state(state(s)); to.colour() == board.Black && to < best {
				best, g.turn[s] = to, uint8(i)
			}
		}
	}
}

// multiply finds the products of images. They act alike if they move every point alike.
func (g *graph) multiply() {
	g.product = make([][]uint8, len(g.images))
	for i := range g.images {
		for j := range g.images {
			first, then := &g.images[j], &g.images[i]
			g.product[i] = append(g.product[i], uint8(slices.IndexFunc(g.images, func(m image) bool {
				return m.swap == first.swap^then.swap && !slices.ContainsFunc(g.size.All(), func(p board.Point) bool {
					return m.cells.Map(1<<p) != then.cells.Map(first.cells.Map(1<<p))
				})
			})))
		}
	}
}

// score is the area of the side to play minus the other's.
func (g *graph) score(s state) int {
	return int(g.scores[s>>1]) * (1 - 2*int(s&1))
}

// id identifies a state for superko: the board, or with situational superko the
// board and the side to play.
func (g *graph) id(s state) uint32 {
	if g.rules.Ko == weiqi.Situational {
		return uint32(s)
	}
	return uint32(s >> 1)
}

func (g *graph) ids() int {
	if g.rules.Ko == weiqi.Situational {
		return 2 * len(g.boards)
	}
	return len(g.boards)
}

func (g *graph) moves(s state) []edge { return g.edges[g.first[s]:g.first[s+1]] }
