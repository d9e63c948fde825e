package web

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"tengen/board"
	"tengen/game"
)

// resultsFile is made from docs/results.md by a test, which also compares them.
//
//go:embed results.json
var resultsFile []byte

// ResultTable is a table of results, published ones beside ours.
type ResultTable struct {
	Title string       `json:"title"`
	Note  string       `json:"note"`
	Rows  []string     `json:"rows"`
	Cols  []string     `json:"cols"`
	Cells []ResultCell `json:"cells"`
}

// ResultCell is a board.
type ResultCell struct {
	Row         string   `json:"row"`
	Col         string   `json:"col"`
	Winner      string   `json:"winner,omitempty" enum:"black,white"`
	Score       *int     `json:"score,omitempty"`
	Published   bool     `json:"published" doc:"the same result was published before"`
	Question    Question `json:"question"`
	Command     string   `json:"command,omitempty" doc:"that makes it again, if it was made here"`
	Move        string   `json:"move,omitempty" doc:"the best first move, if it was published and not made here"`
	Source      string   `json:"source,omitempty" doc:"where it was published, if it was not made here"`
	Certificate string   `json:"certificate_sha256,omitempty"`
	Positions   uint64   `json:"positions,omitempty" doc:"searched"`
}

var readResults = inside[[]ResultTable](resultsFile, "results")

// inside reads a JSON file of the program once. Nobody changes what it returns.
func inside[T any](file []byte, what string) func() (T, error) {
	return sync.OnceValues(func() (content T, err error) {
		if err = json.Unmarshal(file, &content); err != nil {
			err = fmt.Errorf("the %s in this program cannot be read: %w", what, err)
		}
		return content, err
	})
}

// Published finds the result of a board of Go under basic ko that was published and not made
// here, nil if there is none.
func Published(size board.Size) *ResultCell {
	tables, err := readResults()
	if err != nil {
		return nil // a test reads them
	}
	for _, table := range tables {
		for _, cell := range table.Cells {
			if q := cell.Question; q.Game == (game.Go{}).Name() && q.Rules == "" && q.Size == size.Lying().String() && cell.Source != "" {
				return &cell
			}
		}
	}
	return nil
}

// Results is the answer of the API with all tables.
func Results() ([]byte, error) {
	tables, err := readResults()
	if err != nil {
		return nil, err
	}
	var out resultsOutput
	out.Body.Tables = tables
	return json.Marshal(out.Body)
}

type resultsOutput struct {
	CacheControl string `header:"Cache-Control"`
	Body         struct {
		Tables []ResultTable `json:"tables"`
	}
}

func (s *Server) resultTables(context.Context, *struct{}) (*resultsOutput, error) {
	out := &resultsOutput{CacheControl: "max-age=3600"}
	out.Body.Tables = s.results
	return out, nil
}
