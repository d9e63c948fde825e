package report

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/internal/wholefile"
	"tengen/tablebase"
)

// builtTable is a table of Go with loops drawn. All experiments share it.
type builtTable struct {
	*tablebase.Table
	info table.Info
	cost table.Report // of the run that built it; empty if that is not known
	dir  string       // "" for a table that stays
}

func (b *builtTable) close() {
	_ = b.Close()
	if b.dir != "" {
		_ = os.RemoveAll(b.dir)
	}
}

// measuredPoints is the largest board whose table has distances, which take as long as scores.
const measuredPoints = 12

// openTable solves every position of a board, or takes the table that the folder of the run
// has. A build that is stopped goes on from there.
func (s *session) openTable(ctx context.Context, size board.Size) (*builtTable, error) {
	built, dir := &builtTable{}, filepath.Join(s.Dir, "tables")
	var err error
	if s.Dir == "" {
		if dir, err = os.MkdirTemp("", "tengen-table-"); err != nil {
			return nil, err
		}
		built.dir = dir
	} else if err = os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	request := table.Request{
		Size: size, Loops: tablebase.Drawn, Distance: size.Points() <= measuredPoints,
		Path:   filepath.Join(dir, fmt.Sprintf("go-%s.table", size)),
		Limits: job.Limits{Threads: s.Threads, Memory: s.Memory},
		Progress: func(p table.Progress) {
			rate := float64(p.Visits) / max(1, p.Elapsed.Seconds())
			s.report(solve.Progress{Progress: job.Progress{Elapsed: p.Elapsed, Nodes: p.Visits, Rate: rate, Fill: p.Share}})
		},
	}
	var cost *table.Report
	if built.info, cost, err = table.Build(ctx, request); err == nil {
		if built.cost, err = keptCost(wholefile.Disk{}, request.Path, cost); err == nil {
			built.Table, err = tablebase.Open(request.Path, 0)
		}
	}
	if err != nil {
		if built.dir != "" {
			_ = os.RemoveAll(dir)
		}
		return nil, err
	}
	return built, nil
}
