package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/game"
	"tengen/gtp"
	"tengen/internal/session"
	"tengen/tablebase"
)

// serveGTP holds the flags of one call.
type serveGTP struct {
	*app
	game        choice
	size        string
	table       string
	player      string
	chosen      bool // the player, by the user
	level       int
	without     []string
	certificate string
	time        time.Duration
	playouts    int
	seed        uint64
	limits      limits
	ponder      bool
	playOn      bool
	turns       bool
	timeout     time.Duration
}

// exactMemory is the default for the tables of analysis and exact results.
const exactMemory = 512 << 20

func newGTP(a *app) *cobra.Command {
	s := &serveGTP{app: a, game: oneOf(game.Names()...)}
	cmd := &cobra.Command{
		Use:   "gtp",
		Short: "Play NoGo and small Go over GTP",
		Long: `Speak the Go Text Protocol, version 2, on standard input and output, so that
NoGo and small Go can be played in GoGui, Sabaki and other programs, and in tengen
match.

Players of NoGo: net is a tree search with a trained network, for boards of 5x5 to
9x9, with exact endgames; on other boards mcts plays in its place. mcts is a tree search
by playouts with exact endgames. value is the published value function. perfect solves
the position, and guesses if that takes too long. uct is mcts without all its parts. A
player resigns when it has no legal move or knows that it has lost; --play-on keeps it
playing. --level 1 to 9 makes the tree searches weaker, 1 a beginner: they think less and
make mistakes as people do.

Go (--game go, or the command tengen-game go) is played perfectly for the best area
score under basic ko, where endless games are draws, from the table of the board in the
user's cache. Tables of up to 16 points are built when they are needed, which takes
seconds, and on 4x4 up to a minute. Larger ones are built by "tengen table build", or
named with --table. On rows without a table a strategy plays that at least draws.

docs/gtp.md lists the commands.`,
		Example: `  tengen gtp --size 9x9 --time 2s
  tengen gtp --size 4x5 --player perfect
  tengen gtp --level 3
  tengen gtp --game go --size 4x4
  tengen gtp --playouts 10000 --threads 1 --seed 7`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("seed") {
				s.seed = uint64(time.Now().UnixNano())
			}
			s.chosen = cmd.Flags().Changed("player")
			return s.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	s.game.register(cmd, "game", "game to begin with")
	flags.StringVar(&s.size, "size", "", "board to begin with (default: 9x9, for perfect 5x5, for Go 3x3 or that of the table)")
	fileFlag(cmd, &s.table, "table", "", "", "table of Go to play from on its board (default: the one in the user's cache)")
	flags.StringVar(&s.player, "player", string(play.Net), "player of NoGo: "+strings.Join(names(play.Kinds()), "|"))
	flags.IntVar(&s.level, "level", play.Levels, levelUsage)
	flags.StringSliceVar(&s.without, "without", nil, "parts of net or mcts to leave out: "+strings.Join(playerParts(), ","))
	fileFlag(cmd, &s.certificate, "certificate", "", "", "certificate to play from (players net, mcts and perfect)")
	flags.DurationVar(&s.time, "time", time.Second, "time for a move, unless the controller sets a clock (0: no limit)")
	countFlag(cmd, &s.playouts, "playouts", 0, 0, "playouts", "playouts for a move, for net evaluations by the network (default: until the time is up)")
	flags.Uint64Var(&s.seed, "seed", 0, "seed of the playouts (default: another one every time)")
	s.limits.register(cmd, "memory of the player, such as 1GiB")
	flags.BoolVar(&s.ponder, "ponder", false, "think on the opponent's time")
	flags.BoolVar(&s.playOn, "play-on", false, "resign NoGo only when there is no legal move left")
	flags.BoolVar(&s.turns, "turns", false, "refuse moves out of turn, which the protocol allows; either colour may begin")
	flags.DurationVar(&s.timeout, "timeout", 30*time.Second, "time for an exact result (0: no limit)")
	fixed(cmd, "player", names(play.Kinds())...)
	return cmd
}

var levelUsage = fmt.Sprintf("strength of net, mcts and uct, from 1, a beginner's, to %d", play.Levels)

// checkLevel refuses a level that does not exist, and a certificate for a weak player.
func checkLevel(level int, kind play.Kind, certificate string) error {
	if err := play.CheckLevel(level, kind); err != nil {
		return fmt.Errorf("--level: %w", err)
	}
	if level < play.Levels && certificate != "" {
		return fmt.Errorf("--level %d plays without a certificate: remove one of the two flags", level)
	}
	return nil
}

// playerParts are the parts of net, then the further parts of mcts.
func playerParts() []string {
	names := play.Parts(play.Net)
	for _, part := range play.Parts(play.MCTS) {
		if !slices.Contains(names, part) {
			names = append(names, part)
		}
	}
	return names
}

func (s *serveGTP) run(ctx context.Context) error {
	options, err := s.options()
	if err != nil {
		return err
	}
	session, err := session.New(ctx, options)
	if err != nil {
		return err
	}
	defer session.Close()
	server := session.Server()
	server.Panicked = func(_ gtp.Command, _ any, stack []byte) { s.err.Write(stack) }
	return server.Serve(ctx, s.in, s.out)
}

func (s *serveGTP) options() (session.Options, error) {
	tabled, err := s.tabled()
	if err != nil {
		return session.Options{}, err
	}
	rules, err := game.ParseRules(s.game.value)
	if err != nil {
		return session.Options{}, err
	}
	size, err := s.firstSize(tabled)
	if err != nil {
		return session.Options{}, err
	}
	if s.time < 0 || s.timeout < 0 {
		return session.Options{}, fmt.Errorf("a time cannot be below zero")
	}
	if err := checkLevel(s.level, play.Kind(s.player), s.certificate); err != nil {
		return session.Options{}, err
	}
	exact := s.limits.job()
	exact.Memory, exact.Time = cmp.Or(exact.Memory, exactMemory), s.timeout
	return session.Options{
		Version: readVersion().Version,
		Rules:   rules,
		Size:    size,
		NewMover: func(ctx context.Context, size board.Size) (play.Mover, error) {
			kind := play.Kind(s.player)
			if s.chosen {
				s.sayStand(kind, size)
			}
			mover, err := play.New(ctx, play.Options{
				Kind:        kind,
				Size:        size,
				Seed:        s.seed,
				Limits:      s.limits.job(),
				Without:     s.without,
				Certificate: s.certificate,
			})
			if err == nil {
				s.saySlow(mover)
			}
			return mover, err
		},
		NewGoMover: func(ctx context.Context, size board.Size) (*play.GoMover, error) {
			return s.newGoMover(ctx, size, tabled)
		},
		Budget: play.Budget{Time: s.time, Playouts: s.playouts, Level: s.level},
		Ponder: s.ponder && s.level == play.Levels, // a weak player keeps no tree
		PlayOn: s.playOn,
		Turns:  s.turns,
		Exact:  exact,
		Store:  job.Cache,
		Table:  cmp.Or(s.table, job.Cache),
	}, nil
}

// sayStand warns that another player plays, since the one that was asked for cannot.
func (a *app) sayStand(kind play.Kind, size board.Size) {
	if plays := play.Stand(kind, size); plays != kind {
		fmt.Fprintf(a.err, "player %s does not know boards of %s: %s plays\n", kind, size, plays)
	}
}

// saySlow warns that the processor lacks the instructions for a fast network.
func (a *app) saySlow(m play.Mover) {
	if n, slow := m.Slow(); slow {
		fmt.Fprintf(a.err, "no vector instructions that the network can use: about %.0f evaluations a second\n", n)
	}
}

// tabled is the board of the table of --table, or no board.
func (s *serveGTP) tabled() (board.Size, error) {
	if s.table == "" {
		return board.Size{}, nil
	}
	table, err := tablebase.Open(s.table, 0)
	if err != nil {
		return board.Size{}, err
	}
	defer table.Close()
	return table.Header().Size, nil
}

// newGoMover opens the table of --table for its board and for the turned board, and any
// other table from the cache. It announces a build, since the other side has to wait.
func (s *serveGTP) newGoMover(ctx context.Context, size, tabled board.Size) (*play.GoMover, error) {
	options := play.GoOptions{Size: size, Table: job.Cache, Limits: s.limits.job(), TableStarted: s.announceTable}
	if size == tabled || size == (board.Size{Rows: tabled.Cols, Cols: tabled.Rows}) {
		options.Table = s.table
	}
	mover, err := play.NewGo(ctx, options)
	if err != nil {
		return nil, err
	}
	s.warnings(mover.Warnings())
	return mover, nil
}

// firstSize is the board before the first boardsize: one that the player supports.
func (s *serveGTP) firstSize(tabled board.Size) (board.Size, error) {
	switch {
	case s.size != "":
		return board.ParseSize(s.size)
	case s.game.value == game.Go{}.Name() && s.table != "":
		return tabled, nil
	case s.game.value == game.Go{}.Name():
		return board.NewSize(3, 3)
	case s.player == string(play.Perfect):
		return board.NewSize(5, 5)
	}
	return board.NewSize(9, 9)
}
