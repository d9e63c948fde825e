package sgf_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/sgf"
)

func parse(t *testing.T, text string) sgf.Collection {
	t.Helper()
	games, err := sgf.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return games
}

func write(t interface{ Fatalf(string, ...any) }, games sgf.Collection) string {
	var b strings.Builder
	if err := sgf.Write(&b, games); err != nil {
		t.Fatalf("%v", err)
	}
	return b.String()
}

// shape spells a tree by its comments, variations in parentheses.
func shape(n *sgf.Node) string {
	comment, _ := n.Value("C")
	text := comment.Text()
	for _, child := range n.Children {
		if len(n.Children) > 1 {
			text += "(" + shape(child) + ")"
		} else {
			text += " " + shape(child)
		}
	}
	return text
}

func TestTrees(t *testing.T) {
	for text, want := range map[string]string{
		"(;)":                        "",
		"(;C[a];C[b];C[c])":          "a b c",
		"(;C[a](;C[b];C[c])(;C[d]))": "a(b c)(d)",
		"(;C[a](;C[b](;C[c])(;C[d];C[e]))(;C[f](;C[g];C[h])(;C[i])(;C[j])))": "a(b(c)(d e))(f(g h)(i)(j))",
		"(;C[a](;C[b](;C[c])))": "a b c",
	} {
		games := parse(t, text)
		if got := shape(games[0]); len(games) != 1 || got != want {
			t.Errorf("%s is %d games, the first is %q, want %q", text, len(games), got, want)
		}
	}
}

func TestCollections(t *testing.T) {
	games := parse(t, "\r\n(;C[first])(;C[second];)\n ( ; C [third] ) \x1a\x00")
	var names []string
	for _, root := range games {
		names = append(names, shape(root))
	}
	if got := strings.Join(names, ","); got != "first,second ,third" {
		t.Errorf("the games are %q", got)
	}
}

func TestMainLine(t *testing.T) {
	var names []string
	for node := range parse(t, "(;C[a];C[b](;C[c];C[d])(;C[e]))")[0].MainLine() {
		names = append(names, shape(node))
	}
	if got := len(names); got != 4 || names[3] != "d" {
		t.Errorf("the main line is %q", names)
	}
}

// TestLeniency reads texts that version 4 forbids and that older files contain.
func TestLeniency(t *testing.T) {
	for text, want := range map[string]string{
		"From: me (at home)\nSubject: our game\n\n(;B[aa])": "(;CA[UTF-8]B[aa])\n",
		"(;GaMe[1]SiZe[9];Black[aa];White[bb])":             "(;GM[1]CA[UTF-8]SZ[9];B[aa];W[bb])\n",
		"(;AB[aa]C[x]AB[bb])":                               "(;CA[UTF-8]AB[aa][bb]C[x])\n",
		"\uFEFF(;C[x])":                                     "(;CA[UTF-8]C[x])\n",
		"(;AB [aa]\n\t[bb]\r\nC[x])":                        "(;CA[UTF-8]AB[aa][bb]C[x])\n",
		"(;L2[x]XY9[y])":                                    "(;CA[UTF-8]L2[x]XY9[y])\n",
		"(;FF[3]UNHEARDOF[of\\]this][a\\:b:c])":             "(;FF[3]CA[UTF-8]UNHEARDOF[of\\]this][a\\:b:c])\n",
	} {
		if got := write(t, parse(t, text)); got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
	}
}

