package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/nogo"
	"tengen/weiqi"
)

func TestPosition(t *testing.T) {
	server := start(t, nil)
	s := ask[Standing](t, server, "/api/v1/position", `{"game":"nogo","size":"2x3","moves":["A1","C1"]}`)
	if s.Position != ".../x.o" || s.ToPlay != "b" || s.Over || len(s.Legal) != 4 || len(s.History) != 2 {
		t.Errorf("%+v", s)
	}
	s = ask[Standing](t, server, "/api/v1/position", `{"game":"go","size":"2x2","moves":["A1","pass","pass"]}`)
	if !s.Over || s.Result.Winner != "black" || *s.Result.Score != 4 {
		t.Errorf("%+v", s)
	}
}

// What the API says of every move is what the solver says.
// Who plays depends on the game and the board: nobody is offered who is then refused.
func TestPlayersOfAPosition(t *testing.T) {
	server := start(t, nil)
	for question, want := range map[string]string{
		`{"game":"nogo","size":"4x4"}`: "auto mcts value perfect uct",
		`{"game":"nogo","size":"5x5"}`: "auto net mcts value perfect uct",
		`{"game":"nogo","size":"9x9"}`: "auto net mcts value uct",
		`{"game":"go","size":"4x4"}`:   "auto",
	} {
		p := ask[Standing](t, server, "/api/v1/position", question)
		if got := strings.Join(p.Players, " "); got != want {
			t.Errorf("%s: players %s, want %s", question, got, want)
		}
	}
}

func TestAnalysisIsThatOfTheSolver(t *testing.T) {
	server := start(t, nil)
	for _, size := range []string{"2x3", "3x3", "3x4", "1x9"} {
		shape, err := board.ParseSize(size)
		if err != nil {
			t.Fatal(err)
		}
		want, err := solve.NoGo(t.Context(), solve.Request{Position: nogo.NewPosition(shape), EachMove: true, Limits: job.Limits{Memory: 32 << 20, Threads: 1}})
		if err != nil {
			t.Fatal(err)
		}
		body := `{"game":"nogo","size":"` + size + `"}`
		got, _ := analyseAll(t, server, body)
		if !got.Settled || got.Best.Winner != want.Winner.String() || len(got.Moves) != len(want.Moves) {
			t.Errorf("%s: %+v", size, got)
		}
		for _, m := range want.Moves {
			if !slices.ContainsFunc(got.Moves, func(f Finding) bool {
				return f.Move == want.Position.Size.Name(m.Move) && f.Winner == m.Winner.String()
			}) {
				t.Errorf("%s: %s is won by %s", size, want.Position.Size.Name(m.Move), m.Winner)
			}
		}
		if known := ask[Done](t, server, "/api/v1/probe", body); !known.Known || known.Best.Winner != got.Best.Winner {
			t.Errorf("%s is not found again: %+v", size, known)
		}
	}
}

// 3×3 Go is Black's by 9 in the centre; what A1 costs there is a matter of the table.
func TestGo(t *testing.T) {
	server := start(t, nil)
	got, _ := analyseAll(t, server, `{"game":"go","size":"3x3","lines":true}`)
	if !got.Settled || got.Best.Move != "B2" || *got.Best.Score != 9 || got.Best.By != "table" {
		t.Errorf("%+v", got.Best)
	}
	w := ask[Why](t, server, "/api/v1/why", `{"game":"go","size":"3x3","move":"A1"}`)
	if *w.ScoreBefore != 9 || *w.ScoreAfter != -9 || *w.Cost != 18 || strings.Join(w.Line, " ") != "A1 B2 B1 C2 A2 B3 C1 A3 B1 C1 A1 A2 A1 B1 pass pass" {
		t.Errorf("%+v", w)
	}
	m := ask[Move](t, server, "/api/v1/play", `{"game":"go","size":"3x3"}`)
	if m.Move != "B2" || m.Known != "won" || *m.Score != 9 {
		t.Errorf("%+v", m)
	}
	got, _ = analyseAll(t, server, `{"game":"go","size":"1x5","rules":"psk"}`)
	if !got.Settled {
		t.Errorf("%+v", got)
	}
}

