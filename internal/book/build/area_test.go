package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/book"
	"tengen/proof/area"
	"tengen/weiqi"
)

// claim is a bound of Black's score after some moves, to be proven in a file.
type claim struct {
	file  string
	moves string
	solve.GoBounds
}

func certify(t *testing.T, dir string, size board.Size, claims ...claim) {
	t.Helper()
	for _, c := range claims {
		moves, err := size.ParsePoints(c.moves)
		if err != nil {
			t.Fatal(err)
		}
		_, err = solve.Go(t.Context(), solve.GoRequest{
			Position: weiqi.NewPosition(size), Moves: moves, GoBounds: c.GoBounds, Certificate: filepath.Join(dir, c.file),
			Without: []string{"stones"}, Line: solve.LineNone, Limits: job.Limits{Threads: 1, Memory: 256 << 20},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// shelve makes a book and puts it into the user's cache.
func shelve(t *testing.T, b Area) *book.Go {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, err := book.Folder()
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	file, err := b.Make(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	info, err := book.Describe(file)
	if err != nil || !info.Certified || info.Stones != b.Stones || info.Positions == 0 {
		t.Fatalf("%+v, %v", info, err)
	}
	if err := os.WriteFile(filepath.Join(dir, info.Name()), file, 0o644); err != nil {
		t.Fatal(err)
	}
	return book.OfGo(b.Size)
}

// sure is what the side to play is known to score.
func sure(p weiqi.Position, v book.Bounds) int {
	if p.ToPlay == board.White {
		return -v.High
	}
	return v.Low
}

// A book of 3×4 agrees with the table: in every listed position the side to play reaches the
// goal, by the listed move too, in every image and with the colours exchanged; and no
// position of the first moves has a score outside of its bounds.
func TestBookOfCertificates(t *testing.T) {
	dir := t.TempDir()
	size := board.Size{Rows: 3, Cols: 4}
	four, nothing := 4, -12
	certify(t, dir, size, claim{"3x4.cert", "", solve.GoBounds{AtLeast: &four}}, claim{"3x4-A1.cert", "A1", solve.GoBounds{AtMost: &nothing}})
	known := shelve(t, Area{Size: size, Depth: Depth{Stones: 6, Positions: []string{"", "A1"}}, Certificates: dir})
	file, err := Area{Size: size, Depth: Depth{Stones: 6, Positions: []string{":4", "A1"}}, Certificates: dir}.Make(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if less, err := book.Describe(file); err != nil || less.Positions >= known.Len() || less.Stones != 6 {
		t.Errorf("with 4 stones of the empty board's certificate: %+v, %v; with 6 %d positions", less, err, known.Len())
	}
	tables, err := table.Open(t.Context(), table.Wanted{Size: size, Limits: job.Limits{Memory: 256 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	right := func(p weiqi.Position, v book.Bounds) {
		t.Helper()
		want, err := table.Look(tables.Table, p, table.EndlessDrawn)
		if err != nil || v.Low > want.Lo || v.High < want.Hi {
			t.Fatalf("%s, %s to play: the book has %+v, the table %+v, %v", p, p.ToPlay, v, want.Value, err)
		}
	}
	listed := 0
	for _, name := range []string{"3x4.cert", "3x4-A1.cert"} {
		cert, err := area.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for entry := range cert.Entries() {
			if v, ok := known.Bounds(entry); !ok || sure(entry, v) < cert.Claim().Goal {
				continue // no play by the certificate comes here with few stones all the way
			}
			listed++
			for _, sym := range size.Symmetries() {
				for _, p := range []weiqi.Position{entry.Map(sym), entry.Map(sym).Inverse()} {
					v, ok := known.Bounds(p)
					if !ok || !v.Leads || sure(p, v) < cert.Claim().Goal {
						t.Fatalf("%s, %s to play: %+v, %v", p, p.ToPlay, v, ok)
					}
					right(p, v)
					next, err := weiqi.Rules{}.Play(p, v.Move)
					if err != nil {
						t.Fatal(err)
					}
					if !next.Over() {
						right(next, v)
					}
				}
			}
		}
	}
	if listed < known.Len() || known.Len() < 200 {
		t.Errorf("%d positions were compared, the book lists %d", listed, known.Len())
	}
	bounded := 0
	for _, q := range questions(size, 3) {
		g := game.New(q.Rules, q.Start)
		if err := g.PlayAll(q.Moves); err != nil {
			t.Fatal(err)
		}
		if v, ok := known.Bounds(g.Position()); ok {
			bounded++
			right(g.Position(), v)
		}
	}
	if v, ok := known.Bounds(weiqi.NewPosition(size)); !ok || v.Low != 4 || bounded < 40 {
		t.Errorf("the empty board has %+v, %d positions have bounds", v, bounded)
	}
	if v, ok := known.Bounds(weiqi.NewPosition(size.Turned())); !ok || v.Low != 4 {
		t.Errorf("the board on its side has %+v", v)
	}
}

// A book of 5×5 that begins late in a game answers without a search: solve, the analysis
// and the player, each for both sides.
func TestBookBeyondTheTables(t *testing.T) {
	dir := t.TempDir()
	size := board.Size{Rows: 5, Cols: 5}
	all := size.Points()
	const played = "C3 A1 C2 E1 C4 A5 C1 E5 C5"
	name := strings.ReplaceAll(played, " ", "-")
	certify(t, dir, size, claim{"5x5-" + name + ".cert", played, solve.GoBounds{AtLeast: &all}})
	known := shelve(t, Area{Size: size, Depth: Depth{Stones: 12, Positions: []string{name}}, Certificates: dir})
	moves, err := size.ParsePoints(played)
	if err != nil {
		t.Fatal(err)
	}
	moment := job.Limits{Memory: 64 << 20, Threads: 1, Time: time.Nanosecond}
	analyst, err := analyse.New(analyse.Options{Limits: moment})
	if err != nil {
		t.Fatal(err)
	}
	defer analyst.Close()
	mover, err := play.NewGo(t.Context(), play.GoOptions{Size: size, Limits: moment})
	if err != nil {
		t.Fatal(err)
	}
	defer mover.Close()
	for range 2 { // White to play, and then Black
		request := solve.GoRequest{Position: weiqi.NewPosition(size), Moves: moves, Book: true, EachMove: len(moves) == 9, Limits: moment}
		solved, err := solve.Go(t.Context(), request)
		if err != nil || !solved.Known || !solved.FromBook || solved.Score != all || !solved.Ranged || solved.Nodes != 0 || len(solved.Line) < 2 {
			t.Fatalf("%+v, %v", solved, err)
		}
		p := solved.Position
		if request.EachMove && len(solved.Moves) != p.Empty().Len()+1 {
			t.Errorf("%d moves", len(solved.Moves))
		}
		found, err := analyst.Recall(t.Context(), analyse.Question{Rules: game.Go{}, Start: p})
		best := found.Best
		if err != nil || best.By != analyse.ByBook || best.Grade != analyse.GradeExact || best.Score != all || !best.Ranged || best.Move != solved.Line[0] || len(best.Line) < 2 {
			t.Errorf("%+v, %v", best, err)
		}
		if p.ToPlay == board.White && !found.Settled() {
			t.Errorf("%d of %d moves of the loser are known", found.Decided, found.Classes)
		}
		superko := analyse.Question{Rules: game.Go{Rules: weiqi.Rules{Ko: weiqi.Positional}}, Start: p}
		if found, err := analyst.Recall(t.Context(), superko); err != nil || found.Best.Grade == analyse.GradeExact {
			t.Errorf("under superko: %+v, %v", found.Best, err)
		}
		choice, err := mover.Move(t.Context(), p, nil)
		if err != nil || choice.Open || choice.Score != all {
			t.Errorf("%+v, %v", choice, err)
		}
		if v, ok := known.Bounds(p); !ok || v.Leads != (p.ToPlay == board.Black) || v.Leads && (choice.Move != v.Move || choice.Source != game.FromCertificate) {
			t.Errorf("%+v, %v, played %+v", v, ok, choice)
		}
		moves = append(moves, solved.Line[0])
	}
	request := solve.GoRequest{Position: weiqi.NewPosition(size), Moves: moves, Book: true, Limits: moment}
	for says, change := range map[string]func(*solve.GoRequest){
		"no book":       func(r *solve.GoRequest) { r.Book = false },
		"a certificate": func(r *solve.GoRequest) { r.AtLeast, r.Certificate = &all, filepath.Join(dir, "new.cert") },
		"superko":       func(r *solve.GoRequest) { r.Rules.Ko = weiqi.Positional },
		"unknown":       func(r *solve.GoRequest) { r.Moves = nil },
	} {
		other := request
		change(&other)
		// Rooms decide the position without a search, but a certificate takes one.
		if got, err := solve.Go(t.Context(), other); err == nil && says != "no book" || got.FromBook {
			t.Errorf("%s: %+v", says, got)
		}
	}
}

// Certificates that are missing, about another position or wrong make no book.
func TestBookOfCertificatesRefused(t *testing.T) {
	dir := t.TempDir()
	size := board.Size{Rows: 2, Cols: 4}
	all := size.Points()
	certify(t, dir, size, claim{"2x4-B1.cert", "", solve.GoBounds{AtLeast: &all}})
	for _, c := range []struct {
		size           board.Size
		position, says string
	}{
		{size, "A1", `"tengen solve go 2x4 --moves 'A1' --at-least N --certificate ` + filepath.Join(dir, "2x4-A1.cert")},
		{size, "B1", "another position than 2x4-B1"},
		{size, "Z9", "Z9"},
		{size, "B1:5", "B1:5: after the colon comes a number of stones from 0 to 4"},
		{size, "B1:", "a number of stones"},
		{size, "B1:1:1", "a number of stones"},
		{size.Turned(), "", "ask for 2x4"},
		{board.Size{Rows: 6, Cols: 7}, "", "at most 36 points"},
	} {
		_, err := Area{Size: c.size, Depth: Depth{Stones: 4, Positions: []string{c.position}}, Certificates: dir}.Make(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.position, err)
		}
	}
}
