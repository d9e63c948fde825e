// Package review judges the moves of a game: what a move cost, which move was better,
// and how sure that is. It annotates records, and any front end with an analysis can use
// it:
//
//   - Judge takes one analyse.Analysis, made before a move, and the move. It asks
//     nothing, so it is for the moment after a move of a player. The analysis must
//     know the result of the move: that of Go from a table does, that of NoGo if it
//     was not Alone.
//   - Reviewer.Game judges a whole game with an analyse.Analyst, by as few searches as
//     it can, and returns what it has when it is stopped.
//   - Judgement.Says is the sentence for people, "" where there is nothing to say.
//
// The package draws nothing and opens no files.
package review

import (
	"fmt"
	"math"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/game"
	"tengen/internal/text"
)

// Worth is the result of a position with best play, as far as it is known. An exact
// result has a Winner in NoGo and a Score in Go.
type Worth struct {
	Grade     analyse.Grade
	By        analyse.Basis
	Scored    bool         // it is a game of points
	Winner    board.Colour // Empty if nobody is known to win
	Score     int          // Black minus White
	Low, High int          // proven bounds of a score that is not exact
	Share     float64      // Black's estimated share of wins, if the grade is an estimate
}

// WorthOf converts a finding of an analysis. mover is the side to play in the position.
func WorthOf(f analyse.Finding, mover board.Colour, scored bool) Worth {
	w := Worth{Grade: f.Grade, By: f.By, Scored: scored, Winner: board.Empty}
	switch {
	case f.Grade == analyse.GradeExact && scored:
		w.Score, w.Low, w.High = f.Score, f.Score, f.Score
		switch {
		case f.Score > 0:
			w.Winner = board.Black
		case f.Score < 0:
			w.Winner = board.White
		}
	case scored:
		w.Low, w.High = f.Lo, f.Hi
	case f.Grade == analyse.GradeExact:
		w.Winner = f.Winner.Colour()
	case f.Grade == analyse.GradeEstimated:
		w.Share = f.WinShare
		if mover == board.White {
			w.Share = 1 - f.WinShare
		}
	}
	return w
}

// String is the verdict, such as "black wins by 3". For an estimate it is the share of
// wins, for bounds the range of the score.
func (w Worth) String() string {
	switch {
	case w.Grade == analyse.GradeExact && w.Scored:
		return text.Verdict(w.Score)
	case w.Grade == analyse.GradeExact:
		return w.Winner.String() + " wins"
	case w.Grade == analyse.GradeBounded:
		return fmt.Sprintf("%+d to %+d", w.Low, w.High)
	case w.Grade == analyse.GradeEstimated && w.Share < 0.5:
		return "white " + text.Chance(1-w.Share)
	case w.Grade == analyse.GradeEstimated:
		return "black " + text.Chance(w.Share)
	}
	return "not known"
}

// share is Black's share of wins in a game of NoGo, and whether anything is known.
func (w Worth) share() (float64, bool) {
	switch {
	case w.Grade == analyse.GradeExact && w.Winner == board.Black:
		return 1, true
	case w.Grade == analyse.GradeExact:
		return 0, true
	}
	return w.Share, w.Grade == analyse.GradeEstimated
}

// Judgement is the judgement of a move that was made.
type Judgement struct {
	Number int // of the move in the game, 1 for the first
	Size   board.Size
	Colour board.Colour
	Move   board.Point

	Before, After Worth
	// Grade is how sure the cost is: exact, bounded (it costs at least that), estimated,
	// or unknown.
	Grade analyse.Grade
	// Cost is in points in Go. In NoGo it is 1 for a move that loses a won game. If it
	// is estimated, it is the share of wins that was lost.
	Cost float64
	// Best is a move that keeps the result of Before, and Line is best play from it on,
	// as far as it is known. Best is Move if that cost nothing. If no better move was
	// found, Best is board.NoPoint and Known is false.
	Best  board.Point
	Known bool
	Line  []board.Point
	Cut   bool // the game goes on after Line
	Only  bool // no other move keeps the result, and there were others
	Late  bool // the game was over before it, so it is not judged
}

// Doubtful is the smallest estimated cost that is reported, as a share of wins. Smaller
// differences between two estimates are noise.
const Doubtful = 0.2

// weigh computes the cost of the move from the worths before and after it.
func (j *Judgement) weigh() {
	sign := 1.0
	if j.Colour == board.White {
		sign = -1
	}
	b, a := j.Before, j.After
	exact := b.Grade == analyse.GradeExact && a.Grade == analyse.GradeExact
	j.Cost, j.Grade = 0, analyse.GradeUnknown
	switch {
	case exact && b.Scored:
		j.Grade, j.Cost = analyse.GradeExact, sign*float64(b.Score-a.Score)
	case exact:
		j.Grade = analyse.GradeExact
		if b.Winner == j.Colour && a.Winner != j.Colour {
			j.Cost = 1
		}
	case b.Scored:
		sure := b.Low - a.High // the least that Black had before, less the most that Black can have after
		if j.Colour == board.White {
			sure = a.Low - b.High
		}
		if sure > 0 {
			j.Grade, j.Cost = analyse.GradeBounded, float64(sure)
		}
	default:
		had, ok1 := b.share()
		has, ok2 := a.share()
		if ok1 && ok2 {
			j.Grade, j.Cost = analyse.GradeEstimated, sign*(had-has)
		}
	}
	j.Cost = max(j.Cost, 0)
}

