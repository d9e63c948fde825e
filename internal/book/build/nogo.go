// Package build makes the files of package book: of NoGo and of large boards of Go from
// certificates that the checker accepts, of small boards of Go from tables that were checked by
// the rules. Tables and certificates of NoGo that are not there yet are made.
package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/book"
	"tengen/internal/player"
	"tengen/internal/text"
	"tengen/nogo"
	"tengen/proof"
	"tengen/tablebase"
)

// Depth says how much of a board goes into its book.
type Depth struct {
	// Decided is the number of moves up to which every position is listed. Of NoGo each
	// position after this number of moves takes a certificate.
	Decided int
	// Stones is how far certificates are followed: every position of them with at most this
	// number of stones is listed, of Go if play comes there without more.
	Stones int
	// Positions, if there are any, are the only positions that take a certificate, each by its
	// moves, such as A1-C3. Of NoGo they are after Decided moves. The others stay undecided,
	// and so do positions before them that need their results. Of Go a position may have its
	// own number of stones: C2:4.
	Positions []string
}

// UsualDepth is what the books in the program have.
func UsualDepth(rules game.Rules, size board.Size) Depth {
	points := size.Points()
	switch {
	case rules.Scored() && points <= table.QuickPoints:
		return Depth{Decided: 2, Stones: shallow}
	case rules.Scored() && points <= tablebase.MaxPoints:
		return Depth{Decided: 1, Stones: shallow}
	case rules.Scored() && size == board.Size{Rows: 5, Cols: 5}:
		return Depth{Stones: deep, Positions: []string{"C3", "C2-C3:6", "B2-C3:6"}}
	case rules.Scored():
		return Depth{Stones: shallow}
	case size == board.Size{Rows: 5, Cols: 5}:
		return Depth{Decided: 1, Stones: deep, Positions: []string{"C3"}}
	case points < book.SearchedPoints:
		return Depth{Decided: 2, Stones: shallow}
	case points == book.SearchedPoints:
		return Depth{Decided: 1, Stones: deep}
	case points <= 22: // on larger boards the other first moves take long
		return Depth{Decided: 1, Stones: shallow}
	case points <= 24 && size.Lying().Rows < 4:
		return Depth{Stones: deep}
	default:
		return Depth{Stones: shallow}
	}
}

// The stones of usual books. Positions with more stones are searched within a few seconds.
// Deep books have more, for boards that many ask about.
const (
	shallow = 8
	deep    = 10
)

// NoGo is a book of NoGo to be made.
type NoGo struct {
	Size board.Size
	Depth
	// Certificates is a folder to read certificates from; "" for none. That of the empty
	// board 5x5 is 5x5.cert, that of the position after A1 and C3 is 5x5-A1-C3.cert. Those
	// that are not there are made.
	Certificates string
	job.Limits   // with more than one thread another run may find other winning moves
	Report       func(says string)

	writer *book.NoGoWriter
	wanted map[string]bool // the canonical descriptions of Positions
	seen   map[string]outcome
}

// outcome is that of a position for the side to play.
type outcome uint8

const (
	undecided outcome = iota
	won
	lost
)

// Make makes the file.
func (b NoGo) Make(ctx context.Context) ([]byte, error) {
	if err := lying(b.Size); err != nil {
		return nil, err
	}
	limits, err := b.Settle()
	if err != nil {
		return nil, err
	}
	b.Limits = limits
	b.seen, b.wanted = map[string]outcome{}, map[string]bool{}
	for _, name := range b.Positions {
		moves, err := b.Size.ParsePoints(strings.ReplaceAll(name, "-", " "))
		if err != nil {
			return nil, err
		}
		p, c, err := nogo.NewPosition(b.Size).PlayAll(board.Black, moves)
		if err != nil {
			return nil, err
		}
		if len(moves) != b.Decided {
			return nil, fmt.Errorf("%s is after %s, and positions after %d take a certificate", name, text.Plural(len(moves), "move"), b.Decided)
		}
		b.wanted[describe(p, c)] = true
	}
	if b.writer, err = book.NewNoGoWriter(book.Header{Size: b.Size, Decided: b.Decided, Stones: max(b.Stones, b.Decided)}); err != nil {
		return nil, err
	}
	if _, err := b.decide(ctx, nil); err != nil {
		return nil, err
	}
	if len(b.wanted) > 0 {
		b.writer.Decided = 0
	}
	return b.writer.File()
}

func describe(p nogo.Position, c board.Colour) string {
	text, _ := book.Canonical(game.NoGo{}, game.Start(p.Size, p.Stones, c))
	return string(text)
}

