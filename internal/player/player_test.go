package player_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/internal/longtest"
	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/nogo"
)

// brute answers by plain recursion with a map, and is simple enough to be right
// by inspection.
type brute struct {
	memo map[solver.Query]board.Point
	// stuck makes it wait for the end of the context instead.
	stuck bool
	err   error
}

func newBrute() *brute { return &brute{memo: map[solver.Query]board.Point{}} }

func (b *brute) Solve(ctx context.Context, q solver.Query) (solver.Answer, error) {
	if b.err != nil {
		return solver.Answer{}, b.err
	}
	if b.stuck {
		<-ctx.Done()
		return solver.Answer{}, ctx.Err()
	}
	if move := b.win(q); move != board.NoPoint {
		return solver.Answer{Winner: q.ToPlay, Move: move}, nil
	}
	return solver.Answer{Winner: q.ToPlay.Opponent(), Move: board.NoPoint}, nil
}

// win is a winning move of the side to move, or NoPoint.
func (b *brute) win(q solver.Query) board.Point {
	if move, ok := b.memo[q]; ok {
		return move
	}
	found := board.NoPoint
	for move := range q.Position.Legal(q.ToPlay).Points() {
		if b.win(q.After(move)) == board.NoPoint {
			found = move
			break
		}
	}
	b.memo[q] = found
	return found
}

func (b *brute) Stats() solver.Stats      { return solver.Stats{} }
func (b *brute) Save(io.Writer) error     { return nil }
func (b *brute) Load(io.Reader) error     { return nil }
func (b *brute) Close() error             { return nil }
func (b *brute) lost(q solver.Query) bool { return b.win(q) == board.NoPoint }

var _ solver.Solver = (*brute)(nil)

type opponent func(nogo.Position, board.Colour) board.Point

// playGame plays until somebody cannot move and returns the winner.
func playGame(t *testing.T, p *player.Player, mine board.Colour, position nogo.Position, toPlay board.Colour, other opponent) board.Colour {
	t.Helper()
	for !position.Legal(toPlay).IsEmpty() {
		var move board.Point
		if toPlay == mine {
			choice, err := p.Move(t.Context(), position, toPlay)
			if err != nil {
				t.Fatal(err)
			}
			move = choice.Move
		} else {
			move = other(position, toPlay)
		}
		next, err := position.Play(toPlay, move)
		if err != nil {
			t.Fatalf("%v in\n%s", err, position.Size.Diagram(position.Stones))
		}
		position, toPlay = next, toPlay.Opponent()
	}
	return toPlay.Opponent()
}

func randomMover(random *rand.Rand) opponent {
	return func(p nogo.Position, c board.Colour) board.Point {
		n := random.IntN(p.Legal(c).Len())
		for m := range p.Legal(c).Points() {
			if n == 0 {
				return m
			}
			n--
		}
		panic("no legal move")
	}
}

// bestMover wins where it can and otherwise keeps the opponent's winning replies few.
func bestMover(b *brute) opponent {
	return func(p nogo.Position, c board.Colour) board.Point {
		choice, err := player.New(b, nil).Move(context.Background(), p, c)
		if err != nil {
			panic(err)
		}
		return choice.Move
	}
}

var boards = []board.Size{{Rows: 1, Cols: 7}, {Rows: 1, Cols: 10}, {Rows: 2, Cols: 3}, {Rows: 2, Cols: 5}, {Rows: 3, Cols: 3}, {Rows: 3, Cols: 4}}

// After every opening the winner of the position wins the game against any
// opponent.
func TestWinnerWinsEveryGame(t *testing.T) {
	longtest.Alone(t)
	random := rand.New(rand.NewPCG(1, 1))
	for _, size := range boards {
		b := newBrute()
		p := player.New(b, nil)
		for _, opening := range size.All() {
			position, err := nogo.NewPosition(size).Play(board.Black, opening)
			if err != nil {
				continue
			}
			winner := board.White
			if b.lost(solver.Query{Position: position, ToPlay: board.White}) {
				winner = board.Black
			}
			for range 20 {
				if got := playGame(t, p, winner, position, board.White, randomMover(random)); got != winner {
					t.Errorf("%v after %s: %s lost a won game to a random player", size, size.Name(opening), winner)
				}
			}
			if got := playGame(t, p, winner, position, board.White, bestMover(b)); got != winner {
				t.Errorf("%v after %s: %s lost a won game to the best player", size, size.Name(opening), winner)
			}
		}
	}
}

// A random opponent makes a mistake sooner or later, and the player uses it.
func TestLoserExploitsMistakes(t *testing.T) {
	longtest.Alone(t)
	random := rand.New(rand.NewPCG(2, 2))
	for _, size := range []board.Size{{Rows: 2, Cols: 5}, {Rows: 3, Cols: 3}, {Rows: 3, Cols: 4}} {
		b := newBrute()
		p := player.New(b, nil)
		empty := nogo.NewPosition(size)
		loser := board.White
		if b.lost(solver.Query{Position: empty, ToPlay: board.Black}) {
			loser = board.Black
		}
		const games = 40
		won := 0
		for range games {
			turned := false
			watch := func(position nogo.Position, c board.Colour) board.Point {
				turned = turned || b.lost(solver.Query{Position: position, ToPlay: c})
				return randomMover(random)(position, c)
			}
			winner := playGame(t, p, loser, empty, board.Black, watch)
			if winner == loser {
				won++
			}
			if turned && winner != loser {
				t.Errorf("%v: %s held a win and lost it", size, loser)
			}
		}
		if won == 0 {
			t.Errorf("%v: %s never profited from a random opponent in %d games", size, loser, games)
		}
		t.Logf("%v: %s won %d of %d games from a lost position", size, loser, won, games)
	}
}

