package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"tengen/board"
	"tengen/game"
	"tengen/internal/review"
	"tengen/internal/text"
)

// model is the state of the screen. Messages change it. Commands, which run on other
// goroutines, ask the opponent. Nothing else has effects.
type model struct {
	ctx     context.Context
	caller  *caller
	clock   func() time.Time
	dir     string   // where games are saved
	ascii   bool     // draw without line characters
	palette *palette // of the colours that the terminal has

	game   *game.Game
	human  board.Colour
	cursor board.Point
	typed  string // a point that is being typed
	hint   *Hint  // of the present position
	says   string // the opponent's sentence about its last move
	// mistake is the sentence about the human's last move, if it was a mistake.
	// review is the review of the whole game so far, nil before it is made. listed
	// says that the pages of the help show its list. While the human looks back, at
	// is the number of moves of the position shown.
	mistake   string
	review    *review.Review
	listed    bool
	looksBack bool
	at        int
	note      string // the answer to the last key
	sure      string // a key that waits for confirmation
	help      int    // page that is shown, 0 for none
	halted    bool   // by Ctrl-C

	job           asking
	width, height int
	view          window
}

// asking is a question to the opponent. Its number identifies answers: an answer that
// arrives after its question was dropped is ignored.
type asking struct {
	kind       jobKind
	number     int
	drop       context.CancelFunc
	hurry      context.CancelFunc
	began, now time.Time
	playouts   int
}

type jobKind uint8

const (
	idle jobKind = iota
	moving
	hinting
	judging
	reviewing
)

// The messages that commands send.
type (
	replyMsg struct {
		number int
		reply  Reply
		err    error
	}
	hintMsg struct {
		number int
		hint   Hint
		err    error
	}
	tickMsg struct {
		number int
		now    time.Time
	}
	savedMsg struct {
		name string
		err  error
	}
)

// tickEvery is the time between two updates of the status of a job.
const tickEvery = 100 * time.Millisecond

func newModel(ctx context.Context, o Options) *model {
	size := o.Game.Position().Size
	return &model{
		ctx: ctx, caller: &caller{opponent: o.Opponent}, clock: time.Now, ascii: o.ASCII, palette: &none,
		game:   o.Game,
		human:  o.Human,
		cursor: size.At(size.Rows/2, size.Cols/2),
	}
}

func (m *model) size() board.Size { return m.game.Position().Size }

// Init lets the opponent move if it is its turn.
func (m *model) Init() tea.Cmd { return m.turn() }

// Update handles a message.
func (m *model) Update(message tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch message := message.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = message.Width, message.Height
	case tea.ColorProfileMsg:
		m.palette = paletteOf(message.Profile)
	case tea.KeyPressMsg:
		cmd = m.key(message)
	case tea.MouseClickMsg:
		cmd = m.click(message.Mouse())
	case tea.MouseMotionMsg:
		m.hover(message.Mouse())
	case tickMsg:
		cmd = m.ticked(message)
	case replyMsg:
		cmd = m.replied(message)
	case hintMsg:
		m.hinted(message)
	case judgedMsg:
		m.judged(message)
	case reviewedMsg:
		m.reviewed(message)
	case savedMsg:
		m.note = "The game is saved as " + text.Printable(message.name)
		if message.err != nil {
			m.note = text.Printable(fmt.Sprintf("The game is not saved: %v", message.err))
		}
	}
	m.follow()
	return m, cmd
}

func (m *model) layout() (layout, bool) {
	return arrange(m.size(), m.width, m.height, m.view, m.cursor)
}

// follow keeps the cursor visible on a screen that is smaller than the board.
func (m *model) follow() {
	if l, ok := m.layout(); ok {
		m.view = l.window
	}
}

// mine reports whether the human is to move.
func (m *model) mine() bool {
	_, over := m.game.End()
	return !over && m.game.Position().ToPlay == m.human
}

// begun reports whether a game would be lost by leaving it.
func (m *model) begun() bool {
	_, over := m.game.End()
	return !over && len(m.game.Moves()) > 0
}

