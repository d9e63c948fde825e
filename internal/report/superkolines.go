package report

import (
	"context"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/engine/solve"
)

func superkoLinesExperiment() Experiment {
	return Experiment{
		Name:   "superko-lines",
		Shows:  "Go under superko: a short line of best play after every first move",
		Source: superkoPaper + ", figure 11",
		Points: Range{Least: 2, Most: 12, Usual: 9, Paper: len(publishedLines) - 1},
		run:    superkoLines,
	}
}

// shortLine is a line of best play after a beginning, and the published one.
type shortLine struct {
	points    int
	begin     []int
	published []int // the published line with its beginning; nil if there is none
	score     int
	ours      []board.Point
	theirs    []board.Point // the published line with passes, if it is best play; nil if it is not
}

func superkoLines(ctx context.Context, s *session) (Report, error) {
	var lines []shortLine
	for points := 2; points <= s.Max; points++ {
		s.all += 2 * ((points + 1) / 2)
	}
	for points := 2; points <= s.Max; points++ {
		for first := 1; first <= (points+1)/2; first++ {
			l := shortLine{points: points, begin: []int{first}}
			if points < len(publishedLines) {
				l.published = publishedLines[points][first-1]
			}
			if _, err := s.findLine(ctx, &l); err != nil {
				return composed(lines, err, composeLines)
			}
			lines = append(lines, l)
		}
	}
	return composed(lines, nil, composeLines)
}

// findLine finds a short line of best play and checks whether the published
// one is best play too.
func (s *session) findLine(ctx context.Context, l *shortLine) (superkoSearch, error) {
	request := superkoRow(l.points, l.begin...)
	request.Line = solve.LineWanted
	step := fmt.Sprintf("%s after %s", row(l.points), cells(request.Moves))
	found, err := s.solveSuperko(ctx, step, request)
	if err != nil {
		return found, err
	}
	l.score, l.ours = found.score, found.line
	if l.published == nil {
		s.done++
		return found, nil
	}
	request.Follow = cellPoints(l.published[len(l.begin):])
	followed, err := s.solveSuperko(ctx, step+", the published line", request)
	l.theirs = followed.line
	return found, err
}

// verdict says how the published line compares with ours.
func (l shortLine) verdict() string {
	switch {
	case l.published == nil:
		return nothing
	case l.theirs == nil:
		return "no"
	}
	return "yes"
}

// line writes our line with its beginning, as cells.
func (l shortLine) line() string { return cells(slices.Concat(cellPoints(l.begin), l.ours)) }

func (l shortLine) publishedLine() string {
	if l.published == nil {
		return nothing
	}
	return cells(cellPoints(l.published))
}

func composeLines(lines []shortLine) (Report, error) {
	r := Report{
		Title: "Go on 1×n under positional superko: short lines of best play",
		Data:  Data{Columns: []string{"points", "cell", "score", "published_score", "line", "published", "best_play"}},
		Notes: []string{superkoNote, "Ours is a shortest line. *Best play* says whether the published line, with passes where they are needed, is best play of both sides to the end of the game. There are many short lines, so another line is no difference from the paper."},
	}
	table := Table{Columns: []Column{
		words("board"), numbers("first move"), numbers("score"), numbers("published"), words("line"), words("published"), words("best play"),
	}}
	for _, l := range lines {
		published, score := nothing, any(nil)
		if list := publishedFirstOn(l.points); list != nil {
			want := list[l.begin[0]-1]
			published, score = signed(want), want
			r.compare(fmt.Sprintf("%s after cell %d", row(l.points), l.begin[0]), l.score, want)
		}
		table.add(row(l.points), fmt.Sprint(l.begin[0]), signed(l.score), published, l.line(), l.publishedLine(), l.verdict())
		var theirs, best any
		if l.published != nil {
			theirs, best = l.publishedLine(), l.theirs != nil
		}
		r.Data.add(l.points, l.begin[0], l.score, score, l.line(), theirs, best)
	}
	r.Tables = []Table{table}
	return r, nil
}