func TestErrorPositions(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "line 1, column 1: no game found: a game begins with (;",
		"hello\nworld":              "line 2, column 6: no game found: a game begins with (;",
		"(B[aa])":                   "line 1, column 8: no game found: a game begins with (;",
		"(;B[aa]":                   "line 1, column 1: this game is not closed: the file ends before its last )",
		"(;)\r\n\r\n (;C[x](;)":     "line 3, column 2: this game is not closed: the file ends before its last )",
		"(;\n  C[never closed":      "line 2, column 4: this value of C is not closed: the file ends before its ]",
		"(;C[ends in a backslash\\": "line 1, column 4: this value of C is not closed: the file ends before its ]",
		"(;C[é\\]é\rè]\r C)":        `line 3, column 3: ")" where the [ of a value of C should be`,
		"(;C":                       "line 1, column 4: the file ends where the [ of a value of C should be",
		"(;comment[x])":             "line 1, column 3: a property without a capital letter in its name",
		"(;B[aa]())":                `line 1, column 9: ")" where the ; of a first node should be`,
		"(;B[aa](;W[bb]);B[cc])":    `line 1, column 16: ";" where ( or ) after a variation should be`,
		"(;B[aa])\n)":               `line 2, column 1: ")" where the next game or the end of the file should be`,
		"(;B[aa])\n\r\n\r;W[bb]":    `line 3, column 1: ";" where the next game or the end of the file should be`,
		"(;B[aa]{})":                `line 1, column 8: "{" where a property in capital letters, ;, ( or ) should be`,
		"(;[aa])":                   `line 1, column 3: "[" where a property in capital letters, ;, ( or ) should be`,
		"(;C[日本]日)":                 `line 1, column 8: "\xe6" where a property in capital letters, ;, ( or ) should be`,
		"(;C[x](;B[aa]":             "line 1, column 1: this game is not closed: the file ends before its last )",
		"(;)(":                      "line 1, column 5: the file ends where the ; of a first node should be",
		"(;C[x](":                   "line 1, column 8: the file ends where the ; of a first node should be",
	} {
		_, err := sgf.Parse([]byte(text))
		var syntax *sgf.SyntaxError
		if !errors.As(err, &syntax) || err.Error() != want {
			t.Errorf("%q\n says %v\n want %s", text, err, want)
		}
	}
}

func TestLimits(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"bytes":      {"(;C[" + strings.Repeat("x", sgf.MaxBytes) + "])", "larger than 16 MiB"},
		"nodes":      {"(" + strings.Repeat(";", sgf.MaxNodes+1) + ")", "more than 2097152 nodes"},
		"properties": {"(;" + manyProperties(sgf.MaxProperties+1) + ")", "more than 256 properties"},
	} {
		_, err := sgf.Read(strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("too many %s: %v", name, err)
		}
	}
	if _, err := sgf.Parse([]byte("(;" + manyProperties(sgf.MaxProperties) + ")")); err != nil {
		t.Errorf("%d properties: %v", sgf.MaxProperties, err)
	}
}

func manyProperties(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("X" + string(rune('A'+i/26)) + string(rune('A'+i%26)) + "[]")
	}
	return b.String()
}

// TestDeepNesting would overflow the stack of a reader or writer that recurses.
func TestDeepNesting(t *testing.T) {
	const depth = 100_000
	text := strings.Repeat("(;C[x](;C[y])\n", depth) + "(;)" + strings.Repeat(")", depth)
	games := parse(t, text)
	written := write(t, games)
	if again := write(t, parse(t, written)); again != written {
		t.Error("a deep tree is not read back as it was written")
	}
	at := games[0]
	for range depth - 1 {
		at = at.Children[1]
	}
	if len(at.Children) != 2 || len(at.Children[1].Properties) != 0 {
		t.Error("the deepest node is not where it should be")
	}
}

// trees draws game trees that a file can hold.
var trees = rapid.Custom(func(t *rapid.T) sgf.Collection {
	var games sgf.Collection
	for range rapid.IntRange(1, 3).Draw(t, "games") {
		root := drawNode(t)
		all := []*sgf.Node{root}
		for range rapid.IntRange(0, 12).Draw(t, "nodes") {
			parent := all[rapid.IntRange(0, len(all)-1).Draw(t, "parent")]
			child := drawNode(t)
			parent.Children = append(parent.Children, child)
			all = append(all, child)
		}
		games = append(games, root)
	}
	return games
})

