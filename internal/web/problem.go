package web

import (
	"errors"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"tengen/engine/table"
	"tengen/internal/text"
)

// Codes of problems that a player can meet, for front ends that have words of their own.
// docs/api.md lists them.
const (
	codeMove        = "move"
	codePosition    = "position"
	codeSize        = "size"
	codeKo          = "ko"
	codeOver        = "over"
	codeRecord      = "record"
	codeCertificate = "certificate"
	codeElsewhere   = "elsewhere" // not in the certificate
	codeProof       = "proof"     // takes too long
	codeLarge       = "large"     // the file or the body
	codeTable       = "table"     // is missing and can be built
	codeLimit       = "limit"
	codeBusy        = "busy"
	codeStopping    = "stopping"
	codeNoBuilds    = "no-builds"
)

// codeScheme makes a code the type of a problem, which is a URI.
const codeScheme = "tengen:"

// Problem says why there is no answer.
type Problem struct {
	Message string `json:"message"`
	Code    string `json:"code,omitempty" doc:"what it is about, for words of one's own"`
}

// stopping is for those who are left when the server stops.
var stopping = Problem{"The server is stopping: what was decided is kept, ask again when it is back.", codeStopping}

// known is an error whose code says more than the field that it is about.
type known struct {
	code string
	error
}

func (k known) Unwrap() error { return k.error }

// codeOf is the code of an error, by itself or by its field; "" if it has none.
func codeOf(field string, err error) string {
	var k known
	if errors.As(err, &k) {
		return k.code
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(field, "."), "[")
	return map[string]string{
		"move": codeMove, "moves": codeMove, "position": codePosition, "size": codeSize, "ko": codeKo, "certificate": codeCertificate,
	}[name]
}

// coded gives an answer its code.
func coded(e huma.StatusError, code string) huma.StatusError {
	if model, ok := e.(*huma.ErrorModel); ok && code != "" {
		model.Type = codeScheme + code
	}
	return e
}

// wrong is the answer to bad input: one sentence, and where the mistake is.
func wrong(field string, value any, err error) error {
	text := sentence(err.Error())
	return coded(huma.Error422UnprocessableEntity(text, &huma.ErrorDetail{Location: "body" + field, Message: text, Value: value}), codeOf(field, err))
}

// trouble is an error of a search as players and programs are sent of it.
func (s *Server) trouble(err error) Problem {
	var none *table.Missing
	var large *table.TooLarge
	switch {
	case errors.As(err, &large):
		return Problem{fmt.Sprintf("A table of Go on %s needs %s of memory, and this server can give it %s now. Whoever runs it can give it more with --memory, or run \"tengen table build go %s\".",
			large.Size, text.Bytes(large.Need), text.Bytes(large.Limit), large.Size), codeLimit}
	case !errors.As(err, &none):
		return Problem{sentence(err.Error()), codeLimit}
	case s.options.Builds:
		return Problem{fmt.Sprintf("There is no table of Go on %s here. Ask /api/v1/table to build it, with about %s of memory and in a while.",
			none.Size, text.Bytes(none.Memory)), codeTable}
	}
	return Problem{fmt.Sprintf("There is no table of Go on %s here, and building it takes about %s of memory and a while: run \"tengen table build go %s\" on the server first.",
		none.Size, text.Bytes(none.Memory), none.Size), codeLimit}
}

// unanswered is trouble where no stream tells of it.
func (s *Server) unanswered(err error) error {
	p := s.trouble(err)
	return wrong("", nil, known{p.Code, errors.New(p.Message)})
}
