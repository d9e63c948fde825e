package tablebase

import (
	"cmp"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/weiqi"
)

// Value is the result of best play for the side to play.
type Value struct {
	// Score is the area of the side to play minus the opponent's; an endless game counts 0.
	Score int
	// Lo is the score if the side to play loses endless games, Hi if it wins them. A table
	// of kind Drawn has only bounds for them.
	Lo, Hi int
	// Distance is the number of moves, passes included, to the end of the game. Both sides
	// keep the score. The winner ends the game as early as possible, the loser as late as
	// possible. It is 0 where nobody wins, where the game is over, and in tables without
	// distances.
	Distance int
	// LoDistance is the same if the side to play loses endless games and the score is Lo,
	// HiDistance if it wins them and the score is Hi. They are 0 where nothing needs to be
	// forced, since Lo or Hi is the result of an endless game.
	LoDistance, HiDistance int
}

// Move is a move and its value for the side that makes it.
type Move struct {
	Point board.Point // or weiqi.Pass
	Value
}

// Answer is everything a table knows about a position.
type Answer struct {
	Value
	Moves []Move // every legal move, the best first
}

// Value looks a position up, which must be valid. Probe also checks that.
func (t *Table) Value(p weiqi.Position) (Value, error) {
	if p.Size != t.header.Size {
		return Value{}, fmt.Errorf("the position is %s, the table is for %s", p.Size, t.header.Size)
	}
	if p.ToPlay > board.White || p.Ko != board.NoPoint && !p.Size.Contains(p.Ko) {
		return Value{}, p.Validate()
	}
	own, other := p.Stones[p.ToPlay][0], p.Stones[p.ToPlay.Opponent()][0]
	v, found, err := t.value(own, other, int(p.Ko), p.Passes)
	if found || err != nil {
		return v, err
	}
	if err := p.Validate(); err != nil {
		return Value{}, err
	}
	return Value{}, fmt.Errorf("%s does not hold the position %s", t.path, p)
}

// Probe looks up a position and all its moves.
func (t *Table) Probe(p weiqi.Position) (Answer, error) {
	if err := p.Validate(); err != nil {
		return Answer{}, err
	}
	v, err := t.Value(p)
	if err != nil || p.Over() {
		return Answer{Value: v}, err
	}
	a := Answer{Value: v}
	moves := make([]board.Point, 1, 1+MaxPoints)
	moves[0] = weiqi.Pass
	for q := range (weiqi.Rules{}).Legal(p).Points() {
		moves = append(moves, q)
	}
	a.Moves = make([]Move, 0, len(moves))
	for _, q := range moves {
		next, err := weiqi.Rules{}.Play(p, q)
		if err != nil {
			return Answer{}, err
		}
		v, err := t.Value(next)
		if err != nil {
			return Answer{}, err
		}
		a.Moves = append(a.Moves, Move{q, t.before(v)})
	}
	slices.SortStableFunc(a.Moves, better)
	return a, nil
}

// before is the value of a move that leads to v.
func (t *Table) before(v Value) Value {
	points := t.header.Size.Points()
	more := func(far int, forced bool) int {
		if t.header.Distance && forced {
			return far + 1
		}
		return 0
	}
	return Value{
		Score: -v.Score, Lo: -v.Hi, Hi: -v.Lo, Distance: more(v.Distance, v.Score != 0),
		LoDistance: more(v.HiDistance, v.Hi != points), HiDistance: more(v.LoDistance, v.Lo != -points),
	}
}

// better orders moves by the score, then by the shorter win or the longer loss, then by the
// better range. A stone comes before the pass.
func better(a, b Move) int {
	far := cmp.Compare(a.Distance, b.Distance)
	if a.Score < 0 {
		far = -far
	}
	return cmp.Or(cmp.Compare(b.Score, a.Score), far, cmp.Compare(b.Lo, a.Lo), cmp.Compare(b.Hi, a.Hi),
		cmp.Compare(uint16(a.Point), uint16(b.Point)))
}

// kept is the entry of a position in the file: for each plane the value of the best stone
// for the side to play and for the other side, and their distances.
type kept struct {
	stone, reply       [2]int
	stoneFar, replyFar [2]uint8
}

// value looks a position up.
func (t *Table) value(own, other uint64, ban int, passes uint8) (v Value, found bool, err error) {
	at := t.coder.find(own, other, ban)
	f, err := t.frame(t.cache, t.header.frameOf(at.code))
	if err != nil {
		return Value{}, false, err
	}
	v, found = t.readSlot(f, at, t.grid.Score(own, other), passes)
	return v, found, nil
}

