package sgf_test

import (
	"errors"
	"strings"
	"testing"

	"tengen/sgf"
)

func TestLayout(t *testing.T) {
	var stones []sgf.Value
	for i := range 30 {
		stones = append(stones, sgf.Text(string([]byte{'a' + byte(i)%5, 'a' + byte(i)/5})))
	}
	root := &sgf.Node{}
	root.Set("FF", sgf.Text("4"))
	root.Set("GM", sgf.Text("1"))
	root.Set("AB", stones...)
	root.Set("C", sgf.Text("Two lines,\nof which the second is so long that it does not fit. It stays whole: no line is broken within a value."))
	at := root
	for range 30 {
		at = at.NewChild()
		at.Set("B", sgf.Text(""))
	}
	at.NewChild().Set("N", sgf.Text("first"))
	at.NewChild().Set("N", sgf.Text("second"))
	const want = `(;FF[4]GM[1]CA[UTF-8]AB[aa][ba][ca][da][ea][ab][bb][cb][db][eb][ac][bc][cc]
[dc][ec][ad][bd][cd][dd][ed][ae][be][ce][de][ee][af][bf][cf][df][ef]
C[Two lines,
of which the second is so long that it does not fit. It stays whole: no line is broken within a value.]
;B[];B[];B[];B[];B[];B[];B[];B[];B[];B[];B[];B[];B[];B[];B[];B[];B[];B[];B[]
;B[];B[];B[];B[];B[];B[];B[];B[];B[];B[];B[]
(;N[first])
(;N[second]))
(;CA[UTF-8])
`
	if got := write(t, sgf.Collection{root, {}}); got != want {
		t.Errorf("written as\n%s\nwant\n%s", got, want)
	}
}

func TestPropertyOrder(t *testing.T) {
	n := &sgf.Node{}
	n.Set("PB", sgf.Text("x"))
	n.Set("RE", sgf.Text("?"))
	n.Set("PW", sgf.Text("y"))
	n.Set("RE", sgf.Text("B+R"))
	n.Set("PB")
	n.Set("XX")
	if got := write(t, sgf.Collection{n}); got != "(;CA[UTF-8]RE[B+R]PW[y])\n" {
		t.Errorf("written as %s", got)
	}
}

func TestWriteRefuses(t *testing.T) {
	loop := &sgf.Node{}
	loop.Children = []*sgf.Node{loop}
	with := func(id string, values ...sgf.Value) *sgf.Node {
		return &sgf.Node{Properties: []sgf.Property{{ID: id, Values: values}}}
	}
	for want, root := range map[string]*sgf.Node{
		`cannot write game 1: "b" is not the name of a property: it must be capital letters`:    with("b", sgf.Text("")),
		`cannot write game 1: "" is not the name of a property: it must be capital letters`:     with("", sgf.Text("")),
		`cannot write game 1: "2B" is not the name of a property: it must be capital letters`:   with("2B", sgf.Text("")),
		`cannot write game 1: "A[]B" is not the name of a property: it must be capital letters`: with("A[]B", sgf.Text("")),
		`cannot write game 1: the property B has no value`:                                      with("B"),
		`cannot write game 1: a node is missing`:                                                {Children: []*sgf.Node{nil}},
		`cannot write game 1: the record has more than 2097152 nodes, the limit`:                {Children: []*sgf.Node{loop}},
	} {
		var b strings.Builder
		if err := sgf.Write(&b, sgf.Collection{root}); err == nil || err.Error() != want {
			t.Errorf("says %v, want %s", err, want)
		}
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrorIsReported(t *testing.T) {
	if err := sgf.Write(fullDisk{}, sgf.Collection{{}}); !errors.Is(err, errFull) {
		t.Errorf("the error is %v", err)
	}
}
