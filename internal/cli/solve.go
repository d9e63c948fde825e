package cli

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/game"
	"tengen/internal/text"
)

func newSolve(a *app) *cobra.Command {
	return group("solve", "Find out who wins", newSolveNoGo(a), newSolveGo(a))
}

// solveNoGo holds the flags of one call.
type solveNoGo struct {
	*app
	start
	limits
	method      string
	why         whyFlags
	picture     pictureFile
	eachMove    bool
	within      int
	attacker    colour
	without     []string
	certificate string
	checkpoint  string
	disk        string
	strips      string
	profile     bool
	stubborn    bool
	timeout     timeout
	json        bool
}

func newSolveNoGo(a *app) *cobra.Command {
	s := &solveNoGo{app: a}
	cmd := &cobra.Command{
		Use:   "nogo [SIZE]",
		Short: "Solve a position of NoGo",
		Long: `Find the winner of a NoGo position with perfect play: of the empty board of a
size, or of any legal position, with either side to play.

With --within T the question is whether the attacker (--for, by default the side
to play in the position as given) can leave the opponent without a move after at
most T moves of the game; --moves count among them. Anything longer is a win for
the other side.

With --why A1 the answer also shows why a move loses: the shortest refutation and the
answers to every other move on the way. In the shortest refutation the winner ends the
game as soon as it can, and the loser as late as it can. With more than 16 playable
points any refutation is shown.

--sgf takes the position at the end of the main line of a game record, --move N the
one after N moves. Boards of 49 points up to 19x19 are solved late in the game: with
about 24 playable points a search takes at most a minute.

A sum such as ".x. + o..x" or "x../.o. - 2 ... + 1/2" is one game: the side to move
plays in one of the summands, which are boards, integers and other games
(docs/algebra.md has the notation). In a sum of strips a point is a column letter
and the number of the strip, such as B2. In other sums it is the number of the board
and a point, such as 2:B3, and a move in another game is written 3→*.

On boards of one row the method sums uses the database of strips in the user's
cache: a small one, or a larger one that "tengen strips build" has made. --strips
names another file, and --strips none uses no database.

A certificate takes memory beside that of --memory: up to 350 bytes for each of its
positions. It may have one position for every six that were searched.

With --checkpoint the search is saved after five seconds, then every half minute,
and when it ends or is interrupted. What is found of the certificate is saved with it.
The same command resumes from the file. A process that is killed loses the work since
the last save. Only one search at a time can use a file.

The first moves of some boards of more than 20 points are in a book in the program
("tengen book list"). It answers at once, and the answer names it. With --without
book, or any flag about the search, the board is searched.

In the line shown the winner plays winning moves, and the loser the move that leaves
it the most moves compared with the winner. With at most ten playable points the
winner ends the game as soon as it can, and the loser as late as it can. With
--stubborn the loser makes the win as hard to find as it can: it plays the move that
leaves the fewest winning replies, if these can be counted quickly.`,
		Example: `  tengen solve nogo 4x5
  tengen solve nogo --position "x../.o./..." --to-play w --each-move
  tengen solve nogo --position ".x. + o..x.."
  tengen solve nogo 4x4 --why A1
  tengen solve nogo --position ".x./... - o../... + 1" --each-move
  tengen solve nogo --sgf game.sgf --move 40 --each-move
  tengen solve nogo 5x5 --within 21 --json
  tengen solve nogo 5x5 --certificate 5x5.cert --checkpoint 5x5.ckpt`,
		Args: takes(0, 1, "a board size"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, cmd.Flags().Changed("within"), args) },
	}
	s.start.register(cmd)
	s.start.registerRecord(cmd)
	s.limits.register(cmd, "memory for tables, such as 8GiB"+halfMachine)
	flags := cmd.Flags()
	flags.StringVar(&s.method, "method", string(solve.Auto), "search: "+methodNames())
	fixed(cmd, "method", names(solve.Methods())...)
	flags.BoolVar(&s.eachMove, "each-move", false, "decide every legal move")
	s.why.register(cmd)
	s.picture.register(cmd)
	countFlag(cmd, &s.within, "within", 0, 0, "moves", "ask for a win in at most this number of moves of the game")
	flags.Var(&s.attacker, "for", "the side that is to win --within the moves (default: the side to play)")
	flags.StringSliceVar(&s.without, "without", nil, "parts of the method to switch off: "+partNames())
	fileFlag(cmd, &s.certificate, "certificate", "", "", "write a proof of the answer to this file")
	fileFlag(cmd, &s.checkpoint, "checkpoint", "", "", "save the search in this file, every half minute, and resume from it")
	dirFlag(cmd, &s.disk, "disk", "", "", "directory for tables that outgrow the memory (method sbh; default: the system's)")
	fileFlag(cmd, &s.strips, "strips", "", job.Cache, "database of strips for single rows: a file, auto or none")
	flags.BoolVar(&s.profile, "profile", false, "count the positions of a search: by open points with what was searched in vain, on a single row by depth, number of parts and size of the strips")
	flags.BoolVar(&s.stubborn, "stubborn", false, "in the line, the loser makes the win as hard to find as it can")
	s.timeout.register(cmd)
	flags.BoolVar(&s.json, "json", false, "print one JSON object")
	fixed(cmd, "for", "b", "w")
	return cmd
}

