package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/text"
	"tengen/internal/web"
	"tengen/weiqi"
)

// solveGo holds the flags of one call.
type solveGo struct {
	*app
	goStart
	rules   choice
	loops   choice
	line    choice
	method  choice
	bounds  boundFlags
	why     string
	picture pictureFile
	each    bool
	with    []string
	without []string
	limits  limits
	record  string
	timeout timeout
	json    bool

	stubborn    bool
	certificate string
	checkpoint  string
}

func newSolveGo(a *app) *cobra.Command {
	s := &solveGo{app: a, rules: oneOf("basic", "psk", "ssk"), loops: loopRules(), line: oneOf("auto", "short", "none"), method: goMethods()}
	cmd := &cobra.Command{
		Use:   "go [SIZE]",
		Short: "Solve a position of Go",
		Long: `Find the score of a Go position with perfect play, and of every move: area of
Black minus area of White, no komi, no suicide, two passes end the game.

Under basic ko (--rules basic) a game can be endless. --loops says how such a game
counts: as a draw, or as lost or won by Black. The range shown is that of the scores
over these rules. Answers come from a table of all positions of the board, kept in the
user's cache. The first moves of some boards, such as 4x4, come at once from a book in
the program ("tengen book list"), as long as there is no table; the answer names the
book. Any other question about a board of up to 16 points first builds its table. That
takes seconds, and on 4x4 up to a minute. --without book builds it too. Larger tables
are built by "tengen table build".

Tables end at 22 points. Boards of up to 36 points are searched instead, unless a book
has the answer, as all are with --method search: it proves a lower and an upper bound
until they meet. Both hold whatever an endless game counts. Where that decides the
score the bounds cannot meet: they become a range, as from a table. A late position
takes seconds; the empty 5x5 board took 10 minutes with two threads and --memory 12GiB.
A search that is stopped by --timeout or Ctrl-C prints the bounds it has proven.
--at-least N and --at-most N ask for one bound, which is easier than the score, and
--certificate writes a proof of it, or of its contrary, that "tengen proof verify"
checks. Making one takes memory beside that of --memory:
up to 100 bytes for each of its positions. With --checkpoint proofs are saved every
half minute; the same board goes on from them.

Under positional superko (psk) no board may repeat, under situational superko (ssk)
none with the same side to play. So the history matters: the game begins with the
position, and --moves and --sgf are its history. These rules are solved by search.
Rows of up to 10 points and boards of up to 9 take seconds. A search that is stopped
prints the bounds it has proven. --at-least, --at-most and --certificate are for this
search too. Two certificates, of a lower bound and the same upper bound, prove a score.
Larger boards, and all with --method search, are searched under basic ko. Then the program
checks whether the proofs repeat a board, and looks for other moves where they do. If
none does, they hold under superko too. Otherwise it says so and exits with code 3.

The line shows best play. Under basic ko the winner ends the game as soon as it can.
The loser passes if that costs nothing, and otherwise prefers stones that are not
captured at once. With --stubborn the loser prolongs the game as long as it can, also
by hopeless stones: the line then has the longer of the two lengths that are shown.
The line of --why always does so.
Under superko it is a shortest line of best play: neither side prolongs the game.
There --line none omits it, and so does auto with --without tt, since the line would
take far longer than the score. --line short then finds it.

Parts of the search under superko can be switched off and on. The answer stays the
same:

` + partsHelp() + `
The last five are for rows under positional superko, and are off unless --with names
them. theorems stands for the four that the paper proves, all for all five. The search
under basic ko has other parts to switch off (docs/go-search.md).

--sgf takes the position from the main line of a game record; --record writes one,
with the line of best play and every other move as a variation.`,
		Example: `  tengen solve go 3x4
  tengen solve go --position ".x./xo./.o." --to-play w --json
  tengen solve go 3x3 --moves "B2 pass" --loops lose
  tengen solve go 1x7 --rules psk --each-move
  tengen solve go 1x9 --rules psk --at-least 0 --certificate 1x9.cert
  tengen solve go 1x8 --rules psk --moves "A1 G1" --with all --without conjecture
  tengen solve go --position ".xo../xxoo./.xo.o/xxoo./.xo.." --each-move
  tengen solve go 4x4 --at-least 1 --certificate 4x4.cert
  tengen solve go 4x4 --at-least 1 --rules psk --method search
  tengen solve go 5x5 --timeout 60s
  tengen solve go 3x3 --why A1
  tengen solve go --sgf game.sgf --move 12`,
		Args: takes(0, 1, "a board size"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, args) },
	}
	s.goStart.register(cmd)
	s.rules.register(cmd, "rules", "repetitions that are forbidden")
	s.loops.register(cmd, "loops", "how an endless game counts: as a draw, lost by Black, or won")
	flags := cmd.Flags()
	flags.BoolVar(&s.each, "each-move", false, "score every legal move; under basic ko list them with range and length")
	flags.StringVar(&s.why, "why", "", "show the cost of this move, such as A1 or pass, and the line that proves it")
	s.picture.register(cmd)
	s.line.register(cmd, "line", "line of best play by search")
	s.method.register(cmd, "method", "how to find scores under basic ko; under superko search takes its proofs where they repeat no board")
	s.bounds.register(cmd)
	fileFlag(cmd, &s.certificate, "certificate", "", "", "write a proof of the bound that is asked for to this file")
	fileFlag(cmd, &s.checkpoint, "checkpoint", "", "", "save what the search proves in this file, every half minute, and resume from it")
	flags.BoolVar(&s.stubborn, "stubborn", false, "in the line, the loser prolongs the game as long as it can, under basic ko")
	flags.StringSliceVar(&s.without, "without", nil, "parts of a search to switch off: under superko "+strings.Join(superkoParts(true), ",")+
		"; under basic ko "+strings.Join(solve.GoSearchParts(), ",")+"; book, to build the table")
	with := append(superkoParts(false), solve.SuperkoGroups()...)
	flags.StringSliceVar(&s.with, "with", nil, "parts of the superko search to switch on: "+strings.Join(with, ","))
	listed(cmd, "without", slices.Concat(superkoParts(true), superkoParts(false), solve.GoSearchParts())...)
	listed(cmd, "with", with...)
	s.limits.register(cmd, "memory, such as 8GiB"+halfMachine)
	fileFlag(cmd, &s.record, "record", "", "", "write the position, the line and every move with its score to this game record")
	s.timeout.register(cmd)
	flags.BoolVar(&s.json, "json", false, "print one JSON object")
	return cmd
}