// readSlot reads the value of a position from its frame, if the frame holds it.
func (t *Table) readSlot(f *frame, at slot, score int, passes uint8) (Value, bool) {
	if f == nil {
		return Value{}, false
	}
	i, found := f.find(at.code % t.header.frameCodes())
	if !found {
		return Value{}, false
	}
	k := t.kept(f, i, at.side)
	if at.ban != noBan {
		j, found := f.findBan(banKey(i, at.side, at.ban))
		if !found {
			return Value{}, false
		}
		t.banned(&k, f, j)
	}
	return t.valueOf(&k, score, passes), true
}

// values returns the values of the board at index i of a frame, for both sides to play,
// without a ban and without a pass before.
func (t *Table) values(f *frame, i int, ones, twos uint64) [2]Value {
	score := t.grid.Score(ones, twos)
	first, second := t.kept(f, i, 0), t.kept(f, i, 1)
	return [2]Value{t.valueOf(&first, score, 0), t.valueOf(&second, -score, 0)}
}

// kept reads the entry of the board at index i of a frame, with a side to play.
func (t *Table) kept(f *frame, i int, side uint8) (k kept) {
	for plane := range t.header.Loops.Planes() {
		k.stone[plane] = int(f.values[2*plane+int(side)][i]) - valueOffset
		k.reply[plane] = int(f.values[2*plane+int(side^1)][i]) - valueOffset
	}
	for plane := range t.header.distances() {
		k.stoneFar[plane], k.replyFar[plane] = f.far[2*plane+int(side)][i], f.far[2*plane+int(side^1)][i]
	}
	return k
}

// banned replaces the values of a board by those of a ban on it.
func (t *Table) banned(k *kept, f *frame, j int) {
	for plane := range t.header.Loops.Planes() {
		k.stone[plane] = int(f.banned[plane][j]) - valueOffset
	}
	for plane := range t.header.distances() {
		k.stoneFar[plane] = f.banFar[plane][j]
	}
}

// valueOf computes the value of a position from its entry and the score of its board.
func (t *Table) valueOf(k *kept, score int, passes uint8) Value {
	if passes >= 2 {
		return Value{Score: score, Lo: score, Hi: score}
	}
	first, far := t.best(k, 0, score, passes)
	if t.header.Loops == Range {
		v := Value{Lo: first, LoDistance: far}
		v.Hi, v.HiDistance = t.best(k, 1, score, passes)
		v.Score = median(v.Lo, v.Hi)
		// Who wins with loops drawn wins also if they are lost.
		switch {
		case v.Score > 0:
			v.Distance = v.LoDistance
		case v.Score < 0:
			v.Distance = v.HiDistance
		}
		return v
	}
	points := t.header.Size.Points()
	v := Value{Score: first, Lo: -points, Hi: points, Distance: far}
	switch {
	case v.Score > 0:
		v.Lo, v.LoDistance = v.Score, far
	case v.Score < 0:
		v.Hi, v.HiDistance = v.Score, far
	}
	return v
}

// median is the value if loops are drawn. It lies between the two extremes.
func median(lo, hi int) int { return max(lo, min(hi, 0)) }

// best is the value of a position in a plane, and the number of moves to its end.
func (t *Table) best(k *kept, plane, score int, passes uint8) (v, far int) {
	other := t.header.Loops.Planes() - 1 - plane // one side loses a loop exactly if the other wins it
	pass := score
	if passes == 0 {
		pass = min(score, -k.reply[other])
	}
	v = max(k.stone[plane], pass)
	endless := t.header.endless(plane)
	if !t.header.Distance || v == endless {
		return v, 0
	}
	d := choice{winner: v > endless}
	if k.stone[plane] == v {
		d.stone(k.stoneFar[plane])
	}
	switch {
	case pass != v:
	case passes == 1:
		d.add(1)
	default:
		reply := choice{winner: !d.winner}
		if score == v {
			reply.add(1)
		}
		if k.reply[other] == -v {
			reply.stone(k.replyFar[other])
		}
		d.add(1 + reply.far)
	}
	return v, d.far
}

// choice finds the shortest distance for a winner, the longest for a loser.
type choice struct {
	winner bool
	far    int
}

func (c *choice) add(far int) {
	if c.far == 0 || (far < c.far) == c.winner {
		c.far = far
	}
}

func (c *choice) stone(far uint8) {
	if far != NoStone {
		c.add(int(far))
	}
}
