package weiqi_test

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/board"
	"tengen/weiqi"
)

// boards calls visit with every assignment of colours to points, legal or not.
func boards(size board.Size, visit func(board.Stones)) {
	points := size.All()
	var fill func(int, board.Stones)
	fill = func(i int, s board.Stones) {
		if i == len(points) {
			visit(s)
			return
		}
		fill(i+1, s)
		for c := range s {
			t := s
			t[c].Add(points[i])
			fill(i+1, t)
		}
	}
	fill(0, board.Stones{})
}

// agree compares Position and Grid with the oracle: soundness, score, and every move
// of both sides. It returns false for boards that are not sound.
func agree(t *testing.T, size board.Size, stones board.Stones) bool {
	t.Helper()
	p := weiqi.NewPosition(size)
	p.Stones = stones
	b := slow(p)
	sound := b.sound()
	if (p.Validate() == nil) != sound {
		t.Fatalf("sound is %v, Validate says %v, in\n%s", sound, p.Validate(), size.Diagram(stones))
	}
	g := weiqi.NewGrid(size)
	if size.Small() && g.Sound(stones[0][0], stones[1][0]) != sound {
		t.Fatalf("Grid.Sound is not %v in\n%s", sound, size.Diagram(stones))
	}
	if size.Small() {
		agreeOnBlocks(t, size, stones, sound)
	}
	if !sound {
		return false
	}
	if got, want := p.Score(), b.score(); got != want {
		t.Fatalf("the score is %d, want %d, in\n%s", got, want, size.Diagram(stones))
	}
	for c := range stones {
		p.ToPlay = board.Colour(c)
		for _, q := range size.All() {
			agreeOn(t, p, q)
		}
	}
	return true
}

// agreeOnBlocks compares Blocks with Grid, move by move.
func agreeOnBlocks(t *testing.T, size board.Size, stones board.Stones, sound bool) {
	t.Helper()
	g := weiqi.NewGrid(size)
	var blocks weiqi.Blocks
	blocks.Take(g, stones[0][0], stones[1][0])
	if blocks.Sound() != sound {
		t.Fatalf("Blocks.Sound is not %v in\n%s", sound, size.Diagram(stones))
	}
	if !sound {
		return
	}
	for c := range stones {
		own, other := stones[c][0], stones[c^1][0]
		var seen uint64
		for _, m := range blocks.Moves(c, nil) {
			own2, other2, ban := g.Play(own, other, m.Point)
			if m.Point <= seen || own2 != own|m.Point || other2 != other&^m.Taken || ban != m.Ban {
				t.Fatalf("%s at %b: %+v differs from Grid.Play in\n%s", board.Colour(c), m.Point, m, size.Diagram(stones))
			}
			seen |= m.Point
		}
		if want := g.Legal(own, other); seen != want {
			t.Fatalf("%s may play at %b, Grid says %b, in\n%s", board.Colour(c), seen, want, size.Diagram(stones))
		}
	}
}

// agreeOn compares one move under rules with and without suicide.
func agreeOn(t *testing.T, p weiqi.Position, q board.Point) {
	t.Helper()
	basic, suicidal := weiqi.Rules{}, weiqi.Rules{Suicide: true}
	at := cell{p.Size.Row(q), p.Size.Col(q)}
	b := slow(p)
	_, occupied := b.stones[at]
	var want slowBoard
	died := false
	if !occupied {
		want, died = b.play(at, p.ToPlay)
	}
	for _, rules := range []weiqi.Rules{basic, suicidal} {
		legal := !occupied && (!died || rules.Suicide)
		if got := rules.Legal(p).Has(q); got != legal {
			t.Fatalf("%s: %s at %s is legal: %v, want %v, in\n%s", rules, p.ToPlay, p.Size.Name(q), got, legal, p.Size.Diagram(p.Stones))
		}
		next, err := rules.Play(p, q)
		if (err == nil) != legal {
			t.Fatalf("%s: Play(%s, %s): %v, in\n%s", rules, p.Size.Name(q), p.ToPlay, err, p.Size.Diagram(p.Stones))
		}
		if err == nil && !maps.Equal(slow(next).stones, want.stones) {
			t.Fatalf("%s: %s at %s leaves\n%sin\n%s", rules, p.ToPlay, p.Size.Name(q), p.Size.Diagram(next.Stones), p.Size.Diagram(p.Stones))
		}
		if err == nil && !died {
			agreeOnKo(t, p, q, next)
		}
	}
}

