package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"tengen/board"
	"tengen/engine/job"
	"tengen/game"
	"tengen/internal/book"
	"tengen/internal/text"
	"tengen/proof/area"
	"tengen/weiqi"
)

// Area is a book of Go to be made from certificates. Depth.Decided is not used.
type Area struct {
	Size board.Size
	Depth
	// Certificates is the folder to read them from, with the names that NoGo uses.
	Certificates string
	job.Limits
	Report func(says string)
}

// Make makes the file. Without Positions it is from the certificate of the empty board.
func (b Area) Make(ctx context.Context) ([]byte, error) {
	if err := lying(b.Size); err != nil {
		return nil, err
	}
	limits, err := b.Settle()
	if err != nil {
		return nil, err
	}
	b.Limits = limits
	if len(b.Positions) == 0 {
		b.Positions = []string{""}
	}
	w, err := book.NewGoWriter(b.Size, b.Stones)
	if err != nil {
		return nil, err
	}
	for _, position := range b.Positions {
		position, stones, err := b.depthOf(position)
		if err != nil {
			return nil, err
		}
		cert, err := b.certificate(ctx, position)
		if err != nil {
			return nil, err
		}
		w.Add(cert, stones)
	}
	return w.File()
}

// depthOf splits a position such as C2:4 into its moves and its number of stones.
func (b *Area) depthOf(position string) (moves string, stones int, err error) {
	moves, number, own := strings.Cut(position, ":")
	if !own {
		return moves, b.Stones, nil
	}
	if stones, err = strconv.Atoi(number); err != nil || stones < 0 || stones > b.Stones {
		return "", 0, fmt.Errorf("%s: after the colon comes a number of stones from 0 to %d, that of the book", position, b.Stones)
	}
	return moves, stones, nil
}

// certificate reads the certificate of a position. What it returns the checker has accepted.
func (b *Area) certificate(ctx context.Context, position string) (*area.Certificate, error) {
	var moves []board.Point
	for name := range strings.SplitSeq(position, "-") {
		if name == "" {
			continue
		}
		move, err := game.ParseMove(b.Size, name)
		if err != nil {
			return nil, err
		}
		moves = append(moves, move)
	}
	g := game.New(game.Go{}, weiqi.NewPosition(b.Size))
	if err := g.PlayAll(moves); err != nil {
		return nil, err
	}
	name, path := certificateOf(b.Size, moves, b.Certificates)
	cert, err := area.ReadFileWithin(ctx, path, b.Memory)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, &job.Stopped{Cause: ctx.Err(), Known: "the book is not written"}
	case errors.Is(err, fs.ErrNotExist):
		played := ""
		if len(moves) > 0 {
			played = fmt.Sprintf(" --moves '%s'", strings.Join(game.MoveNames(b.Size, moves), " "))
		}
		return nil, fmt.Errorf("there is no certificate %s: \"tengen solve go %s%s --at-least N --certificate %s\" makes it", path, b.Size, played, path)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case cert.Claim().Root != g.Position():
		return nil, fmt.Errorf("%s is a certificate of another position than %s", path, name)
	}
	report, err := area.Verify(ctx, cert, func(done, total int) {
		if b.Report != nil {
			b.Report(fmt.Sprintf("%s: %s of %s positions checked", name, text.Thousands(uint64(done)), text.Thousands(uint64(total))))
		}
	})
	if err := accepted(ctx, name, err, report.Valid, report.Failure); err != nil {
		return nil, err
	}
	return cert, nil
}
