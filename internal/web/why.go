package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/book"
	"tengen/nogo"
	"tengen/proof"
	"tengen/proof/area"
	"tengen/weiqi"
)

// proofTime limits the time to make a proof.
const proofTime = 30 * time.Second

// quickProof is the size of boards that are proven in a moment. There a certificate says more
// than the book.
const quickProof = 16

// WhyBody asks why a position is won, or why a move of Go loses points.
type WhyBody struct {
	Question
	Move        string `json:"move,omitempty" doc:"of Go without a certificate: the move to refute"`
	Endless     string `json:"endless,omitempty" doc:"of Go under basic ko: what a game without end counts for Black: draw (the default), lose or win"`
	Certificate string `json:"certificate,omitempty" doc:"the id of a certificate that was sent here"`
}

// Why is one step of a proof, or the refutation of a move of Go.
type Why struct {
	// Of NoGo, and of a certificate of Go.
	Winner      string        `json:"winner,omitempty" enum:"black,white" doc:"of Go: the side whose score the certificate is about"`
	AtLeast     *int          `json:"at_least,omitempty" doc:"of a certificate of Go: the area of that side less the other's is at least this"`
	ToPlay      string        `json:"to_play,omitempty" enum:"b,w"`
	Role        string        `json:"role,omitempty" enum:"winner,loser" doc:"winner or loser: who is to play"`
	Reply       string        `json:"reply,omitempty" doc:"the winner's move"`
	By          string        `json:"by,omitempty" doc:"what proves the reply: certificate, endgame or book. Where a certificate of Go ends, the reason: safe (enough points are), rooms (the winner keeps every room) or rules (two passes)"`
	Moves       []WhyMove     `json:"moves,omitempty" doc:"every move of the loser and the answer"`
	Over        bool          `json:"over"`
	Certificate *WhyCertifies `json:"certificate,omitempty"`
	// Of a move of Go.
	Line        []string `json:"line,omitempty" doc:"best play from the move on; under basic ko the loser resists as long as it can"`
	Cut         bool     `json:"cut,omitempty" doc:"the game goes on after line"`
	ScoreBefore *int     `json:"score_before,omitempty"`
	ScoreAfter  *int     `json:"score_after,omitempty"`
	Cost        *int     `json:"cost,omitempty" doc:"points that the move gives away"`
}

// WhyMove is a move of the loser and the winning answer.
type WhyMove struct {
	Move   string `json:"move"`
	Answer string `json:"answer,omitempty"`
	By     string `json:"by" doc:"certificate, endgame, book, or rules if the game is over then; of a certificate of Go also safe or rooms, if it ends with the answer"`
}

// WhyCertifies names the proof.
type WhyCertifies struct {
	ID        string `json:"id"`
	Positions int    `json:"positions"`
	Checksum  string `json:"checksum"`
}

func (s *Server) why(ctx context.Context, in *body[WhyBody]) (*body[Why], error) {
	b := in.Body
	a, err := b.Question.read()
	if err != nil {
		return nil, err
	}
	if !a.scored() && b.Move != "" {
		return nil, wrong(".move", b.Move, errors.New("the proof of NoGo answers every move: remove move"))
	}
	walked := a.scored() && b.Certificate != ""
	switch {
	case walked && b.Move != "":
		return nil, wrong(".move", b.Move, errors.New("a certificate answers every move: remove move"))
	case walked && a.rules.Superko() != weiqi.Basic:
		return nil, wrong(".rules", b.Rules, errors.New("certificates are for the rules basic: remove rules, or certificate"))
	}
	endless, err := a.endless(b.Endless)
	if err != nil {
		return nil, err
	}
	leave, err := s.enterShort(ctx, "why")
	if err != nil {
		return nil, err
	}
	defer leave()
	limit := s.within(proofTime)
	if a.scored() {
		limit = s.within(tableTime)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var w Why
	switch {
	case walked:
		w, err = s.walkGo(ctx, a.game.Position(), b.Certificate)
	case a.scored():
		w, err = s.refute(limited, a, endless, b.Move)
	default:
		w, err = s.step(limited, a, b.Certificate)
	}
	var stopped *job.Stopped
	switch {
	case ctx.Err() != nil:
		return nil, s.failed(ctx, err)
	case errors.As(err, &stopped) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, proof.ErrElsewhere):
		return nil, wrong("", nil, known{codeProof, fmt.Errorf("a proof of this position takes more than %s here: make some moves first, or send a certificate", limit)})
	}
	return &body[Why]{w}, err
}

