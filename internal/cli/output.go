package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// fileName is a flag that names a file or a directory. It refuses an empty name, since that
// is mostly a variable of a script that was not set.
type fileName struct {
	name *string
	kind string
}

func (f *fileName) Set(text string) error {
	if text == "" {
		return errors.New("the name is empty")
	}
	*f.name = text
	return nil
}

func (f *fileName) String() string {
	if f.name == nil {
		return ""
	}
	return *f.name
}

func (f *fileName) Type() string { return f.kind }

// The kinds of names, as help and usage lines call them.
const (
	kindFile      = "FILE"
	kindDirectory = "DIR"
)

func fileFlag(cmd *cobra.Command, name *string, flag, short, usual, usage string) {
	*name = usual
	cmd.Flags().VarP(&fileName{name, kindFile}, flag, short, usage)
}

func dirFlag(cmd *cobra.Command, name *string, flag, short, usual, usage string) {
	*name = usual
	cmd.Flags().VarP(&fileName{name, kindDirectory}, flag, short, usage)
}

// emptyName is the error of an empty name of a kind.
func emptyName(what, kind string) error {
	if kind == kindDirectory {
		return fmt.Errorf("%s is empty: name a directory", what)
	}
	return fmt.Errorf("%s is empty: name a file", what)
}

// refuseEmptyNames refuses empty arguments that the usage line calls files.
func refuseEmptyNames(cmd *cobra.Command, args []string) error {
	words := strings.Fields(cmd.Use)[1:]
	for i := range min(len(words), len(args)) {
		kind := strings.Trim(words[i], "[]")
		if args[i] == "" && (kind == kindFile || kind == kindDirectory) {
			return emptyName(kind, kind)
		}
	}
	return nil
}

// begins returns a check that tengen has made a file: it begins with a text and contains
// others.
func begins(with string, contains ...string) func(name string) error {
	return func(name string) error {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		ours := bytes.HasPrefix(data, []byte(with))
		for _, part := range contains {
			ours = ours && bytes.Contains(data, []byte(part))
		}
		if !ours {
			return errors.New("tengen did not make it; remove it or choose another name")
		}
		return nil
	}
}

// These recognise files that tengen has made. It replaces no others.
var (
	isAnswer = begins("(;GM[1]FF[4]CA[UTF-8]AP[tengen]", ", no komi)")
	isPage   = begins(".nh\n.TH \"TENGEN\"")
)
