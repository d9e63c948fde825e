// Package suite scores programs that speak GTP with positions of NoGo whose winning moves
// are all known. Every position is won for the side to play and has moves that lose. The
// searches of package engine make a suite. Before it is written, a second search checks
// it, which knows only the rules.
//
// The file of a suite is text with a checksum. One suite is part of the program.
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
	Seed     uint64 // seed of the random games
	Problems []Problem
}

// Problem is a position, by the moves that lead to it, with all moves that win.
type Problem struct {
	Size    board.Size
	Moves   []board.Point
	Answers []board.Point // in ascending order of points

	position game.Position
}

// Position is the position in which a move must be found.
func (p Problem) Position() game.Position { return p.position }

// Legal is the set of legal moves.
func (p Problem) Legal() board.Set { return game.NoGo{}.Legal(p.position) }

// Open is the number of points where at least one side may play.
func (p Problem) Open() int {
	q := game.NoGoPosition(p.position)
	return q.Legal(board.Black).Union(q.Legal(board.White)).Len()
}

// Grades is the number of grades.
const Grades = 4

// Grade says how hard it is to guess a winning move: 1 if more than half of the moves
// win, 2 if more than a quarter do, 3 if more than an eighth do, else 4.
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

// Encode writes a suite. Each position is one line: its size, the moves that lead to it
// and, after an arrow, the moves that win. The checksum of everything before it comes
// last.
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

// Parse reads a suite that Encode has written. It refuses every other text.
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

// settle plays the moves and checks that some moves win and others do not.
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
