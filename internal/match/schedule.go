package match

import "slices"

// Games are numbered in rounds. In a round every pairing plays one opening twice, so that
// all pairings advance at the same pace. The number of a game determines its programs,
// colours and opening, whatever the total number of games.

// pairings lists the pairs of programs that play each other.
func (o Options) pairings() (list [][2]int) {
	for a := range o.Programs {
		for b := a + 1; b < len(o.Programs); b++ {
			if a == 0 || !o.Gauntlet {
				list = append(list, [2]int{a, b})
			}
		}
	}
	return list
}

// place is the round of a game, from 0, and its pairing.
func (o Options) place(number int) (round, pairing int) {
	pairs := len(o.pairings())
	return (number - 1) / 2 / pairs, (number - 1) / 2 % pairs
}

// Players are the programs of a game, A and B.
func (o Options) Players(number int) [2]int {
	_, pairing := o.place(number)
	return o.pairings()[pairing]
}

// Label is the name of a side in messages: the name that the program was given, or a or b.
func (o Options) Label(number int, side Side) string {
	if o.Names == nil {
		return side.String()
	}
	return o.Names[o.Players(number)[side]]
}

// Schedule lists the numbers of all games in order. If the number of games of a pairing is
// odd, the last round has one game of each pairing.
func (o Options) Schedule() (list []int) {
	for round := range (o.Games + 1) / 2 {
		for pairing := range o.pairings() {
			first := 2*(round*len(o.pairings())+pairing) + 1
			list = append(list, first)
			if 2*round+2 <= o.Games {
				list = append(list, first+1)
			}
		}
	}
	return list
}

// score counts the games of every pairing.
func (o Options) score(games []Record) []Pairing {
	list := make([]Pairing, len(o.pairings()))
	for i, programs := range o.pairings() {
		list[i].Programs = programs
	}
	halves := func(g Record) int {
		return [...]int{A: 2, B: 0, Nobody: 1}[g.Winner]
	}
	for i, g := range games {
		_, pairing := o.place(g.Number)
		s := &list[pairing].Tally
		if g.Winner == Nobody {
			s.Draws++
		} else {
			s.Wins[g.Winner]++
		}
		if g.Number%2 == 0 && i > 0 && games[i-1].Number == g.Number-1 {
			s.Pairs[halves(g)+halves(games[i-1])]++
		}
	}
	return list
}

// verdict applies the test after every pair of games with one opening, in the order of
// their numbers, until it has an answer. So neither side has had Black more often, and
// short games do not count earlier than others.
func (o Options) verdict(games []Record) Verdict {
	var points [2]float64
	v := o.Test.Verdict(points)
	for i := 1; i < len(games) && games[i].Number == i+1 && !v.Done; i += 2 {
		s := o.score(games[i-1 : i+1])[0].Points()
		points[A], points[B] = points[A]+s[A], points[B]+s[B]
		v = o.Test.Verdict(points)
		v.Pairs = (i + 1) / 2
	}
	return v
}

// find is the game with a number.
func (l *log) find(number int) (Record, bool) {
	i, found := slices.BinarySearchFunc(l.Games, number, func(g Record, n int) int { return g.Number - n })
	if !found {
		return Record{}, false
	}
	return l.Games[i], true
}

// add inserts a game by its number: parallel games end in any order.
func (l *log) add(g Record) {
	i, _ := slices.BinarySearchFunc(l.Games, g.Number, func(g Record, n int) int { return g.Number - n })
	l.Games = slices.Insert(l.Games, i, g)
}
