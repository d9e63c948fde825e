package report

import (
	"maps"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Line is the efficiency of workers on a problem.
type Line struct {
	Name       string
	Efficiency map[int]float64 // by workers, powers of two
}

// Scaling draws the efficiency of workers as SVG. Below the line at one half, more than
// half of the work is lost.
func Scaling(lines []Line) ([]byte, error) {
	p := newPanel("Efficiency of workers, beside one", "workers", "efficiency")
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.TickerFunc(doublings)
	p.Y.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0" + clearance}, {Value: 0.25}, {Value: 0.5, Label: "½" + clearance}, {Value: 0.75}, {Value: 1, Label: "1" + clearance}}
	most := 2
	for _, line := range lines {
		for workers := range line.Efficiency {
			most = max(most, workers)
		}
	}
	half, err := plotter.NewLine(plotter.XYs{{X: 1, Y: 0.5}, {X: float64(most), Y: 0.5}})
	if err != nil {
		return nil, err
	}
	half.LineStyle = draw.LineStyle{Color: pale, Width: vg.Points(1)}
	p.Add(half)
	for i, line := range lines {
		s := series{name: line.Name}
		for _, workers := range slices.Sorted(maps.Keys(line.Efficiency)) {
			s.at(workers, line.Efficiency[workers])
		}
		if err := p.line(i, s); err != nil {
			return nil, err
		}
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 1, float64(most), 0, 1.05
	svg, _ := render(260, p)
	return svg, nil
}

// doublings marks powers of two.
func doublings(_, most float64) (ticks []plot.Tick) {
	for n := 1; float64(n) <= most; n *= 2 {
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: strconv.Itoa(n)})
	}
	return ticks
}
