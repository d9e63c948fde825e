package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/book"
	"tengen/internal/book/build"
	"tengen/internal/text"
	"tengen/tablebase"
)

func newBook(a *app) *cobra.Command {
	return group("book", "Make and list the books of first moves",
		group("build", "Make a book", newBookBuild(a, game.NoGo{}), newBookBuild(a, game.Go{})), newBookList(a))
}

// bookBuild holds the flags of one call.
type bookBuild struct {
	*app
	rules        game.Rules
	byTable      bool // a book of Go
	output       string
	certificates string
	depth        build.Depth
	limits       job.Limits
	memory       memory
	timeout      timeout
	json         bool
}

func newBookBuild(a *app, rules game.Rules) *cobra.Command {
	b := &bookBuild{app: a, rules: rules}
	cmd := &cobra.Command{
		Use:  rules.Name() + " SIZE",
		Args: takes(1, 1, "one board size such as 4x4"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return b.run(cmd, args[0])
		},
	}
	flags := cmd.Flags()
	fileFlag(cmd, &b.output, "output", "o", "", "file to write (default: in the user's cache, where the other commands find it)")
	flags.IntVar(&b.depth.Decided, "decided", 0, "list every position up to this number of moves (default: as the books in the program)")
	flags.IntVar(&b.depth.Stones, "stones", 0, "follow certificates up to this number of stones (default: as the books in the program)")
	flags.StringSliceVar(&b.depth.Positions, "positions", nil, "positions that take a certificate, by their moves, such as C3 or A1-C3 (default: all, of Go the empty board, or those of the book in the program)")
	dirFlag(cmd, &b.certificates, "certificates", "", "", "folder to read certificates from")
	if rules.Scored() {
		cmd.Short = "Make a book of Go from a table or from certificates"
		cmd.Long = fmt.Sprintf(`Write the first positions of a board of Go under basic ko to a book.

Up to %d points, without --certificates: the score of every move up to --decided
moves, from the table in the user's cache. The table is built if it is not there, and
checked before it is used.

Otherwise: all positions with up to --stones stones of certificates, each with its
move. The certificates are checked first. --positions names the positions that they
are about; C2:4 is the position after C2, with up to 4 stones. They are read from the
folder --certificates, where that of the position after C3 is 5x5-C3.cert, as "tengen
solve go 5x5 --moves C3 --at-least 25 --certificate" writes it.`, tablebase.MaxPoints)
		cmd.Example = `  tengen book build go 4x4 --decided 3
  tengen book build go 5x5 --positions C3 --stones 8 --certificates proofs`
	} else {
		cmd.Short = "Make a book of NoGo from certificates"
		cmd.Long = `Write the first moves of a board of NoGo to a book. Every position after --decided
moves takes a certificate, which is checked before it is used. Of the certificates
all positions with up to --stones stones go into the book, each with the winning
move. --positions names those that take a certificate, if not all of them shall.

Certificates are read from the folder --certificates, where that of the empty board
is 5x5.cert and that of the position after A1 and C3 is 5x5-A1-C3.cert, as
"tengen solve nogo 5x5 --moves 'A1 C3' --certificate" writes it. Those that are not
there are made, which takes a search each. With one thread every run writes the same
bytes.`
		cmd.Example = `  tengen book build nogo 4x5
  tengen book build nogo 5x5 --decided 1 --stones 8 --certificates proofs -o 5x5.book`
	}
	countFlag(cmd, &b.limits.Threads, "threads", 1, 1, "threads", "threads")
	flags.Var(&b.memory, "memory", "memory at most, such as 8GiB (default: half of the machine, at most 4GiB)")
	b.timeout.register(cmd)
	flags.BoolVar(&b.json, "json", false, "print one JSON object")
	return cmd
}

