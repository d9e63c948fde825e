package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/game"
	"tengen/internal/review"
	"tengen/internal/text"
)

// The game so far is judged in two ways: each move of the human after the opponent
// has answered, and the whole game when it is over or when the human looks back.
// Both are dropped when the opponent is asked something else.

type (
	judgedMsg struct {
		number int
		review review.Review
	}
	reviewedMsg struct {
		number int
		review review.Review
		err    error
	}
)

// shown is the position on the board, and the number of moves that led there.
func (m *model) shown() (game.Position, int) {
	positions := m.game.Positions()
	n := len(positions) - 1
	if m.looksBack {
		n = min(m.at, n)
	}
	return positions[n], n
}

// open is the set of points where a side may play in the position shown, whoever is
// to move.
func (m *model) open(c board.Colour) board.Set {
	if !m.looksBack {
		return m.game.Legal(c)
	}
	p, _ := m.shown()
	return game.New(m.game.Rules(), p).Legal(c)
}

// browse shows the position after n moves, or the nearest one that exists.
func (m *model) browse(n int) tea.Cmd {
	last := len(m.game.Moves())
	switch {
	case last == 0:
		m.note = "There is no move to review."
		return nil
	case n >= last:
		m.looksBack = false
		return nil
	}
	m.looksBack, m.at, m.typed = true, max(n, 0), ""
	if m.review != nil || m.job.kind != idle && m.job.kind != judging {
		return nil
	}
	return m.lookBack()
}

// stay explains that the position shown is not the present one.
func (m *model) stay() {
	m.note = fmt.Sprintf("This is move %d of %d: > goes forward, End returns to the game.", m.at, len(m.game.Moves()))
}

// judge asks for the worth of the human's last move.
func (m *model) judge() tea.Cmd {
	positions, moves := m.game.Positions(), m.game.Moves()
	n := len(moves) - 1
	for n >= 0 && moves[n].Colour != m.human {
		n--
	}
	if n < 0 {
		return nil
	}
	one := game.New(m.game.Rules(), positions[n])
	if one.Play(moves[n].Point) != nil {
		return nil
	}
	question, number, ticks := m.start(judging)
	caller := m.caller
	return tea.Batch(ticks, func() tea.Msg {
		found, _ := answered(caller, question, caller.opponent.Review, one) // a move that cannot be judged is not mentioned
		return judgedMsg{number, found}
	})
}

func (m *model) judged(message judgedMsg) {
	if message.number != m.job.number {
		return
	}
	m.drop()
	for _, j := range message.review.Moves {
		m.mistake = j.Says()
	}
}

// lookBack asks for the worth of every move.
func (m *model) lookBack() tea.Cmd {
	whole := game.New(m.game.Rules(), m.game.Positions()[0])
	for _, move := range m.game.Moves() {
		if whole.Play(move.Point) != nil {
			return nil
		}
	}
	question, number, ticks := m.start(reviewing)
	caller := m.caller
	return tea.Batch(ticks, func() tea.Msg {
		found, err := answered(caller, question, caller.opponent.Review, whole)
		return reviewedMsg{number, found, err}
	})
}

func (m *model) reviewed(message reviewedMsg) {
	if message.number != m.job.number {
		return
	}
	m.drop()
	if message.err != nil && message.review.Graded(analyse.GradeUnknown) == len(message.review.Moves) {
		m.note, m.listed = fmt.Sprintf("The moves cannot be judged: %v", message.err), false
		return
	}
	m.review = &message.review
	if m.listed {
		m.help = 1
	}
}

// list shows the mistakes of both sides.
func (m *model) list() tea.Cmd {
	switch {
	case len(m.game.Moves()) == 0:
		m.note = "There is no move to review."
	case m.job.kind == moving:
		m.note = m.notYourTurn()
	case m.review != nil:
		m.listed, m.help = true, 1
	case m.job.kind == reviewing:
		m.listed = true
	default:
		m.listed = true
		return m.lookBack()
	}
	return nil
}

// reviewLines are the mistakes, a line for each.
func (m *model) reviewLines() []helpLine {
	lines := []helpLine{{text: text.Capital(m.review.Summary()) + "."}, {}}
	for _, j := range m.review.Moves {
		if j.Mistake() {
			lines = append(lines, helpLine{[]sign{{fmt.Sprintf("%d %s", j.Number, title(j.Colour)), strong}}, j.Says()})
		}
	}
	return lines
}

// lookedBack summarises a game for the human.
func (m *model) lookedBack() string {
	const keys = " r lists them, < and > go back and forth."
	mine := m.review.Mistakes(m.human)
	switch {
	case m.review.Graded(analyse.GradeUnknown) == len(m.review.Moves):
		return "No move could be judged. < and > go back and forth."
	case len(mine) == 0 && m.review.Graded(analyse.GradeExact) == len(m.review.Moves):
		return "You made no mistake. < and > go back and forth."
	case len(mine) == 0:
		return "No mistake of yours is known. < and > go back and forth."
	case len(mine) == 1:
		return "You made one mistake: " + mine[0].Says() + " < and > go back and forth."
	}
	worst := mine[0]
	for _, j := range mine {
		if j.Cost > worst.Cost {
			worst = j
		}
	}
	return fmt.Sprintf("You made %d mistakes. The worst: %s", len(mine), worst.Says()) + keys
}

// pastStatus names the past position that is shown, and pastWords describes it.
func (m *model) pastStatus() string {
	_, n := m.shown()
	if n == 0 {
		return fmt.Sprintf("Before the first of %d moves", len(m.game.Moves()))
	}
	move := m.game.Moves()[n-1]
	return fmt.Sprintf("Move %d of %d: %s %s", n, len(m.game.Moves()), title(move.Colour), game.MoveName(m.size(), move.Point))
}

func (m *model) pastWords() string {
	_, n := m.shown()
	switch {
	case m.review == nil && m.job.kind == reviewing:
		return "Looking back: " + m.progress()
	case m.review == nil || n > len(m.review.Moves):
		return ""
	case n == 0:
		return text.Capital(m.review.Moves[0].Before.String()) + " with best play."
	}
	j := m.review.Moves[n-1]
	return strings.TrimSpace(j.Says() + " " + j.Sentence())
}
