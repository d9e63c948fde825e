package sums

// Level counts the positions of a search with one number of open points.
type Level struct {
	Nodes  uint64 // positions searched
	Single uint64 // of them, those that are one region
	Won    uint64 // those won by a move that was searched
	First  uint64 // of these, those won by the first move searched
	Work   uint64 // nodes at and below the won ones
	Wasted uint64 // of these, below moves searched before the winning one
	Steps  uint64 // positions that were looked at to play out small nodes
}

// profile holds levels by their points. A nil profile counts nothing.
type profile []Level

func (p *profile) at(points int) *Level {
	for len(*p) <= points {
		*p = append(*p, Level{})
	}
	return &(*p)[points]
}

func (p *profile) node(points, parts int) {
	if p == nil {
		return
	}
	l := p.at(points)
	l.Nodes++
	if parts == 1 {
		l.Single++
	}
}

// playedOut counts what it took to play out a position.
func (p *profile) playedOut(points int, steps uint64) {
	if p != nil {
		p.at(points).Steps += steps
	}
}

// won counts a position that a searched move wins.
func (p *profile) won(points int, first bool, work, wasted uint64) {
	if p == nil {
		return
	}
	l := p.at(points)
	l.Won++
	l.Work += work
	l.Wasted += wasted
	if first {
		l.First++
	}
}

// Profile returns the counts of all searches so far, by the number of points from 0 on. It
// must not be called while a search runs.
func (s *Solver) Profile() []Level {
	var sum profile
	for _, w := range s.Workers {
		if w.profile == nil {
			continue
		}
		for points, l := range *w.profile {
			to := sum.at(points)
			to.Nodes += l.Nodes
			to.Single += l.Single
			to.Won += l.Won
			to.First += l.First
			to.Work += l.Work
			to.Wasted += l.Wasted
			to.Steps += l.Steps
		}
	}
	return sum
}