// step is one step of a walk through the proof of a position of NoGo.
func (s *Server) step(ctx context.Context, a asked, id string) (Why, error) {
	now := a.game.Position()
	p, c := game.NoGoPosition(now), now.ToPlay
	if end, over := a.rules.End(now, 0); over {
		return Why{Winner: winner(end.Winner.Colour()), ToPlay: letter(c), Role: "loser", Over: true}, nil
	}
	if id == "" {
		if w, known := fromBook(ctx, p, c); known {
			return w, nil
		}
	}
	cert, err := s.certificate(ctx, p, c, id)
	if err != nil {
		return Why{}, err
	}
	w, err := walk(ctx, cert, p, c)
	if errors.Is(err, proof.ErrElsewhere) {
		if cert, err = s.prove(ctx, p, c); err == nil {
			w, err = walk(ctx, cert, p, c)
		}
	}
	return w, err
}

// walk takes one step by a certificate.
func walk(ctx context.Context, cert *proof.Certificate, p nogo.Position, c board.Colour) (Why, error) {
	w, err := takeStep(ctx, cert.Guide(), cert.Winner(), p, c)
	kept := ofNoGo(cert)
	w.Certificate = &kept.WhyCertifies
	return w, err
}

// fromBook takes one step by the book of first moves, if it has every reply.
func fromBook(ctx context.Context, p nogo.Position, c board.Colour) (Why, bool) {
	known := book.OfNoGo(p.Size)
	if known == nil || p.Size.Points() <= quickProof {
		return Why{}, false
	}
	won, _, ok := known.Lookup(p, c)
	if !ok {
		return Why{}, false
	}
	w, err := takeStep(ctx, known.Guide(won), won, p, c)
	return w, err == nil
}

// takeStep shows the winner's reply, or the replies to every move of the loser.
func takeStep(ctx context.Context, guide proof.Guide, won board.Colour, p nogo.Position, c board.Colour) (Why, error) {
	w := Why{Winner: winner(won), ToPlay: letter(c), Role: "loser"}
	rounds := 1
	if c == won {
		w.Role, rounds = "winner", 0
	}
	node, err := proof.Walk{Guide: guide, Winner: won, Rounds: rounds}.From(ctx, p, c)
	if err != nil {
		return w, err
	}
	if c == won {
		w.Reply, w.By = p.Size.Name(node.Children[0].Move), by(node.Children[0])
		return w, nil
	}
	for _, move := range node.Children {
		answer := move.Children[0]
		w.Moves = append(w.Moves, WhyMove{p.Size.Name(move.Move), p.Size.Name(answer.Move), by(answer)})
	}
	return w, nil
}

// by says what proves a reply, in the words of the API.
func by(reply *proof.Node) string {
	switch reply.By {
	case proof.ByEntry:
		return "certificate"
	case book.Basis:
		return string(book.Basis)
	}
	return "endgame"
}

// certificate finds a certificate that covers the position, or makes one.
func (s *Server) certificate(ctx context.Context, p nogo.Position, c board.Colour, id string) (*proof.Certificate, error) {
	if id != "" {
		cert := s.certificates.named(id).nogo
		switch {
		case cert == nil:
			return nil, wrong(".certificate", id, errNotKept)
		case cert.Size() != p.Size:
			return nil, wrong(".certificate", id, fmt.Errorf("the certificate is of a %s board, the position of %s", cert.Size(), p.Size))
		case covers(cert, p, c):
			return cert, nil
		}
	}
	if cert := s.certificates.covering(p, c); cert != nil {
		return cert, nil
	}
	return s.prove(ctx, p, c)
}

