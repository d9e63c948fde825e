package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tengen/board"
	"tengen/engine/play"
	"tengen/game"
	"tengen/gtp"
)

func (s *Session) registerGoGui() {
	s.handle("gogui-rules_game_id", 0, 0, "", func(context.Context, gtp.Command) (string, error) { return s.game.Rules().String(), nil })
	s.handle("gogui-rules_board_size", 0, 0, "", s.rulesBoardSize)
	s.handle("gogui-rules_board", 0, 0, "", s.rulesBoard)
	s.handle("gogui-rules_side_to_move", 0, 0, "", func(context.Context, gtp.Command) (string, error) { return s.toPlay().String(), nil })
	s.handle("gogui-rules_legal_moves", 0, 0, "", s.rulesLegalMoves)
	s.handle("gogui-rules_final_result", 0, 0, "", s.rulesFinalResult)
	s.handle("legal_moves", 0, 1, "[COLOR]", s.legalMoves)
	s.handle("gogui-play_sequence", 0, -1, "COLOR VERTEX ...", s.playSequence)
	s.handle("gogui-setup", 0, -1, "COLOR VERTEX ...", s.setup)
	s.handle("gogui-setup_player", 1, 1, "COLOR", s.setupPlayer)
	s.handle("gogui-analyze_commands", 0, 0, "", s.analyzeCommands)
	s.handle("tengen-values", 0, 1, "[COLOR]", s.values)
	s.handle("tengen-regions", 0, 0, "", s.regions)
	s.handle("tengen-results", 0, 1, "[COLOR]", s.results)
	s.handle("tengen-solve", 0, 1, "[COLOR]", s.solve)
}

// analyzeCommands lists the commands that GoGui can show, and how to show
// them.
func (s *Session) analyzeCommands(context.Context, gtp.Command) (string, error) {
	return strings.Join(s.expert.analyses(), "\n"), nil
}

func (s *Session) rulesBoardSize(context.Context, gtp.Command) (string, error) {
	size := s.size()
	if size.Rows == size.Cols {
		return strconv.Itoa(size.Cols), nil
	}
	return fmt.Sprintf("%d %d", size.Cols, size.Rows), nil
}

// rulesBoard has X, O and . without spaces, the top row first.
func (s *Session) rulesBoard(context.Context, gtp.Command) (string, error) {
	now := s.game.Position()
	return strings.ToUpper(strings.ReplaceAll(now.String(), "/", "\n")), nil
}

func (s *Session) legalMoves(_ context.Context, c gtp.Command) (string, error) {
	colour, err := s.colourOr(c.Args)
	if err != nil {
		return "", err
	}
	return names(s.size(), s.game.Legal(colour)), nil
}

// rulesLegalMoves also lists a pass. An empty list means to GoGui that the
// game is over.
func (s *Session) rulesLegalMoves(context.Context, gtp.Command) (string, error) {
	if _, over := s.over(); over {
		return "", nil
	}
	text := names(s.size(), s.game.Legal(s.toPlay()))
	if s.game.Rules().Passes() {
		text = strings.TrimSpace(text + " " + game.MoveName(s.size(), game.Pass))
	}
	return text, nil
}

func (s *Session) rulesFinalResult(context.Context, gtp.Command) (string, error) {
	if end, over := s.over(); over {
		return end.Verdict(), nil
	}
	return "unknown", nil
}

// playSequence plays all of the moves or none.
func (s *Session) playSequence(_ context.Context, c gtp.Command) (string, error) {
	moves, err := s.parsePairs(c.Args)
	if err != nil {
		return "", err
	}
	for i, m := range moves {
		if err := s.put(m); err != nil {
			for range i {
				s.game.Undo()
			}
			return "", fmt.Errorf("illegal move: number %d: %w", i+1, err)
		}
	}
	return "", nil
}

