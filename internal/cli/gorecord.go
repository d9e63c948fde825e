package cli

import (
	"fmt"
	"io"
	"slices"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/game"
	"tengen/internal/text"
	"tengen/internal/wholefile"
	"tengen/sgf"
	"tengen/weiqi"
)

// goRecord is the game record of an answer: the moves that led to the position, the
// line of best play, and every other move as a variation, each with its score.
func goRecord(request solve.GoRequest, r solve.GoResult) (*sgf.Node, error) {
	start := request.Position
	root, _, err := recordLine(game.Go{Rules: r.Rules}, start, slices.Concat(request.Moves, r.Line))
	if err != nil {
		return nil, err
	}
	at := root
	for range request.Moves {
		at = at.Children[0]
	}
	answer := newGoAnswer(request, r)
	at.Annotate(fmt.Sprintf("%s (rules %s%s, no komi)", answer.sentence(), r.Rules, loopNote(r)))
	for _, m := range r.Moves {
		var node *sgf.Node
		if len(r.Line) > 0 && m.Move == r.Line[0] {
			node = at.Children[0]
		} else {
			node = at.Play(start.Size, r.Position.ToPlay, m.Move)
		}
		node.Annotate("Black minus White: " + answer.worth(m.Value))
	}
	return root, nil
}

// loopNote says how endless games count, and the range over all rules for them.
func loopNote(r solve.GoResult) string {
	if r.Rules.Ko != weiqi.Basic {
		return ""
	}
	note := [...]string{", endless games drawn", ", endless games lost by black", ", endless games won by black"}[r.Endless]
	if r.Ranged && r.Lo != r.Hi {
		note += fmt.Sprintf("; %s to %s, depending on that rule", text.Lead(r.Lo), text.Lead(r.Hi))
	}
	if r.Round {
		note += fmt.Sprintf("; the line repeats after its first %s", text.Plural(r.Before, "move"))
	}
	return note
}

// checkRecord refuses, before any work, a record that could not be written.
func checkRecord(disk wholefile.Disk, path string, p weiqi.Position) error {
	if path == "" {
		return nil
	}
	if p.Ko != board.NoPoint || p.Passes > 0 {
		return fmt.Errorf("--record: a game record cannot begin with a ban of ko or after a pass: give the --moves that lead there")
	}
	if err := sgf.CheckSize(p.Size); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return disk.Check("record", path, isAnswer)
}

// writeRecord writes the record of an answer.
func writeRecord(disk wholefile.Disk, path string, request solve.GoRequest, r solve.GoResult) error {
	root, err := goRecord(request, r)
	if err == nil {
		err = disk.Stream(path, func(w io.Writer) error { return sgf.Write(w, sgf.Collection{root}) })
	}
	if err != nil {
		return fmt.Errorf("--record %s: %w", path, err)
	}
	return nil
}