// partNames lists the parts of each method.
func partNames() string {
	var methods []string
	for _, m := range solve.Methods() {
		if m != solve.Auto {
			methods = append(methods, fmt.Sprintf("%s: %s", m, strings.Join(solve.Parts(m), ",")))
		}
	}
	return strings.Join(append(methods, bookPart+", to search in any case"), "; ")
}

func (s *solveNoGo) run(cmd *cobra.Command, limited bool, args []string) error {
	ctx, cancel := s.timeout.limit(cmd.Context())
	defer cancel()
	if s.strips == "none" {
		s.strips = ""
	}
	if s.position != "" {
		sum, err := s.start.sum()
		if err != nil {
			return err
		}
		if _, ok := sum.Position(); !ok {
			return s.runSum(ctx, sum, limited, args)
		}
	}
	request, err := s.request(limited, args)
	if err != nil {
		return err
	}
	if request.Why, err = s.why.read(cmd, request.Position.Size); err != nil {
		return err
	}
	if err := s.picture.check(s.app.disk, s.certificate, s.checkpoint); err != nil {
		return err
	}
	if s.certificate != "" {
		// The lists of a proof are long and hold no pointers, so frequent collection is cheap
		// and keeps the memory small.
		defer debug.SetGCPercent(debug.SetGCPercent(frequentCollection))
	}
	request.Book = !chosen(cmd, "method", "without", "threads", "memory", "disk", "strips", "profile", "stubborn", "certificate", "checkpoint")
	status := s.watch(&request.Started)
	request.Progress = func(p solve.Progress) { status.show(progressLine(p)) }
	result, err := solve.NoGo(ctx, request)
	status.clear()
	s.warnings(result.Warnings)
	err = inCommands(err)
	if stopped := (*job.Stopped)(nil); errors.As(err, &stopped) && s.checkpoint == "" && result.Nodes > 0 {
		stopped.Advice = "with --checkpoint FILE the same command can resume the search"
		if result.Hopeless() {
			stopped.Advice = "ask on a smaller board, or later in the game"
		}
	}
	var unwritten error // of the certificate: the answer is known
	if result.Position.Size != (board.Size{}) && !stopped(err) {
		unwritten, err = err, nil
	}
	if err := s.answer(err, len(result.Moves) > 0 || result.RootFromBook, newSolveJSON(result, err), func() { s.print(result) }); err != nil {
		return err
	}
	return cmp.Or(unwritten, s.picture.write(s.app.disk, nogoPicture(result, s.start.last(request.Moves))))
}

// bookPart is the name by which --without switches the book off.
const bookPart = "book"

// withoutBook lists the parts of a search among those to switch off.
func withoutBook(parts []string) []string {
	return slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return part == bookPart })
}

// chosen reports whether one of the flags is given.
func chosen(cmd *cobra.Command, flags ...string) bool {
	return slices.ContainsFunc(flags, cmd.Flags().Changed)
}

// sourceBook names the source of an answer from the book.
const sourceBook = "book of first moves (--without book does without it)"

// stopped reports whether work was stopped before its end.
func stopped(err error) bool { return errors.As(err, new(*job.Stopped)) }

// frequentCollection bounds the garbage while a certificate is made, in percent of the
// memory in use.
const frequentCollection = 20

// watch announces a search, unless --json is given, and returns the status for its progress.
func (s *solveNoGo) watch(started *func(job.Plan)) *status {
	if !s.json {
		*started = s.announce
	}
	return newStatus(s.err)
}

// answer prints the result. After a stop, partly says whether there is something to print.
func (s *solveNoGo) answer(err error, partly bool, object solveJSON, print func()) error {
	if err != nil && !stopped(err) {
		return err
	}
	if s.json {
		return errors.Join(s.printJSON(object), err)
	}
	if err == nil || partly {
		print()
	}
	return err
}