// turn lets the opponent move if it is its turn.
func (m *model) turn() tea.Cmd {
	if _, over := m.game.End(); over || m.mine() {
		return nil
	}
	question, number, ticks := m.start(moving)
	caller, positions := m.caller, m.game.Positions()
	return tea.Batch(ticks, func() tea.Msg {
		reply, err := answered(caller, question, caller.opponent.Move, positions)
		return replyMsg{number, reply, err}
	})
}

// ask asks for a hint.
func (m *model) ask() tea.Cmd {
	question, number, ticks := m.start(hinting)
	caller, positions := m.caller, m.game.Positions()
	return tea.Batch(ticks, func() tea.Msg {
		hint, err := answered(caller, question, caller.opponent.Hint, positions)
		return hintMsg{number, hint, err}
	})
}

// start begins a job and drops the present one.
func (m *model) start(kind jobKind) (question, int, tea.Cmd) {
	m.drop()
	dropped, drop := context.WithCancel(m.ctx)
	hurried, hurry := context.WithCancel(dropped)
	now := m.clock()
	m.job = asking{kind: kind, number: m.job.number + 1, drop: drop, hurry: hurry, began: now, now: now}
	return question{dropped, hurried}, m.job.number, m.tick()
}

// drop ends the job. Its answer is not needed any more.
func (m *model) drop() {
	if m.job.kind != idle {
		m.job.hurry()
		m.job.drop()
		m.job = asking{number: m.job.number + 1}
	}
}

func (m *model) tick() tea.Cmd {
	number := m.job.number
	return tea.Tick(tickEvery, func(now time.Time) tea.Msg { return tickMsg{number, now} })
}

func (m *model) ticked(message tickMsg) tea.Cmd {
	if message.number != m.job.number || m.job.kind == idle {
		return nil
	}
	m.job.now, m.job.playouts = message.now, m.caller.opponent.Playouts()
	return m.tick()
}

func (m *model) replied(message replyMsg) tea.Cmd {
	if message.number != m.job.number {
		return nil
	}
	m.drop()
	mover, err := m.game.Position().ToPlay, message.err
	if err == nil {
		err = m.game.Play(message.reply.Move)
	}
	if err != nil {
		m.note = fmt.Sprintf("%s has no answer: %v. Take a move back with u, or take its side with s.", m.caller.opponent, err)
		return nil
	}
	m.says, m.review = title(mover)+m.deed(message.reply.Move)+message.reply.Says, nil
	if _, over := m.game.End(); over {
		return m.lookBack()
	}
	return m.judge()
}

func (m *model) hinted(message hintMsg) {
	if message.number != m.job.number {
		return
	}
	m.drop()
	if message.err != nil {
		m.note = fmt.Sprintf("There is no hint: %v", message.err)
		return
	}
	m.hint = &message.hint
}

// play makes a move of the human.
func (m *model) play(move board.Point) tea.Cmd {
	m.typed = ""
	if _, over := m.game.End(); over {
		m.note = "The game is over: n begins another."
		return nil
	}
	if !m.mine() {
		m.note = m.notYourTurn()
		return nil
	}
	if err := m.game.Play(move); err != nil {
		m.note = sentence(err.Error())
		return nil
	}
	m.drop()
	if move != game.Pass {
		m.cursor = move
	}
	m.forget()
	if _, over := m.game.End(); over {
		return m.lookBack()
	}
	return m.turn()
}

// forget drops the judgements of the game so far.
func (m *model) forget() {
	m.hint, m.says, m.mistake, m.review, m.looksBack = nil, "", "", nil, false
}

// undo goes back to the last decision of the human.
func (m *model) undo() tea.Cmd {
	if !m.game.UndoTo(m.human) {
		m.note = "There is nothing to take back."
		return nil
	}
	m.drop()
	m.forget()
	return nil
}

// swap lets the human play the other colour from now on.
func (m *model) swap() tea.Cmd {
	m.drop()
	m.forget()
	m.human = m.human.Opponent()
	m.note = fmt.Sprintf("You play %s now.", title(m.human))
	return m.turn()
}

// again begins a new game from the same position.
func (m *model) again() tea.Cmd {
	m.drop()
	m.game.Rewind(0)
	m.forget()
	return m.turn()
}

func (m *model) quit() tea.Cmd {
	m.drop()
	return tea.Quit
}