// superkoParts lists the parts of the superko search that are on by default, or those off.
func superkoParts(usual bool) []string {
	var names []string
	for _, p := range solve.SuperkoParts() {
		if p.Usual == usual {
			names = append(names, p.Name)
		}
	}
	return names
}

// partsHelp says what each part does.
func partsHelp() string {
	var b strings.Builder
	for _, p := range solve.SuperkoParts() {
		fmt.Fprintf(&b, "  %-11s %s\n", p.Name, p.Does)
	}
	return b.String()
}

// leastHeap is what the collector may use of any memory: with less it would do nothing else.
const leastHeap = 64 << 20

// loopRules lists the rules for endless games, in the order of table.Endless.
func loopRules() choice { return oneOf("draw", "lose", "win") }

func (s *solveGo) run(cmd *cobra.Command, args []string) error {
	request, err := s.request(args)
	if err != nil {
		return err
	}
	request.Book = !chosen(cmd, "without", "threads", "memory", "stubborn", "method", "checkpoint", "certificate")
	asked, err := s.whyMove(request)
	if err != nil {
		return err
	}
	if err := s.picture.check(s.disk, s.certificate, s.checkpoint); err != nil {
		return err
	}
	if s.certificate != "" {
		defer debug.SetGCPercent(debug.SetGCPercent(frequentCollection))
	}
	if request.Rules.Ko != weiqi.Basic {
		// The proofs of this search are on the heap, which may otherwise be twice as large.
		limits, err := request.Settle()
		if err != nil {
			return err
		}
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(max(limits.Memory, leastHeap)))
	}
	ctx, cancel := s.timeout.limit(cmd.Context())
	defer cancel()
	status := newStatus(s.err)
	if !s.json {
		request.TableStarted, request.Started = s.announceTable, s.announceSearch
	}
	request.Progress = func(p solve.Progress) { status.show(progressLine(p)) }
	request.TableProgress = func(p table.Progress) { status.show(buildLine(p)) }
	result, err := solve.Go(ctx, request)
	var why *goWhy
	if err == nil && asked != nil {
		why, err = s.goWhy(ctx, request, result, *asked)
	}
	status.clear()
	s.warnings(result.Warnings)
	halted := (*job.Stopped)(nil)
	if errors.As(err, &halted) && request.BySearch() && s.checkpoint == "" && job.IsStop(err) {
		switch {
		case asked != nil:
			halted.Advice = "so the cost of " + s.why + " is not known: ask on a smaller board, or later in the game"
		case worthSaving(result):
			halted.Advice = "with --checkpoint FILE the same command goes on from there"
		}
	}
	var noTable *table.Missing
	var unwritten error // the certificate; the answer is there
	if err != nil && !stopped(err) && (result.Known || result.AtLeast != solve.Undecided || result.AtMost != solve.Undecided) {
		unwritten, err = err, nil
	}
	switch {
	case errors.As(err, &noTable):
		return fmt.Errorf("%w: \"tengen table build go %s\" builds it, and --method search does without", err, noTable.Size)
	case err != nil && !stopped(err):
		return err
	case s.json:
		object := s.object(result, err)
		object.Published = newPublishedJSON(published(request, result))
		object.Why = newGoWhyJSON(result.Position.Size, why)
		if failed := s.printJSON(object); failed != nil {
			return errors.Join(failed, err)
		}
	case result.Known || result.Open:
		s.print(request, result)
		s.printWhy(result.Position, why)
	}
	if err != nil {
		return err
	}
	return cmp.Or(unwritten, s.writeFiles(request, result))
}