func (s *solveNoGo) request(limited bool, args []string) (solve.Request, error) {
	position, moves, err := s.start.read(args)
	if err != nil {
		return solve.Request{}, err
	}
	request := solve.Request{
		Position:    position,
		ToPlay:      s.toPlay.Colour,
		Moves:       moves,
		EachMove:    s.eachMove,
		Method:      solve.Method(s.method),
		Without:     withoutBook(s.without),
		Limits:      s.limits.job(),
		DiskDir:     s.disk,
		Strips:      s.strips,
		Profile:     s.profile,
		Stubborn:    s.stubborn,
		Certificate: s.certificate,
		Checkpoint:  s.checkpoint,
	}
	if !limited {
		if s.attacker.given {
			return request, fmt.Errorf("--for names the attacker of --within: give both or neither")
		}
		return request, nil
	}
	request.Within = &solve.Within{Moves: s.within, Attacker: s.toPlay.Colour}
	if s.attacker.given {
		request.Within.Attacker = s.attacker.Colour
	}
	return request, nil
}

// announce prints the plan of a search before it begins.
func (s *solveNoGo) announce(p job.Plan) {
	resumed := ""
	if p.Resumed {
		resumed = fmt.Sprintf(", resuming from %s after %s positions", text.Printable(s.checkpoint), text.Thousands(p.Past))
	}
	fmt.Fprintf(s.err, "method %s, up to %s of memory, threads: %d%s\n", p.Method, text.Bytes(p.Memory), p.Threads, resumed)
	if p.Slow != "" {
		fmt.Fprintln(s.err, p.Slow)
	}
}

func (s *solveNoGo) print(r solve.Result) {
	s.printf("%s\n", s.diagram(r))
	if r.Winner != board.NoWinner {
		s.printf("%s\n\n", s.verdict(hueOf(forMover(r.Winner.Colour(), r.ToPlay)), sentence(r)))
	}
	table := newFacts(s.out)
	row := table.row
	row("winning moves", movesWonBy(r, r.ToPlay))
	row("losing moves", movesWonBy(r, r.ToPlay.Opponent()))
	row("line", spellLine(r, r.Line))
	if r.Method == solve.Book {
		row("source", sourceBook)
		table.Flush()
		s.printWhy(r)
		return
	}
	if r.RootFromBook {
		row("winner from", sourceBook)
	}
	row("positions", positions(r))
	row("time", duration(r))
	row("method", string(r.Method))
	row("table", text.Bytes(r.Memory))
	if r.Disk > 0 {
		row("on disk", text.Bytes(r.Disk))
	}
	if r.ErrorBound > 0 {
		row("error bound", fmt.Sprintf("%.1e", r.ErrorBound))
	}
	if c := r.Certificate; c != nil {
		row("certificate", fmt.Sprintf("%s, %s, %s", c.Path, text.Plural(c.Positions, "position"), text.Bytes(c.Bytes)))
		row("sha256", c.Checksum)
	}
	table.Flush()
	s.printProfile(r.Profile)
	s.printWhy(r)
}

// duration is the time of the search, and of the proof if there is one.
func duration(r solve.Result) string {
	search := r.Elapsed.Round(time.Millisecond).String()
	if r.Certificate == nil {
		return search
	}
	return fmt.Sprintf("%s search, %s proof", search, r.Proving.Round(time.Millisecond))
}

// positions counts the positions searched, and those of this run.
func positions(r solve.Result) string {
	if !r.Resumed {
		return text.Thousands(r.Nodes)
	}
	return fmt.Sprintf("%s, %s of them in this run", text.Thousands(r.Nodes), text.Thousands(r.RunNodes))
}

// diagram marks the moves with + for a win of the side to play and - for a loss.
func (a *app) diagram(r solve.Result) string {
	marks, hues := map[board.Point]string{}, map[board.Point]hue{}
	for _, m := range r.Moves {
		won := forMover(m.Winner.Colour(), r.ToPlay)
		marks[m.Move], hues[m.Move] = [...]string{"-", ".", "+"}[1+won], hueOf(won)
	}
	return r.Position.Size.DiagramPainted(func(p board.Point) string {
		if mark, ok := marks[p]; ok {
			return mark
		}
		return [...]string{"x", "o", "."}[r.Position.Stones.At(p)]
	}, func(p board.Point, text string) string { return a.paint(hues[p], text) })
}

// forMover is 1 if the side to play wins, -1 if the other one does, and 0 for nobody.
func forMover(winner, toPlay board.Colour) int {
	switch winner {
	case toPlay:
		return 1
	case toPlay.Opponent():
		return -1
	}
	return 0
}

func sentence(r solve.Result) string {
	if r.Within == nil {
		return fmt.Sprintf("%s to play: %s wins", title(r.ToPlay), r.Winner)
	}
	verdict := "can"
	if !r.Winner.Is(r.Within.Attacker) {
		verdict = "cannot"
	}
	return fmt.Sprintf("%s to play: %s %s win within %d moves", title(r.ToPlay), r.Within.Attacker, verdict, r.Within.Moves)
}

