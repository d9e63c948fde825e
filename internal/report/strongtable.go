package report

import (
	"context"
	"os"
	"path/filepath"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/table"
	"tengen/tablebase"
)

// builtTable is a table of Go in a folder that goes away with it.
type builtTable struct {
	*tablebase.Table
	info table.Info
	cost table.Report
	dir  string
}

func (b *builtTable) close() {
	_ = b.Close()
	_ = os.RemoveAll(b.dir)
}

// buildTable solves every position of a board.
func (s *session) buildTable(ctx context.Context, size board.Size, loops tablebase.Loops, distance bool) (*builtTable, error) {
	dir, err := os.MkdirTemp("", "tengen-table-")
	if err != nil {
		return nil, err
	}
	request := table.Request{
		Size: size, Loops: loops, Distance: distance, Path: filepath.Join(dir, "go.table"),
		Limits: job.Limits{Threads: s.Threads, Memory: s.Memory},
	}
	built := &builtTable{dir: dir}
	var cost *table.Report
	if built.info, cost, err = table.Build(ctx, request); err == nil {
		built.cost = *cost
		built.Table, err = tablebase.Open(request.Path, 0)
	}
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	return built, nil
}
