package web

import (
	"context"
	_ "embed"
	"slices"
	"sync"
)

// papersFile is made from docs/data by a test, which also compares them.
//
//go:embed papers.json
var papersFile []byte

// Experiment is a table or figure of a paper that was made again.
type Experiment struct {
	Name    string     `json:"name"`
	Paper   string     `json:"paper" doc:"authors and title"`
	Figure  string     `json:"figure" doc:"what of the paper"`
	Points  int        `json:"points" doc:"of the largest board"`
	Seconds float64    `json:"seconds"`
	Command string     `json:"command" doc:"that makes it again"`
	Rows    []Compared `json:"rows"`
}

// Compared is a published figure beside ours.
type Compared struct {
	What      string `json:"what"`
	Published string `json:"published"`
	Ours      string `json:"ours"`
	Verdict   string `json:"verdict" enum:"equal,better,differs,new"`
	Why       string `json:"why,omitempty" doc:"the reason of a difference"`
}

// papersOutputBody is a schema of the API: the content of papersFile.
type papersOutputBody struct {
	Experiments []Experiment `json:"experiments"`
}

var papersDocument = sync.OnceValue(func() []byte {
	return slices.Concat([]byte(`{"experiments":`), papersFile, []byte("}"))
})

func (s *Server) papers(context.Context, *struct{}) (*document, error) {
	return newDocument(papersDocument()), nil
}