// agreeOnKo: exactly the reply that recreates the board of two moves before is banned.
func agreeOnKo(t *testing.T, p weiqi.Position, q board.Point, next weiqi.Position) {
	t.Helper()
	ban := board.NoPoint
	b := slow(next)
	replies := p.Size.All()
	if taken := next.Stones[next.ToPlay] != p.Stones[next.ToPlay]; !taken {
		replies = nil // the board of two moves before had a stone less
	}
	for _, reply := range replies {
		at := cell{p.Size.Row(reply), p.Size.Col(reply)}
		if _, occupied := b.stones[at]; !occupied {
			if after, died := b.play(at, next.ToPlay); !died && maps.Equal(after.stones, slow(p).stones) {
				ban = reply
			}
		}
	}
	if next.Ko != ban {
		t.Fatalf("after %s at %s the ban is at %s, want %s, in\n%s", p.ToPlay, p.Size.Name(q),
			p.Size.Name(next.Ko), p.Size.Name(ban), p.Size.Diagram(p.Stones))
	}
	if err := next.Validate(); err != nil {
		t.Fatalf("after %s at %s: %v, in\n%s", p.ToPlay, p.Size.Name(q), err, p.Size.Diagram(p.Stones))
	}
	if !p.Size.Small() {
		return
	}
	own, other := p.Stones[p.ToPlay][0], p.Stones[p.ToPlay.Opponent()][0]
	own2, other2, banned := weiqi.NewGrid(p.Size).Play(own, other, board.SetOf(q)[0])
	var want board.Set
	if ban != board.NoPoint {
		want.Add(ban)
	}
	if own2 != next.Stones[p.ToPlay][0] || other2 != next.Stones[next.ToPlay][0] || banned != want[0] {
		t.Fatalf("Grid.Play of %s at %s differs in\n%s", p.ToPlay, p.Size.Name(q), p.Size.Diagram(p.Stones))
	}
}

// Every board of small sizes agrees with the oracle, and the count of legal
// boards with the recurrence and the published numbers.
func TestAllSmallBoards(t *testing.T) {
	for _, c := range []struct {
		rows, cols int
		want       int64
	}{
		{1, 1, 1},
		{1, 2, 5},
		{1, 3, 15},
		{1, 4, 41},
		{1, 5, 113},
		{1, 6, 313},
		{1, 7, 867},
		{2, 2, 57},
		{2, 3, 489},
		{3, 2, 489},
		{4, 1, 41},
	} {
		size := board.Size{Rows: c.rows, Cols: c.cols}
		n := int64(0)
		boards(size, func(s board.Stones) {
			if agree(t, size, s) {
				n++
			}
		})
		if n != c.want {
			t.Errorf("%s has %d legal boards, want %d", size, n, c.want)
		}
		if got := weiqi.LegalPositions(size); got.Int64() != c.want {
			t.Errorf("%s has %s legal boards by recurrence, want %d", size, got, c.want)
		}
	}
}

// The published counts; Grid counts the boards of up to 12 points one by one.
func TestLegalPositions(t *testing.T) {
	for rows, counts := range map[int][]int64{
		1: {1, 5, 15, 41, 113, 313, 867, 2401, 6649, 18413, 50991, 141209, 391049, 1082929},
		2: {57, 489, 4125, 35117, 299681, 2557605, 21826045, 186255781, 1589441093, 13563736693},
		3: {12675, 321689, 8180343, 208144601, 5296282323},
		4: {24318165, 1840058693},
	} {
		for i, want := range counts {
			size := board.Size{Rows: rows, Cols: rows + i}
			if got := weiqi.LegalPositions(size); got.Int64() != want {
				t.Errorf("%s has %s legal boards by recurrence, want %d", size, got, want)
			}
			if size.Points() > 12 {
				continue
			}
			g, n := weiqi.NewGrid(size), int64(0)
			boards(size, func(s board.Stones) {
				if g.Sound(s[0][0], s[1][0]) {
					n++
				}
			})
			if n != want {
				t.Errorf("%s has %d legal boards one by one, want %d", size, n, want)
			}
		}
	}
}

