package player

import (
	"math"
	"slices"

	"tengen/game"
)

// Constants of the PUCT search with the network.
const (
	// puct weighs the prior of a move against its value.
	puct = 1.5

	// doubt is how much worse than its position an unvisited move is expected to be, when
	// all other moves have been visited.
	doubt = 0.2
)

// node is a position in a graph. Values are from -1 to 1, for the side to move.
type node struct {
	key      uint64 // Zobrist key
	first, n uint32 // its links
	visits   uint32 // 1 plus those of its links
	own      float32
	mean     float32 // of its own value and the values of its links
	known    game.Known
	tried    uint8 // number of endgame searches
}

// link is a move. The links of a node are contiguous, the most promising first.
type link struct {
	prior  float32
	visits uint32
	child  uint32 // 0 before the first visit
	cell   uint16
	away   uint16 // visits under way: virtual losses
}

// graph holds every position once, whatever moves lead to it, as in Monte-Carlo graph
// search. A link counts its own visits. Its value is that of the position behind it, to
// which visits by other links contribute too.
type graph struct {
	nodes  []node // the first is none
	links  []link
	index  map[uint64]uint32 // by key; nil without transpositions
	root   uint32
	proofs bool // known results are taken up from moves to positions
}

// Memory of a node and of a link, including the index.
const (
	nodeBytes = 40 + 40
	linkBytes = 16
)

func newGraph(indexed, proofs bool) *graph {
	g := &graph{nodes: make([]node, 1), proofs: proofs}
	if indexed {
		g.index = map[uint64]uint32{}
	}
	return g
}

// bytes is the memory in use.
func (g *graph) bytes() int64 { return int64(len(g.nodes))*nodeBytes + int64(len(g.links))*linkBytes }

// bound bounds the probability that two positions have the same key.
func (g *graph) bound() float64 {
	if g.index == nil {
		return 0
	}
	n := float64(len(g.nodes))
	return math.Ldexp(n*n/2, -keyBits)
}

// add adds a position with its links and returns its number. If another thread has added
// it meanwhile, that one stays.
func (g *graph) add(n node, links []link) uint32 {
	if g.index != nil {
		if at, ok := g.index[n.key]; ok {
			return at
		}
		g.index[n.key] = uint32(len(g.nodes))
	}
	n.first, n.n = uint32(len(g.links)), uint32(len(links))
	n.visits, n.mean = 1, n.own
	g.links = append(g.links, links...)
	g.nodes = append(g.nodes, n)
	return uint32(len(g.nodes) - 1)
}

// from are the links of a node.
func (g *graph) from(at uint32) []link {
	n := &g.nodes[at]
	return g.links[n.first : n.first+n.n]
}

// knownAfter is the known result of a link for the side that makes the move.
func (g *graph) knownAfter(l *link) game.Known { return after(g.nodes[l.child].known) }

// after is the result for the other side.
func after(k game.Known) game.Known {
	return [...]game.Known{game.Unknown: game.Unknown, game.Won: game.Lost, game.Lost: game.Won}[k]
}

// worth is the value of a link for the side that makes the move.
func (g *graph) worth(l *link) float32 { return -g.nodes[l.child].mean }

// choose picks a link by PUCT, or a winning one. It returns false if all links are known
// to lose.
func (g *graph) choose(at uint32) (uint32, bool) {
	n := &g.nodes[at]
	best, most := uint32(math.MaxUint32), float32(math.Inf(-1))
	bonus := puct * float32(math.Sqrt(float64(n.visits)))
	var seen float32 // prior of the links visited
	for i := n.first; i < n.first+n.n; i++ {
		l := &g.links[i]
		if known := g.knownAfter(l); g.proofs && known != game.Unknown {
			if known == game.Won {
				return i, true
			}
			continue
		}
		visits := l.visits + uint32(l.away)
		score := bonus * l.prior / float32(1+visits)
		if visits == 0 {
			// Of the moves without a visit, the first has the highest prior.
			score += n.mean - doubt*float32(math.Sqrt(float64(seen)))
		} else {
			seen += l.prior
			score += (float32(l.visits)*g.worth(l) - float32(l.away)) / float32(visits)
		}
		if score > most {
			best, most = i, score
		}
		if visits == 0 {
			break
		}
	}
	return best, best != math.MaxUint32
}

// refresh derives the value of a node and its known result from its links. Moves that are
// known to lose do not count, since nobody will play them.
func (g *graph) refresh(at uint32) {
	n := &g.nodes[at]
	if n.known != game.Unknown {
		n.visits++
		n.mean = result(n.known)
		return
	}
	sum, weight, visits, lost := n.own, float32(1), uint32(1), uint32(0)
	for i := n.first; i < n.first+n.n; i++ {
		l := &g.links[i]
		visits += l.visits
		if g.proofs {
			switch g.knownAfter(l) {
			case game.Won:
				n.known, n.mean = game.Won, 1
				n.visits++
				return
			case game.Lost:
				lost++
				continue
			}
		}
		if l.child != 0 {
			sum += float32(l.visits) * g.worth(l)
			weight += float32(l.visits)
		}
	}
	n.visits, n.mean = visits, sum/weight
	if lost == n.n && lost > 0 {
		n.known, n.mean = game.Lost, -1
	}
}

func result(k game.Known) float32 {
	return [...]float32{game.Unknown: 0, game.Won: 1, game.Lost: -1}[k]
}

// keep copies the positions that can be reached from the root to a new graph.
func (g *graph) keep() *graph {
	to := newGraph(g.index != nil, g.proofs)
	moved := map[uint32]uint32{}
	move := func(at uint32) uint32 {
		if now, ok := moved[at]; ok {
			return now
		}
		n, links := g.nodes[at], g.from(at)
		now := to.add(n, links)
		to.nodes[now].visits, to.nodes[now].mean = n.visits, n.mean
		moved[at] = now
		return now
	}
	to.root = move(g.root)
	for i := 0; i < len(to.links); i++ {
		if child := to.links[i].child; child != 0 {
			to.links[i].child = move(child)
		}
	}
	return to
}

// find is the link of a node by its cell, nil if there is none.
func (g *graph) find(at uint32, cell uint16) *link {
	links := g.from(at)
	if i := slices.IndexFunc(links, func(l link) bool { return l.cell == cell }); i >= 0 {
		return &links[i]
	}
	return nil
}
