package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/text"
	"tengen/weiqi"
)

func goMethods() choice { return oneOf(names(solve.GoMethods())...) }

// boundFlags ask for bounds of a score instead of the score.
type boundFlags struct {
	atLeast, atMost optionalInt
}

func (b *boundFlags) register(cmd *cobra.Command) {
	cmd.Flags().Var(&b.atLeast, "at-least", "ask by search whether the score, Black minus White, is at least this")
	cmd.Flags().Var(&b.atMost, "at-most", "ask by search whether the score is at most this")
}

func (b *boundFlags) read() solve.GoBounds {
	return solve.GoBounds{AtLeast: b.atLeast.value, AtMost: b.atMost.value}
}

// rows answers what was asked.
func (b *boundFlags) rows(w io.Writer, r solve.GoResult) {
	for _, row := range []struct {
		name  string
		asked optionalInt
		holds solve.Truth
		other board.Colour // who does not want it
	}{{"at least", b.atLeast, r.AtLeast, board.White}, {"at most", b.atMost, r.AtMost, board.Black}} {
		if row.asked.value != nil {
			avoided := fmt.Sprintf("no: %s can avoid it, by an endless game if need be", row.other)
			answer := [...]string{solve.Undecided: "not decided", solve.True: "yes", solve.False: "no", solve.Avoided: avoided}[row.holds]
			fmt.Fprintf(w, "%s %d\t%s\n", row.name, *row.asked.value, answer)
		}
	}
}

// optionalInt is a flag with a whole number, nil if it is not given.
type optionalInt struct{ value *int }

func (o *optionalInt) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return errors.New("give a whole number")
	}
	o.value = &n
	return nil
}

func (o *optionalInt) String() string {
	if o.value == nil {
		return ""
	}
	return strconv.Itoa(*o.value)
}

func (o *optionalInt) Type() string { return "N" }

// checkMethod refuses flags that the method of the request does not know.
func (s *solveGo) checkMethod(request solve.GoRequest) error {
	asks := request.AtLeast != nil || request.AtMost != nil
	switch {
	case s.line.index() > 0 && request.Rules.Ko == weiqi.Basic && !request.BySearch():
		return fmt.Errorf("--line %s is for searches: a table has its line anyway", s.line.value)
	case s.certificate != "" && (request.AtLeast == nil) == (request.AtMost == nil):
		return errors.New("--certificate proves one bound: give --at-least N or --at-most N")
	case asks && s.why != "":
		return errors.New("--why compares scores: leave out --at-least and --at-most")
	case asks && s.record != "":
		return errors.New("--record writes scores: leave out --at-least and --at-most")
	}
	return nil
}

// announceBasic says what the search under basic ko is about to use.
func (s *solveGo) announceBasic(p job.Plan) {
	resumed := ""
	if p.Resumed {
		resumed = fmt.Sprintf(", resuming from %s after %s positions", text.Printable(s.checkpoint), text.Thousands(p.Past))
	}
	fmt.Fprintf(s.err, "method %s, up to %s of memory, threads: %d%s\n", p.Method, text.Bytes(p.Memory), p.Threads, resumed)
}

func printCertificate(w io.Writer, r solve.GoResult) {
	if c := r.Certificate; c != nil {
		fmt.Fprintf(w, "certificate\t%s, %s, %s\nsha256\t%s\n", text.Printable(c.Path), text.Plural(c.Positions, "position"), text.Bytes(c.Bytes), c.Checksum)
	}
}

func newGoCertificateJSON(r solve.GoResult) *certificateJSON {
	c := r.Certificate
	if c == nil {
		return nil
	}
	return &certificateJSON{c.Path, c.Positions, c.Bytes, c.Checksum}
}

// truthJSON is nil for what is not decided.
func truthJSON(t solve.Truth) *bool {
	if t == solve.Undecided {
		return nil
	}
	holds := t == solve.True
	return &holds
}
