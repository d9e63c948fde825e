package web

import (
	"errors"
	"time"

	"tengen/engine/analyse"
	"tengen/engine/job"
)

// Shares of the memory. Tables of Go are mapped and not counted.
const (
	analystShare = 2 // a half
	playerShare  = 4 // a quarter
	proofShare   = 8 // an eighth for each proof or value under way
	bodyShare    = 8 // an eighth for bodies of questions, and one for files
	answerShare  = 16
	shortSlots   = 2 // moves, proofs, values and records at a time
)

// desk is where requests find what answers them.
type desk struct {
	options      Options
	analyst      *analyse.Analyst
	analyses     *gate // long work
	short        *gate // work of seconds
	views        *gate // of a cluster
	builds       *gate // of tables
	questions    *budget
	files        *budget
	known        *answers
	movers       *movers
	certificates *certificates
	counts       *counts
	results      []ResultTable
	ahead        *ahead
}

func newDesk(o Options) (*desk, error) {
	// One place more than there are slots, so that short work that needs a search does
	// not wait behind analyses that may take minutes.
	places := o.Parallel + 1
	if o.Builds {
		places++ // for a table that is built
	}
	analyst, err := analyse.New(analyse.Options{
		Limits:   job.Limits{Memory: o.Memory / analystShare, Threads: o.Threads},
		Parallel: places,
		Store:    o.Store, Table: job.Cache,
	})
	if err != nil {
		return nil, err
	}
	results, err := readResults()
	if err != nil {
		return nil, err
	}
	d := &desk{
		options: o, analyst: analyst,
		analyses:     newGate(o.Parallel, o.Queue, o.PerClient),
		short:        newGate(shortSlots, o.Queue, o.PerClient),
		views:        newGate(mostViews, 0, mostViewsPerClient),
		builds:       newGate(1, o.Queue, 1),
		known:        newAnswers(o.Memory / answerShare),
		movers:       newMovers(o.Memory/playerShare, o.Threads),
		certificates: newCertificates(o.Memory / proofShare),
		results:      results,
	}
	d.questions, d.files = budgets(o.Memory)
	d.counts = newCounts(d)
	d.ahead = newAhead(analyst, o.Log)
	return d, nil
}

// within is a time that no request exceeds.
func (d *desk) within(limit time.Duration) time.Duration { return min(limit, d.options.Time) }

// close waits for the work under way, which has been told to stop.
func (d *desk) close() error {
	d.ahead.close()
	d.analyses.empty.Wait()
	d.short.empty.Wait()
	d.views.empty.Wait()
	d.builds.empty.Wait()
	return errors.Join(d.movers.close(), d.analyst.Close())
}
