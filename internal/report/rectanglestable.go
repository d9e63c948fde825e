package report

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/nogo"
)

func rectanglesTableExperiment() Experiment {
	return Experiment{
		Name:   "rectangles-table",
		Shows:  "NoGo: the sorted bucket hash: codes, positions, bytes a position",
		Source: rectanglePaper + ", section 3 and figures 2 and 3",
		Points: Range{Least: 9, Most: 22, Usual: 16, Paper: 20, Beyond: 22},
		run:    filled("The sorted bucket hash", rectanglesTable),
	}
}

// sbhSolver has positions that SBHSolver, the program of the paper, takes. The paper gives
// none for these boards.
var sbhSolver = map[board.Size]uint64{{Rows: 4, Cols: 5}: 25_324_057, {Rows: 3, Cols: 7}: 70_250_562, {Rows: 2, Cols: 11}: 149_248_400}

func rectanglesTable(ctx context.Context, s *session, r *Report) error {
	if err := s.begin(ctx, "the codes of 5×5"); err != nil {
		return err
	}
	codes := new(big.Int).Exp(big.NewInt(3), big.NewInt(25), nil)
	r.fact("bits of a code of 5×5", codes.BitLen(), 40)
	r.fact("bits of a code within a bucket, with 30 of the index", codes.BitLen()-30, 10)
	r.fact("states of 5×5, in 10¹¹", fmt.Sprintf("%.2f", float64(codes.Int64())/1e11), "8.47")
	boards := sizes(s.Max)
	for _, b := range boards {
		if b.Rows == 1 || b.Points() < 12 {
			continue
		}
		s.all++
	}
	for _, b := range boards {
		if b.Rows == 1 || b.Points() < 12 {
			continue
		}
		result, err := s.plain(ctx, b)
		if err != nil {
			return err
		}
		if published, ok := sbhSolver[b.Size]; ok {
			r.fact(b.name()+": positions of the search, beside a run of SBHSolver", result.Nodes, published)
		} else {
			r.news(b.name()+": positions of the search", result.Nodes)
		}
		if result.Nodes > 100_000 {
			r.cost(b.name()+": bytes a position, beside a hash of 64 bits", math.Round(100*float64(result.Memory)/float64(result.Nodes))/100, 8, "", "little of the directory is in use on a small board")
		}
	}
	r.Notes = []string{"`tengen solve nogo SIZE --method sbh`. The entries of the paper have two bytes and its directory 8 GiB; ours have the directory in their bytes. The paper prints no positions of these boards; those of SBHSolver are of runs of its own program."}
	return nil
}

// plain searches an empty board by the method of the paper.
func (s *session) plain(ctx context.Context, b rectangle) (solve.Result, error) {
	if err := s.begin(ctx, b.name()); err != nil {
		return solve.Result{}, err
	}
	request := solve.Request{Position: nogo.NewPosition(b.Size), Method: solve.SBH, Progress: s.report}
	request.Threads, request.Memory = 1, s.Memory
	result, err := solve.NoGo(ctx, request)
	s.done++
	return result, err
}
