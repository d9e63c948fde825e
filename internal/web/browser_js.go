package web

import (
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// In a browser the page is there already, nobody counts requests, and no cluster can be
// watched.

// Feed is the status of searches on many machines. There is none.
type Feed struct{}

func (*Server) registerCluster(huma.API) {}

// tables are built in memory.
const tables = ""

// levelTime is what a level of the network takes on a slow machine.
const levelTime = 3 * time.Second

func servePage(*http.ServeMux) error { return nil }

type counts struct {
	cancelled nothing
}

type nothing struct{}

func (nothing) Inc() {}

func newCounts(*Server) *counts { return &counts{} }

func (*counts) serve(*http.ServeMux) {}

func (*counts) time(string) func() { return func() {} }

func (*counts) answered(string, int, time.Duration) {}