// Under superko a refutation goes to the end of the game, as that of solve go --why does, and
// so do the lines of a review. The second time the scores come from the store.
func TestLinesUnderSuperko(t *testing.T) {
	server := start(t, nil)
	for range 2 {
		for question, want := range map[string]string{
			`{"game":"go","size":"3x3","rules":"psk","move":"A1"}`: "A1 B2 pass B1 pass A2 pass pass",
			`{"game":"go","size":"3x3","rules":"ssk","move":"A1"}`: "A1 B2 pass B1 pass A2 pass pass",
			`{"game":"go","size":"1x6","rules":"psk","move":"A1"}`: "A1 E1 pass B1 pass pass",
		} {
			if w := ask[Why](t, server, "/api/v1/why", question); strings.Join(w.Line, " ") != want || w.Cut {
				t.Errorf("%s: %v, cut %t; want %s", question, w.Line, w.Cut, want)
			}
		}
		var got Reviewed
		status, err := listenTo(t.Context(), server.URL+"/api/v1/review", `{"game":"go","size":"1x6","rules":"psk","moves":["A1"]}`, func(e event) bool {
			return e.name != "reviewed" || json.Unmarshal(e.data, &got) == nil
		})
		if err != nil || status != http.StatusOK || len(got.Moves) != 1 {
			t.Fatal(status, err, got)
		}
		if m := got.Moves[0]; strings.Join(m.Line, " ") != "B1 E1 C1 pass pass" || m.Cut {
			t.Errorf("%+v", m)
		}
	}
}

func TestPlay(t *testing.T) {
	server := start(t, nil)
	for _, body := range []string{
		`{"game":"nogo","size":"9x9","level":1}`, `{"game":"nogo","size":"3x3","player":"perfect"}`,
		`{"game":"nogo","size":"5x5","player":"value"}`, `{"game":"go","size":"2x3","level":1}`,
	} {
		if m := ask[Move](t, server, "/api/v1/play", body); m.Move == "" || m.Says == "" {
			t.Errorf("%s: %+v", body, m)
		}
	}
}

// A walk through the proof of 3×5 after A1, which White wins: whatever Black plays, White
// has an answer until Black cannot move.
func TestWhy(t *testing.T) {
	server := start(t, nil)
	moves := []string{"A1"}
	for range 20 {
		list, _ := json.Marshal(moves)
		w := ask[Why](t, server, "/api/v1/why", `{"game":"nogo","size":"3x5","moves":`+string(list)+`}`)
		if w.Winner != "white" {
			t.Fatalf("after %v: %+v", moves, w)
		}
		switch {
		case w.Over:
			return
		case w.Role == "winner":
			moves = append(moves, w.Reply)
		default:
			if w.Moves[0].Answer == "" {
				t.Fatalf("after %v: %+v", moves, w)
			}
			moves = append(moves, w.Moves[len(w.Moves)-1].Move)
		}
	}
	t.Errorf("the game did not end: %v", moves)
}

// A position that is not in the proof at hand gets a proof of its own.
func TestWhyElsewhere(t *testing.T) {
	server := start(t, nil)
	ask[Why](t, server, "/api/v1/why", `{"game":"nogo","size":"3x5","moves":["A1"]}`)
	if w := ask[Why](t, server, "/api/v1/why", `{"game":"nogo","size":"3x5"}`); w.Winner != "black" || w.Reply == "" {
		t.Errorf("%+v", w)
	}
}

// On a board whose proof takes minutes the book has the first steps.
func TestWhyFromBook(t *testing.T) {
	server := start(t, nil)
	w := ask[Why](t, server, "/api/v1/why", `{"game":"nogo","size":"5x5"}`)
	if w.Winner != "black" || w.Role != "winner" || w.Reply != "C3" || w.By != "book" || w.Certificate != nil {
		t.Errorf("%+v", w)
	}
	w = ask[Why](t, server, "/api/v1/why", `{"game":"nogo","size":"5x5","moves":["C3"]}`)
	if w.Winner != "black" || w.Role != "loser" || len(w.Moves) != 24 {
		t.Fatalf("%+v", w)
	}
	for _, m := range w.Moves {
		if m.Answer == "" || m.By != "book" {
			t.Errorf("%+v", m)
		}
	}
}

