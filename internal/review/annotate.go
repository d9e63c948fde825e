package review

import (
	"fmt"
	"strings"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/game"
	"tengen/internal/text"
	"tengen/sgf"
)

// Annotator is the value of AN in a record that we have annotated.
const Annotator = "tengen"

// Annotated reports whether tengen has annotated a record.
func Annotated(root *sgf.Node) bool {
	an, _ := root.Value("AN")
	return strings.HasPrefix(an.SimpleText(), Annotator)
}

// Annotate writes a review of the main line into its record. Everything in the record
// stays. Our comments come after existing ones, and the better move is added as a
// variation.
//
//	BM  a mistake, twice as bad if it turns the game; DO one by estimate
//	TE  the only move that keeps the result
//	GB, GW, DM, V  who wins after the move, and by how much in Go
//	TR  the better move
func Annotate(root *sgf.Node, record *sgf.Game, r Review) {
	root.Set("AN", sgf.Text(Annotator))
	addComment(root, r.summary())
	number, skip := 0, record.Earlier
	var parent *sgf.Node
	for node := range root.MainLine() {
		if len(node.Values("B"))+len(node.Values("W")) > 0 {
			if skip > 0 {
				skip--
			} else if number < len(r.Moves) {
				annotateMove(parent, node, r.Moves[number])
				number++
			}
		}
		parent = node
	}
}

// annotateMove writes the judgement of a move into its node.
func annotateMove(parent, node *sgf.Node, j Judgement) {
	mark(node, j)
	judge(node, j.After)
	addComment(node, strings.TrimSpace(j.Says()+" "+j.Sentence()))
	if !j.Mistake() || !j.Known || j.Best == j.Move {
		return
	}
	if j.Best != game.Pass {
		node.Set("TR", append(node.Values("TR"), sgf.Point(j.Size, j.Best))...)
	}
	if parent != nil {
		addLine(parent, j)
	}
}

// mark adds the property that says how good the move was. A move has at most one of
// them, so an existing one stays.
func mark(node *sgf.Node, j Judgement) {
	for _, id := range []string{"BM", "DO", "IT", "TE"} {
		if len(node.Values(id)) > 0 {
			return
		}
	}
	switch {
	case j.Mistake() && j.Grade == analyse.GradeEstimated:
		node.Set("DO", sgf.Value{})
	case j.Turned():
		node.Set("BM", sgf.Text("2"))
	case j.Mistake():
		node.Set("BM", sgf.Text("1"))
	case j.Only:
		node.Set("TE", sgf.Text("1"))
	}
}

// judge adds who wins, if that is certain and the record does not have it.
func judge(node *sgf.Node, w Worth) {
	for _, id := range []string{"GB", "GW", "DM", "UC"} {
		if len(node.Values(id)) > 0 {
			return
		}
	}
	if w.Grade != analyse.GradeExact {
		return
	}
	switch w.Winner {
	case board.Black:
		node.Set("GB", sgf.Text("1"))
	case board.White:
		node.Set("GW", sgf.Text("1"))
	default:
		node.Set("DM", sgf.Text("1"))
	}
	if w.Scored && len(node.Values("V")) == 0 {
		node.Set("V", sgf.Text(fmt.Sprint(w.Score)))
	}
}

// addLine adds the better move and its line as a variation, unless the record already
// has that move.
func addLine(parent *sgf.Node, j Judgement) {
	line := j.Line
	if len(line) == 0 || line[0] != j.Best {
		line = []board.Point{j.Best}
	}
	id := "B"
	if j.Colour == board.White {
		id = "W"
	}
	for _, child := range parent.Children {
		if v, ok := child.Value(id); ok && v == sgf.Point(j.Size, j.Best) {
			return
		}
	}
	at, colour := parent, j.Colour
	for i, p := range line {
		at = at.Play(j.Size, colour, p)
		if i == 0 {
			at.Annotate(better(j))
		}
		colour = colour.Opponent()
	}
}

func better(j Judgement) string {
	if j.Grade == analyse.GradeEstimated {
		return fmt.Sprintf("Better than %s, by estimate.", j.Name())
	}
	return fmt.Sprintf("Better than %s: %s.", j.Name(), j.Before)
}

// addComment adds a comment after an existing one.
func addComment(node *sgf.Node, comment string) {
	if before, ok := node.Value("C"); ok && before.Text() != "" {
		comment = before.Text() + "\n\n" + comment
	}
	node.Annotate(comment)
}

// Mistakes are the moves of a colour that cost something.
func (r Review) Mistakes(c board.Colour) (list []Judgement) {
	for _, j := range r.Moves {
		if j.Colour == c && j.Mistake() {
			list = append(list, j)
		}
	}
	return list
}

// Graded counts the moves whose costs have a grade.
func (r Review) Graded(g analyse.Grade) (n int) {
	for _, j := range r.Moves {
		if j.Grade == g {
			n++
		}
	}
	return n
}

// faultless is the clause about a colour without a known mistake. It says how far its
// moves were judged.
func (r Review) faultless(c board.Colour) string {
	moves, exact, judged := 0, 0, 0
	for _, j := range r.Moves {
		if j.Colour != c || j.Late {
			continue
		}
		moves++
		if j.Grade == analyse.GradeExact {
			exact++
		}
		if j.Grade != analyse.GradeUnknown {
			judged++
		}
	}
	switch {
	case exact == moves:
		return fmt.Sprintf("%s does not err", c)
	case judged == 0:
		return fmt.Sprintf("no move of %s could be judged", c)
	}
	return fmt.Sprintf("no mistake of %s is seen", c)
}

// summary is the comment on the whole game.
func (r Review) summary() string { return "Annotated by tengen: " + r.Summary() + "." }

// Summary is a clause with the number of judged moves and the mistakes of both sides.
func (r Review) Summary() string {
	exact, late := r.Graded(analyse.GradeExact), 0
	for _, j := range r.Moves {
		if j.Late {
			late++
		}
	}
	words := fmt.Sprintf("%d of %d moves judged exactly", exact, len(r.Moves)-late)
	if n := r.Graded(analyse.GradeEstimated); n > 0 {
		words += fmt.Sprintf(", %d by estimate", n)
	}
	if n := r.Graded(analyse.GradeBounded); n > 0 {
		words += fmt.Sprintf(", %d by bounds", n)
	}
	for _, c := range []board.Colour{board.Black, board.White} {
		var points float64
		list := r.Mistakes(c)
		for _, j := range list {
			points += j.Cost
		}
		switch len(list) {
		case 0:
			words += fmt.Sprintf("; %s", r.faultless(c))
		case 1:
			words += fmt.Sprintf("; %s errs once", c)
		default:
			words += fmt.Sprintf("; %s errs %d times", c, len(list))
		}
		if points > 0 && list[0].Before.Scored {
			words += fmt.Sprintf(" and loses %g points by it", points)
		}
	}
	if late > 0 {
		words += fmt.Sprintf("; %s after the end of the game not judged", text.Plural(late, "move"))
	}
	return words
}
