package web

import (
	"context"
	"fmt"
	"time"

	"tengen/board"
	"tengen/cgt"
	"tengen/engine/job"
	"tengen/engine/value"
	"tengen/game"
	"tengen/internal/text"
)

// learnTime limits the time to find the values of a position.
const learnTime = 10 * time.Second

// Learned is a position of NoGo as a sum.
type Learned struct {
	Regions []Region `json:"regions" doc:"independent of each other, the smallest first"`
	Neutral []string `json:"neutral" doc:"empty points where nobody may play: liberties for ever"`
	Sum     *Value   `json:"sum,omitempty" doc:"of all regions"`
	Says    string   `json:"says"`
}

// Region is a part of the position that no move elsewhere changes.
type Region struct {
	Points []string `json:"points"`
	Title  string   `json:"title"`
	*Value
	Text string `json:"text"`
}

// Value describes a combinatorial game with Black as Left.
type Value struct {
	Outcome     string       `json:"outcome" doc:"L, R, N or P"`
	Canonical   string       `json:"canonical"`
	Mean        string       `json:"mean"`
	Temperature string       `json:"temperature"`
	Low         int          `json:"low" doc:"the largest integer that it is not below"`
	High        int          `json:"high"`
	Thermograph *Thermograph `json:"thermograph"`
	Text        string       `json:"text"`
}

// Thermograph has two walls as corners of value and temperature, from below.
type Thermograph struct {
	Left  [][2]float64 `json:"left"`
	Right [][2]float64 `json:"right"`
}

var outcomes = map[cgt.Outcome]string{
	cgt.L: "Black wins, whoever moves first",
	cgt.R: "White wins, whoever moves first",
	cgt.N: "whoever moves first wins",
	cgt.P: "whoever moves first loses",
}

func (s *Server) learn(ctx context.Context, in *body[Question]) (*body[Learned], error) {
	a, err := in.Body.read()
	if err != nil {
		return nil, err
	}
	if a.scored() {
		return nil, wrong(".game", in.Body.Game, fmt.Errorf("positions of %s are no sums of this kind: choose nogo", a.rules))
	}
	leave, err := s.enterShort(ctx, "learn")
	if err != nil {
		return nil, err
	}
	defer leave()
	p, limit := a.game.Position(), s.within(learnTime)
	parts, err := value.FindParts(ctx, game.NoGoPosition(p), job.Limits{Memory: s.options.Memory / proofShare, Time: limit})
	switch {
	case ctx.Err() != nil:
		return nil, s.failed(ctx, err)
	case err != nil:
		return nil, wrong(".size", p.Size.String(), known{codeLimit, err})
	}
	return &body[Learned]{learned(p, parts, limit)}, nil
}

// learned describes the parts that were valued within a time.
func learned(p game.Position, parts value.Parts, limit time.Duration) Learned {
	l := Learned{Regions: []Region{}, Neutral: append([]string{}, game.MoveNames(p.Size, parts.Neutral)...)}
	for i, part := range parts.Parts {
		r := Region{Points: game.MoveNames(p.Size, part.Points), Title: fmt.Sprintf("Region %d", i+1)}
		r.Text = fmt.Sprintf("%s, too large to be valued here.", text.Plural(len(part.Points), "point"))
		if part.Known {
			r.Value = valueOf(part.Value)
			r.Text = fmt.Sprintf("%s, worth %s: %s.", text.Plural(len(part.Points), "point"), r.Canonical, outcomes[part.Value.Outcome])
		}
		l.Regions = append(l.Regions, r)
	}
	if !parts.Known {
		l.Says = fmt.Sprintf("The position is one region, which cannot be valued in %s: make some moves first.", limit)
		if n := len(parts.Parts); n > 1 {
			l.Says = fmt.Sprintf("The position falls apart into %d regions, not all of which can be valued in %s: make some moves first.", n, limit)
		}
		return l
	}
	l.Sum = valueOf(parts.Sum)
	l.Says = verdict(p.ToPlay, len(parts.Parts), parts.Sum)
	return l
}

// verdict says who wins and why.
func verdict(c board.Colour, regions int, v value.Value) string {
	wins := v.Outcome == cgt.N || v.Outcome == cgt.L && c == board.Black || v.Outcome == cgt.R && c == board.White
	who := c
	if !wins {
		who = c.Opponent()
	}
	name := title(who)
	if regions == 0 {
		return fmt.Sprintf("Nobody can move any more, and %s is to play: %s wins.", c, name)
	}
	sum := "The one region is worth"
	if regions > 1 {
		sum = fmt.Sprintf("The %d regions add up to", regions)
	}
	return fmt.Sprintf("%s %s: %s. %s is to play, so %s wins.", sum, shown(v), outcomes[v.Outcome], title(c), name)
}

func title(c board.Colour) string { return text.Capital(c.String()) }

// mostShown bounds a canonical form in an answer, in characters.
const mostShown = 2000

func shown(v value.Value) string { return text.Cut(v.Canonical, mostShown) }

func valueOf(v value.Value) *Value {
	return &Value{
		Outcome: v.Outcome.String(), Canonical: shown(v), Mean: v.Mean.String(), Temperature: v.Temperature.String(),
		Low: v.Low, High: v.High, Thermograph: &Thermograph{wall(v.Thermograph.Left), wall(v.Thermograph.Right)},
		Text: outcomes[v.Outcome],
	}
}

func wall(w cgt.Wall) [][2]float64 {
	corners := make([][2]float64, len(w))
	for i, c := range w {
		corners[i] = [2]float64{c.Value.Float64(), c.At.Float64()}
	}
	return corners
}