func TestCertificates(t *testing.T) {
	server := start(t, nil)
	var file bytes.Buffer
	size, _ := board.NewSize(3, 5)
	if _, err := solve.NoGo(t.Context(), solve.Request{Position: nogo.NewPosition(size), CertificateTo: &file, Limits: job.Limits{Memory: 32 << 20, Threads: 1}}); err != nil {
		t.Fatal(err)
	}
	send := func(file []byte) (int, Verdict) {
		status, v, _ := sendCertificate(t, server, file)
		return status, v
	}
	status, v := send(file.Bytes())
	if status != http.StatusOK || !v.Valid || v.Game != "nogo" || v.Winner != "black" || v.Size != "3x5" || v.ID == "" {
		t.Fatalf("%d %+v", status, v)
	}
	w := ask[Why](t, server, "/api/v1/why", `{"game":"nogo","size":"3x5","certificate":"`+v.ID+`"}`)
	if w.Certificate.ID != v.ID || w.Reply == "" {
		t.Errorf("%+v", w)
	}
	damaged := bytes.Clone(file.Bytes())
	damaged[len(damaged)/2] ^= 1
	if status, v := send(damaged); status != http.StatusUnprocessableEntity && v.Valid {
		t.Errorf("a damaged certificate: %d %+v", status, v)
	}
	if status, _ := send([]byte("no certificate")); status != http.StatusUnprocessableEntity {
		t.Errorf("no certificate: %d", status)
	}
}

