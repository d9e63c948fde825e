package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/internal/picture"
	"tengen/internal/wholefile"
)

// pictureFile is the flag for a picture of an answered position.
type pictureFile struct{ path string }

func (f *pictureFile) register(cmd *cobra.Command) {
	fileFlag(cmd, &f.path, "picture", "", "", "draw the position with its results into this file: .svg, .png, .tex or .tikz")
}

// check refuses, before any work, a picture that could not be written, or that has the name
// of another file of the same run.
func (f *pictureFile) check(disk wholefile.Disk, others ...string) error {
	for _, other := range others {
		if f.path != "" && other != "" && filepath.Clean(other) == filepath.Clean(f.path) {
			return fmt.Errorf("--picture %s is also the name of another file of this command: give different names", f.path)
		}
	}
	return checkDrawing(disk, "picture", f.path, picture.BoardTitle)
}

// write draws the picture, if one is asked for.
func (f *pictureFile) write(disk wholefile.Disk, b picture.Board) error {
	return writeDrawing(disk, "picture", f.path, b)
}

// checkDrawing refuses a file whose name has not the ending of a drawing, or that exists and
// is not a drawing with this title. An empty path is no drawing.
func checkDrawing(disk wholefile.Disk, flag, path, title string) error {
	if path == "" {
		return nil
	}
	form, ok := picture.FormOf(path)
	if !ok {
		return fmt.Errorf("--%s %s: the name of a drawing ends in .svg, .png, .tex or .tikz", flag, path)
	}
	first, near := picture.Marks(form, title)
	return disk.Check(flag, path, begins(first, near...))
}

// writeDrawing writes a drawing as a whole file.
func writeDrawing(disk wholefile.Disk, flag, path string, d picture.Drawing) error {
	if path == "" {
		return nil
	}
	form, _ := picture.FormOf(path)
	data, err := picture.Encode(d, form)
	if err == nil {
		err = disk.Write(path, data)
	}
	if err != nil {
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return nil
}

// nogoPicture shows the winner after each decided move, and the line.
func nogoPicture(r solve.Result, last board.Point) picture.Board {
	b := picture.Board{
		Size: r.Position.Size, Stones: r.Position.Stones, Last: last,
		Marks: map[board.Point]picture.Mark{}, Line: r.Line, ToPlay: r.ToPlay, Caption: sentence(r),
	}
	for _, m := range r.Moves {
		b.Marks[m.Move] = picture.Mark{Text: "−", Tone: picture.Bad}
		if m.Winner.Is(r.ToPlay) {
			b.Marks[m.Move] = picture.Mark{Text: "+", Tone: picture.Good}
		}
	}
	return b
}

// goPicture shows the line, and with each the score after every move.
func goPicture(g goAnswer, each bool, last board.Point) picture.Board {
	b := picture.Board{
		Size: g.position.Size, Stones: g.position.Stones, Last: last,
		Marks: map[board.Point]picture.Mark{}, Line: g.Line, ToPlay: g.position.ToPlay, Caption: g.sentence(),
	}
	if !each {
		return b
	}
	for _, m := range g.Moves {
		if !g.position.Size.Contains(m.Move) {
			continue
		}
		mark := picture.Mark{Text: strings.ReplaceAll(g.worth(m.Value), "-", "−"), Tone: picture.Bad}
		switch {
		case m.Open:
			mark.Tone = picture.Doubtful
		case m.Score == g.Score:
			mark.Tone = picture.Good
		case (m.Score > 0) == (g.Score > 0) && (m.Score < 0) == (g.Score < 0):
			mark.Tone = picture.Doubtful
		}
		b.Marks[m.Move] = mark
	}
	return b
}
