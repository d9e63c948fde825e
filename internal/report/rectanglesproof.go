package report

import (
	"bytes"
	"context"
	"fmt"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/text"
	"tengen/nogo"
	"tengen/proof"
)

func rectanglesProofExperiment() Experiment {
	return Experiment{
		Name:   "rectangles-proof",
		Shows:  "NoGo: positions and transpositions of a solution by depth, and eyes at its ends",
		Source: rectanglePaper + ", figures 5a and 5b, and the share of eyes",
		Points: Range{Least: 16, Most: 25, Usual: 18, Paper: 25},
		run:    rectanglesProof,
	}
}

// proofBoards are the boards whose solution can be looked at, by points.
var proofBoards = []board.Size{{Rows: 4, Cols: 4}, {Rows: 3, Cols: 6}, {Rows: 4, Cols: 5}, {Rows: 5, Cols: 5}}

func rectanglesProof(ctx context.Context, s *session) (Report, error) {
	var size board.Size
	for _, b := range proofBoards {
		if b.Points() <= s.Max {
			size = b
		}
	}
	request := solve.Request{Position: nogo.NewPosition(size)}
	name := rectangle{Size: size}.name()
	if size.Points() == 25 {
		request.Moves, name = []board.Point{size.At(0, 0)}, name+" after A1"
	}
	if err := s.begin(ctx, name); err != nil {
		return Report{}, err
	}
	stats, found, err := s.proveAndCount(ctx, request)
	if err != nil {
		return Report{}, err
	}
	r := Report{
		Title: "A solution of " + name + " by depth",
		Data:  Data{Columns: []string{"depth", "positions", "transpositions", "frequency"}},
		Notes: []string{"Depth counts moves from the root. A transposition is an arc to a position that another arc has reached. Symmetric positions count once. An eye is an empty point whose neighbours are stones of one side."},
	}
	table := Table{Columns: []Column{numbers("depth"), numbers("positions"), numbers("transpositions"), numbers("frequency")}}
	var labels []string
	positions := bars{name: "positions"}
	deepest := 0
	for i, d := range stats.ByDepth {
		table.add(fmt.Sprint(d.Depth), text.Thousands(d.Positions), text.Thousands(d.Transpositions), fmt.Sprintf("%.3f", d.Frequency))
		r.Data.add(d.Depth, d.Positions, d.Transpositions, d.Frequency)
		labels, positions.values = append(labels, fmt.Sprint(d.Depth)), append(positions.values, float64(d.Positions))
		if d.Positions > stats.ByDepth[deepest].Positions {
			deepest = i
		}
	}
	eyes := fmt.Sprintf("%.1f %%", 100*float64(stats.TerminalWithWinnerEye)/float64(max(1, stats.Terminal)))
	if size.Points() == 25 {
		r.cost("positions searched", float64(found.Nodes), 2_968_264_746, "", "a cost")
		r.cost("positions of the solution", float64(stats.Positions), 242_002_061, "", "a cost")
		r.explained("depth with the most positions", stats.ByDepth[deepest].Depth, 18, "of another solution")
		r.explained("terminal positions with an eye of the winner", eyes, "45.2 %", "of another solution")
	} else {
		r.news("positions searched", found.Nodes)
		r.news("positions of the solution", stats.Positions)
		r.news("depth with the most positions", stats.ByDepth[deepest].Depth)
		r.news("terminal positions with an eye of the winner", eyes)
	}
	r.Tables = []Table{table}
	p, err := barPanel("Positions of the solution of "+name, "depth", "positions", labels, positions)
	if err != nil {
		return Report{}, err
	}
	r.Figure, r.Picture = render(260, p)
	return r, nil
}

// proveAndCount makes a certificate and counts what it holds.
func (s *session) proveAndCount(ctx context.Context, request solve.Request) (proof.Statistics, solve.Result, error) {
	var file bytes.Buffer
	request.Threads, request.Memory, request.CertificateTo = s.Threads, s.Memory, &file
	request.Progress = s.report
	found, err := solve.NoGo(ctx, request)
	s.done++
	if err != nil {
		return proof.Statistics{}, found, err
	}
	certificate, err := proof.Read(&file)
	if err != nil {
		return proof.Statistics{}, found, err
	}
	stats, err := proof.Stats(ctx, certificate, proof.StatsOptions{Threads: s.Threads})
	if err != nil && ctx.Err() != nil {
		err = &job.Stopped{Cause: ctx.Err(), Known: "the certificate was not counted"}
	}
	return stats, found, err
}
