package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/game"
	"tengen/internal/match"
	"tengen/internal/text"
	"tengen/internal/wholefile"
	"tengen/weiqi"
)

// playMatch holds the flags of one call.
type playMatch struct {
	*app
	commands   [2]string
	engines    []string
	gauntlet   bool
	parallel   int
	keep       bool
	playOn     bool
	balanced   bool
	game       choice
	rules      choice
	komi       float64
	maxMoves   int
	games      int
	size       string
	openingSet string
	random     int
	seed       uint64
	perMove    time.Duration
	perGame    time.Duration
	grace      time.Duration
	patience   time.Duration
	records    string
	log        string
	sprt       string
	json       bool
}

func newMatch(a *app) *cobra.Command {
	m := &playMatch{app: a, game: oneOf(game.Names()...), rules: oneOf("basic", "psk", "ssk", "tromp-taylor")}
	cmd := &cobra.Command{
		Use:   "match --black CMD --white CMD | --engine NAME=CMD...",
		Short: "Let GTP programs play NoGo or Go and compare their strength",
		Long: `Let programs that speak GTP play NoGo or Go against each other. Two programs are
called a (--black, which has Black in the first game) and b (--white). For a
tournament, give --engine once for each program: all programs play each other, or
with --gauntlet the first plays all others, --games games for each pair. Colours
alternate, and every opening is played twice.

The rules and the clock are enforced. A program that makes an illegal move, runs out
of time, crashes or hangs loses the game. It is started again and the match goes on.
Games are played until there is no legal move: players of tengen do not resign,
unless with --play-on=false. Other programs may resign, and lose. The difference in
strength is given in Elo with a 95 per cent interval, also by pairs of games with the
same opening. With --sprt LOW,HIGH a match of two programs ends as soon as a
sequential test decides between a difference of LOW and one of HIGH Elo.

--parallel N plays N games at a time. In a tournament, and with --parallel, programs
are started again for every game. So a game depends on its number alone, and a match
that was stopped has the same result. --keep-running saves the time for the starts.

--openings N begins with N random moves, --opening-set with the openings of a file.
With --balanced only random openings that are even by exact values are used: in Go,
openings whose score is the komi; in NoGo, one that Black wins for each that White
wins.

Go is scored by area, minus --komi, when both sides have passed. Under basic ko a
game is a draw when a position repeats with the same side to play, ban and passes.
The other rules forbid repetition. A draw counts as half a win.

With --resume FILE the games are kept in the file, and the same command continues a
match that was stopped. --sgf does not replace a record of another game.`,
		Example: `  tengen match --black "tengen gtp" --white "tengen gtp --player value" --games 100
  tengen match --black "./mybot" --white "tengen gtp" --time-per-move 1s --openings 4 \
    --sgf games --resume match.json --sprt 0,100
  tengen match --engine mine=./mybot --engine "mcts=tengen gtp --player mcts" \
    --engine "uct=tengen gtp --player uct" --parallel 4 --openings 2 --resume cup.json
  tengen match --game go --size 4x4 --black "tengen gtp --game go" --white "./mybot"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return m.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.StringVar(&m.commands[match.A], "black", "", "command of program a, which has Black first")
	flags.StringVar(&m.commands[match.B], "white", "", "command of program b")
	flags.StringArrayVar(&m.engines, "engine", nil, "a program of a tournament, NAME=CMD; give it once for each")
	flags.BoolVar(&m.gauntlet, "gauntlet", false, "only the first program plays the others")
	countFlag(cmd, &m.parallel, "parallel", 1, 1, "games", "games at a time")
	flags.BoolVar(&m.keep, "keep-running", false, "keep programs running from game to game in tournaments and parallel games too")
	flags.BoolVar(&m.playOn, "play-on", true, "players of tengen do not resign NoGo")
	m.game.register(cmd, "game", "game to play")
	m.rules.register(cmd, "rules", "repetitions that Go forbids; tromp-taylor is psk with suicide")
	flags.Float64Var(&m.komi, "komi", 0, "points that White gets in Go")
	countFlag(cmd, &m.maxMoves, "max-moves", 1000, 0, "moves", "moves after which a game of Go is a draw (0: no limit)")
	flags.IntVar(&m.games, "games", 10, "games to play, of each pair in a tournament")
	flags.StringVar(&m.size, "size", "9x9", "board")
	fileFlag(cmd, &m.openingSet, "opening-set", "", "", "file with an opening a line, such as \"E5 C3\"")
	countFlag(cmd, &m.random, "openings", 0, 0, "moves", "begin with this number of random moves")
	flags.BoolVar(&m.balanced, "balanced", false, "use only random openings that are even by exact values")
	flags.Uint64Var(&m.seed, "seed", 1, "seed of the random openings")
	flags.DurationVar(&m.perMove, "time-per-move", 0, "time for a move (default: no limit)")
	flags.DurationVar(&m.perGame, "time-per-game", 0, "time for all moves of a side in a game (default: no limit)")
	flags.DurationVar(&m.grace, "grace", 500*time.Millisecond, "extra time for every move before it counts as too late")
	flags.DurationVar(&m.patience, "patience", match.DefaultPatience, "time after which a program that is under no limit is taken to hang")
	dirFlag(cmd, &m.records, "sgf", "", "", "directory for the game records")
	fileFlag(cmd, &m.log, "resume", "", "", "file to keep the match in and to resume it from")
	flags.StringVar(&m.sprt, "sprt", "", "end when a test decides between LOW and HIGH Elo, such as 0,100")
	flags.BoolVar(&m.json, "json", false, "print one JSON object")
	return cmd
}

func (m *playMatch) run(ctx context.Context) error {
	options, err := m.options()
	if err != nil {
		return err
	}
	waits := newWaits(newStatus(m.err))
	m.watch(&options, waits)
	result, err := match.Run(ctx, options)
	waits.stop()
	if err != nil && (result.Pairings == nil || len(result.Games) == 0 && (!m.json || ctx.Err() == nil)) {
		return err
	}
	switch tournament := len(options.Programs) > 2; {
	case m.json && tournament:
		return errors.Join(m.printJSON(tournamentJSON(options, result)), err)
	case m.json:
		return errors.Join(m.printJSON(matchJSON(options, result)), err)
	case tournament:
		m.printTournament(options, result)
	default:
		m.print(options, result)
	}
	return err
}

// maxMatchTime is longer than any match. Sums of such times do not overflow.
const maxMatchTime = 10000 * time.Hour

func (m *playMatch) options() (match.Options, error) {
	o := match.Options{
		Games:   m.games,
		Clock:   match.Clock{PerMove: m.perMove, PerGame: m.perGame, Grace: m.grace, Patience: m.patience},
		Records: m.records,
		Log:     m.log,

		Gauntlet: m.gauntlet, Parallel: m.parallel, LetResign: !m.playOn,
	}
	err := m.programs(&o)
	if err != nil {
		return o, err
	}
	o.Fresh = !m.keep && (m.parallel > 1 || len(o.Programs) > 2)
	if o.Size, err = board.ParseSize(m.size); err != nil {
		return o, err
	}
	if m.perMove < 0 || m.perGame < 0 || m.grace < 0 || m.patience <= 0 {
		return o, errors.New("a time cannot be below zero, and --patience cannot be zero")
	}
	if longest := max(m.perMove, m.perGame, m.grace, m.patience); longest > maxMatchTime {
		return o, fmt.Errorf("a time of %v is too long: the longest is %v", longest, maxMatchTime)
	}
	if o.Test, err = parseTest(m.sprt); err != nil {
		return o, err
	}
	if err := m.ruleset(&o); err != nil {
		return o, err
	}
	o.Openings, err = m.openings(o)
	return o, err
}

// programs reads the programs: two by --black and --white, or any number by --engine.
func (m *playMatch) programs(o *match.Options) error {
	if len(m.engines) > 0 {
		return m.tournament(o)
	}
	if m.gauntlet {
		return errors.New("--gauntlet is for a tournament: give each program by --engine NAME=CMD")
	}
	if m.commands == [2]string{} {
		return errors.New("a match needs two programs: give --black CMD and --white CMD, or --engine NAME=CMD for each")
	}
	for side, flag := range [2]string{"--black", "--white"} {
		words, err := match.SplitCommand(m.commands[side])
		if err != nil {
			return fmt.Errorf("%s needs the command of a program, such as \"tengen gtp\": %w", flag, err)
		}
		o.Programs = append(o.Programs, words)
	}
	return nil
}

func (m *playMatch) tournament(o *match.Options) error {
	if m.commands != [2]string{} {
		return errors.New("--engine names all programs: remove --black and --white")
	}
	for _, text := range m.engines {
		name, command, ok := strings.Cut(text, "=")
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, " \t\n\"'/") {
			return fmt.Errorf("--engine %q is not NAME=CMD, such as \"mine=./mybot --fast\", with a name of one word", text)
		}
		words, err := match.SplitCommand(command)
		if err != nil {
			return fmt.Errorf("--engine %s: %w", name, err)
		}
		if slices.Contains(o.Names, name) {
			return fmt.Errorf("--engine: two programs are called %s: give them different names", name)
		}
		o.Names, o.Programs = append(o.Names, name), append(o.Programs, words)
	}
	if len(o.Programs) < 2 {
		return fmt.Errorf("a tournament needs at least two programs: give another --engine beside %s", o.Names[0])
	}
	if m.sprt != "" && len(o.Programs) > 2 {
		return errors.New("--sprt tests two programs: remove it, or give only two")
	}
	return nil
}

// ruleset sets the game and its rules.
func (m *playMatch) ruleset(o *match.Options) error {
	var err error
	if o.Rules, err = game.ParseRules(m.game.value); err != nil {
		return err
	}
	if !o.Rules.Scored() {
		if m.komi != 0 || m.rules.index() > 0 {
			return errors.New("--komi and --rules are for Go: add --game go")
		}
		return nil
	}
	if math.IsNaN(m.komi) || math.IsInf(m.komi, 0) {
		return fmt.Errorf("--komi %g is not a number of points", m.komi)
	}
	o.Komi, o.MaxMoves = m.komi, m.maxMoves
	rules, err := weiqi.ParseRules(m.rules.value)
	o.Rules = game.Go{Rules: rules}
	return err
}

func (m *playMatch) openings(played match.Options) (match.Openings, error) {
	o := match.Openings{Random: m.random, Seed: m.seed}
	switch {
	case m.balanced && m.random == 0:
		return o, errors.New("--balanced is for random openings: give --openings N too")
	case m.openingSet == "":
		if m.balanced {
			o.Balance = exactLead(played)
		}
		return o, nil
	case m.random > 0:
		return o, errors.New("--openings and --opening-set exclude each other")
	}
	file, err := wholefile.Open(m.openingSet)
	if err != nil {
		return o, err
	}
	defer file.Close()
	if o.Set, err = match.ReadOpenings(file, played); err != nil {
		return o, fmt.Errorf("%s: %w", m.openingSet, err)
	}
	return o, nil
}

// balanceTime limits the time for the exact value of an opening.
const balanceTime = time.Minute

// exactLead finds the exact lead of Black, 1 or -1 in NoGo.
func exactLead(o match.Options) func(context.Context, *game.Game) (float64, error) {
	return func(ctx context.Context, g *game.Game) (float64, error) {
		analyst, err := analyse.New(analyse.Options{Limits: job.Limits{Memory: exactMemory, Time: balanceTime}, Store: job.Cache, Table: job.Cache})
		if err != nil {
			return 0, err
		}
		defer analyst.Close()
		question := analyse.Question{Rules: o.Rules, Start: g.Positions()[0], Alone: true} // with the moves: under superko they count
		for _, m := range g.Moves() {
			question.Moves = append(question.Moves, m.Point)
		}
		analysis, err := analyst.Analyse(ctx, question, nil)
		switch {
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case err == nil && analysis.Best.Grade != analyse.GradeExact:
			err = errors.New("neither a table nor a search has its score")
		}
		switch {
		case err != nil:
			return 0, fmt.Errorf("--balanced: an opening on %s cannot be solved: %w", o.Size, err)
		case o.Rules.Scored():
			return float64(analysis.Best.Score) - o.Komi, nil
		case analysis.Best.Winner.Is(board.Black):
			return 1, nil
		}
		return -1, nil
	}
}

func parseTest(text string) (*match.Test, error) {
	if text == "" {
		return nil, nil
	}
	low, high, _ := strings.Cut(text, ",")
	a, err1 := strconv.ParseFloat(low, 64)
	b, err2 := strconv.ParseFloat(high, 64)
	if err1 != nil || err2 != nil || !(a < b) || math.Abs(a) > 2000 || math.Abs(b) > 2000 {
		return nil, fmt.Errorf("--sprt %q is not LOW,HIGH in Elo, such as 0,100", text)
	}
	return &match.Test{Low: a, High: b}, nil
}

// watch logs every game that ends, and shows the present game on a terminal.
func (m *playMatch) watch(o *match.Options, w *waits) {
	var now match.Result
	all := len(o.Schedule())
	o.Finished = func(g match.Record, r match.Result) {
		now = r
		w.mu.Lock()
		defer w.mu.Unlock()
		w.status.clear()
		winner := "nobody"
		if g.Winner != match.Nobody {
			winner = o.Label(g.Number, g.Winner)
		}
		fmt.Fprintf(m.err, "%4d  black %s  white %s  %s wins  %3d moves  %-6s  %s\n", g.Number, o.Label(g.Number, g.Black), o.Label(g.Number, 1-g.Black), winner, len(g.Moves), g.Result, g.Reason)
	}
	o.Moved = func(game, move int) {
		line := fmt.Sprintf("%d of %d games, game %d, move %d", len(now.Games), all, game, move)
		if len(now.Games) > 0 && len(o.Programs) == 2 {
			line += fmt.Sprintf("   %s %d  %s %d   %s", o.Label(1, match.A), now.Wins[match.A], o.Label(1, match.B), now.Wins[match.B], strength(now))
		}
		w.show(line)
	}
	o.Asked = func(game int, program, command string) {
		if command == "" {
			w.end(game)
		} else {
			w.begin(game, fmt.Sprintf("game %d: waiting for %s to answer %s", game, program, command))
		}
	}
}

// strength is the difference between a and b in words.
func strength(r match.Result) string {
	low, high := match.Interval(r.Points())
	return fmt.Sprintf("%s Elo (%s to %s)", signed(match.Elo(r.Points())), signed(low), signed(high))
}

// signed is a whole number of Elo. Adding 0 turns -0 into +0.
func signed(elo float64) string { return fmt.Sprintf("%+.0f", math.RoundToEven(elo)+0) }

func (m *playMatch) print(o match.Options, r match.Result) {
	w := tabwriter.NewWriter(m.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\twins\tas black\tas white\tforfeits\tseconds a move\tslowest\tprogram")
	for side, t := range tally(r) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%.2f\t%.3f\t%s\n",
			o.Label(1, match.Side(side)), r.Wins[side], t.wins[0], t.wins[1], t.forfeits, t.pace(), t.slowest, r.Names[side])
	}
	w.Flush()
	m.printForfeits(r.Games)
	drawn := ""
	if o.Rules.Scored() {
		drawn = fmt.Sprintf(" (%d drawn)", r.Draws)
	}
	m.printf("\n%s%s on %s, %s against %s: %s with a probability of 95 %%\n", text.Plural(len(r.Games), "game"), drawn, o.Size, o.Label(1, match.A), o.Label(1, match.B), strength(r))
	if pairs := r.Pairs; pairs != [5]int{} {
		elo, low, high := match.PairElo(pairs)
		m.printf("pairs of games with 0, ½, 1, 1½ and 2 points: %d %d %d %d %d; by them %s Elo (%s to %s)\n", pairs[0], pairs[1], pairs[2], pairs[3], pairs[4], signed(elo), signed(low), signed(high))
	}
	if r.Test == nil {
		return
	}
	answer := "undecided"
	switch {
	case r.Test.Accepted:
		answer = fmt.Sprintf("%g Elo rather than %g", r.Test.High, r.Test.Low)
	case r.Test.Done:
		answer = fmt.Sprintf("%g Elo rather than %g", r.Test.Low, r.Test.High)
	}
	m.printf("sequential test: %s (log ratio %.2f, bounds ±%.2f)\n", answer, r.Test.Ratio, r.Test.Bound)
}

// printForfeits lists the first few games that were not decided by the rules.
func (m *playMatch) printForfeits(games []match.Record) {
	const most = 5
	forfeited := slices.DeleteFunc(slices.Clone(games), func(g match.Record) bool { return g.How.ByRules() })
	for _, g := range forfeited[:min(most, len(forfeited))] {
		m.printf("game %d is forfeited: %s\n", g.Number, g.Reason)
	}
	if more := len(forfeited) - most; more > 0 {
		m.printf("and %d more\n", more)
	}
}

// sideTally counts the games of one program in a match.
type sideTally struct {
	wins     [2]int // as Black, as White
	forfeits int    // lost, but not by the rules or by resigning
	seconds  float64
	slowest  float64 // seconds of a move
	moves    int
}

func (t sideTally) pace() float64 { return t.seconds / float64(max(t.moves, 1)) }

func tally(r match.Result) (sides [2]sideTally) {
	for _, g := range r.Games {
		switch {
		case g.Winner == match.Nobody:
		case g.Winner == g.Black:
			sides[g.Winner].wins[0]++
		default:
			sides[g.Winner].wins[1]++
		}
		if !g.How.ByRules() {
			sides[1-g.Winner].forfeits++
		}
		for side := range sides {
			sides[side].seconds += g.Seconds[side]
			sides[side].slowest = max(sides[side].slowest, g.Slowest[side])
		}
		for i := g.Opening; i < len(g.Moves); i++ {
			mover := g.Black
			if i%2 == 1 {
				mover = 1 - mover
			}
			sides[mover].moves++
		}
	}
	return sides
}

// settingsResult is what is played.
type settingsResult struct {
	Game  string   `json:"game"`
	Rules string   `json:"rules,omitempty"`
	Komi  *float64 `json:"komi,omitempty"`
	Size  string   `json:"size"`
}

func settingsOf(o match.Options) settingsResult {
	s := settingsResult{Game: o.Rules.Name(), Size: o.Size.String()}
	if o.Rules.Scored() {
		s.Rules, s.Komi = o.Rules.Label(), &o.Komi
	}
	return s
}

// pairingResult is the result of two programs against each other.
type pairingResult struct {
	A        string  `json:"a"`
	B        string  `json:"b"`
	Games    int     `json:"games"`
	WinsA    int     `json:"wins_a"`
	WinsB    int     `json:"wins_b"`
	Draws    int     `json:"draws"`
	Pairs    [5]int  `json:"pairs"`
	Elo      float64 `json:"elo"`
	EloLow   float64 `json:"elo_low"`
	EloHigh  float64 `json:"elo_high"`
	PairLow  float64 `json:"elo_pairs_low"`
	PairHigh float64 `json:"elo_pairs_high"`
}

func pairingOf(names []string, p match.Pairing) pairingResult {
	low, high := match.Interval(p.Points())
	_, pairLow, pairHigh := match.PairElo(p.Pairs)
	return pairingResult{
		names[p.Programs[match.A]], names[p.Programs[match.B]], p.Games(), p.Wins[match.A], p.Wins[match.B], p.Draws,
		p.Pairs, round(match.Elo(p.Points())), round(low), round(high), round(pairLow), round(pairHigh),
	}
}

type matchResult struct {
	settingsResult
	pairingResult
	Forfeits   [2]int           `json:"forfeits"`
	Test       *testResult      `json:"sprt,omitempty"`
	Results    []match.Record   `json:"results"`
	Unfinished []unfinishedGame `json:"unfinished,omitempty"`
}

// unfinishedGame is a game that was under way when the match was stopped.
type unfinishedGame struct {
	Number  int        `json:"number"`
	Black   match.Side `json:"black"`
	Opening int        `json:"opening"`
	Moves   []string   `json:"moves"`
}

func unfinishedOf(r match.Result) (list []unfinishedGame) {
	for _, g := range r.Unfinished {
		list = append(list, unfinishedGame{g.Number, g.Black, g.Opening, g.Moves})
	}
	return list
}

type testResult struct {
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	LogRatio float64 `json:"log_ratio"`
	Bound    float64 `json:"bound"`
	Done     bool    `json:"done"`
	Accepted bool    `json:"accepted"`
}

// round leaves two decimals of an Elo.
func round(elo float64) float64 { return math.Round(elo*100)/100 + 0 }

func matchJSON(o match.Options, r match.Result) matchResult {
	sides := tally(r)
	j := matchResult{
		settingsOf(o), pairingOf(r.Names, r.Pairings[0]),
		[2]int{sides[0].forfeits, sides[1].forfeits},
		nil, r.Games, unfinishedOf(r),
	}
	if t := r.Test; t != nil {
		j.Test = &testResult{t.Low, t.High, round(t.Ratio), round(t.Bound), t.Done, t.Accepted}
	}
	return j
}