// The policy is compared with a second, independent count.
func TestLostPositionsLeaveFewestWinningReplies(t *testing.T) {
	longtest.Alone(t)
	b := newBrute()
	p := player.New(b, nil)
	random := rand.New(rand.NewPCG(3, 3))
	size := board.Size{Rows: 3, Cols: 4}
	checked := 0
	for range 200 {
		q := solver.Query{Position: nogo.NewPosition(size), ToPlay: board.Black}
		for range random.IntN(6) {
			q = q.After(randomMover(random)(q.Position, q.ToPlay))
		}
		q.Plies = 0
		if q.Position.Legal(q.ToPlay).IsEmpty() || !b.lost(q) {
			continue
		}
		replies := func(move board.Point) int {
			child, n := q.After(move), 0
			for reply := range child.Position.Legal(child.ToPlay).Points() {
				if b.lost(child.After(reply)) {
					n++
				}
			}
			return n
		}
		fewest := size.Points()
		for move := range q.Position.Legal(q.ToPlay).Points() {
			fewest = min(fewest, replies(move))
		}
		choice, err := p.Move(t.Context(), q.Position, q.ToPlay)
		if err != nil {
			t.Fatal(err)
		}
		if choice.Known != game.Lost || choice.Source != game.FromSearch {
			t.Fatalf("a lost position is called %s by %s", choice.Known, choice.Source)
		}
		if got := replies(choice.Move); got != fewest {
			t.Errorf("%s leaves %d winning replies, %d is possible, in\n%s", size.Name(choice.Move), got, fewest, size.Diagram(q.Position.Stones))
		}
		checked++
	}
	if checked < 20 {
		t.Errorf("only %d lost positions came up", checked)
	}
}

type book map[nogo.Position]board.Point

func (b book) Lookup(p nogo.Position, c board.Colour) (board.Colour, board.Point, bool) {
	move, ok := b[p]
	return c, move, ok
}

func TestBookComesFirst(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 7}
	centre := size.At(0, 3)
	p := player.New(&brute{err: errors.New("searched in spite of the book")}, book{nogo.NewPosition(size): centre})
	choice, err := p.Move(t.Context(), nogo.NewPosition(size), board.Black)
	if err != nil || choice.Move != centre || choice.Known != game.Won || choice.Source != game.FromCertificate {
		t.Errorf("the book was not followed: %+v, %v", choice, err)
	}
	next, _ := nogo.NewPosition(size).Play(board.Black, centre)
	if _, err := p.Move(t.Context(), next, board.White); err == nil {
		t.Error("an error of the solver was swallowed")
	}
}

func TestTimeRunsOut(t *testing.T) {
	p := player.New(&brute{stuck: true}, nil)
	p.Think = time.Millisecond
	position := nogo.NewPosition(board.Size{Rows: 5, Cols: 5})
	choice, err := p.Move(t.Context(), position, board.Black)
	if err != nil || choice.Known != game.Unknown || choice.Source != game.FromGuess || !position.Legal(board.Black).Has(choice.Move) {
		t.Errorf("without time the player should guess: %+v, %v", choice, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Move(ctx, position, board.Black); !errors.Is(err, context.Canceled) {
		t.Errorf("a stopped player should say so: %v", err)
	}
}

func TestNoMoveLeft(t *testing.T) {
	if _, err := player.New(nil, nil).Move(t.Context(), nogo.NewPosition(board.Size{Rows: 1, Cols: 1}), board.Black); !errors.Is(err, player.ErrNoMove) {
		t.Errorf("the single point cannot be played: %v", err)
	}
}

func TestWithoutSolverOrBookItGuesses(t *testing.T) {
	position := nogo.NewPosition(board.Size{Rows: 19, Cols: 19})
	choice, err := player.New(nil, nil).Move(t.Context(), position, board.White)
	if err != nil || choice.Source != game.FromGuess || !position.Legal(board.White).Has(choice.Move) {
		t.Errorf("got %+v, %v", choice, err)
	}
}

func TestClasses(t *testing.T) {
	for _, test := range []struct {
		position string
		want     int
	}{{"...../...../...../...../.....", 6}, {"..../..../....", 4}, {".......", 4}, {"x...../......", 11}, {".../.x./...", 2}} {
		position, err := nogo.ParsePosition(test.position)
		if err != nil {
			t.Fatal(err)
		}
		classes := player.Classes(position, board.Black)
		n := 0
		for _, class := range classes {
			n += len(class)
		}
		if len(classes) != test.want || n != position.Legal(board.Black).Len() {
			t.Errorf("%s: %d classes with %d moves, want %d with %d", test.position, len(classes), n, test.want, position.Legal(board.Black).Len())
		}
	}
}
