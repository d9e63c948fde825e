package cli

import (
	"fmt"
	"slices"
	"text/tabwriter"

	"tengen/engine/solve"
	"tengen/internal/text"
)

// printProfile counts the positions of a search: on a row by depth, by the number of parts,
// and by the sizes of the strips, on other boards by the number of open points.
func (s *solveNoGo) printProfile(p *solve.Profile) {
	if p == nil {
		return
	}
	if p.NodesByPoints != nil {
		s.printLevels(p)
		return
	}
	s.printCounts("depth", p.NodesByDepth, p.LeavesByDepth)
	s.printCounts("parts", p.NodesByParts, p.LeavesByParts)
	s.printCounts("size", p.NodeSizes, p.LeafSizes)
}

func (s *solveNoGo) printLevels(p *solve.Profile) {
	table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "\npoints\tsearched\tone region\twon by search\tby the first move\twasted\tsteps\t\n")
	for i, nodes := range slices.Backward(p.NodesByPoints) {
		if nodes > 0 {
			fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t\n", i, text.Thousands(nodes), percent(p.SingleByPoints[i], nodes),
				text.Thousands(p.WonByPoints[i]), percent(p.FirstByPoints[i], p.WonByPoints[i]), percent(p.WastedByPoints[i], p.WorkByPoints[i]),
				text.Thousands(p.StepsByPoints[i]))
		}
	}
	table.Flush()
}

// percent is a part of a number.
func percent(part, of uint64) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(of))
}

func (s *solveNoGo) printCounts(name string, nodes, leaves []uint64) {
	table := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\n%s\t%s\t%s\t\n", name, "searched", "decided at once")
	for i := range max(len(nodes), len(leaves)) {
		n, l := at(nodes, i), at(leaves, i)
		label := fmt.Sprint(i)
		if name == "size" && i == 0 {
			label = "value"
		}
		if n+l > 0 {
			fmt.Fprintf(table, "%s\t%s\t%s\t\n", label, text.Thousands(n), text.Thousands(l))
		}
	}
	table.Flush()
}

func at(list []uint64, i int) uint64 {
	if i < len(list) {
		return list[i]
	}
	return 0
}

// profileJSON has one number for each depth, number of parts or size, from 0; on boards that
// are no rows, for each number of points.
type profileJSON struct {
	NodesByDepth  []uint64 `json:"nodes_by_depth"`
	LeavesByDepth []uint64 `json:"leaves_by_depth"`
	NodesByParts  []uint64 `json:"nodes_by_parts"`
	LeavesByParts []uint64 `json:"leaves_by_parts"`
	NodeSizes     []uint64 `json:"node_sizes"`
	LeafSizes     []uint64 `json:"leaf_sizes"`

	NodesByPoints  []uint64 `json:"nodes_by_points,omitempty"`
	SingleByPoints []uint64 `json:"single_by_points,omitempty"`
	WonByPoints    []uint64 `json:"won_by_points,omitempty"`
	FirstByPoints  []uint64 `json:"first_by_points,omitempty"`
	WorkByPoints   []uint64 `json:"work_by_points,omitempty"`
	WastedByPoints []uint64 `json:"wasted_by_points,omitempty"`
	StepsByPoints  []uint64 `json:"steps_by_points,omitempty"`
}

func newProfileJSON(p *solve.Profile) *profileJSON {
	if p == nil {
		return nil
	}
	object := profileJSON(*p)
	for _, list := range []*[]uint64{
		&object.NodesByDepth, &object.LeavesByDepth, &object.NodesByParts, &object.LeavesByParts, &object.NodeSizes, &object.LeafSizes,
	} {
		if *list == nil {
			*list = []uint64{}
		}
	}
	return &object
}
