package report

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/pages"
)

// The file has every published figure of the sources: the declarations that hold them and
// the literals that experiments compare with. No search is needed to see that one of a
// large board has changed. After a change, compare the figure with the paper.
func TestPublishedFigures(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		source := func(node any) string {
			var b bytes.Buffer
			if err := printer.Fprint(&b, files, node); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if name := n.Names[0].Name; len(n.Values) > 0 && (strings.HasPrefix(name, "published") || slices.Contains(holders, name)) {
					fmt.Fprintln(&out, source(n))
				}
			case *ast.CallExpr:
				compare, ok := n.Fun.(*ast.SelectorExpr)
				if !ok || len(n.Args) < 3 || !slices.Contains([]string{"fact", "explained", "cost", "openingsOf"}, compare.Sel.Name) {
					break
				}
				published := n.Args[2]
				if compare.Sel.Name == "openingsOf" {
					published = n.Args[4]
				}
				if _, literal := published.(*ast.BasicLit); literal {
					fmt.Fprintln(&out, source(n))
				}
			case *ast.FuncDecl:
				if n.Name.Name == "strongRow" {
					fmt.Fprintln(&out, source(n))
				}
			}
			return true
		})
	}
	golden(t, "published.txt", out.Bytes())
}

// holders are declarations with published figures under other names.
var holders = []string{"cgtSolver", "sbhSolver", "knockouts", "exercises", "counterexamples"}

// Where the game decides a published figure of a large board, it is what our runs found, as
// docs/data has them.
func TestPublishedFiguresAgainstData(t *testing.T) {
	data, err := pages.ReadData("../../docs/data")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	same := func(what string, published, ours any) {
		t.Helper()
		compared++
		if fmt.Sprint(published) != fmt.Sprint(ours) {
			t.Errorf("%s: published is %v, docs/data has %v", what, published, ours)
		}
	}
	number := func(cell string) float64 {
		t.Helper()
		text, million := strings.CutSuffix(cell, " M")
		x, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
		if err != nil {
			t.Fatal(err)
		}
		if million {
			x *= 1e6
		}
		return math.Round(1000*x) / 1000
	}
	boards := func(file string, use func(size board.Size, cells map[string]string)) {
		t.Helper()
		for _, row := range data[file].Rows {
			name, _, after := strings.Cut(row[0], " ")
			size, err := board.ParseSize(name)
			if err != nil {
				t.Fatal(err)
			}
			if cells, _ := data[file].Row(row[0]); !after {
				use(size, cells)
			}
		}
	}
	for _, file := range []string{"nogo", "nogo-large", "nogo-3x9"} {
		boards(file, func(size board.Size, cells map[string]string) {
			if winner, ok := publishedWinner(size); ok {
				same(size.String()+": winner", winner, cells["winner"])
			}
		})
	}
	boards("sbh", func(size board.Size, cells map[string]string) {
		if positions, ok := sbhSolver[size]; ok {
			same(size.String()+": positions of SBHSolver", positions, cells["positions"])
		}
	})
	boards("cgtsolver", func(size board.Size, cells map[string]string) {
		m, _ := cgtSolverOn(size.Cols)
		same(size.String()+": positions of CGTSolver", float64(m.positions), number(cells["CGTSolver: positions"]))
		same(size.String()+": seconds of CGTSolver", m.seconds, number(cells["CGTSolver: time"]))
	})
	strong := func(size board.Size) strongBoard {
		t.Helper()
		i := slices.IndexFunc(publishedStrong, func(b strongBoard) bool { return b.Size == size })
		if i < 0 {
			t.Fatalf("%v was not published", size)
		}
		return publishedStrong[i]
	}
	boards("go-basic", func(size board.Size, cells map[string]string) {
		same(size.String()+": score", strong(size).score, cells["score"])
		same(size.String()+": minutes", math.Round(1000*strong(size).seconds/minute)/1000, number(cells["published"]))
	})
	legal, _ := data["go-basic"].Row("4x5")
	same("legal boards of 4x5", publishedLegal, legal["legal boards"])
	boards("go-superko", func(size board.Size, cells map[string]string) {
		if size.Cols >= len(publishedEmpty) {
			return // longer rows were not published
		}
		same(size.String()+": score", publishedEmpty[size.Cols], cells["score"])
		if first := publishedFirstOn(size.Cols); first != nil {
			same(size.String()+": first moves", strings.Trim(fmt.Sprint(first), "[]"), strings.ReplaceAll(cells["first moves from the end to the middle"], ",", ""))
		}
	})
	first, _ := data["nogo-rows"].Row("1x" + strconv.Itoa(publishedRow))
	if first["after B1: positions"] == "" {
		t.Errorf("docs/data has no search of 1x%d, the longest published row", publishedRow)
	}
	if compared < 70 {
		t.Errorf("only %d figures were compared", compared)
	}
}
