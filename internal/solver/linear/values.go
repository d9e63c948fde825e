package linear

import (
	"context"
	"slices"

	"tengen/cgt"
	"tengen/internal/lockless"
	"tengen/internal/solver"
	"tengen/internal/strip"
)

// values finds the values of short strips and computes with them. Every worker
// has its own, because an arena is for one goroutine. Workers share keys, which
// are hashes of canonical forms and do not depend on the arena.
type values struct {
	arena  *cgt.Arena
	strips *strip.Values
	db     *strip.DB  // nil without a database
	loaded []cgt.Game // of the database, by number
	most   int        // points up to which strips have values here
	static bool
	games  []studied
	seen   []cgt.Game
}

// studied is a game with the facts that the search needs.
type studied struct {
	facts
	known  bool
	shift  int8     // an integer
	rest   cgt.Game // the game less the integer
	weight int32    // positions of its canonical form, at most addWeight+1
}

const (
	// unaided is the largest number of points of strips that are valued without
	// a database.
	unaided = 7
	// addWeight limits the product of the weights of two games that are added.
	// For larger sums the canonical form costs more than it saves in positions.
	addWeight = 64
	// gameBytes is roughly the memory of a game here and in its arena.
	gameBytes = 256
	// A database with more than fewGames values is loaded only for rows of at
	// least longRow points: it takes up to a second.
	fewGames = 1 << 15
	longRow  = 24
)

// newValues prepares for games of a number of points. It uses the values of the
// database if they take at most half of the memory.
func newValues(db *strip.DB, points int, memory int64, static bool) (*values, error) {
	games := max(memory/gameBytes, 1<<12)
	arena := cgt.New(cgt.Limits{Memory: memory, Games: int(games)})
	v := &values{arena: arena, strips: strip.NewValues(arena), db: db, most: unaided, static: static}
	if db == nil {
		return v, nil
	}
	info := db.Info()
	worth := info.Simplest > unaided && (points >= longRow || info.Games <= fewGames)
	if worth && int64(info.Games) <= games/2 {
		loaded, err := db.Load(context.Background(), arena)
		if err != nil {
			return nil, err
		}
		v.loaded, v.most = loaded, info.Simplest
	}
	return v, nil
}

// of is the value of a strip of at most v.most points.
func (v *values) of(s strip.Strip) (cgt.Game, error) {
	if v.loaded != nil {
		number, _ := v.db.Value(s)
		return v.loaded[number], nil
	}
	return v.strips.Of(s)
}

// add is the sum of two games if it is small. Numbers are always added, because
// that only shifts the options by a number.
func (v *values) add(g, h cgt.Game) (cgt.Game, bool) {
	if v.study(g).weight*v.study(h).weight > addWeight && !v.arena.IsNumber(g) && !v.arena.IsNumber(h) {
		return 0, false
	}
	sum, err := v.arena.Add(g, h)
	return sum, err == nil
}

// study returns the facts of a game, and computes them the first time.
func (v *values) study(g cgt.Game) *studied {
	if int(g) >= len(v.games) {
		v.games = append(v.games, make([]studied, max(1024, int(g)+1-len(v.games), len(v.games)/2))...)
	}
	if !v.games[g].known {
		s := v.describe(g) // studies other games, so v.games may move
		v.games[g] = s
	}
	return &v.games[g]
}

func (v *values) describe(g cgt.Game) studied {
	s := studied{known: true, rest: g, weight: v.weight(g)}
	s.key, s.inverse = v.keys(g)
	left, right := v.arena.Stops(g)
	s.lead = int16((left.Float64() + right.Float64()) / 2 * hundred)
	s.heat = int16((left.Float64() - right.Float64()) / 2 * hundred)
	s.Value = v.enclose(g, left, right)
	s.atLeast, s.atMost = s.Low, s.High
	if shift := floor(right); shift != 0 {
		if rest, ok := v.less(g, shift); ok {
			s.shift, s.rest = int8(shift), rest
		}
	}
	return s
}

// less is a game less an integer.
func (v *values) less(g cgt.Game, n int) (cgt.Game, bool) {
	k, err := v.arena.Integer(-n)
	if err != nil {
		return 0, false
	}
	sum, err := v.arena.Add(g, k)
	return sum, err == nil
}

// enclose finds the integers next to a game: the right stop rounded down or one
// less, and the left stop rounded up or one more.
func (v *values) enclose(g cgt.Game, left, right cgt.Dyadic) solver.Value {
	born := v.arena.Birthday(g)
	if !v.static {
		return solver.Value{Low: int8(-born), High: int8(born), First: int8(-born - 1), Reply: int8(born + 1)}
	}
	low, high := floor(right), -floor(-left)
	if !v.atLeast(g, low) {
		low--
	}
	if !v.atMost(g, high) {
		high++
	}
	return beside(low, high)
}

func (v *values) atLeast(g cgt.Game, n int) bool {
	k, err := v.arena.Integer(n)
	if err != nil {
		return false
	}
	ok, err := v.arena.LessEq(k, g)
	return err == nil && ok
}

func (v *values) atMost(g cgt.Game, n int) bool {
	k, err := v.arena.Integer(n)
	if err != nil {
		return false
	}
	ok, err := v.arena.LessEq(g, k)
	return err == nil && ok
}

func floor(d cgt.Dyadic) int {
	num, den := d.Fraction()
	n := num / den
	if num%den < 0 {
		n--
	}
	return int(n)
}

// keys hash the canonical form of a game and of its negative.
func (v *values) keys(g cgt.Game) (key, inverse lockless.Key) {
	var sum, negative [2]lockless.Key
	for side, options := range [2][]cgt.Game{v.arena.Left(g), v.arena.Right(g)} {
		for _, o := range options {
			s := v.study(o)
			sum[side] = addKeys(sum[side], s.key)
			negative[side^1] = addKeys(negative[side^1], s.inverse)
		}
	}
	return formKey(sum), formKey(negative)
}

// weight counts the positions of a game, each once, up to addWeight+1.
func (v *values) weight(g cgt.Game) int32 {
	v.seen = append(v.seen[:0], g)
	for i := 0; i < len(v.seen); i++ {
		for _, options := range [2][]cgt.Game{v.arena.Left(v.seen[i]), v.arena.Right(v.seen[i])} {
			for _, o := range options {
				if slices.Contains(v.seen, o) {
					continue
				}
				if v.seen = append(v.seen, o); len(v.seen) > addWeight {
					return addWeight + 1
				}
			}
		}
	}
	return int32(len(v.seen))
}
