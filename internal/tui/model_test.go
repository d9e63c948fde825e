package tui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"go.uber.org/goleak"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/game"
	"tengen/internal/review"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// first is an opponent that plays the first legal point.
type first struct{ rules game.Rules }

func (f first) String() string { return "first" }

func (f first) Playouts() int { return 84000 }

func (f first) Move(_ context.Context, positions []game.Position) (Reply, error) {
	now := positions[len(positions)-1]
	for p := range f.rules.Legal(now).Points() {
		return Reply{p, ": the first."}, nil
	}
	return Reply{game.Pass, ""}, nil
}

func (f first) Hint(ctx context.Context, positions []game.Position) (Hint, error) {
	now := positions[len(positions)-1]
	h := Hint{Says: "Only one move is good.", Marks: map[board.Point]Mark{}}
	grade := Good
	for p := range f.rules.Legal(now).Points() {
		h.Marks[p] = Mark{Grade: grade}
		grade = Bad
	}
	return h, nil
}

// Review finds the first move of every game to be a mistake.
func (f first) Review(_ context.Context, g *game.Game) (review.Review, error) {
	var r review.Review
	for i, m := range g.Moves() {
		worth := review.Worth{Grade: analyse.GradeExact, Scored: f.rules.Scored(), Winner: m.Colour, Score: 1}
		j := review.Judgement{Number: i + 1, Size: g.Position().Size, Colour: m.Colour, Move: m.Point, Before: worth, After: worth, Grade: analyse.GradeExact, Best: m.Point, Known: true}
		if i == 0 {
			j.After.Winner, j.After.Score, j.Cost, j.Best = m.Colour.Opponent(), -16, 17, 0
		}
		r.Moves = append(r.Moves, j)
	}
	return r, nil
}

// newTest is a board on which the human is Black against first.
func newTest(t *testing.T, rules game.Rules, text string, change ...func(*Options)) *model {
	t.Helper()
	size, err := board.ParseSize(text)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Game: game.New(rules, game.NewPosition(size)), Human: board.Black, Opponent: first{rules}}
	for _, f := range change {
		f(&o)
	}
	m := newModel(t.Context(), o)
	m.clock = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	m.dir = t.TempDir()
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	return m
}

// answer runs the question to the opponent that a command holds, and returns its
// message. The clock of a job does not tick in tests.
func answer(t *testing.T, cmd tea.Cmd) tea.Msg {
	t.Helper()
	if cmd == nil {
		t.Fatal("nobody was asked")
	}
	message := cmd()
	if batch, ok := message.(tea.BatchMsg); ok {
		return batch[1]()
	}
	return message
}

// press sends keys and lets the opponent answer each at once.
func press(t *testing.T, m *model, keys ...string) {
	t.Helper()
	for _, key := range keys {
		for cmd := send(m, key); cmd != nil; {
			message := answer(t, cmd)
			if _, quit := message.(tea.QuitMsg); quit {
				break
			}
			_, cmd = m.Update(message)
		}
	}
}

// send sends one key.
func send(m *model, key string) tea.Cmd {
	named := map[string]rune{
		"enter": tea.KeyEnter, "tab": tea.KeyTab, "esc": tea.KeyEscape, "left": tea.KeyLeft, "right": tea.KeyRight,
		"up": tea.KeyUp, "down": tea.KeyDown, "backspace": tea.KeyBackspace,
		"pgup": tea.KeyPgUp, "home": tea.KeyHome, "end": tea.KeyEnd,
	}
	press := tea.KeyPressMsg{Code: []rune(key)[0], Text: key}
	switch code, ok := named[key]; {
	case ok:
		press = tea.KeyPressMsg{Code: code}
	case key == "space":
		press = tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	case strings.HasPrefix(key, "ctrl+"):
		press = tea.KeyPressMsg{Code: rune(key[len(key)-1]), Mod: tea.ModCtrl}
	}
	_, cmd := m.Update(press)
	return cmd
}

func diagram(m *model) string { return m.size().Line(m.game.Position().Stones) }

func TestKeysPlay(t *testing.T) {
	for name, keys := range map[string][]string{
		"arrows":       {"down", "left", "enter"},
		"letters":      {"j", "h", "space"},
		"past edges":   {"left", "left", "left", "left", "right", "k", "k", "k", "down", "j", "enter"},
		"typed":        {"b", "2", "enter"},
		"typed upper":  {"B", "2", "enter"},
		"typed anew":   {"d", "4", "c", "b", "2", "enter"},
		"backspace":    {"b", "3", "backspace", "2", "enter"},
		"typed, moved": {"a", "1", "right", "up", "enter"},
	} {
		m := newTest(t, game.NoGo{}, "4x4")
		press(t, m, keys...)
		if got, want := diagram(m), "..../..../.x../o..."; got != want {
			t.Errorf("%s: %s, want %s: %s", name, got, want, m.note)
		}
	}
}