func (b *bookBuild) run(cmd *cobra.Command, arg string) error {
	size, err := board.ParseSize(arg)
	if err != nil {
		return err
	}
	b.byTable = b.rules.Scored() && size.Points() <= tablebase.MaxPoints && !chosen(cmd, "certificates")
	switch {
	case b.byTable && chosen(cmd, "stones", "positions"):
		return fmt.Errorf("the book of Go on %s is from its table: --stones and --positions go with --certificates", size)
	case b.rules.Scored() && !b.byTable && chosen(cmd, "decided"):
		return fmt.Errorf("this book of Go on %s is from certificates: --decided is for those from tables", size)
	}
	usual := build.UsualDepth(b.rules, size)
	if !chosen(cmd, "decided") {
		b.depth.Decided = min(usual.Decided, size.Points())
	}
	if !chosen(cmd, "stones") {
		b.depth.Stones = min(usual.Stones, size.Points())
	}
	if !chosen(cmd, "decided", "positions") {
		b.depth.Positions = usual.Positions
	}
	for _, n := range []int{b.depth.Decided, b.depth.Stones} {
		if n < 0 || n > size.Points() {
			return fmt.Errorf("a book of %s goes to between 0 and %d moves, not %d", size, size.Points(), n)
		}
	}
	if b.output == "" {
		if b.output, err = ownBook(b.rules, size); err != nil {
			return err
		}
	}
	if err := b.disk.Check("book", b.output, book.Check); err != nil {
		return err
	}
	ctx, cancel := b.timeout.limit(cmd.Context())
	defer cancel()
	b.limits.Memory = int64(b.memory)
	file, err := b.file(ctx, size)
	if err != nil {
		return err
	}
	info, err := book.Describe(file)
	if err != nil {
		return err
	}
	if err := b.disk.Write(b.output, file); err != nil {
		return err
	}
	info.Path = b.output
	if b.json {
		return b.printJSON(newBookJSON(info))
	}
	b.printBooks([]book.Info{info})
	return nil
}

// ownBook is the file of a board in the user's cache.
func ownBook(rules game.Rules, size board.Size) (string, error) {
	dir, err := book.Folder()
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return "", fmt.Errorf("no place for the book in the user's cache: %w", err)
	}
	return filepath.Join(dir, book.Header{Game: rules.Name(), Size: size.Lying()}.Name()), nil
}

// file makes the book.
func (b *bookBuild) file(ctx context.Context, size board.Size) ([]byte, error) {
	status := newStatus(b.err)
	defer status.clear()
	report := func(says string) { status.show(says) }
	switch {
	case b.byTable:
		return build.Go{
			Size: size, Depth: b.depth, Limits: b.limits, Report: report,
			Progress: func(p table.Progress) { status.show(buildLine(p)) },
		}.Make(ctx)
	case b.rules.Scored():
		return build.Area{Size: size, Depth: b.depth, Certificates: b.certificates, Limits: b.limits, Report: report}.Make(ctx)
	}
	return build.NoGo{Size: size, Depth: b.depth, Certificates: b.certificates, Limits: b.limits, Report: report}.Make(ctx)
}

func newBookList(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the books in the program and in the user's cache",
		Args:  takes(0, 0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			books, damaged, err := book.List()
			if err != nil {
				return err
			}
			for _, path := range damaged {
				warn(a.err, "%s is not used: this program cannot read it, or it is damaged; remove it and build the book again", path)
			}
			if asJSON {
				list := []bookJSON{}
				for _, info := range books {
					list = append(list, newBookJSON(info))
				}
				return a.printJSON(map[string]any{"books": list})
			}
			a.printBooks(books)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (a *app) printBooks(books []book.Info) {
	table := newFacts(a.out)
	fmt.Fprintf(table, "game\tboard\tpositions\tdecided\tstones\tbytes\tfile\n")
	for _, b := range books {
		stones := ""
		if b.Stones > 0 {
			stones = fmt.Sprint(b.Stones)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%s\t%s\t%s\n", b.Game, b.Size, text.Thousands(uint64(b.Positions)), b.Decided, stones,
			text.Thousands(uint64(b.Bytes)), text.Printable(cmp.Or(b.Path, "in the program")))
	}
	table.Flush()
}

// bookJSON describes a book.
type bookJSON struct {
	Game      string `json:"game"`
	Size      string `json:"size"`
	Positions int    `json:"positions"`
	Decided   int    `json:"decided"`
	Stones    int    `json:"stones,omitempty"`
	Bytes     int    `json:"bytes"`
	Path      string `json:"path,omitempty"` // none for a book in the program
	SHA256    string `json:"sha256"`
}

func newBookJSON(b book.Info) bookJSON {
	return bookJSON{b.Game, b.Size.String(), b.Positions, b.Decided, b.Stones, b.Bytes, b.Path, b.SHA256}
}