// prove makes a certificate.
func (s *Server) prove(ctx context.Context, p nogo.Position, c board.Colour) (*proof.Certificate, error) {
	var file bytes.Buffer
	_, err := solve.NoGo(ctx, solve.Request{
		Position: p, ToPlay: c, CertificateTo: &file, Strips: job.Cache,
		Limits: job.Limits{Memory: s.options.Memory / proofShare, Threads: s.options.Threads},
	})
	var stopped *job.Stopped
	if err != nil && !errors.As(err, &stopped) {
		err = wrong(".size", p.Size.String(), known{codeLimit, err})
	}
	if err != nil {
		return nil, err
	}
	cert, err := proof.Read(&file)
	if err != nil {
		return nil, err
	}
	// The page shows only what the checker has accepted, not what the search claims.
	report, err := proof.Verify(ctx, cert, proof.VerifyOptions{Threads: s.options.Threads, Memory: s.options.Memory / proofShare})
	switch {
	case ctx.Err() != nil:
		return nil, &job.Stopped{Cause: ctx.Err()}
	case err != nil:
		return nil, err
	case !report.Valid:
		return nil, fmt.Errorf("a proof that was made here does not hold (%w): please report this", report.Failure)
	}
	s.certificates.keep(ofNoGo(cert))
	return cert, nil
}

// walkGo takes one step by a certificate of Go.
func (s *Server) walkGo(ctx context.Context, p game.Position, id string) (Why, error) {
	kept := s.certificates.named(id)
	if kept.area == nil {
		return Why{}, wrong(".certificate", id, errNotKept)
	}
	node, err := kept.area.WalkFrom(ctx, p, 1)
	if err != nil {
		return Why{}, wrong(".certificate", id, known{codeElsewhere, errors.New("the certificate does not cover this position: take back a move, or go to its first position")})
	}
	claim := kept.area.Claim()
	w := Why{
		Winner: winner(claim.Prover), AtLeast: &claim.Goal, ToPlay: letter(p.ToPlay), Role: "loser",
		By: ending(node), Over: p.Over(), Certificate: &kept.WhyCertifies,
	}
	if p.ToPlay == claim.Prover && !w.Over {
		w.Role, w.Reply, w.By = "winner", node.Children[0].Name(), "certificate"
		return w, nil
	}
	for _, move := range node.Children {
		m := WhyMove{Move: move.Name(), By: ending(move)}
		if len(move.Children) > 0 {
			answer := move.Children[0]
			m.Answer, m.By = answer.Name(), cmp.Or(ending(answer), "certificate")
		}
		w.Moves = append(w.Moves, m)
	}
	return w, nil
}

// ending says why a certificate of Go follows a position no further; "" if it does.
func ending(n *area.Node) string {
	switch {
	case n.Position.Over():
		return "rules"
	case n.ByRooms:
		return "rooms"
	case n.Settled:
		return "safe"
	}
	return ""
}

// refute shows what a move of Go costs and how.
func (s *Server) refute(ctx context.Context, a asked, endless table.Endless, name string) (Why, error) {
	if name == "" {
		return Why{}, wrong(".move", name, errors.New("give the move to refute, such as A1"))
	}
	now := a.game.Position()
	move, err := game.ParseMove(now.Size, name)
	if err == nil {
		err = a.game.Check(move)
	}
	if err != nil {
		return Why{}, wrong(".move", name, err)
	}
	q := a.question()
	q.Endless = endless
	r, err := s.analyst.Refute(ctx, q, move)
	var stopped *job.Stopped
	switch {
	case errors.As(err, &stopped):
		return Why{}, err
	case errors.Is(err, analyse.ErrUnknownScore):
		return Why{}, wrong(".move", name, err)
	case err != nil:
		return Why{}, s.unanswered(err)
	}
	return Why{ToPlay: letter(now.ToPlay), Line: game.MoveNames(now.Size, r.Line), Cut: cut(now, true, r.Line), ScoreBefore: &r.Before, ScoreAfter: &r.After, Cost: &r.Cost}, nil
}
