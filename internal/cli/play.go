package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/tui"
	"tengen/weiqi"
)

func newPlay(a *app) *cobra.Command {
	return group("play", "Play against the machine", newPlayNoGo(a), newPlayGo(a))
}

// terminalGame are the flags of all games in the terminal.
type terminalGame struct {
	*app
	human  colour
	limits limits
	plain  bool
	ascii  bool
}

func (t *terminalGame) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&t.human, "as", "your colour (default: b)")
	t.limits.register(cmd, "memory for tables, such as 1GiB")
	flags.BoolVar(&t.plain, "plain", false, "line by line, as without a terminal")
	flags.BoolVar(&t.ascii, "ascii", false, "draw the board in ASCII, as without a UTF-8 locale")
	fixed(cmd, "as", "b", "w")
}

// analyst judges the moves, and gives hints in Go.
func (t *terminalGame) analyst(table string) (*analyse.Analyst, error) {
	return analyse.New(analyse.Options{Limits: t.half(), Store: job.Cache, Table: cmp.Or(table, job.Cache)})
}

// half are the limits of the player or of the analyst, which share the memory. The smallest
// amounts are not divided, so that an error names the one that was given.
func (t *terminalGame) half() job.Limits {
	l := t.limits.job()
	if l.Memory >= 2*job.LeastTable {
		l.Memory /= 2
	}
	return l
}

// screen is the terminal for the board, if there is one that can show it.
func (t *terminalGame) screen() (in, out *os.File, ok bool) {
	if t.plain || os.Getenv("TERM") == "dumb" {
		return nil, nil, false
	}
	in, ok = t.in.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return nil, nil, false
	}
	out, ok = terminalOf(t.out)
	return in, out, ok
}

// utf8 reports whether the locale can show more than ASCII.
func utf8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToLower(os.Getenv(name)); value != "" {
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return runtime.GOOS == "windows"
}

// nogoPlay holds the flags of one call.
type nogoPlay struct {
	terminalGame
	start
	player      choice
	level       int
	time        time.Duration
	certificate string
}

func newPlayNoGo(a *app) *cobra.Command {
	p := &nogoPlay{terminalGame: terminalGame{app: a}, player: oneOf(append([]string{"auto"}, names(play.Kinds())...)...)}
	cmd := &cobra.Command{
		Use:   "nogo [SIZE]",
		Short: "Play NoGo in the terminal",
		Long: `Play NoGo on a board in the terminal, by keyboard or mouse; ? shows the keys.

The player auto is perfect on boards that are solved in a moment: it never misses a
win, and makes a win against it as hard to find as it can. On larger boards it is net, a
tree search with a trained network. On boards that the network does not support it is
mcts, a tree search by playouts. Both play endgames exactly. tengen gtp --help describes
the other players. --level 1 to 9 makes it weaker, 1 a beginner that makes a beginner's
mistakes.

Without a terminal, or with --plain, the game is played line by line. Type a point such
as B3 to play there, or: undo, hint, board, review, help, quit.

After a mistake the board shows its cost and the better move: exactly if the game is
solved within a second, otherwise by estimate. < and > go back and forth in the game and
show the results of its positions. r lists the mistakes, as does the end of the game.`,
		Example: `  tengen play nogo 9x9
  tengen play nogo 9x9 --level 4
  tengen play nogo 4x5 --as w
  tengen play nogo 7x7 --player mcts --time 5s`,
		Args: takes(0, 1, "a board size"),
		RunE: func(cmd *cobra.Command, args []string) error { return p.run(cmd.Context(), args) },
	}
	p.terminalGame.register(cmd)
	p.start.register(cmd)
	p.player.register(cmd, "player", "your opponent")
	flags := cmd.Flags()
	flags.IntVar(&p.level, "level", play.Levels, levelUsage)
	flags.DurationVar(&p.time, "time", 0, "time for one move, after which perfect guesses (default: 2s, perfect: 1m)")
	fileFlag(cmd, &p.certificate, "certificate", "", "", "certificate to play from (players net, mcts and perfect)")
	return cmd
}

func (p *nogoPlay) run(ctx context.Context, args []string) error {
	position, moves, err := p.start.read(args)
	if err != nil {
		return err
	}
	g := game.New(game.NoGo{}, game.Start(position.Size, position.Stones, p.toPlay.Colour))
	if err := g.PlayAll(moves); err != nil {
		return err
	}
	options, budget, err := p.settle(position.Size)
	if err != nil {
		return err
	}
	if in, out, ok := p.screen(); ok {
		opponent, err := tui.NewNoGoPlayer(ctx, options, budget)
		if err != nil {
			return err
		}
		defer opponent.Close()
		return tui.Run(ctx, in, out, tui.Options{
			Game: g, Human: p.human.Colour, Opponent: opponent, ASCII: p.ascii || !utf8(), Colourless: colourless(),
		})
	}
	mover, err := play.New(ctx, options)
	if err != nil {
		return err
	}
	defer mover.Close()
	p.saySlow(mover)
	analyst, err := p.analyst("")
	if err != nil {
		return err
	}
	defer analyst.Close()
	return p.lines(ctx, g, nogoOpponent{mover, budget}, analyst)
}