// decide lists the position after some moves, and those below it.
func (b *NoGo) decide(ctx context.Context, moves []board.Point) (result outcome, err error) {
	p, c, err := nogo.NewPosition(b.Size).PlayAll(board.Black, moves)
	if err != nil {
		return undecided, err
	}
	name := describe(p, c)
	if result, known := b.seen[name]; known {
		return result, nil
	}
	defer func() { b.seen[name] = result }()
	switch {
	case p.Legal(c).IsEmpty():
		return lost, b.writer.Add(p, c, board.NoPoint)
	case len(moves) == b.Decided && len(b.wanted) > 0 && !b.wanted[name]:
		return undecided, nil
	case len(moves) == b.Decided:
		return b.certified(ctx, p, c, moves)
	}
	best, open := board.NoPoint, false
	for _, class := range player.Classes(p, c) {
		after, err := b.decide(ctx, append(slices.Clone(moves), class[0]))
		if err != nil {
			return undecided, err
		}
		if after == lost && best == board.NoPoint {
			best = class[0]
		}
		open = open || after == undecided
	}
	switch {
	case best != board.NoPoint:
		return won, b.writer.Add(p, c, best)
	case open:
		return undecided, nil
	}
	return lost, b.writer.Add(p, c, board.NoPoint)
}

// certified lists what a certificate of the position says.
func (b *NoGo) certified(ctx context.Context, p nogo.Position, c board.Colour, moves []board.Point) (outcome, error) {
	cert, err := b.certificate(ctx, p, c, moves)
	if err != nil {
		return undecided, err
	}
	winner := cert.Winner()
	for entry, move := range cert.Entries() {
		if entry.Stones[board.Black].Len()+entry.Stones[board.White].Len() > b.writer.Stones {
			continue
		}
		if err := b.writer.Add(entry, winner, move); err != nil {
			return undecided, err
		}
	}
	if winner != c {
		return lost, b.writer.Add(p, c, board.NoPoint)
	}
	move, _, err := cert.Guide().Reply(ctx, p) // of a small board it is no entry
	if err != nil {
		return undecided, err
	}
	return won, b.writer.Add(p, c, move)
}

// certificate reads a certificate or has one made. What it returns the checker has accepted.
func (b *NoGo) certificate(ctx context.Context, p nogo.Position, c board.Colour, moves []board.Point) (*proof.Certificate, error) {
	name, path := certificateOf(b.Size, moves, b.Certificates)
	cert, err := b.findOrProve(ctx, path, p, c)
	if err != nil {
		return nil, err
	}
	if cert.Root() != p || cert.ToPlay() != c {
		return nil, fmt.Errorf("%s is a certificate of another position than %s, %s to play", path, p, c)
	}
	report, err := proof.Verify(ctx, cert, proof.VerifyOptions{Threads: b.Threads, Memory: b.Memory})
	if err := accepted(ctx, name, err, report.Valid, report.Failure); err != nil {
		return nil, err
	}
	if b.Report != nil {
		b.Report(fmt.Sprintf("%s: %s wins, certificate checked, %s", name, cert.Winner(), text.Plural(cert.Len(), "position")))
	}
	return cert, nil
}

// lying refuses boards that have more rows than columns.
func lying(size board.Size) error {
	if size.Rows > size.Cols {
		return fmt.Errorf("a book is of a lying board: ask for %s", size.Lying())
	}
	return nil
}

// accepted is what a check of a certificate leads to: nil if it holds, or why there is no
// book.
func accepted(ctx context.Context, name string, err error, valid bool, failure error) error {
	switch {
	case ctx.Err() != nil:
		return &job.Stopped{Cause: ctx.Err(), Known: "the book is not written"}
	case err != nil:
		return err
	case !valid:
		return fmt.Errorf("the certificate of %s does not hold: %w", name, failure)
	}
	return nil
}

// certificateOf names the position after some moves and the file of its certificate.
func certificateOf(size board.Size, moves []board.Point, folder string) (name, path string) {
	name = strings.Join(append([]string{size.String()}, game.MoveNames(size, moves)...), "-")
	return name, filepath.Join(folder, name+".cert")
}

func (b *NoGo) findOrProve(ctx context.Context, path string, p nogo.Position, c board.Colour) (*proof.Certificate, error) {
	if b.Certificates != "" {
		cert, err := proof.ReadFileWithin(ctx, path, b.Memory)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, &job.Stopped{Cause: ctx.Err(), Known: "the book is not written"}
		case !errors.Is(err, fs.ErrNotExist):
			return cert, err
		}
	}
	var file bytes.Buffer
	if _, err := solve.NoGo(ctx, solve.Request{Position: p, ToPlay: c, CertificateTo: &file, Limits: b.Limits}); err != nil {
		return nil, err
	}
	return proof.Read(&file)
}