func title(c board.Colour) string { return text.Capital(c.String()) }

func movesWonBy(r solve.Result, c board.Colour) string {
	var moves []board.Point
	for _, m := range r.Moves {
		if m.Winner.Is(c) {
			moves = append(moves, m.Move)
		}
	}
	return spell(r.Position.Size, moves)
}

func spell(size board.Size, moves []board.Point) string {
	return strings.Join(game.MoveNames(size, moves), " ")
}

// spellLine spells a line from the position of an answer, with an ellipsis if it is cut. A
// limit on the number of moves cuts every line.
func spellLine(r solve.Result, line []board.Point) string {
	p := game.Start(r.Position.Size, r.Position.Stones, r.ToPlay)
	if r.Within != nil {
		return spell(p.Size, line)
	}
	return strings.Join(game.LineNames(game.NoGo{}, p, line), " ")
}

type moveJSON struct {
	Move   string `json:"move"`
	Winner string `json:"winner"`
}

type certificateJSON struct {
	Path      string `json:"path"`
	Positions int    `json:"positions"`
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"`
}

// solveJSON is the object of --json. A stopped search has the reason under stopped, and a
// winner only if it is known.
type solveJSON struct {
	Game        string           `json:"game"`
	Size        string           `json:"size"`
	Position    string           `json:"position"`
	ToPlay      string           `json:"to_play"`
	Winner      string           `json:"winner,omitempty"`
	Within      *int             `json:"within,omitempty"`
	Attacker    string           `json:"attacker,omitempty"`
	Moves       []moveJSON       `json:"moves,omitzero"`    // with --each-move, even if there is none
	Settled     []moveJSON       `json:"settled,omitempty"` // after a stop without --each-move
	PV          []string         `json:"pv"`
	Nodes       uint64           `json:"nodes"`
	Seconds     float64          `json:"seconds"` // search and proof
	Search      float64          `json:"search_seconds,omitempty"`
	Proof       float64          `json:"proof_seconds,omitempty"`
	Method      string           `json:"method"`
	Memory      int64            `json:"memory"`
	Disk        int64            `json:"disk,omitempty"`
	ErrorBound  float64          `json:"error_bound"`
	Resumed     bool             `json:"resumed,omitempty"`
	RunNodes    *uint64          `json:"nodes_this_run,omitempty"` // of nodes, if it was resumed
	Certificate *certificateJSON `json:"certificate,omitempty"`
	Profile     *profileJSON     `json:"profile,omitempty"`
	Why         *whyJSON         `json:"why,omitempty"`
	FromBook    bool             `json:"from_book,omitempty"` // the winner is; a search was for the moves
	Stopped     string           `json:"stopped,omitempty"`
}

func newSolveJSON(r solve.Result, err error) solveJSON {
	object := solveJSON{
		Game:       "nogo",
		Size:       r.Position.Size.String(),
		Position:   r.Position.String(),
		ToPlay:     r.ToPlay.String(),
		PV:         game.MoveNames(r.Position.Size, r.Line),
		Nodes:      r.Nodes,
		Seconds:    (r.Elapsed + r.Proving).Seconds(),
		Method:     string(r.Method),
		Memory:     r.Memory,
		Disk:       r.Disk,
		ErrorBound: r.ErrorBound,
		Resumed:    r.Resumed,
		Profile:    newProfileJSON(r.Profile),
		Why:        newWhyJSON(r),
		FromBook:   r.RootFromBook,
	}
	if r.Proving > 0 {
		object.Search, object.Proof = r.Elapsed.Seconds(), r.Proving.Seconds()
	}
	for _, m := range r.Settled {
		object.Settled = append(object.Settled, moveJSON{r.Position.Size.Name(m.Move), m.Winner.String()})
	}
	if r.Resumed {
		object.RunNodes = &r.RunNodes
	}
	if r.Winner != board.NoWinner {
		object.Winner = r.Winner.String()
	}
	if r.Within != nil {
		object.Within, object.Attacker = &r.Within.Moves, r.Within.Attacker.String()
	}
	if r.Moves != nil {
		object.Moves = []moveJSON{}
	}
	for _, m := range r.Moves {
		object.Moves = append(object.Moves, moveJSON{r.Position.Size.Name(m.Move), m.Winner.String()})
	}
	if c := r.Certificate; c != nil {
		object.Certificate = &certificateJSON{c.Path, c.Positions, c.Bytes, c.Checksum}
	}
	if err != nil {
		object.Stopped = err.Error()
	}
	return object
}