func drawNode(t *rapid.T) *sgf.Node {
	node := &sgf.Node{}
	for range rapid.IntRange(0, 4).Draw(t, "properties") {
		id := rapid.StringMatching(`[A-Z][A-Z0-9]{0,3}`).Filter(func(s string) bool { return s != "CA" }).Draw(t, "id")
		var values []sgf.Value
		for range rapid.IntRange(1, 3).Draw(t, "values") {
			text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-c\]\[\\:;()\n\r ]{0,9}`))
			if rapid.Bool().Draw(t, "composed") {
				values = append(values, sgf.Compose(text.Draw(t, "first"), text.Draw(t, "second")))
			} else {
				values = append(values, sgf.Text(text.Draw(t, "text")))
			}
		}
		node.Set(id, values...)
	}
	return node
}

func TestWrittenIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		games := trees.Draw(t, "games")
		text := write(t, games)
		again, err := sgf.Parse([]byte(text))
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if !reflect.DeepEqual(again, games) {
			t.Fatalf("another collection is read back from\n%s", text)
		}
	})
}

// TestMessyFiles writes trees as carelessly as the format allows: white space,
// small letters, needless escapes, soft line ends, all four line ends.
func TestMessyFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		games := trees.Draw(t, "games")
		m := messy{t: t, lineEnd: rapid.SampledFrom([]string{"\n", "\r", "\r\n", "\n\r"}).Draw(t, "line end")}
		m.b.WriteString(rapid.SampledFrom([]string{"", "\uFEFF", "a letter (with; brackets)" + m.lineEnd}).Draw(t, "head"))
		for _, root := range games {
			m.b.WriteByte('(')
			m.sequence(root)
			m.b.WriteByte(')')
			m.space()
		}
		again, err := sgf.Parse([]byte(m.b.String()))
		if err != nil {
			t.Fatalf("%v in\n%q", err, m.b.String())
		}
		if !reflect.DeepEqual(again, games) {
			t.Fatalf("%q\n is read as\n%q\n want\n%q", m.b.String(), write(t, again), write(t, games))
		}
	})
}

type messy struct {
	t       *rapid.T
	b       strings.Builder
	lineEnd string
}

func (m *messy) often(label string) bool { return rapid.IntRange(0, 3).Draw(m.t, label) == 0 }

func (m *messy) space() {
	if m.often("space") {
		m.b.WriteString(rapid.SampledFrom([]string{" ", "\t", m.lineEnd, " " + m.lineEnd + " "}).Draw(m.t, "white"))
	}
}

func (m *messy) sequence(n *sgf.Node) {
	m.space()
	m.b.WriteByte(';')
	for _, p := range n.Properties {
		m.space()
		for i := range p.ID {
			m.b.WriteByte(p.ID[i])
			if m.often("small") {
				m.b.WriteString("abc")
			}
		}
		for _, v := range p.Values {
			m.space()
			m.b.WriteByte('[')
			m.value(v.String())
			m.b.WriteByte(']')
		}
	}
	m.space()
	for _, child := range n.Children {
		if len(n.Children) == 1 && m.often("plain") {
			m.sequence(child)
			continue
		}
		m.b.WriteByte('(')
		m.sequence(child)
		m.b.WriteByte(')')
		m.space()
	}
}

func (m *messy) value(escaped string) {
	kept := false // the last character was a backslash that escapes the next
	var before rune
	for _, r := range escaped {
		switch {
		case kept:
			kept = false
			m.b.WriteRune(r)
		case r == '\\':
			kept = true
			m.b.WriteRune(r)
		case r == '\n':
			m.b.WriteString(m.lineEnd)
		default:
			// A soft line end next to a line end could make one of two.
			if before != '\n' && m.often("soft") {
				m.b.WriteString("\\" + m.lineEnd)
			}
			if r != ':' && m.often("needless") {
				m.b.WriteByte('\\')
			}
			m.b.WriteRune(r)
		}
		before = r
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"(;GM[1]FF[4]SZ[9:5]AB[aa:cc]C[a\\]b\\\\\\:c];B[];W[tt](;B[cd])(;B[dc]C[x\\\ny]))",
		"(;CA[Shift_JIS]C[\x83\x5c]PB[\x95\x5c\x5c])", "(;CA[GBK]C[\x81\x5d])", "(;CA[Big5]C[\xa5\x5c])",
		"(;CA[nonsense]C[\xff])", "(;CA[ISO-2022-JP]C[\x1b$B])", "\xff\xfe(\x00;\x00)\x00", "(;CA[utf-8]C[\xe2\x82])",
		"text (;AddBlack[aa]\r\n[bb])\n\r(;(;)(;;))", "((;", "(;B[aa]))", "(;C[\\", "(;)(",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		games, err := sgf.Parse(data)
		if err != nil {
			return
		}
		text := write(t, games)
		again, err := sgf.Parse([]byte(text))
		if err != nil {
			t.Fatalf("%q is written as %q, which is not read back: %v", data, text, err)
		}
		if !reflect.DeepEqual(again, games) {
			t.Fatalf("%q is written as %q, which is read differently", data, text)
		}
	})
}