// worthSaving reports whether a checkpoint would help: the stopped search has proven a bound
// of the score, or it took a minute or more.
func worthSaving(r solve.GoResult) bool {
	return !r.RootFromBook && text.Bounds(r.Lo, r.Hi, r.Position.Size.Points()) != "" || r.Elapsed >= time.Minute
}

// writeFiles writes the files of --picture and --record.
func (s *solveGo) writeFiles(request solve.GoRequest, r solve.GoResult) error {
	last := board.NoPoint
	if n := len(request.Moves); n > 0 {
		last = request.Moves[n-1]
	}
	unwritten := s.picture.write(s.disk, goPicture(newGoAnswer(request, r), s.each, last))
	if s.record == "" {
		return unwritten
	}
	return cmp.Or(unwritten, writeRecord(s.disk, s.record, request, r))
}

// whyMove is the move to explain, nil if there is none. It has to be legal.
func (s *solveGo) whyMove(request solve.GoRequest) (*board.Point, error) {
	if s.why == "" {
		return nil, nil
	}
	played := game.New(game.Go{Rules: request.Rules}, request.Position)
	if err := played.PlayAll(request.Moves); err != nil {
		return nil, err
	}
	move, err := game.ParseMove(request.Position.Size, s.why)
	if err == nil {
		err = played.Check(move)
	}
	if err != nil {
		return nil, fmt.Errorf("--why: %w", err)
	}
	return &move, nil
}

