package report

import (
	"context"
	"fmt"
	"math/rand/v2"

	"tengen/board"
	"tengen/engine/play"
	"tengen/nogo"
)

const valuePaper = "Guo and Chen, *Artificial Intelligence Algorithm for the Game of NoGo based on Value Evaluation*"

func valueWorkedExperiment() Experiment {
	return Experiment{
		Name:   "value-worked",
		Shows:  "NoGo: the value V on worked positions",
		Source: valuePaper + ", figures 1 and 2, equations 1 to 4",
		Points: Range{Least: 9, Most: 81, Usual: 81, Paper: 81},
		run:    filled("The value function on worked positions", valueWorked),
	}
}

// workedPosition is a board of ours for a rule of the text, with the points that the rule closes
// to each side.
type workedPosition struct {
	what, position string
	closed         [2]int // to Black, to White
}

var workedPositions = []workedPosition{
	{"the empty board", ".../.../...", [2]int{0, 0}},
	{"an eye of Black is closed to White", ".../x../.x.", [2]int{0, 1}},
	{"the last liberty of White's stone is closed to Black", ".../x../o..", [2]int{1, 0}},
}

func valueWorked(ctx context.Context, s *session, r *Report) error {
	if err := s.begin(ctx, "the worked positions"); err != nil {
		return err
	}
	for _, w := range workedPositions {
		p, err := nogo.ParsePosition(w.position)
		if err != nil {
			return err
		}
		r.fact(w.what+": right value of Black", closedTo(p, board.White), w.closed[board.White])
		r.fact(w.what+": right value of White", closedTo(p, board.Black), w.closed[board.Black])
	}
	size := board.Size{Rows: 9, Cols: 9}
	highest := 0
	for _, v := range play.ValueMap(nogo.NewPosition(size), board.Black) {
		highest = max(highest, v)
	}
	r.fact("9×9, empty: the highest V", highest, 0)
	var same trials
	rnd := rand.New(rand.NewPCG(2, 2))
	for range 20 {
		if err := s.begin(ctx, "random positions"); err != nil {
			return err
		}
		p, toPlay := nogo.NewPosition(size), board.Black
		for range 10 + rnd.IntN(40) {
			legal := p.Legal(toPlay)
			if legal.IsEmpty() {
				break
			}
			n := rnd.IntN(legal.Len())
			for q := range legal.Points() {
				if n--; n < 0 {
					p, _ = p.Play(toPlay, q)
					break
				}
			}
			toPlay = toPlay.Opponent()
		}
		values := play.ValueMap(p, toPlay)
		for q := range p.Legal(toPlay).Points() {
			same.try(values[q] == valueByRules(p, q), fmt.Sprintf("%s at %s", size.Name(q), p))
		}
	}
	r.Notes = []string{"The text describes figures 1 and 2 in words. The boards of 3×3 are ours; beside them stands what the words give."}
	r.claim("9×9: V of the player is that of equation 4, point by point", same.checked, same.failed, "")
	return nil
}

// closedTo counts the empty points where a side may not play.
func closedTo(p nogo.Position, c board.Colour) int { return p.Empty().Len() - p.Legal(c).Len() }

// valueByRules is equation 4 by the rules alone: the points closed to White after Black has
// played at q, and those closed to Black after White has. A side that may not play there
// counts the position as it is.
func valueByRules(p nogo.Position, q board.Point) int {
	sum := 0
	for _, c := range []board.Colour{board.Black, board.White} {
		next, err := p.Play(c, q)
		if err != nil {
			next = p
		}
		sum += closedTo(next, c.Opponent())
	}
	return sum
}
