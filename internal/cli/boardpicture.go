package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/engine"
	"tengen/internal/picture"
	"tengen/internal/wholefile"
)

// pictureFile is the flag for a picture of an answered position.
type pictureFile struct{ path string }

func (f *pictureFile) register(cmd *cobra.Command) {
	fileFlag(cmd, &f.path, "picture", "", "", "draw the position with its results into this file, .svg or .png")
}

func (f *pictureFile) isPNG() bool { return strings.EqualFold(filepath.Ext(f.path), ".png") }

// check refuses, before any work, a picture that could not be written after it, or would
// take the place of another file of the same run.
func (f *pictureFile) check(disk wholefile.Disk, others ...string) error {
	if f.path == "" {
		return nil
	}
	for _, other := range others {
		if other != "" && filepath.Clean(other) == filepath.Clean(f.path) {
			return fmt.Errorf("--picture %s is the file of another answer too: give them different names", f.path)
		}
	}
	ours := begins(`<svg xmlns="http://www.w3.org/2000/svg"`, "\n<title>tengen: ")
	if f.isPNG() {
		ours = begins("\x89PNG\r\n\x1a\n", "iTXtTitle\x00\x00\x00\x00\x00tengen: ")
	} else if !strings.EqualFold(filepath.Ext(f.path), ".svg") {
		return fmt.Errorf("--picture %s: the name of a picture ends in .svg or .png", f.path)
	}
	return disk.Check("picture", f.path, ours)
}

// write draws the picture, if one is asked for.
func (f *pictureFile) write(disk wholefile.Disk, b picture.Board) error {
	if f.path == "" {
		return nil
	}
	draw := b.SVG
	if f.isPNG() {
		draw = b.PNG
	}
	var data bytes.Buffer
	if err := draw(&data); err != nil {
		return fmt.Errorf("--picture: %w", err)
	}
	if err := disk.Write(f.path, data.Bytes()); err != nil {
		return fmt.Errorf("--picture: %w", err)
	}
	return nil
}

// nogoPicture shows who wins after each move that was decided, and the line.
func nogoPicture(r engine.Result, last board.Point) picture.Board {
	b := picture.Board{
		Size: r.Position.Size, Stones: r.Position.Stones, Last: last,
		Marks: map[board.Point]picture.Mark{}, Line: r.Line, ToPlay: r.ToPlay, Caption: sentence(r),
	}
	for _, m := range r.Moves {
		b.Marks[m.Move] = picture.Mark{Text: "−", Tone: picture.Bad}
		if m.Winner == r.ToPlay {
			b.Marks[m.Move] = picture.Mark{Text: "+", Tone: picture.Good}
		}
	}
	return b
}

// goPicture shows the score after each move if that was asked, and the line.
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
		mark := picture.Mark{Text: strings.ReplaceAll(worth(m.GoValue), "-", "−"), Tone: picture.Bad}
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
