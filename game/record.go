package game

import (
	"fmt"
	"io"

	"tengen/internal/wholefile"
	"tengen/sgf"
)

// ReadRecord reads the main line of the first game of a file in SGF. It does not check
// the moves against any rules; Replay does.
func ReadRecord(r io.Reader) (*sgf.Game, error) {
	games, err := sgf.Read(r)
	if err != nil {
		return nil, err
	}
	return sgf.ReadGame(games[0])
}

// OpenRecord is ReadRecord for a file by its name.
func OpenRecord(name string) (*sgf.Game, error) {
	file, err := wholefile.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadRecord(file)
}

// Replay plays a record by the given rules, which need not be the rules it names. If a
// move breaks them, the error names the move and the game up to it comes back too. Moves
// must be in turn. After two passes a game may go on. To reach an earlier position,
// shorten record.Moves.
func Replay(r Rules, record *sgf.Game) (*Game, error) {
	start := Start(record.Size, record.Setup, record.ToPlay)
	if err := r.Validate(start); err != nil {
		return nil, fmt.Errorf("the stones set up: %w", err)
	}
	g := New(r, start)
	if record.Komi != nil {
		g.Komi = *record.Komi
	}
	for i, m := range record.Moves {
		err := error(nil)
		if turn := g.Position().ToPlay; m.Colour != turn {
			err = fmt.Errorf("%s plays %s, but it is the turn of %s", m.Colour, MoveName(record.Size, m.Point), turn)
		} else {
			err = g.PlayAs(m.Colour, m.Point)
		}
		if err != nil {
			return g, fmt.Errorf("move %d: %w", record.Earlier+i+1, err)
		}
	}
	return g, nil
}

// Record is the game for a file: rules, komi, first position, moves, and the result if
// the game is over. The caller adds names, date and comment. If a move is out of turn,
// as with two stones of one colour in a row, the record begins with the board before
// that move. A record cannot hold a ban of ko or a pass before the first move.
func (g *Game) Record() *sgf.Game {
	first := g.positions[0]
	record := &sgf.Game{Size: first.Size, Rules: g.rules.Label(), Setup: first.Stones, ToPlay: first.ToPlay}
	if g.rules.Scored() {
		record.Komi = new(g.Komi)
	}
	for i, m := range g.moves {
		if before := g.positions[i]; m.Colour != before.ToPlay {
			record.Setup, record.ToPlay, record.Moves = before.Stones, m.Colour, nil
		}
		record.Moves = append(record.Moves, sgf.Move{Colour: m.Colour, Point: m.Point})
	}
	if end, over := g.End(); over {
		record.Result = end.Result()
	}
	return record
}

// WriteRecord writes a record as a file in SGF.
func WriteRecord(w io.Writer, record *sgf.Game) error {
	root, err := record.Tree()
	if err != nil {
		return err
	}
	return sgf.Write(w, sgf.Collection{root})
}
