// Package tablebase keeps strong solutions of Go on small boards in files. A table
// has the score of best play for every position under basic ko. It may also have
// the range of the score over all rules for endless games, and the distance to the
// end. The package writes the entries that a builder passes to it, probes single
// positions, verifies every value by the rules and counts results. It does not know
// how a table is made.
//
// The format is described in docs/tablebase-format.md.
package tablebase

import (
	"encoding/json"
	"fmt"

	"tengen/board"
)

// Loops says how a table values endless games.
type Loops uint8

// The kinds of tables.
const (
	// Drawn keeps one value: endless games are draws.
	Drawn Loops = iota
	// Range keeps two values: one with endless games lost by the side to play, one
	// with endless games won by it.
	Range
)

func (l Loops) String() string { return [...]string{"draw", "range"}[l] }

// Planes is the number of values kept for each position.
func (l Loops) Planes() int { return int(l) + 1 }

// MaxPoints is the number of points of the largest board a table can have.
const MaxPoints = 22

// Header describes a table.
type Header struct {
	Size     board.Size
	Loops    Loops
	Distance bool   // the number of moves to the end is kept too, for each plane
	Boards   uint64 // boards kept: one of each set of images and inverses
	Bans     uint64 // entries for one of these boards with a side to play and a ban of ko
}

// distances is the number of planes with distances.
func (h Header) distances() int {
	if h.Distance {
		return h.Loops.Planes()
	}
	return 0
}

// endless is the value of an endless game in a plane, for the side to play.
func (h Header) endless(plane int) int {
	if h.Loops == Drawn {
		return 0
	}
	return (2*plane - 1) * h.Size.Points()
}

// version is the version of the file. In version 1 a range had one set of distances, those
// with loops drawn.
func (h Header) version() uint32 {
	if h.distances() == 2 {
		return 2
	}
	return 1
}

// headerText is the header in the file.
type headerText struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"`
	Size     string `json:"size"`
	Loops    string `json:"loops"`
	Distance bool   `json:"distance"`
	Boards   uint64 `json:"boards"`
	Bans     uint64 `json:"bans"`
	Digits   int    `json:"digits"`
}

// game and rules are all that this version knows.
const (
	gameName  = "go"
	rulesName = "basic ko, no suicide, area score"
)

func (h Header) encode() ([]byte, error) {
	return json.Marshal(headerText{
		Game: gameName, Rules: rulesName, Size: h.Size.String(), Loops: h.Loops.String(),
		Distance: h.Distance, Boards: h.Boards, Bans: h.Bans, Digits: h.frameDigits(),
	})
}

func decodeHeader(raw []byte) (Header, error) {
	var text headerText
	if err := json.Unmarshal(raw, &text); err != nil {
		return Header{}, fmt.Errorf("its header does not parse: %w", err)
	}
	size, err := board.ParseSize(text.Size)
	if err != nil {
		return Header{}, err
	}
	h := Header{Size: size, Distance: text.Distance, Boards: text.Boards, Bans: text.Bans}
	if text.Loops == Range.String() {
		h.Loops = Range
	}
	switch {
	case text.Game != gameName || text.Rules != rulesName:
		return Header{}, fmt.Errorf("it is about %q with %q, not about %q with %q", text.Game, text.Rules, gameName, rulesName)
	case text.Loops != h.Loops.String():
		return Header{}, fmt.Errorf("its loop rule %q is not known", text.Loops)
	case text.Digits != h.frameDigits():
		return Header{}, fmt.Errorf("its frames have %d digits, not %d", text.Digits, h.frameDigits())
	}
	return h, h.Validate()
}

// Validate reports a board without points or too large for a table, and a kind of table that
// does not exist.
func (h Header) Validate() error {
	if _, err := board.NewSize(h.Size.Rows, h.Size.Cols); err != nil {
		return err
	}
	if h.Size.Points() > MaxPoints || !h.Size.Small() {
		return fmt.Errorf("a %s board has %d points: tables go to %d", h.Size, h.Size.Points(), MaxPoints)
	}
	if h.Loops > Range {
		return fmt.Errorf("there is no kind of table with the number %d", h.Loops)
	}
	return nil
}

// frameDigits is the size of a frame: the codes of a frame differ only in this
// number of lowest digits. Small frames are quick to decode. The largest boards
// have larger frames, to keep the directory short.
func (h Header) frameDigits() int {
	digits := 9
	if h.Size.Points() > 20 {
		digits = 10
	}
	return min(h.Size.Points(), digits)
}

func (h Header) frameCodes() uint64 { return power3(h.frameDigits()) }

func (h Header) frameOf(code uint64) int { return int(code / h.frameCodes()) }

func (h Header) frames() int { return int(power3(h.Size.Points()) / h.frameCodes()) }

func power3(n int) uint64 {
	x := uint64(1)
	for range n {
		x *= 3
	}
	return x
}
