package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tengen/engine/job"
	"tengen/engine/table"
)

// BuildBody names a board of Go whose table is wanted.
type BuildBody struct {
	Size string `json:"size" doc:"ROWSxCOLS" example:"3x6"`
}

// Building is how far a table is.
type Building struct {
	Share   float64 `json:"share" doc:"of the whole build that is done, about"`
	Left    float64 `json:"left,omitempty" doc:"seconds until the end, about, once that can be sent"`
	Elapsed float64 `json:"elapsed" doc:"seconds"`
}

// Built says that there is a table of the board now.
type Built struct {
	Size string `json:"size"`
}

// buildEvery is the shortest time between two reports of a build.
const buildEvery = 500 * time.Millisecond

// build makes the table of a board of Go, one at a time for all clients. A client that
// leaves stops it; what is done is kept, and the same call goes on from there.
func (s *Server) build(ctx context.Context, in *body[BuildBody]) (*huma.StreamResponse, error) {
	q := Question{Game: "go", Size: in.Body.Size}
	a, err := q.read()
	if err != nil {
		return nil, err
	}
	if !s.options.Builds {
		return nil, coded(huma.NewError(http.StatusForbidden, "This server builds no tables for its visitors: whoever runs it can allow that with --build-tables."), codeNoBuilds)
	}
	return s.whenFree(ctx, s.builds, "build", func(ctx context.Context, send sender) { s.buildTable(ctx, a, send) })
}

// buildTable builds a table and tells how it goes.
func (s *Server) buildTable(ctx context.Context, a asked, send sender) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	sent := time.Time{}
	report := func(p table.Progress) {
		if time.Since(sent) < buildEvery {
			return
		}
		sent = time.Now()
		if err := send("building", Building{p.Share, p.Left.Seconds(), p.Elapsed.Seconds()}); err != nil {
			stop(err) // nobody listens
		}
	}
	err := s.analyst.BuildTable(ctx, a.start.Size, report)
	var stopped *job.Stopped
	switch {
	case err == nil:
		send("built", Built{a.start.Size.String()})
	case ctx.Err() != nil || errors.As(err, &stopped):
		s.counts.cancelled.Inc()
		send("problem", stopping)
	default:
		send("problem", s.trouble(err))
	}
}