func (s *solveGo) request(args []string) (solve.GoRequest, error) {
	var none solve.GoRequest
	rules, err := weiqi.ParseRules(s.rules.value)
	if err != nil {
		return none, err
	}
	size, err := sizeOf(args)
	if err != nil {
		return none, err
	}
	position, moves, err := s.goStart.read(size, rules)
	switch {
	case err != nil:
		return none, err
	case rules.Ko != weiqi.Basic && s.stubborn:
		return none, fmt.Errorf("--stubborn is for basic ko: under superko the line is a shortest one")
	}
	if err := checkRecord(s.disk, s.record, position); err != nil {
		return none, err
	}
	request := solve.GoRequest{
		Table: job.Cache, Position: position, Moves: moves, Rules: rules, Endless: table.Endless(s.loops.index()),
		Line: solve.LineWish(s.line.index()), Stubborn: s.stubborn, EachMove: s.each, With: trimmed(s.with), Without: withoutBook(trimmed(s.without)),
		Limits: s.limits.job(),
		Method: solve.GoMethod(s.method.value), GoBounds: s.bounds.read(), Certificate: s.certificate, Checkpoint: s.checkpoint,
	}
	return request, s.checkMethod(request)
}

// announceSearch prints the plan of a search before it begins.
func (s *solveGo) announceSearch(p job.Plan) {
	if p.Method == string(solve.GoSearch) {
		s.announceBasic(p)
		return
	}
	fmt.Fprintf(s.err, "rules %s, up to %s of memory, %s of it for %s boards, threads: %d\n",
		s.rules.value, text.Bytes(p.Memory), text.Bytes(p.Fixed), text.Thousands(p.Boards), p.Threads)
}

// buildLine puts the progress of a build into one line.
func buildLine(p table.Progress) string {
	line := fmt.Sprintf("%s  %.0f %%", p.Elapsed.Round(time.Second), math.Floor(100*p.Share))
	if p.Left > 0 {
		line += fmt.Sprintf(", about %s left", text.About(p.Left))
	}
	line += "  " + p.Phase
	if p.Boards > 0 {
		line += fmt.Sprintf("  %s boards", text.Thousands(p.Boards))
	}
	if p.Visits > 0 {
		line += fmt.Sprintf(", %s evaluations", text.Thousands(p.Visits))
	}
	return line
}

// published is the result of the empty board in the literature, if the search has not found
// the score.
func published(request solve.GoRequest, r solve.GoResult) *web.ResultCell {
	decided := r.AtLeast != solve.Undecided || r.AtMost != solve.Undecided
	if r.Known || decided || !request.BySearch() || r.Position != weiqi.NewPosition(r.Position.Size) {
		return nil
	}
	return web.Published(r.Position.Size)
}

func (s *solveGo) print(request solve.GoRequest, r solve.GoResult) {
	g := newGoAnswer(request, r)
	s.printf("%s\n%s\n\n", g.diagram(s.app), s.verdict(g.hue(), g.sentence()))
	table := newFacts(s.out)
	s.bounds.rows(table, r)
	g.rows(table)
	if r.Nodes > 0 {
		table.row("positions", text.Thousands(r.Nodes))
	}
	if r.Depth > 0 {
		table.rowf("depth", "%d plies", r.Depth)
	}
	if r.FromBook {
		table.row("source", sourceBook)
	} else {
		if r.RootFromBook {
			table.row("score from", sourceBook)
		}
		table.rowf("time", "%v", r.Elapsed.Round(time.Millisecond))
	}
	if r.LineNodes > 0 {
		table.rowf("for the line", "%s positions, %v", text.Thousands(r.LineNodes), r.LineElapsed.Round(time.Millisecond))
	}
	if r.Method != solve.GoTable && !r.FromBook {
		table.row("memory", text.Bytes(r.Memory))
	}
	if r.Unrepeated > 0 {
		table.rowf("superko", "holds: no line of the proof repeats a board, %s checked in %v", text.Plural(r.Unrepeated, "position"), r.Proving.Round(time.Millisecond))
	}
	printCertificate(table, r)
	if r.Table != "" {
		table.rowf("table", "%s, %s", r.Table, keeps(r.Keeps))
	}
	table.Flush()
	if s.each && r.Rules.Ko == weiqi.Basic {
		s.printf("\n")
		g.list(table)
		table.Flush()
	}
	if p := published(request, r); p != nil {
		s.printf("\nPublished, and not proven by this search: %s, with %s first (%s).\n", text.Verdict(*p.Score), p.Move, p.Source)
	}
	if r.Conjectural {
		s.printf("\nThe answer may depend on the part \"conjecture\", which is not proven.\n")
		if r.Position.Size.Points() > publishedConjecture {
			s.printf("The paper states it for rows of up to %d points; for longer rows it is our extrapolation.\n", publishedConjecture)
		}
	}
}

