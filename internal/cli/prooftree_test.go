package cli_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/graph/formats/dot"

	"tengen/game"
	"tengen/sgf"
)

// What is written for other programs is what they read: a graph in the language of
// Graphviz, and a record whose variations are games of NoGo.
func TestProofTreesForOtherPrograms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cert")
	tengen(t, "solve", "nogo", "3x4", "--certificate", path, "--memory", "64MiB", "--threads", "1")
	graph, err := dot.ParseBytes(tengen(t, "proof", "show", path, "--depth", "2", "--format", "dot"))
	if err != nil || len(graph.Graphs) != 1 || len(graph.Graphs[0].Stmts) < 200 {
		t.Errorf("the graph cannot be read: %v", err)
	}
	records, err := sgf.Read(bytes.NewReader(tengen(t, "proof", "show", path, "B1", "--depth", "2", "--format", "sgf")))
	if err != nil {
		t.Fatal(err)
	}
	games := 0
	for _, root := range lines(records[0]) {
		record, err := sgf.ReadGame(root)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := game.Replay(game.NoGo{}, record); err != nil {
			t.Errorf("a variation is no game: %v", err)
		}
		games++
	}
	if games < 50 {
		t.Errorf("the record has %d variations", games)
	}
}

// lines makes a tree of every way from the root to a leaf.
func lines(n *sgf.Node) (list []*sgf.Node) {
	if len(n.Children) == 0 {
		return []*sgf.Node{{Properties: n.Properties}}
	}
	for _, child := range n.Children {
		for _, rest := range lines(child) {
			list = append(list, &sgf.Node{Properties: n.Properties, Children: []*sgf.Node{rest}})
		}
	}
	return list
}