// sendCertificate has a file checked. It returns the verdict, or what is wrong with the file.
func sendCertificate(t *testing.T, server *httptest.Server, file []byte) (status int, v Verdict, problem string) {
	t.Helper()
	response, err := http.Post(server.URL+"/api/v1/certificates", "application/octet-stream", bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var said huma.ErrorModel
	text, _ := io.ReadAll(response.Body)
	_ = json.Unmarshal(text, &v)
	_ = json.Unmarshal(text, &said)
	return response.StatusCode, v, said.Type + " " + said.Detail
}

// certificateOfGo proves that Black scores at least a number of points on an empty board.
func certificateOfGo(t *testing.T, rows, cols, goal int) []byte {
	t.Helper()
	var file bytes.Buffer
	if _, err := solve.Go(t.Context(), solve.GoRequest{
		Position: weiqi.NewPosition(board.Size{Rows: rows, Cols: cols}), Method: solve.GoSearch, GoBounds: solve.GoBounds{AtLeast: &goal},
		CertificateTo: &file, Limits: job.Limits{Memory: 32 << 20, Threads: 1},
	}); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// A certificate of Go is checked, and then walked to the ends of its lines. A side that
// leaves it is told so.
func TestCertificatesOfGo(t *testing.T) {
	server := start(t, nil)
	ends := map[string]bool{}
	for _, test := range []struct{ rows, cols, goal, most int }{{3, 3, 9, 9}, {3, 4, 4, 1}} {
		status, v, _ := sendCertificate(t, server, certificateOfGo(t, test.rows, test.cols, test.goal))
		if status != http.StatusOK || !v.Valid || v.Game != "go" || v.Winner != "black" || *v.AtLeast != test.goal || v.ToPlay != "b" || v.Positions == 0 {
			t.Fatalf("%d %+v", status, v)
		}
		// Of White's moves the last, a pass, and up to most others are followed.
		var follow func(moves ...string)
		follow = func(moves ...string) {
			list, _ := json.Marshal(moves)
			w := ask[Why](t, server, "/api/v1/why", `{"game":"go","size":"`+v.Size+`","certificate":"`+v.ID+`","moves":`+string(list)+`}`)
			if w.Certificate.ID != v.ID || w.Winner != "black" || *w.AtLeast != test.goal {
				t.Fatalf("after %v: %+v", moves, w)
			}
			moves = slices.Clip(moves)
			switch {
			case w.Role == "winner":
				follow(append(moves, w.Reply)...)
			case len(w.Moves) == 0:
				ends[w.By] = true
				if w.By == "" || w.Over != (w.By == "rules") {
					t.Errorf("after %v: %+v", moves, w)
				}
			}
			for i, m := range w.Moves {
				ends[m.By] = true
				if i < test.most || i == len(w.Moves)-1 {
					follow(append(moves, strings.Fields(m.Move+" "+m.Answer)...)...)
				}
			}
		}
		follow()
	}
	for _, by := range []string{"certificate", "safe", "rooms", "rules"} {
		if !ends[by] {
			t.Errorf("no line has %q", by)
		}
	}
	_, v, _ := sendCertificate(t, server, certificateOfGo(t, 3, 4, 4))
	for _, test := range []struct{ fields, where, code string }{
		{`"size":"3x4","moves":["A1"]`, "body.certificate", codeElsewhere},
		{`"size":"3x4","moves":["pass","pass"]`, "body.certificate", codeElsewhere}, // over, and not by 4
		{`"size":"4x3"`, "body.certificate", codeElsewhere},
		{`"size":"3x4","move":"A1"`, "body.move", codeMove},
		{`"size":"3x4","rules":"psk"`, "body.rules", ""},
	} {
		status, text := post(t, server, "/api/v1/why", `{"game":"go","certificate":"`+v.ID+`",`+test.fields+`}`)
		if status != http.StatusUnprocessableEntity || !strings.Contains(string(text), `"location":"`+test.where+`"`) || !strings.Contains(string(text), test.code) {
			t.Errorf("%s: %d %s", test.fields, status, text)
		}
	}
	// One of another game is not kept under this name.
	if status, text := post(t, server, "/api/v1/why", `{"game":"nogo","size":"3x4","certificate":"`+v.ID+`"}`); status != http.StatusUnprocessableEntity {
		t.Errorf("NoGo by a certificate of Go: %d %s", status, text)
	}
}

// A file that is no certificate of Go is refused in one sentence, and one that proves
// nothing is not kept.
func TestBadCertificatesOfGo(t *testing.T) {
	server := start(t, nil)
	good := certificateOfGo(t, 3, 4, 4)
	changed := func(change func(file []byte)) []byte {
		file := bytes.Clone(good)
		change(file)
		return file
	}
	sealed := func(file []byte) []byte {
		sum := sha256.Sum256(file[:len(file)-sha256.Size])
		copy(file[len(file)-sha256.Size:], sum[:])
		return file
	}
	for name, test := range map[string]struct {
		file []byte
		says string
	}{
		"damaged":        {changed(func(f []byte) { f[len(f)/2] ^= 1 }), "The certificate is damaged"},
		"cut short":      {good[:len(good)/2], "The certificate is cut short"},
		"a header alone": {good[:20], "The certificate is cut short"},
		"too long":       {append(bytes.Clone(good), 0), "followed by bytes"},
		"newer":          {changed(func(f []byte) { f[8] = 99 }), "use a newer tengen"},
		"another kind":   {[]byte("(;GM[1]SZ[5])"), "This is not a tengen certificate"},
		"another game":   {changed(func(f []byte) { copy(f[8:], "\x01\x00hex ") }), "about the game"},
		"superko":        {changed(func(f []byte) { copy(f[8:], "\x01\x00gosk") }), "This certificate is of Go under superko"},
	} {
		status, _, said := sendCertificate(t, server, test.file)
		if status != http.StatusUnprocessableEntity || !strings.Contains(said, codeScheme+codeCertificate) || !strings.Contains(said, test.says) {
			t.Errorf("%s: %d %s", name, status, said)
		}
	}
	const goalAt = 20
	status, v, _ := sendCertificate(t, server, sealed(changed(func(f []byte) { f[goalAt]++ })))
	if status != http.StatusOK || v.Valid || v.Reason == "" || *v.AtLeast != 5 {
		t.Errorf("5 points by a proof of 4: %d %+v", status, v)
	}
	if status, text := post(t, server, "/api/v1/why", `{"game":"go","size":"3x4","certificate":"`+v.ID+`"}`); status != http.StatusUnprocessableEntity {
		t.Errorf("what proves nothing is walked: %d %s", status, text)
	}
}

// Two regions that are negatives of each other are worth nothing together.
func TestLearn(t *testing.T) {
	server := start(t, nil)
	l := ask[Learned](t, server, "/api/v1/learn", `{"game":"nogo","position":"..x.o.."}`)
	if len(l.Regions) == 0 || l.Sum == nil || !strings.HasSuffix(l.Says, "wins.") {
		t.Errorf("%+v", l)
	}
}

func TestRecords(t *testing.T) {
	server := start(t, nil)
	status, text := post(t, server, "/api/v1/sgf/write", `{"game":"nogo","size":"3x5","moves":["A1","B2"],"comments":["first"]}`)
	if status != http.StatusOK || !strings.Contains(string(text), "SZ[5:3]") {
		t.Fatalf("%d %s", status, text)
	}
	response, err := http.Post(server.URL+"/api/v1/sgf/read", "application/x-go-sgf", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var r Record
	if err := json.NewDecoder(response.Body).Decode(&r); err != nil {
		t.Fatal(err)
	}
	if r.Game != "nogo" || !slices.Equal(r.Question.Moves, []string{"A1", "B2"}) || r.Tree[0].Comment != "first" {
		t.Errorf("%+v", r)
	}
}

// A page can tell its reader what is left out: further games of the file, and komi.
func TestRecordSaysWhatIsLeftOut(t *testing.T) {
	server := start(t, nil)
	for record, want := range map[string]Record{
		"(;GM[1]SZ[3];B[bb])":                        {},
		"(;GM[1]SZ[3]KM[6.5];B[bb])":                 {Komi: new(6.5)},
		"(;GM[1]SZ[3];B[bb])(;GM[1]SZ[3])(;SZ[3:2])": {Games: 3},
	} {
		response, err := http.Post(server.URL+"/api/v1/sgf/read", "application/x-go-sgf", strings.NewReader(record))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		var got Record
		if err := json.NewDecoder(response.Body).Decode(&got); err != nil {
			t.Fatal(err)
		}
		if got.Games != want.Games || !reflect.DeepEqual(got.Komi, want.Komi) || len(got.Question.Moves) != 1 {
			t.Errorf("%s is read as %+v", record, got)
		}
	}
}

// A ban of ko and a pass that the moves of a record lead to are no obstacle.
func TestRecordOfAKo(t *testing.T) {
	server := start(t, nil)
	for moves, want := range map[string]string{
		`{"game":"go","position":".xo./xo.o/.xo.","moves":["C2"]}`: ";B[cb]",
		`{"game":"go","size":"3x3","moves":["pass"]}`:              ";B[]",
	} {
		if status, text := post(t, server, "/api/v1/sgf/write", moves); status != http.StatusOK || !strings.Contains(string(text), want) {
			t.Errorf("%s: %d %s", moves, status, text)
		}
	}
}

// The result that a record states is kept, whatever the rules say of the last position.
func TestStatedResult(t *testing.T) {
	server := start(t, nil)
	for _, moves := range []string{`"moves":["B2","pass","pass"]`, `"variations":[{"parent":-1,"move":"B2"}]`} {
		status, text := post(t, server, "/api/v1/sgf/write", `{"game":"go","size":"3x3","result":"W+4","black":"Ann",`+moves+`}`)
		if status != http.StatusOK || !strings.Contains(string(text), "RE[W+4]") || !strings.Contains(string(text), "PB[Ann]") {
			t.Errorf("%d %s", status, text)
		}
	}
}

// A tree of variations is written and read again; what breaks the rules is left out.
func TestVariations(t *testing.T) {
	server := start(t, nil)
	status, text := post(t, server, "/api/v1/sgf/write", `{"game":"nogo","size":"1x3","variations":[
		{"parent":-1,"move":"B1","comment":"best"},{"parent":-1,"move":"A1"},{"parent":1,"move":"C1"}]}`)
	if want := "(;GM[1]FF[4]"; status != http.StatusOK || !strings.HasPrefix(string(text), want) || !strings.Contains(string(text), "RE[B+") {
		t.Fatalf("%d %s", status, text)
	}
	read := func(record string) (r Record) {
		response, err := http.Post(server.URL+"/api/v1/sgf/read", "application/x-go-sgf", strings.NewReader(record))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if err := json.NewDecoder(response.Body).Decode(&r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	want := []Branch{{-1, "B1", "b", "best"}, {-1, "A1", "b", ""}, {1, "C1", "w", ""}}
	if r := read(string(text)); !slices.Equal(r.Variations, want) || !slices.Equal(r.Question.Moves, []string{"B1"}) {
		t.Errorf("%+v", r)
	}
	r := read(`(;GM[1]RU[NoGo]SZ[3:1]AB[aa];W[ca](;B[])(;W[ba])(;B[ba]))`)
	if r.Variations != nil || !slices.Equal(r.Question.Moves, []string{"C1"}) {
		t.Errorf("nothing but C1 is legal: %+v", r)
	}
	if r := read(`(;GM[1]SZ[3:3](;B[aa];W[bb])(;B[bb];AW[cc];W[aa]))`); !slices.Equal(r.Variations, []Branch{{-1, "A3", "b", ""}, {0, "B2", "w", ""}, {-1, "B2", "b", ""}}) {
		t.Errorf("%+v", r)
	}
	long := "(;GM[1]SZ[3:3]" + strings.Repeat("(;B[aa];W[bb])", mostBranches) + ")"
	if r := read(long); len(r.Variations) < mostBranches-2 || len(r.Variations) > mostBranches || r.Problem == "" {
		t.Errorf("%d variations are read, and the problem is %q", len(r.Variations), r.Problem)
	}
}

// Every bad input is told with its place, in one sentence.
func TestBadInput(t *testing.T) {
	server := start(t, nil)
	for _, c := range []struct{ path, body, location string }{
		{"position", `{"game":"chess","size":"3x3"}`, "body.game"},
		{"position", `{"game":"nogo"}`, "body.size"},
		{"position", `{"game":"nogo","size":"0x3"}`, "body.size"},
		{"position", `{"game":"nogo","size":"99x99"}`, "body.size"},
		{"position", `{"game":"nogo","position":"x?"}`, "body.position"},
		{"position", `{"game":"nogo","position":"xo/ox"}`, "body.position"},
		{"position", `{"game":"nogo","size":"3x3","position":".."}`, "body.size"},
		{"position", `{"game":"nogo","size":"3x3","to_play":"red"}`, "body.to_play"},
		{"position", `{"game":"nogo","size":"3x3","ko":"A1"}`, "body.ko"},
		{"position", `{"game":"nogo","size":"3x3","passed":true}`, "body.passed"},
		{"position", `{"game":"nogo","size":"3x3","rules":"psk"}`, "body.rules"},
		{"position", `{"game":"go","size":"3x3","rules":"mine"}`, "body.rules"},
		{"position", `{"game":"go","size":"3x3","ko":"Z9"}`, "body.ko"},
		{"position", `{"game":"nogo","size":"3x3","moves":["A1","A1"]}`, "body.moves[1]"},
		{"position", `{"game":"nogo","size":"3x3","moves":["A1","pass"]}`, "body.moves[1]"},
		{"position", `{"game":"nogo","size":"3x3","moves":[1]}`, "body.moves[0]"},
		{"position", `{"game":"nogo","size":"3x3","more":1}`, "body.more"},
		{"analyse", `{"game":"go","size":"3x3","endless":"maybe"}`, "body.endless"},
		{"play", `{"game":"nogo","size":"3x3","level":11}`, "body.level"},
		{"play", `{"game":"nogo","size":"3x3","seconds":99}`, "body.seconds"},
		{"play", `{"game":"nogo","size":"3x3","player":"nobody"}`, "body.player"},
		{"play", `{"game":"nogo","size":"1x1"}`, "body.moves"},
		{"why", `{"game":"nogo","size":"9x9"}`, "body.size"},
		{"why", `{"game":"go","size":"3x3"}`, "body.move"},
		{"why", `{"game":"nogo","size":"3x3","certificate":"none"}`, "body.certificate"},
		{"learn", `{"game":"go","size":"3x3"}`, "body.game"},
		{"learn", `{"game":"nogo","size":"9x9"}`, "body.size"},
		{"sgf/write", `{"game":"go","position":".xo./x.xo/.xo.","to_play":"w","ko":"B2"}`, "body.ko"},
		{"sgf/write", `{"game":"go","position":".xo./x.xo/.xo.","to_play":"w","ko":"B2","variations":[{"parent":-1,"move":"A1"}]}`, "body.ko"},
		{"sgf/write", `{"game":"go","size":"3x3","passed":true}`, "body.passed"},
		{"sgf/write", `{"game":"nogo","size":"3x3","comments":["no move"]}`, "body.comments"},
		{"sgf/write", `{"game":"nogo","size":"3x3","moves":["A1"],"variations":[{"parent":-1,"move":"A1"}]}`, "body.variations"},
		{"sgf/write", `{"game":"nogo","size":"3x3","variations":[{"parent":0,"move":"A1"}]}`, "body.variations[0].parent"},
		{"sgf/write", `{"game":"nogo","size":"3x3","variations":[{"parent":-1,"move":"A1"},{"parent":0,"move":"A1"}]}`, "body.variations[1].move"},
		{"why", `{"game":"go","size":"3x3","move":"A1","endless":"maybe"}`, "body.endless"},
		{"why", `{"game":"nogo","size":"3x3","endless":"win"}`, "body.endless"},
		{"analyse", `{"game":"go","size":"3x3","rules":"psk","endless":"win"}`, "body.endless"},
	} {
		status, text := post(t, server, "/api/v1/"+c.path, c.body)
		var problem struct {
			Errors []struct{ Location, Message string }
		}
		if err := json.Unmarshal(text, &problem); err != nil {
			t.Fatal(err)
		}
		if status != http.StatusUnprocessableEntity || len(problem.Errors) != 1 || problem.Errors[0].Location != c.location || problem.Errors[0].Message == "" {
			t.Errorf("%s %s: %d %s", c.path, c.body, status, text)
		}
	}
	if status, _ := post(t, server, "/api/v1/position", `{`); status != http.StatusBadRequest {
		t.Errorf("half an object: %d", status)
	}
	if status, text := post(t, server, "/api/v1/position", `"`+strings.Repeat("x", maxBody)+`"`); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body: %d %s", status, text)
	}
}

// Every call has its own method, and any other is refused with the one to use.
func TestMethods(t *testing.T) {
	server := start(t, func(o *Options) { o.Cluster = told(underWay()) })
	var description struct {
		Paths map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(curl(t, server.URL, "curl http://127.0.0.1:8420/openapi.json")), &description); err != nil {
		t.Fatal(err)
	}
	posts := 0
	for path, calls := range description.Paths {
		allow := "GET, HEAD"
		if _, found := calls["post"]; found {
			allow = "POST"
			posts++
		}
		if len(calls) != 1 {
			t.Errorf("%s has %d methods", path, len(calls))
		}
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions} {
			if strings.Contains(allow, method) {
				continue
			}
			request, err := http.NewRequest(method, server.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			var problem huma.ErrorModel
			if method != http.MethodHead {
				err = json.Unmarshal(text, &problem)
			}
			if response.StatusCode != http.StatusMethodNotAllowed || response.Header.Get("Allow") != allow ||
				response.Header.Get("Content-Type") != "application/problem+json" || err != nil || method != http.MethodHead && problem.Status != response.StatusCode {
				t.Errorf("%s %s: %d, Allow %q, %v\n%s", method, path, response.StatusCode, response.Header.Get("Allow"), err, text)
			}
		}
	}
	if posts < 10 {
		t.Errorf("only %d calls take POST", posts)
	}
}

// Rules that are refused are refused with the names of those that are taken.
func TestRulesToChoose(t *testing.T) {
	server := start(t, nil)
	for _, rules := range []string{"foo", "tromp-taylor"} {
		status, text := post(t, server, "/api/v1/probe", `{"game":"go","size":"3x3","rules":"`+rules+`"}`)
		if status != http.StatusUnprocessableEntity || !strings.Contains(string(text), ": choose basic, psk or ssk.") {
			t.Errorf("%s: %d %s", rules, status, text)
		}
	}
	for _, rules := range []string{"basic", "psk", "ssk"} {
		ask[Done](t, server, "/api/v1/probe", `{"game":"go","size":"3x3","rules":"`+rules+`"}`)
	}
}

// From an empty cache the first moves of boards that take long to solve are known at once.
func TestFirstMovesAreKnown(t *testing.T) {
	server := start(t, nil)
	for _, body := range []string{`{"game":"go","size":"4x4","lines":true}`, `{"game":"nogo","size":"4x5"}`, `{"game":"nogo","size":"5x4","moves":["B2"]}`} {
		if d := ask[Done](t, server, "/api/v1/probe", body); !d.Settled || d.Best.By != "book" || d.Best.Move == "" {
			t.Errorf("%s: %+v", body, d.Best)
		}
	}
}

// A value that is not found names the time that it had.
func TestLearnNamesItsTime(t *testing.T) {
	server := start(t, func(o *Options) { o.Time = 50 * time.Millisecond })
	l := ask[Learned](t, server, "/api/v1/learn", `{"game":"nogo","size":"5x6"}`)
	if want := "The position is one region, which cannot be valued in 50ms: make some moves first."; l.Says != want {
		t.Errorf("%q, want %q", l.Says, want)
	}
}
