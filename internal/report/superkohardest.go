package report

import (
	"context"
	"fmt"
	"time"

	"tengen/internal/text"
)

const hardestPoints = 8

func superkoHardestExperiment() Experiment {
	return Experiment{
		Name:   "superko-hardest",
		Shows:  "Go under superko: every reply to the end cell of 1×8, the hardest opening",
		Source: superkoPaper + ", figure 12",
		Points: Range{Least: hardestPoints, Most: hardestPoints, Usual: hardestPoints, Paper: hardestPoints},
		run:    superkoHardest,
	}
}

// hardReply is one reply, with its line.
type hardReply struct {
	published publishedReply
	found     superkoSearch
	short     shortLine
}

func superkoHardest(ctx context.Context, s *session) (Report, error) {
	s.all = 2 * len(publishedHardest)
	var replies []hardReply
	for _, p := range publishedHardest {
		x := hardReply{published: p}
		x.short = shortLine{points: hardestPoints, begin: []int{1, p.line[0]}, published: append([]int{1}, p.line...)}
		var err error
		if x.found, err = s.findLine(ctx, &x.short); err != nil {
			return composed(replies, err, composeHardest)
		}
		replies = append(replies, x)
	}
	return composed(replies, nil, composeHardest)
}

func composeHardest(replies []hardReply) (Report, error) {
	r := Report{
		Title: "Go on 1×8 under positional superko: all replies to the end cell, each solved alone",
		Data: Data{Columns: []string{
			"reply", "score", "positions", "seconds", "depth", "line",
			"published_score", "published_nodes", "published_seconds", "published_depth", "published_line", "best_play",
		}},
		Notes: []string{superkoNote, "Depth is that of the last iteration, in plies. *Best play* says whether the published line is best play of both sides to the end of the game."},
	}
	costs := Table{Columns: []Column{
		words("reply"), numbers("score"), numbers("published"), numbers("positions"), numbers("published"),
		numbers("time"), numbers("published"), numbers("depth"), numbers("published"),
	}}
	lines := Table{Columns: []Column{words("reply"), words("line"), words("published"), words("best play")}}
	for _, x := range replies {
		p, found := x.published, x.found
		name := fmt.Sprintf("w%d", p.line[0])
		r.compare("1×8 after b1 "+name, found.score, p.score)
		costs.add(name, signed(found.score), signed(p.score), text.Thousands(found.positions), text.Thousands(p.nodes),
			quick(found.elapsed), seconds(time.Duration(p.seconds)*time.Second), fmt.Sprint(found.depth), fmt.Sprint(p.depth))
		lines.add(name, x.short.line(), x.short.publishedLine(), x.short.verdict())
		r.Data.add(p.line[0], found.score, found.positions, milliseconds(found.elapsed), found.depth, x.short.line(),
			p.score, p.nodes, p.seconds, p.depth, x.short.publishedLine(), x.short.theirs != nil)
	}
	r.Tables = []Table{costs, lines}
	return r, nil
}
