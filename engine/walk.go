package engine

import (
	"context"
	"errors"
	"fmt"

	"tengen/board"
	"tengen/internal/text"
	"tengen/proof"
)

// ReplyBasis is what a reply of the winner rests on.
type ReplyBasis string

// What replies rest on.
const (
	ReplyByEntry   = ReplyBasis(proof.ByEntry)   // of a certificate
	ReplyByEndgame = ReplyBasis(proof.ByEndgame) // the search that a certificate leaves the rest to
	ReplyBySearch  = ReplyBasis("search")        // the solver's own
)

// ProofNode is a position of a proof that is walked through as a game.
type ProofNode struct {
	Move   board.Point // that led here, board.NoPoint where the walk begins
	Name   string      // of the move, "" where the walk begins
	By     ReplyBasis  // what a move of the winner rests on; "" for one of the loser
	ToPlay board.Colour
	Stones board.Stones
	// Like is the name of an earlier move of the loser that a symmetry of the position
	// exchanges with this one, which is not followed further; "" if there is none.
	Like string
	// Children are the winner's reply, or every move of the loser. There are none where
	// the loser has lost, and where the walk ends.
	Children []*ProofNode
	// Over says that the loser is to play and has no move.
	Over bool
	// Left is, where the winner is to play, how many moves the game has left if the winner
	// ends it as soon as it can and the loser as late; 0 if that is not known.
	Left int
}

// Proof is a certificate to be walked through.
type Proof struct {
	Claim
	certificate *proof.Certificate
}

// OpenProof reads a certificate. It is taken at its word: verify it first.
func OpenProof(request ProofRequest) (*Proof, error) {
	c, err := request.read()
	if err != nil {
		return nil, err
	}
	return &Proof{claimOf(c), c}, nil
}

// walkNodes bounds a walk. A tree that anybody reads is far smaller.
const walkNodes = 200_000

// Walk plays moves from the root, in turn, and follows the proof from there: at positions
// of the winner one reply, at those of the loser every move, for so many moves of the
// loser.
func (p *Proof) Walk(ctx context.Context, moves []board.Point, rounds int) (*ProofNode, error) {
	position, toPlay, err := p.Position.PlayAll(moves, p.ToPlay)
	if err != nil {
		return nil, err
	}
	guide := p.certificate.Guide()
	root, err := proof.Walk{Guide: guide, Winner: p.Winner, Rounds: rounds, Most: walkNodes}.From(ctx, position, toPlay)
	switch {
	case errors.Is(err, proof.ErrElsewhere) && len(moves) > 0:
		return nil, p.strayed(ctx, guide, moves)
	case errors.Is(err, proof.ErrElsewhere):
		return nil, fmt.Errorf("the certificate does not prove its claim: \"tengen proof verify\" says where")
	}
	if err := tooLarge(err); err != nil {
		return nil, err
	}
	return proofNode(root), nil
}

// tooLarge says of a walk that is too long what to do about it.
func tooLarge(err error) error {
	var large *proof.TooLarge
	if errors.As(err, &large) {
		return fmt.Errorf("this part of the proof has more than %s positions: follow fewer moves, or play some first", text.Thousands(large.Most))
	}
	return err
}

// strayed finds the first of the moves that leaves the proof.
func (p *Proof) strayed(ctx context.Context, guide proof.Guide, moves []board.Point) error {
	position, toPlay := p.Position, p.ToPlay
	for i, move := range moves {
		if toPlay == p.Winner {
			reply, _, err := guide.Reply(ctx, position)
			if err != nil {
				break
			}
			if reply != move {
				return fmt.Errorf("move %d, %s, leaves the proof: there %s plays %s", i+1, p.Position.Size.Name(move), p.Winner, p.Position.Size.Name(reply))
			}
		}
		next, err := position.Play(move, toPlay)
		if err != nil {
			return err
		}
		position, toPlay = next, toPlay.Opponent()
	}
	return fmt.Errorf("the certificate does not prove its claim: \"tengen proof verify\" says where")
}

// proofNode is a node and what is below it, in types of this package.
func proofNode(n *proof.Node) *ProofNode {
	size := n.Position.Size
	node := &ProofNode{Move: n.Move, By: ReplyBasis(n.By), ToPlay: n.ToPlay, Stones: n.Position.Stones}
	if n.Move != board.NoPoint {
		node.Name = size.Name(n.Move)
	}
	if n.Like != board.NoPoint {
		node.Like = size.Name(n.Like)
	}
	for _, child := range n.Children {
		node.Children = append(node.Children, proofNode(child))
	}
	node.Over = len(n.Children) == 0 && n.Position.Legal(n.ToPlay).IsEmpty()
	return node
}