// publishedConjecture is the longest row for which the 1-2 conjecture is stated.
const publishedConjecture = 7

// solveGoJSON is the object of --json.
type solveGoJSON struct {
	goAnswerJSON
	Rules   string  `json:"rules"`
	Nodes   uint64  `json:"nodes"`
	Seconds float64 `json:"seconds"`
	Method  string  `json:"method"`
	Memory  int64   `json:"memory"`
	// Of a search under superko.
	Depth       int     `json:"depth,omitempty"`
	LineNodes   uint64  `json:"line_nodes,omitempty"`
	LineSeconds float64 `json:"line_seconds,omitempty"`
	Full        bool    `json:"full,omitempty"`
	// Conjectural says that the answer may depend on a part that is not proven.
	Conjectural bool `json:"conjectural,omitempty"`
	FromBook    bool `json:"from_book,omitempty"` // the score is; a search was for the moves
	// Whether the bounds that were asked for hold; absent as long as that is not decided.
	AtLeast     *bool            `json:"at_least,omitempty"`
	AtMost      *bool            `json:"at_most,omitempty"`
	Certificate *certificateJSON `json:"certificate,omitempty"`
	// Positions of proofs of the method search that hold under superko.
	Unrepeated int `json:"unrepeated,omitempty"`

	Why       *goWhyJSON     `json:"why,omitempty"`
	Published *publishedJSON `json:"published,omitempty"`
	Stopped   string         `json:"stopped,omitempty"`
}

// publishedJSON is a score from the literature that the search has not proven.
type publishedJSON struct {
	Score  int    `json:"score"`
	Move   string `json:"move"`
	Source string `json:"source"`
}

func newPublishedJSON(p *web.ResultCell) *publishedJSON {
	if p == nil {
		return nil
	}
	return &publishedJSON{*p.Score, p.Move, p.Source}
}

func (s *solveGo) object(r solve.GoResult, err error) solveGoJSON {
	object := solveGoJSON{
		goAnswerJSON: goAnswer{position: r.Position, Answer: r.Answer}.object(r.Known),
		Rules:        s.rules.value,
		Nodes:        r.Nodes,
		Seconds:      r.Elapsed.Seconds(),
		Method:       string(r.Method),
		Memory:       r.Memory,
		Depth:        r.Depth,
		LineNodes:    r.LineNodes,
		LineSeconds:  r.LineElapsed.Seconds(),
		Full:         r.Full,
		Conjectural:  r.Conjectural,
		Unrepeated:   r.Unrepeated,
		FromBook:     r.RootFromBook,
	}
	if r.Rules.Ko == weiqi.Basic {
		object.Loops, object.Table = s.loops.value, r.Table
		if r.FromBook {
			object.Method = string(solve.Book)
		}
	} else if r.Known {
		object.Lo, object.Hi = object.Score, object.Score // no game is endless
	}
	if r.Method != solve.GoTable && !s.each {
		object.Moves = nil // also of a game that is over
	}
	object.AtLeast, object.AtMost = truthJSON(r.AtLeast), truthJSON(r.AtMost)
	object.Certificate = newGoCertificateJSON(r)
	if err != nil {
		object.Stopped = err.Error()
	}
	return object
}
