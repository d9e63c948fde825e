package session_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"tengen/internal/session"
	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
)

func TestInterruptedRecord(t *testing.T) {
	faulty.Interrupt(t, faulty.Writer{
		Name: "record of a session", Before: map[string][]byte{"game.sgf": []byte("(;GM[1]FF[4]SZ[3]RU[NoGo])")},
		Write: func(disk wholefile.Disk, dir string) error {
			s := newSession(t, func(o *session.Options) { o.Disk = disk })
			answer := ask(t, s, "play b B2\nprintsgf "+filepath.Join(dir, "game.sgf"))
			if _, refused, failed := strings.Cut(answer, "\n? "); failed {
				return errors.New(refused)
			}
			return nil
		},
	})
}
