package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"tengen/internal/match"
	"tengen/internal/text"
)

// rank is a program in the table of a tournament.
type rank struct {
	number int
	match.Rating
	wins, draws, losses int
	forfeits            int
}

func (s rank) points() float64 { return float64(s.wins) + float64(s.draws)/2 }

func (s rank) games() int { return s.wins + s.draws + s.losses }

// standings are the programs, the strongest first.
func standings(o match.Options, r match.Result) []rank {
	list := make([]rank, len(o.Programs))
	for i, rating := range match.Ratings(len(list), r.Pairings) {
		list[i] = rank{number: i, Rating: rating}
	}
	for _, p := range r.Pairings {
		a, b := &list[p.Programs[match.A]], &list[p.Programs[match.B]]
		a.wins, b.wins = a.wins+p.Wins[match.A], b.wins+p.Wins[match.B]
		a.losses, b.losses = a.losses+p.Wins[match.B], b.losses+p.Wins[match.A]
		a.draws, b.draws = a.draws+p.Draws, b.draws+p.Draws
	}
	for _, g := range r.Games {
		if !g.How.ByRules() {
			list[o.Players(g.Number)[1-g.Winner]].forfeits++
		}
	}
	slices.SortStableFunc(list, func(a, b rank) int { return cmp.Compare(b.Elo, a.Elo) })
	return list
}

// printTournament prints the strengths and the results of all pairs. It has no times, so
// that the same games give the same table.
func (m *playMatch) printTournament(o match.Options, r match.Result) {
	list := standings(o, r)
	w := tabwriter.NewWriter(m.out, 0, 0, 2, ' ', 0)
	head := "\tprogram\tElo\t95 %\tpoints\tgames\tforfeits"
	for i := range list {
		head += fmt.Sprintf("\t%d", i+1)
	}
	fmt.Fprintln(w, head)
	for i, s := range list {
		row := fmt.Sprintf("%d\t%s\t%s\t%s to %s\t%g\t%d\t%d", i+1, r.Names[s.number], signed(s.Elo), signed(s.Low), signed(s.High), s.points(), s.games(), s.forfeits)
		for _, other := range list {
			row += "\t" + against(r, s.number, other.number)
		}
		fmt.Fprintln(w, row)
	}
	w.Flush()
	m.printForfeits(r.Games)
	m.printf("\n%s on %s, strengths around the mean of all\n", text.Plural(len(r.Games), "game"), o.Size)
}

// against is the points of a program in its games against another, such as 3/4.
func against(r match.Result, program, other int) string {
	for _, p := range r.Pairings {
		for side := range p.Programs {
			if p.Programs[side] == program && p.Programs[1-side] == other {
				return strconv.FormatFloat(p.Points()[side], 'g', -1, 64) + "/" + strconv.Itoa(p.Games())
			}
		}
	}
	return "-"
}

type tournamentResult struct {
	settingsResult
	Games      int               `json:"games"`
	Programs   []standingResult  `json:"programs"`
	Pairings   []pairingResult   `json:"pairings"`
	Results    []tournamentEntry `json:"results"`
	Unfinished []unfinishedGame  `json:"unfinished,omitempty"`
}

type standingResult struct {
	Name     string  `json:"name"`
	Command  string  `json:"command"`
	Elo      float64 `json:"elo"`
	EloLow   float64 `json:"elo_low"`
	EloHigh  float64 `json:"elo_high"`
	Points   float64 `json:"points"`
	Games    int     `json:"games"`
	Wins     int     `json:"wins"`
	Draws    int     `json:"draws"`
	Losses   int     `json:"losses"`
	Forfeits int     `json:"forfeits"`
}

// tournamentEntry is a game: a and b are the sides of its pairing.
type tournamentEntry struct {
	A string `json:"a"`
	B string `json:"b"`
	match.Record
}

func tournamentJSON(o match.Options, r match.Result) tournamentResult {
	j := tournamentResult{settingsResult: settingsOf(o), Games: len(r.Games), Results: []tournamentEntry{}, Unfinished: unfinishedOf(r)}
	for _, s := range standings(o, r) {
		j.Programs = append(j.Programs, standingResult{
			r.Names[s.number], strings.Join(o.Programs[s.number], " "), round(s.Elo), round(s.Low), round(s.High),
			s.points(), s.games(), s.wins, s.draws, s.losses, s.forfeits,
		})
	}
	for _, p := range r.Pairings {
		j.Pairings = append(j.Pairings, pairingOf(r.Names, p))
	}
	for _, g := range r.Games {
		players := o.Players(g.Number)
		j.Results = append(j.Results, tournamentEntry{r.Names[players[match.A]], r.Names[players[match.B]], g})
	}
	return j
}