// setup starts a game with stones on the board.
func (s *Session) setup(_ context.Context, c gtp.Command) (string, error) {
	stones, err := s.parsePairs(c.Args)
	if err != nil {
		return "", err
	}
	rules, p := s.game.Rules(), game.NewPosition(s.size())
	for _, stone := range stones {
		if stone.Point == game.Pass {
			return "", syntax(errors.New("a pass is no stone"))
		}
		if p.Stones.At(stone.Point) != board.Empty {
			return "", fmt.Errorf("two stones on %s", p.Size.Name(stone.Point))
		}
		p.Stones[stone.Colour].Add(stone.Point)
	}
	if err := rules.Validate(p); err != nil {
		return "", fmt.Errorf("not a position of %s: %w", rules, err)
	}
	s.restart(rules, p)
	return "", nil
}

func (s *Session) parsePairs(args []string) ([]game.Move, error) {
	if len(args)%2 != 0 {
		return nil, syntax(fmt.Errorf("a color without a vertex at the end"))
	}
	var moves []game.Move
	for i := 0; i < len(args); i += 2 {
		m, err := s.parseMove(args[i], args[i+1])
		if err != nil {
			return nil, err
		}
		moves = append(moves, m)
	}
	return moves, nil
}

// setupPlayer sets the side to play. The present board becomes the start of
// the game.
func (s *Session) setupPlayer(_ context.Context, c gtp.Command) (string, error) {
	colour, err := parseColour(c.Args[0])
	if err != nil {
		return "", err
	}
	if colour != s.toPlay() {
		s.begin(s.game.Rules(), s.game.At(colour))
	}
	return "", nil
}

func (s *Session) onlyNoGo() error {
	if r := s.game.Rules(); r != (game.NoGo{}) {
		return fmt.Errorf("this is for %s only, and the game is %s", game.NoGo{}.Name(), r.Name())
	}
	return nil
}

func (s *Session) results(ctx context.Context, c gtp.Command) (string, error) {
	colour, err := s.colourOr(c.Args)
	if err != nil {
		return "", err
	}
	a, err := s.exact(ctx, colour, false)
	if err != nil && a.Decided == 0 {
		return "", err
	}
	return s.expert.results(a), nil
}

func (s *Session) solve(ctx context.Context, c gtp.Command) (string, error) {
	colour, err := s.colourOr(c.Args)
	if err != nil {
		return "", err
	}
	a, err := s.exact(ctx, colour, true)
	if err != nil {
		return "", err
	}
	return s.expert.solve(a), nil
}

// values is the value of every legal point by the function of Guo and Chen.
func (s *Session) values(_ context.Context, c gtp.Command) (string, error) {
	colour, err := s.colourOr(c.Args)
	if err != nil {
		return "", err
	}
	if err := s.onlyNoGo(); err != nil {
		return "", err
	}
	values := play.ValueMap(game.NoGoPosition(s.game.Position()), colour)
	return s.cells(func(p board.Point) string {
		if v, legal := values[p]; legal {
			return strconv.Itoa(v)
		}
		return ""
	}), nil
}

// regions numbers the independent parts of the board.
func (s *Session) regions(context.Context, gtp.Command) (string, error) {
	if err := s.onlyNoGo(); err != nil {
		return "", err
	}
	numbers := regionsOf(game.NoGoPosition(s.game.Position()))
	return s.cells(func(p board.Point) string {
		if n := numbers[p]; n > 0 {
			return strconv.Itoa(n)
		}
		return ""
	}), nil
}

// cells writes a board of strings as GoGui reads it.
func (s *Session) cells(cell func(board.Point) string) string {
	size := s.size()
	var b strings.Builder
	for row := size.Rows - 1; row >= 0; row-- {
		b.WriteByte('\n')
		for col := range size.Cols {
			text := cell(size.At(row, col))
			if text == "" {
				text = `""`
			}
			fmt.Fprintf(&b, " %3s", text)
		}
	}
	return b.String()
}