// Random games agree with the oracle, on boards of one machine word and of several. On
// larger boards, where the oracle is slow, only some positions are compared.
func TestRandomGames(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 1))
	for _, size := range []board.Size{{Rows: 3, Cols: 4}, {Rows: 4, Cols: 4}, {Rows: 2, Cols: 11}, {Rows: 7, Cols: 8}, {Rows: 9, Cols: 9}} {
		moves, every := 40, 1+size.Points()/6
		h := weiqi.NewHistory(weiqi.TrompTaylor, weiqi.NewPosition(size))
		basic := weiqi.NewPosition(size)
		for i := range moves {
			var open []board.Point
			for q := range (weiqi.Rules{}).Legal(basic).Points() {
				open = append(open, q)
			}
			if len(open) == 0 {
				break
			}
			next, err := (weiqi.Rules{}).Play(basic, open[rnd.IntN(len(open))])
			if err != nil {
				t.Fatal(err)
			}
			basic = next
			if i%every == 0 {
				agree(t, size, basic.Stones)
			}
		}
		for i := range moves {
			var open []board.Point
			for q := range h.Legal().Points() {
				open = append(open, q)
			}
			if len(open) == 0 {
				break
			}
			if err := h.Push(open[rnd.IntN(len(open))]); err != nil {
				t.Fatal(err)
			}
			if i%every == 0 {
				agree(t, size, h.Position().Stones)
			}
		}
	}
}

// Numbers of games under positional superko: every line of moves from the empty
// board to two passes.
func TestGamesUnderSuperko(t *testing.T) {
	var games func(h *weiqi.History) int
	games = func(h *weiqi.History) int {
		if h.Position().Over() {
			return 1
		}
		n := 0
		moves := []board.Point{weiqi.Pass}
		for q := range h.Legal().Points() {
			moves = append(moves, q)
		}
		for _, q := range moves {
			if err := h.Push(q); err != nil {
				t.Fatal(err)
			}
			n += games(h)
			h.Pop()
		}
		return n
	}
	for cols, want := range map[int]int{1: 1, 2: 9, 3: 907} {
		h := weiqi.NewHistory(weiqi.Rules{Ko: weiqi.Positional}, weiqi.NewPosition(board.Size{Rows: 1, Cols: cols}))
		if got := games(h); got != want {
			t.Errorf("1x%d has %d games, want %d", cols, got, want)
		}
		if h.Pop() {
			t.Errorf("moves are left after all were taken back")
		}
	}
}

// Both superko rules agree with a list of all earlier boards, in random games with
// passes. Somewhere situational superko must allow a move that positional superko
// forbids.
func TestSuperkoByList(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 2))
	size := board.Size{Rows: 1, Cols: 5}
	onlySituational := 0
	for range 300 {
		for _, ko := range []weiqi.Ko{weiqi.Positional, weiqi.Situational} {
			rules := weiqi.Rules{Ko: ko, Suicide: rnd.IntN(2) == 0}
			h := weiqi.NewHistory(rules, weiqi.NewPosition(size))
			past := []weiqi.Position{h.Position()}
			for range 30 {
				moves := []board.Point{weiqi.Pass}
				for _, q := range size.All() {
					next, err := rules.Play(h.Position(), q)
					board, situation := came(past, next)
					legal := err == nil && !situation && (!board || ko == weiqi.Situational)
					if h.Legal().Has(q) != legal {
						t.Fatalf("%s: %s is legal: %v, want %v, after %s", rules, size.Name(q), !legal, legal, h.Position())
					}
					if legal {
						moves = append(moves, q)
						if board {
							onlySituational++
						}
					}
				}
				if h.Position().Over() {
					break
				}
				if err := h.Push(moves[rnd.IntN(len(moves))]); err != nil {
					t.Fatal(err)
				}
				past = append(past, h.Position())
			}
		}
	}
	if onlySituational == 0 {
		t.Error("no move was allowed by situational superko alone")
	}
}