// choose sets the better move from the analysis.
func (j *Judgement) choose(before analyse.Analysis) {
	j.Best, j.Known, j.Line, j.Cut, j.Only = j.Move, true, nil, false, false
	switch {
	case !j.Mistake() && j.Grade != analyse.GradeUnknown:
		j.Only = j.Grade == analyse.GradeExact && j.alone(before)
	case before.Best.Name == "":
		j.Best, j.Known = board.NoPoint, false
	default:
		j.Best, j.Line = before.Best.Move, before.Best.Line
		j.Cut = len(j.Line) > 0 && game.Cut(j.rules(), before.Position, j.Line)
	}
}

// rules are those of the game, but for superko, which forbids no move of a line.
func (j *Judgement) rules() game.Rules {
	if j.Before.Scored {
		return game.Go{}
	}
	return game.NoGo{}
}

// alone reports whether the move is the only one that keeps the result.
func (j *Judgement) alone(before analyse.Analysis) bool {
	kept := 0
	for _, f := range before.Moves {
		if f.Grade != analyse.GradeExact {
			return false
		}
		if w := WorthOf(f, j.Colour, j.Before.Scored); w.Winner == j.Before.Winner && w.Score == j.Before.Score {
			kept++
		}
	}
	return kept == 1 && len(before.Moves) > 1
}

// Mistake reports whether the move is a mistake: it costs something, or its estimated
// cost is at least Doubtful.
func (j Judgement) Mistake() bool {
	if j.Grade == analyse.GradeEstimated {
		return j.Cost >= Doubtful
	}
	return j.Cost > 0
}

// Turned reports whether the winner after the mistake is not the winner before it.
func (j Judgement) Turned() bool {
	return j.Mistake() && j.Grade == analyse.GradeExact && j.Before.Winner != j.After.Winner
}

// Name spells the move.
func (j Judgement) Name() string { return game.MoveName(j.Size, j.Move) }

// BestName spells the better move, "" if none is known.
func (j Judgement) BestName() string {
	if !j.Known {
		return ""
	}
	return game.MoveName(j.Size, j.Best)
}

// CostWords spells the cost of a mistake. It is "" if the move cost nothing.
func (j Judgement) CostWords() string {
	switch {
	case !j.Mistake():
		return ""
	case j.Grade == analyse.GradeEstimated:
		return fmt.Sprintf("about %.0f %%", 100*j.Cost)
	case !j.Before.Scored:
		return "the game"
	case j.Grade == analyse.GradeBounded:
		return "at least " + text.Plural(int(j.Cost), "point")
	}
	return text.Plural(int(math.Round(j.Cost)), "point")
}

// Says is the sentence about a mistake, "" for any other move.
func (j Judgement) Says() string {
	var says, kept string
	switch {
	case !j.Mistake():
		return ""
	case j.Grade == analyse.GradeEstimated:
		says = fmt.Sprintf("%s may be a mistake: by an estimate it costs %s of the wins", j.Name(), text.Chance(j.Cost))
		kept = "%s looks better"
	case !j.Before.Scored:
		says = fmt.Sprintf("%s throws the win away", j.Name())
		kept = "%s wins"
	default:
		says = fmt.Sprintf("%s costs %s", j.Name(), j.CostWords())
		kept = "%s keeps more"
		if j.Before.Grade == analyse.GradeExact {
			kept = "%s keeps " + lead(j.Before.Score)
		}
	}
	if j.Known {
		says += "; " + fmt.Sprintf(kept, j.BestName())
	}
	return says + "."
}

// lead writes a score with its sign.
func lead(score int) string {
	if score == 0 {
		return "the draw"
	}
	return fmt.Sprintf("%+d", score)
}

// Sentence says the worth of the position after the move, and whether it is proven.
func (j Judgement) Sentence() string {
	w := j.After
	if j.Late {
		return "The game was over before this move."
	}
	switch w.Grade {
	case analyse.GradeExact:
		return fmt.Sprintf("%s with best play.", text.Capital(w.String()))
	case analyse.GradeBounded:
		return fmt.Sprintf("The score lies between %+d and %+d.", w.Low, w.High)
	case analyse.GradeEstimated:
		return fmt.Sprintf("Estimate, no proof: %s.", w)
	}
	return "The result is not known."
}
