package linear

// Profile counts positions as section 8.2 of the paper by Du and Müller does.
// Nodes are positions searched; leaves are positions that the bounds decide
// without a search. A nil *Profile counts nothing.
type Profile struct {
	NodesByDepth, LeavesByDepth []uint64
	NodesByParts, LeavesByParts []uint64 // by the number of strips and values
	NodeSizes, LeafSizes        []uint64 // strips by their points; those that are values count under 0
}

func (p *Profile) node(ply int, s *sum) {
	if p != nil {
		count1(&p.NodesByDepth, ply)
		count1(&p.NodesByParts, s.count)
		countSizes(&p.NodeSizes, s)
	}
}

func (p *Profile) leaf(ply int, s *sum) {
	if p != nil {
		count1(&p.LeavesByDepth, ply)
		count1(&p.LeavesByParts, s.count)
		countSizes(&p.LeafSizes, s)
	}
}

func count1(list *[]uint64, at int) {
	for len(*list) <= at {
		*list = append(*list, 0)
	}
	(*list)[at]++
}

func countSizes(list *[]uint64, s *sum) {
	for i := range s.count {
		count1(list, s.parts[i].strip.Points())
	}
}

// add adds the counts of another worker.
func (p *Profile) add(q *Profile) {
	addCounts(&p.NodesByDepth, q.NodesByDepth)
	addCounts(&p.LeavesByDepth, q.LeavesByDepth)
	addCounts(&p.NodesByParts, q.NodesByParts)
	addCounts(&p.LeavesByParts, q.LeavesByParts)
	addCounts(&p.NodeSizes, q.NodeSizes)
	addCounts(&p.LeafSizes, q.LeafSizes)
}

func addCounts(list *[]uint64, more []uint64) {
	for len(*list) < len(more) {
		*list = append(*list, 0)
	}
	for i, n := range more {
		(*list)[i] += n
	}
}
