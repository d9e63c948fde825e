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

// readResults reads resultsFile once. Nobody changes what it returns.
var readResults = sync.OnceValues(func() (tables []ResultTable, err error) {
	if err = json.Unmarshal(resultsFile, &tables); err != nil {
		err = fmt.Errorf("the results in this program cannot be read: %w", err)
	}
	return tables, err
})

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
	return json.Marshal(resultsOutputBody{tables})
}

type resultsOutputBody struct {
	Tables []ResultTable `json:"tables"`
}

func (s *Server) resultTables(context.Context, *struct{}) (*document, error) {
	return newDocument(s.results), nil
}

// document is an answer in JSON that is ready before it is asked for.
type document struct {
	CacheControl string `header:"Cache-Control"`
	ContentType  string `header:"Content-Type"`
	Body         []byte
}

func newDocument(content []byte) *document {
	return &document{CacheControl: "max-age=3600", ContentType: "application/json", Body: content}
}