// settle chooses the player and its time.
func (p *nogoPlay) settle(size board.Size) (play.Options, play.Budget, error) {
	kind := play.Kind(p.player.value)
	if p.player.index() == 0 {
		kind = play.KindAt(p.level, size)
	}
	if err := checkLevel(p.level, kind, p.certificate); err != nil {
		return play.Options{}, play.Budget{}, err
	}
	p.sayStand(kind, size)
	kind = play.Stand(kind, size)
	budget := play.Budget{Time: p.time, Level: p.level}
	switch {
	case p.time < 0:
		return play.Options{}, budget, fmt.Errorf("--time %v is below zero", p.time)
	case p.time == 0 && kind == play.Perfect:
		budget.Time = time.Minute
	case p.time == 0:
		budget.Time = 2 * time.Second
	}
	return play.Options{
		Kind: kind, Size: size, Seed: uint64(time.Now().UnixNano()), Limits: p.half(), Certificate: p.certificate,
	}, budget, nil
}

// goPlay holds the flags of one call.
type goPlay struct {
	terminalGame
	goStart
	file string
}

func newPlayGo(a *app) *cobra.Command {
	p := &goPlay{terminalGame: terminalGame{app: a}}
	cmd := &cobra.Command{
		Use:   "go [SIZE]",
		Short: "Play small Go in the terminal",
		Long: `Play Go on a small board in the terminal, by keyboard or mouse, against perfect
play; ? shows the keys. Rules: basic ko, no suicide, area score, no komi; two passes
end the game, and a position that comes back makes it a draw.

Moves come from the table of the board in the user's cache. Tables of up to 16 points
are built when they are needed, which takes seconds, and on 4x4 up to a minute. Larger
ones are built by "tengen table build". On longer rows a strategy plays that at least
draws.
Boards of more than 22 and up to 36 points, such as 5x5, are searched: late in the
game exactly, before that by the bounds that are proven, or by a guess.

Without a terminal, or with --plain, the game is played line by line. Type a point such
as B3 or pass, or: undo, hint, board, review, help, quit.

After a mistake the board shows its exact cost and the better move. < and > go back and
forth in the game and show the results of its positions. r lists the mistakes, as does
the end of the game.`,
		Example: `  tengen play go 3x4
  tengen play go 4x4 --as w
  tengen play go 4x5 --table go-4x5.table`,
		Args: takes(0, 1, "a board size"),
		RunE: func(cmd *cobra.Command, args []string) error { return p.run(cmd.Context(), args) },
	}
	p.terminalGame.register(cmd)
	p.goStart.register(cmd)
	fileFlag(cmd, &p.file, "table", "", "", "table to play from (default: the one in the user's cache)")
	return cmd
}

func (p *goPlay) run(ctx context.Context, args []string) error {
	size, err := sizeOf(args)
	if err != nil {
		return err
	}
	begin, moves, err := p.goStart.read(size, weiqi.Rules{})
	if err != nil {
		return err
	}
	g := game.New(game.Go{}, begin)
	if err := g.PlayAll(moves); err != nil {
		return err
	}
	mover, err := p.mover(ctx, begin.Size)
	if err != nil {
		return err
	}
	defer mover.Close()
	analyst, err := p.analyst(p.file)
	if err != nil {
		return err
	}
	defer analyst.Close()
	if in, out, ok := p.screen(); ok {
		return tui.Run(ctx, in, out, tui.Options{
			Game: g, Human: p.human.Colour, Opponent: tui.GoPlayer{Mover: mover, Analyst: analyst}, ASCII: p.ascii || !utf8(), Colourless: colourless(),
		})
	}
	return p.lines(ctx, g, goOpponent{mover}, analyst)
}

// mover opens the table, and builds it if needed.
func (p *goPlay) mover(ctx context.Context, size board.Size) (*play.GoMover, error) {
	status := newStatus(p.err)
	options := play.GoOptions{Size: size, Table: cmp.Or(p.file, job.Cache), Limits: p.limits.job()}
	if play.Searched(size) {
		options.Limits = p.half()
	}
	options.TableStarted = func(table.Plan) {
		fmt.Fprintf(p.err, "tengen: building the table of %s, once; it is kept\n", size)
	}
	options.TableProgress = func(progress table.Progress) { status.show(buildLine(progress)) }
	mover, err := play.NewGo(ctx, options)
	status.clear()
	var noTable *table.Missing
	if errors.As(err, &noTable) {
		return nil, fmt.Errorf("%w: \"tengen table build go %s\" builds it", err, noTable.Size)
	}
	if err != nil {
		return nil, err
	}
	p.warnings(mover.Warnings())
	return mover, nil
}
