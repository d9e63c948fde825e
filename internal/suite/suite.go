// Package suite scores programs that speak GTP by positions of NoGo whose winning moves
// are all known. Every position is won for the side to play, and has moves that throw the
// win away. A suite is made by the searches of package engine and checked, before it is
// written, by a search of its own that knows the rules and nothing else.
//
// A file of a suite is text with a checksum; one suite is part of the program.
package suite

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"tengen/board"
	"tengen/game"
)

// Suite is a set of positions.
type Suite struct {
	Seed     uint64 // that it was made with
	Problems []Problem
}

// Problem is a position, by the moves that lead to it, with all moves that win.
type Problem struct {
	Size    board.Size
	Moves   []board.Point
	Answers []board.Point // in the order of points

	position game.Position
}

// Position is the one to find a move in.
func (p Problem) Position() game.Position { return p.position }

// Legal are the moves that there are.
func (p Problem) Legal() board.Set { return game.NoGo{}.Legal(p.position) }

// Open is how many points can still be played on.
func (p Problem) Open() int {
	q := game.NoGoPosition(p.position)
	return q.Legal(board.Black).Union(q.Legal(board.White)).Len()
}

// Grades are the numbers of the grades.
const Grades = 4

// Grade says how hard the position is for one who guesses: 1 if more than half of the
// moves win, 2 if more than a quarter do, 3 if more than an eighth do, else 4.
func (p Problem) Grade() int {
	return min(bits.Len(uint(p.Legal().Len()/len(p.Answers))), Grades)
}

// Right reports whether a move wins.
func (p Problem) Right(move board.Point) bool { return slices.Contains(p.Answers, move) }

const (
	format  = "tengen suite 1"
	maxFile = 16 << 20
)

//go:embed standard.suite
var standard []byte

// Standard is the suite that is part of the program.
func Standard() (Suite, error) { return Parse(standard) }

// Encode writes a suite: a line for each position, its size, the moves that lead to it
// and, after an arrow, those that win; then the checksum of all that stands before it.
func (s Suite) Encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\nseed %d\n", format, s.Seed)
	for _, p := range s.Problems {
		fmt.Fprintf(&b, "%s: %s -> %s\n", p.Size, strings.Join(game.MoveNames(p.Size, p.Moves), " "), strings.Join(game.MoveNames(p.Size, p.Answers), " "))
	}
	fmt.Fprintf(&b, "sha256 %s\n", checksum(b.Bytes()))
	return b.Bytes()
}

func checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Parse reads what Encode has written, and nothing else.
func Parse(data []byte) (Suite, error) {
	if len(data) > maxFile {
		return Suite{}, errors.New("it is too large for a suite")
	}
	if !bytes.HasPrefix(data, []byte(format+"\n")) {
		return Suite{}, fmt.Errorf("it does not begin with %q, as a suite does", format)
	}
	end := bytes.LastIndex(data, []byte("\nsha256 ")) + 1
	if end == 0 {
		return Suite{}, errors.New("its checksum is missing: the file is cut off")
	}
	if string(data[end:]) != "sha256 "+checksum(data[:end])+"\n" {
		return Suite{}, errors.New("its checksum is wrong: the file was altered")
	}
	var s Suite
	lines := bufio.NewScanner(bytes.NewReader(data[len(format)+1 : end]))
	lines.Buffer(nil, maxFile)
	for number := 2; lines.Scan(); number++ {
		var err error
		if number == 2 {
			_, err = fmt.Sscanf(lines.Text(), "seed %d", &s.Seed)
		} else {
			err = s.add(lines.Text())
		}
		if err != nil {
			return Suite{}, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if len(s.Problems) == 0 {
		return Suite{}, errors.New("it has no positions")
	}
	return s, nil
}

// add reads the line of a position.
func (s *Suite) add(line string) error {
	sized, rest, ok := strings.Cut(line, ": ")
	moves, answers, arrow := strings.Cut(rest, " -> ")
	if !ok || !arrow {
		return errors.New("a position is SIZE: MOVES -> MOVES")
	}
	p := Problem{}
	var err error
	if p.Size, err = board.ParseSize(sized); err != nil {
		return err
	}
	if p.Moves, err = p.Size.ParsePoints(moves); err != nil {
		return err
	}
	if p.Answers, err = p.Size.ParsePoints(answers); err != nil {
		return err
	}
	if err := p.settle(); err != nil {
		return err
	}
	s.Problems = append(s.Problems, p)
	return nil
}

// settle plays the moves and checks that there is something to find.
func (p *Problem) settle() error {
	g := game.New(game.NoGo{}, game.NewPosition(p.Size))
	if err := g.PlayAll(p.Moves); err != nil {
		return err
	}
	p.position = g.Position()
	legal := p.Legal()
	for i, a := range p.Answers {
		if !legal.Has(a) || slices.Contains(p.Answers[:i], a) {
			return fmt.Errorf("%s is not an answer", p.Size.Name(a))
		}
	}
	if len(p.Answers) == 0 || len(p.Answers) == legal.Len() {
		return errors.New("no move wins, or all do, so that there is nothing to find")
	}
	return nil
}
