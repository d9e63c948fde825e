package match

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"

	"tengen/game"
	"tengen/internal/wholefile"
)

// log is the file of a match: its settings and the games so far. It is written
// again as a whole file after every game and has a checksum.
type log struct {
	Format   string   `json:"format"`
	Settings settings `json:"settings"`
	Games    []Record `json:"games"`
	Sum      string   `json:"sha256"` // of the rest
}

// settings are shared by all games of a match. The number of games may change.
type settings struct {
	Game     string     `json:"game"`
	Rules    string     `json:"rules"`
	Komi     float64    `json:"komi"`
	MaxMoves int        `json:"max_moves"`
	Size     string     `json:"size"`
	Programs [][]string `json:"programs"`
	Names    []string   `json:"names,omitempty"`
	Gauntlet bool       `json:"gauntlet,omitempty"`
	Resign   bool       `json:"let_resign,omitempty"`
	Openings [][]string `json:"openings"`
	Random   int        `json:"random"`
	Seed     uint64     `json:"seed"`
	Balanced bool       `json:"balanced,omitempty"`
	PerMove  string     `json:"time_per_move"`
	PerGame  string     `json:"time_per_game"`
	Grace    string     `json:"grace"`
}

const logFormat = "tengen match 2"

// maxLog bounds the size in bytes of a log that is read.
const maxLog = 1 << 30

func newLog(o Options) *log {
	s := settings{
		Game:     o.Rules.Name(),
		Rules:    o.Rules.Label(),
		Komi:     o.Komi,
		MaxMoves: o.MaxMoves,
		Size:     o.Size.String(),
		Programs: o.Programs,
		Names:    o.Names,
		Gauntlet: o.Gauntlet,
		Resign:   o.LetResign,
		Openings: [][]string{},
		Random:   o.Openings.Random,
		Seed:     o.Openings.Seed,
		Balanced: o.Openings.Balance != nil,
		PerMove:  o.Clock.PerMove.String(),
		PerGame:  o.Clock.PerGame.String(),
		Grace:    o.Clock.Grace.String(),
	}
	for _, moves := range o.Openings.Set {
		s.Openings = append(s.Openings, game.MoveNames(o.Size, moves))
	}
	return &log{Format: logFormat, Settings: s, Games: []Record{}}
}

// openLog reads the log of the same match, or begins one.
func openLog(o Options) (*log, error) {
	fresh := newLog(o)
	if o.Log == "" {
		return fresh, nil
	}
	info, err := os.Stat(o.Log)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, fresh.save(o.Disk, o.Log)
	}
	if err == nil && info.Size() > maxLog {
		return nil, fmt.Errorf("%s is too large for the log of a match", o.Log)
	}
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(o.Log)
	if err != nil {
		return nil, err
	}
	found, err := parseLog(data)
	if err != nil {
		return nil, fmt.Errorf("%s is not the log of a match that can be resumed: %w", o.Log, err)
	}
	if !reflect.DeepEqual(found.Settings, fresh.Settings) {
		return nil, fmt.Errorf("%s is the log of another match: give the same programs, rules, board, openings and times, or another file", o.Log)
	}
	return found, nil
}

// parseLog accepts only what save has written.
func parseLog(data []byte) (*log, error) {
	var l log
	err := json.Unmarshal(data, &l)
	if len(bytes.TrimSpace(data)) == 0 || err != nil && !bytes.HasSuffix(data, []byte("}\n")) {
		return nil, errors.New("the file is empty or cut off")
	}
	if err != nil {
		return nil, err
	}
	if l.Format != logFormat {
		return nil, fmt.Errorf("its format is %.60q, not %q", l.Format, logFormat)
	}
	want, err := l.encode()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(want, data) {
		return nil, errors.New("its checksum is wrong")
	}
	last := 0
	for _, g := range l.Games {
		if g.Number <= last {
			return nil, fmt.Errorf("game %d stands after game %d", g.Number, last)
		}
		last = g.Number
	}
	return &l, nil
}

// encode returns the file: JSON with a checksum. The checksum is that of the
// JSON with the checksum left empty.
func (l *log) encode() ([]byte, error) {
	bare := *l
	bare.Sum = ""
	data, err := json.Marshal(bare)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	bare.Sum = hex.EncodeToString(sum[:])
	data, err = json.MarshalIndent(bare, "", " ")
	return append(data, '\n'), err
}

func (l *log) save(disk wholefile.Disk, name string) error {
	if name == "" {
		return nil
	}
	data, err := l.encode()
	if err == nil {
		err = disk.Write(name, data)
	}
	if err != nil {
		return fmt.Errorf("the match cannot be saved: %w", err)
	}
	return nil
}