// TestTypedCommands distinguishes letters of columns from commands.
func TestTypedCommands(t *testing.T) {
	m := newTest(t, game.NoGo{}, "9x9")
	press(t, m, "H", "9", "enter")
	if got := m.game.Moves()[0].Point; got != m.size().At(8, 7) {
		t.Errorf("H9 with Shift played %s", m.size().Name(got))
	}
	before := m.cursor
	press(t, m, "j", "5")
	if m.size().Row(m.cursor) != m.size().Row(before)-1 || !strings.Contains(m.note, "Shift") {
		t.Errorf("j5 without Shift moved to %s and said %q", m.size().Name(m.cursor), m.note)
	}
	press(t, m, "a", "9", "9", "enter")
	if !strings.Contains(m.note, "A99") || len(m.game.Moves()) != 2 {
		t.Errorf("A99 was answered by %q", m.note)
	}
	row := newTest(t, game.NoGo{}, "1x63")
	press(t, row, "B", "b", "1", "enter", "b", "b", "b", "b", "c", "c", "c", "1", "enter")
	for i, want := range []string{"BB1", "CCC1"} {
		if got := row.size().Name(row.game.Moves()[2*i].Point); got != want {
			t.Errorf("%s was typed and %s played", want, got)
		}
	}
}

func TestMousePlays(t *testing.T) {
	m := newTest(t, game.NoGo{}, "4x4")
	l, _ := m.layout()
	p := m.size().At(1, 1)
	x, y, _ := l.cell(p)
	m.Update(tea.MouseMotionMsg{X: x, Y: y})
	if m.cursor != p {
		t.Errorf("the cursor is at %s under the mouse at B2", m.size().Name(m.cursor))
	}
	for _, miss := range []tea.Mouse{
		{X: x, Y: y, Button: tea.MouseRight},
		{X: x + 2, Y: y, Button: tea.MouseLeft},
		{X: x, Y: y + 1, Button: tea.MouseLeft},
		{X: 0, Y: 0, Button: tea.MouseLeft},
	} {
		if _, cmd := m.Update(tea.MouseClickMsg(miss)); cmd != nil || len(m.game.Moves()) > 0 {
			t.Errorf("a click %v played", miss)
		}
	}
	_, cmd := m.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	m.Update(answer(t, cmd))
	if got, want := diagram(m), "..../..../.x../o..."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestRefused checks that an illegal move gets an answer and is not played.
func TestRefused(t *testing.T) {
	m := newTest(t, game.NoGo{}, "4x4")
	press(t, m, "b", "2", "enter")
	for _, keys := range [][]string{{"b", "2", "enter"}, {"e", "9", "enter"}, {"p"}, {"c", "enter"}} {
		press(t, m, keys...)
		if m.note == "" || len(m.game.Moves()) != 2 {
			t.Errorf("%v: %d moves, %q", keys, len(m.game.Moves()), m.note)
		}
	}
}

func TestUndo(t *testing.T) {
	m := newTest(t, game.NoGo{}, "4x4")
	press(t, m, "u")
	if !strings.Contains(m.note, "nothing") {
		t.Errorf("undo at the start: %q", m.note)
	}
	press(t, m, "b", "2", "enter", "c", "3", "enter", "u")
	if got, want := diagram(m), "..../..../.x../o..."; got != want || !m.mine() {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestUndoWhileThinking takes back a move while the opponent thinks. Its answer comes
// too late, and is ignored.
func TestUndoWhileThinking(t *testing.T) {
	m := newTest(t, game.NoGo{}, "4x4")
	press(t, m, "b", "2", "enter")
	cmd := send(m, "space") // on the stone at B2
	if cmd != nil {
		t.Fatal("a stone was put on another")
	}
	send(m, "up")
	thinking := send(m, "enter")
	if m.job.kind != moving || !strings.Contains(m.status(), "White is thinking") {
		t.Errorf("nobody is thinking: %s", m.status())
	}
	if send(m, "enter"); !strings.Contains(m.note, "turn of White") {
		t.Errorf("a move out of turn: %q", m.note)
	}
	ctx := m.job
	send(m, "u")
	if m.job.kind != idle || m.job.number == ctx.number {
		t.Error("the opponent is still asked")
	}
	late := answer(t, thinking).(replyMsg)
	if !errors.Is(late.err, context.Canceled) {
		t.Errorf("the opponent was asked after undo: %v", late.err)
	}
	m.Update(replyMsg{number: late.number, reply: Reply{Move: m.size().At(3, 3)}})
	if got, want := diagram(m), "..../..../.x../o..."; got != want || m.note != "" {
		t.Errorf("%s, want %s: %s", got, want, m.note)
	}
}

// TestHurry interrupts the thinking and takes the answer.
func TestHurry(t *testing.T) {
	slow := &patient{first: first{game.NoGo{}}}
	m := newTest(t, game.NoGo{}, "4x4", func(o *Options) { o.Opponent = slow })
	for _, key := range []string{"i", "esc"} {
		cmd := send(m, "enter")
		send(m, key)
		m.Update(answer(t, cmd))
		if !m.mine() || slow.hurried == 0 {
			t.Errorf("%s: the opponent was not hurried", key)
		}
		press(t, m, "u")
		slow.hurried = 0
	}
}

// patient thinks until it is interrupted.
type patient struct {
	first
	hurried int
}

func (p *patient) Move(ctx context.Context, positions []game.Position) (Reply, error) {
	<-ctx.Done()
	p.hurried++
	return p.first.Move(ctx, positions)
}

func TestTicks(t *testing.T) {
	m := newTest(t, game.NoGo{}, "9x9")
	send(m, "enter")
	if _, cmd := m.Update(tickMsg{m.job.number, m.clock().Add(1200 * time.Millisecond)}); cmd == nil {
		t.Error("the clock stands still")
	}
	if got, want := m.status(), "White is thinking: 1.2 s, 84,000 playouts"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if _, cmd := m.Update(tickMsg{m.job.number - 1, m.clock()}); cmd != nil {
		t.Error("the clock of a job that is over ticks")
	}
}

func TestHint(t *testing.T) {
	m := newTest(t, game.NoGo{}, "4x4")
	press(t, m, "tab")
	if m.hint == nil || !strings.Contains(m.words(), "good") {
		t.Fatal("there is no hint")
	}
	press(t, m, "tab")
	if m.hint != nil {
		t.Error("the hint does not go away")
	}
	press(t, m, "tab", "enter")
	if m.hint != nil {
		t.Error("the hint outlives its position")
	}
	cmd := send(m, "tab")
	send(m, "tab")
	if m.Update(answer(t, cmd)); m.hint != nil || m.job.kind != idle {
		t.Error("a hint that is not wanted any more is shown")
	}
	cmd = send(m, "tab")
	press(t, m, "a", "4", "enter")
	if m.Update(answer(t, cmd)); m.hint != nil || len(m.game.Moves()) != 4 {
		t.Error("a hint of another position is shown")
	}
}

func TestSwapAndAgain(t *testing.T) {
	m := newTest(t, game.NoGo{}, "4x4")
	press(t, m, "s")
	if m.human != board.White || len(m.game.Moves()) != 1 || !m.mine() {
		t.Errorf("after s at the start %s is to play, move %d", m.game.Position().ToPlay, len(m.game.Moves()))
	}
	thinking := send(m, "enter")
	press(t, m, "s")
	if m.human != board.Black || !m.mine() || len(m.game.Moves()) != 2 {
		t.Error("the side of a thinking opponent is not taken")
	}
	m.Update(answer(t, thinking))
	if len(m.game.Moves()) != 2 {
		t.Error("an opponent moves that has no side any more")
	}
	press(t, m, "n")
	if len(m.game.Moves()) == 0 || m.note == "" {
		t.Error("a game is given up by one key")
	}
	press(t, m, "up", "n")
	if len(m.game.Moves()) == 0 {
		t.Error("a game is given up by the same key later")
	}
	press(t, m, "n")
	if len(m.game.Moves()) != 0 {
		t.Error("n n does not begin a new game")
	}
}

func TestQuit(t *testing.T) {
	quits := func(cmd tea.Cmd) bool {
		if cmd == nil {
			return false
		}
		_, ok := cmd().(tea.QuitMsg)
		return ok
	}
	m := newTest(t, game.NoGo{}, "4x4")
	if !quits(send(m, "q")) {
		t.Error("q does not leave a board without moves")
	}
	thinking := send(m, "enter")
	if quits(send(m, "q")) || !quits(send(m, "q")) {
		t.Error("q q does not leave a game")
	}
	if !quits(send(m, "ctrl+c")) || !m.halted {
		t.Error("Ctrl-C does not quit")
	}
	if late := answer(t, thinking).(replyMsg); !errors.Is(late.err, context.Canceled) {
		t.Errorf("the opponent is asked after the end: %v", late.err)
	}
}

// TestGameOver plays to the end: Black takes the centre of 1x3, and White has no move.
func TestGameOver(t *testing.T) {
	m := newTest(t, game.NoGo{}, "1x3")
	press(t, m, "enter")
	if got, want := m.status(), "You win: White has no legal move"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	press(t, m, "enter")
	if !strings.Contains(m.note, "over") {
		t.Errorf("a move after the end: %q", m.note)
	}
	press(t, m, "u")
	if !m.mine() || len(m.game.Moves()) != 0 {
		t.Error("the end cannot be taken back")
	}
	m = newTest(t, game.NoGo{}, "1x3", func(o *Options) { o.Human = board.White })
	if err := m.game.Play(1); err != nil {
		t.Fatal(err)
	}
	if got, want := m.status(), "You lose: White has no legal move"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestGo(t *testing.T) {
	m := newTest(t, game.Go{}, "1x2")
	press(t, m, "p") // the opponent plays A1
	press(t, m, "b", "1", "enter")
	if got, want := diagram(m), ".x"; got != want || m.game.Moves()[3].Point != game.Pass {
		t.Errorf("a ko that may not be retaken: %s, want %s", got, want)
	}
	for _, test := range []struct{ size, moves, want string }{
		{"3x3", "B2 pass pass", "You win by 9: both sides have passed"},
		{"3x3", "pass B2 pass pass", "You lose by 9: both sides have passed"},
		{"3x3", "pass pass", "A draw: both sides have passed"},
		{"2x2", "A1 B2 B1 A2 A1 B1 A1", "A draw: the position after move 7 is that after move 1 again"},
	} {
		m = newTest(t, game.Go{}, test.size)
		moves, err := game.ParseMoves(m.size(), test.moves)
		if err == nil {
			err = m.game.PlayAll(moves)
		}
		if got := m.status(); err != nil || got != test.want {
			t.Errorf("%s: %q, %v, want %q", test.moves, got, err, test.want)
		}
	}
}

// TestSave writes a record that replays to the same position, and never over another.
func TestSave(t *testing.T) {
	m := newTest(t, game.NoGo{}, "4x4")
	press(t, m, "b", "2", "enter", "w")
	one := strings.TrimPrefix(m.note, "The game is saved as ")
	press(t, m, "w")
	if two := strings.TrimPrefix(m.note, "The game is saved as "); two == one {
		t.Errorf("%s was written twice", one)
	}
	record, err := game.OpenRecord(one)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := game.Replay(game.Recorded(record), record)
	if err != nil || saved.Position() != m.game.Position() {
		t.Errorf("%+v leads elsewhere: %v", record, err)
	}
	if record.Black != "human" || record.White != "first" || record.Date != "2026-01-02" || saved.Rules() != m.game.Rules() {
		t.Errorf("%+v", record)
	}
	m.dir = "/nowhere/at/all"
	press(t, m, "w")
	if !strings.Contains(m.note, "not saved") {
		t.Errorf("a record that cannot be written: %q", m.note)
	}
}

// TestBrokenOpponent keeps the game alive when the opponent fails.
func TestBrokenOpponent(t *testing.T) {
	m := newTest(t, game.NoGo{}, "4x4")
	send(m, "enter")
	m.Update(replyMsg{number: m.job.number, err: errors.New("out of order")})
	if !strings.Contains(m.note, "out of order") || m.job.kind != idle {
		t.Errorf("%q", m.note)
	}
	press(t, m, "u")
	if !m.mine() {
		t.Error("the game is stuck")
	}
}

// After a mistake the text says what it cost, beside the opponent's move.
func TestMistakesAreSaid(t *testing.T) {
	m := newTest(t, game.Go{}, "3x3")
	press(t, m, "a", "2", "enter")
	if want := "A2 costs 17 points; A1 keeps +1. White plays A1: the first."; m.words() != want {
		t.Errorf("%q is said, want %q", m.words(), want)
	}
	press(t, m, "u")
	if strings.Contains(m.words(), "costs") {
		t.Errorf("what was taken back is still said: %q", m.words())
	}
	m = newTest(t, game.NoGo{}, "3x3")
	press(t, m, "enter")
	if want := "B2 throws the win away; A1 wins. White plays A1: the first."; m.words() != want {
		t.Errorf("%q is said, want %q", m.words(), want)
	}
}

// The human browses the game back and forth, with the review of its positions. The
// game goes on where it was.
func TestLookingBack(t *testing.T) {
	m := newTest(t, game.Go{}, "3x3")
	press(t, m, "<")
	if m.looksBack || m.note == "" {
		t.Error("there is nothing to look back at")
	}
	press(t, m, "enter", "C", "3", "enter")
	now := m.game.Position()
	for _, c := range []struct {
		key, status, words string
		stones             int
	}{
		{"<", "Move 3 of 4: Black C3", "Black wins by 1 with best play.", 3},
		{"pgup", "Move 2 of 4: White A1", "Black wins by 1 with best play.", 2},
		{",", "Move 1 of 4: Black B2", "B2 costs 17 points; A1 keeps +1. White wins by 16 with best play.", 1},
		{"<", "Before the first of 4 moves", "Black wins by 1 with best play.", 0},
		{"<", "Before the first of 4 moves", "Black wins by 1 with best play.", 0},
		{".", "Move 1 of 4: Black B2", "B2 costs 17 points; A1 keeps +1. White wins by 16 with best play.", 1},
		{"enter", "Move 1 of 4: Black B2", "This is move 1 of 4: > goes forward, End returns to the game.", 1},
		{"home", "Before the first of 4 moves", "Black wins by 1 with best play.", 0},
		{"end", "Your turn: Black, move 5 at C3", "B2", 4},
		{"home", "Before the first of 4 moves", "Black wins by 1 with best play.", 0},
		{"esc", "Your turn: Black, move 5 at C3", "", 4},
	} {
		press(t, m, c.key)
		p, _ := m.shown()
		if n := p.Stones[0].Len() + p.Stones[1].Len(); m.status() != c.status || n != c.stones {
			t.Errorf("after %s the status is %q with %d stones, want %q with %d", c.key, m.status(), n, c.status, c.stones)
		}
		if m.looksBack && m.words() != c.words {
			t.Errorf("after %s is said %q, want %q", c.key, m.words(), c.words)
		}
	}
	if m.game.Position() != now {
		t.Error("looking back has changed the game")
	}
}

// A click while looking back plays nothing, and a reply that arrives meanwhile does
// not change the position shown.
func TestThePastStays(t *testing.T) {
	m := newTest(t, game.Go{}, "3x3")
	press(t, m, "enter")
	press(t, m, "C", "3")
	question := send(m, "enter") // the opponent thinks
	press(t, m, "<")
	if m.job.kind != moving {
		t.Error("looking back has dropped the question to the opponent")
	}
	l, _ := m.layout()
	x, y, _ := l.cell(m.size().At(0, 2))
	m.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	m.Update(answer(t, question))
	if p, n := m.shown(); n != 2 || p.Stones[0].Len() != 1 || len(m.game.Moves()) != 4 {
		t.Errorf("move %d is shown of %d", n, len(m.game.Moves()))
	}
}

// After the end of a game there is a summary, and r lists the mistakes of both sides.
func TestTheReviewAtTheEnd(t *testing.T) {
	m := newTest(t, game.NoGo{}, "1x3")
	press(t, m, "r")
	if m.note != "There is no move to review." {
		t.Errorf("%q is noted", m.note)
	}
	press(t, m, "enter")
	if want := "You made one mistake: B1 throws the win away; A1 wins. < and > go back and forth."; m.words() != want {
		t.Errorf("%q is said, want %q", m.words(), want)
	}
	press(t, m, "r")
	if m.help != 1 || !strings.Contains(m.screen().text(), "1 Black        B1 throws the win away; A1 wins.") {
		t.Errorf("there is no list:\n%s", m.screen().text())
	}
	press(t, m, "r", "?")
	if text := m.screen().text(); !strings.Contains(text, "move the cursor") {
		t.Errorf("the help shows\n%s", text)
	}
}

// A review that could judge nothing claims nothing.
func TestNothingJudged(t *testing.T) {
	m := &model{human: board.Black, review: &review.Review{Moves: []review.Judgement{{Colour: board.Black}, {Colour: board.White}}}}
	if got := m.lookedBack(); !strings.HasPrefix(got, "No move could be judged.") {
		t.Error(got)
	}
}