// came reports whether an earlier position has the same board, and whether one has the
// same side to play as well.
func came(past []weiqi.Position, p weiqi.Position) (board, situation bool) {
	for _, old := range past {
		if old.Stones == p.Stones {
			board = true
			situation = situation || old.ToPlay == p.ToPlay
		}
	}
	return board, situation
}

func TestBadMoves(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 4}
	p, err := weiqi.ParsePosition(".xo./x.xo/.xo.")
	if err != nil {
		t.Fatal(err)
	}
	p.ToPlay = board.White
	play := func(p weiqi.Position, name string) (weiqi.Position, string) {
		q, err := size.ParsePoint(name)
		if err != nil {
			t.Fatal(err)
		}
		next, err := (weiqi.Rules{}).Play(p, q)
		if err != nil {
			return p, err.Error()
		}
		return next, ""
	}
	if _, msg := play(p, "A2"); !strings.Contains(msg, "occupied") {
		t.Errorf("an occupied point: %q", msg)
	}
	if _, msg := play(p, "A1"); !strings.Contains(msg, "no liberty") {
		t.Errorf("suicide: %q", msg)
	}
	took, msg := play(p, "B2")
	if msg != "" || size.Name(took.Ko) != "C2" {
		t.Fatalf("B2 takes the ko at C2: %q, ban at %s", msg, size.Name(took.Ko))
	}
	if _, msg := play(took, "C2"); !strings.Contains(msg, "ko") {
		t.Errorf("retaking: %q", msg)
	}
	passed, _ := (weiqi.Rules{}).Play(took, weiqi.Pass)
	if passed.Ko != board.NoPoint || passed.Passes != 1 {
		t.Errorf("a pass leaves the ban at %s and %d passes", size.Name(passed.Ko), passed.Passes)
	}
	over, _ := (weiqi.Rules{}).Play(passed, weiqi.Pass)
	if _, msg := play(over, "B1"); !strings.Contains(msg, "over") {
		t.Errorf("a move after the end: %q", msg)
	}
	if !over.Over() || !(weiqi.Rules{}).Legal(over).IsEmpty() {
		t.Error("two passes do not end the game")
	}
	h := weiqi.NewHistory(weiqi.Rules{Ko: weiqi.Positional}, p)
	for _, name := range []string{"B2", "C2"} {
		q, _ := size.ParsePoint(name)
		err = h.Push(q)
	}
	if err == nil || !strings.Contains(err.Error(), "repeat") {
		t.Errorf("retaking under superko: %v", err)
	}
}

