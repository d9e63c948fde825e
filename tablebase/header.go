// Package tablebase keeps strong solutions of Go on small boards in files: for
// every position under basic ko the score of best play, optionally its range over
// all rules for endless loops and the distance to the end. It writes what a builder
// hands it, reads single positions at random, checks every value against the rules
// and counts results. It does not know how a table is made.
//
// The format is described in docs/tablebase-format.md.
package tablebase

import (
	"encoding/json"
	"fmt"

	"tengen/board"
)

// Loops says what a table knows about games without end.
type Loops uint8

// The kinds of tables.
const (
	// Drawn keeps one value: endless games are draws.
	Drawn Loops = iota
	// Range keeps two: endless games lost by the side to play, and won by it.
	Range
)

func (l Loops) String() string { return [...]string{"draw", "range"}[l] }

// Planes is the number of values kept for each position.
func (l Loops) Planes() int { return int(l) + 1 }

// MaxPoints is the largest board a table can have.
const MaxPoints = 22

// Header describes a table.
type Header struct {
	Size     board.Size
	Loops    Loops
	Distance bool   // the number of moves to the end is kept too
	Boards   uint64 // boards kept: one of each set of images and inverses
	Bans     uint64 // of these with a side to play and a ban of ko, so many
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

// Validate reports a board too large for a table.
func (h Header) Validate() error {
	if h.Size.Points() > MaxPoints || !h.Size.Small() {
		return fmt.Errorf("a %s board has %d points: tables go to %d", h.Size, h.Size.Points(), MaxPoints)
	}
	return nil
}

// frameDigits is the size of a frame: it covers all codes that differ in so many of
// the lowest digits only. Small frames are quick to decode; the largest boards have
// larger ones, to keep the directory short.
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