func TestBadPositions(t *testing.T) {
	if _, err := weiqi.ParsePosition("xo./..."); err != nil {
		t.Errorf("a sound position: %v", err)
	}
	if _, err := weiqi.ParsePosition("xo/ox"); err == nil || !strings.Contains(err.Error(), "no liberty") {
		t.Errorf("dead stones: %v", err)
	}
	p, _ := weiqi.ParsePosition(".xo./xo.o/.xo.")
	for name, want := range map[string]string{"C2": "", "A1": "no ko", "B2": "no ko"} {
		p.Ko, _ = p.Size.ParsePoint(name)
		err := p.Validate()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("a ban at %s: %v", name, err)
		}
	}
	p.Ko, _ = p.Size.ParsePoint("C2")
	p.Passes = 1
	if p.Validate() == nil {
		t.Error("a ban after a pass is accepted")
	}
	p.Ko, p.Passes = board.NoPoint, 3
	if p.Validate() == nil {
		t.Error("three passes are accepted")
	}
	p.Ko, p.Passes = 999, 0
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "no point of the 3x4 board") {
		t.Errorf("a ban beyond the board: %v", err)
	}
	if err := (weiqi.Position{}).Validate(); err == nil || err.Error() != "a 0x0 board has no points" {
		t.Errorf("a position without a board: %v", err)
	}
	p = weiqi.NewPosition(board.Size{Rows: 2, Cols: 3})
	p.Stones = board.Stones{board.SetOf(0), board.SetOf(0)}
	if err := p.Validate(); err == nil || err.Error() != "A1 holds stones of both colours" {
		t.Errorf("two stones on a point: %v", err)
	}
	p = weiqi.NewPosition(board.Size{Rows: 2, Cols: 3})
	p.ToPlay = board.Empty
	if p.Validate() == nil {
		t.Error("a position in which nobody is to play is accepted")
	}
	if _, err := (weiqi.Rules{}).Play(p, 0); err == nil {
		t.Error("nobody has played")
	}
	if !(weiqi.Rules{}).Legal(p).IsEmpty() {
		t.Error("nobody has a legal move")
	}
}

func TestRulesByName(t *testing.T) {
	for _, name := range []string{"basic", "psk", "ssk", "tromp-taylor"} {
		rules, err := weiqi.ParseRules(strings.ToUpper(name))
		if err != nil || rules.String() != name {
			t.Errorf("%s reads as %s, %v", name, rules, err)
		}
	}
	if _, err := weiqi.ParseRules("japanese"); err == nil || !strings.Contains(err.Error(), "tromp-taylor") {
		t.Errorf("unknown rules: %v", err)
	}
}

// Rules do not look at orientation or colour.
// Rules that do not exist have a name too: it is printed in the error that refuses them.
func TestUnknownKo(t *testing.T) {
	for _, rules := range []weiqi.Rules{{Ko: 9}, {Ko: 9, Suicide: true}} {
		if text := rules.String(); !strings.HasPrefix(text, "an unknown ko rule") {
			t.Errorf("%q", text)
		}
	}
}

func TestSymmetry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]board.Size{{Rows: 3, Cols: 3}, {Rows: 2, Cols: 4}, {Rows: 4, Cols: 4}, {Rows: 9, Cols: 9}}).Draw(t, "size")
		sym := rapid.SampledFrom(size.Symmetries()).Draw(t, "symmetry")
		p := weiqi.NewPosition(size)
		mirrored := p.Map(sym).Inverse()
		for range rapid.IntRange(0, 2*size.Points()).Draw(t, "moves") {
			q := rapid.SampledFrom(append(size.All(), weiqi.Pass)).Draw(t, "move")
			image := q
			if q != weiqi.Pass {
				image = size.Map(sym, q)
			}
			next, err1 := weiqi.Rules{}.Play(p, q)
			nextMirrored, err2 := weiqi.Rules{}.Play(mirrored, image)
			if (err1 == nil) != (err2 == nil) {
				t.Fatalf("%v, and mirrored %v", err1, err2)
			}
			p, mirrored = next, nextMirrored
			if p.Map(sym).Inverse() != mirrored || p.Score() != -mirrored.Score() {
				t.Fatalf("%s and %s are not images", p, mirrored)
			}
		}
	})
}

func FuzzParsePosition(f *testing.F) {
	for _, seed := range []string{"", "x", ".x./o.o", "xo/ox", strings.Repeat(".", 64), "x|o|."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := weiqi.ParsePosition(text)
		if err != nil {
			return
		}
		again, err := weiqi.ParsePosition(p.String())
		if err != nil || again != p {
			t.Fatalf("%q reads as %s and then as %s, %v", text, p, again, err)
		}
		for q := range (weiqi.Rules{}).Legal(p).Points() {
			if next, err := (weiqi.Rules{}).Play(p, q); err != nil || next.Validate() != nil {
				t.Fatalf("%s: %v, %v", p.Size.Name(q), err, next.Validate())
			}
		}
	})
}
