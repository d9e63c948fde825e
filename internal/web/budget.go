package web

import (
	"errors"
	"sync"
)

// budget is what requests may hold at a time: a number of them, and bytes of memory for
// their bodies and what is made of these. No client has more than its share.
type budget struct {
	all, each share

	mu      sync.Mutex
	held    share
	clients map[string]share
}

// share is what is held, or may be.
type share struct {
	requests int
	bytes    int64
}

func (s share) plus(t share) share { return share{s.requests + t.requests, s.bytes + t.bytes} }

func (s share) fits(limit share) bool { return s.requests <= limit.requests && s.bytes <= limit.bytes }

func newBudget(all, each share) *budget {
	return &budget{all: all, each: each, clients: map[string]share{}}
}

// The reasons to turn a request away before it is read.
var (
	errClientBudget = errors.New("this client has as many requests, or as large ones, under way as it may have: wait for one of them and ask again")
	errBudget       = errors.New("the server has as many requests, or as large ones, under way as its memory allows: ask again in a while")
)

// take charges a client for a request. The charge is returned by the function.
func (b *budget) take(client string, bytes int64) (giveBack func(), err error) {
	charge := share{1, bytes}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case !b.clients[client].plus(charge).fits(b.each):
		return nil, errClientBudget
	case !b.held.plus(charge).fits(b.all):
		return nil, errBudget
	}
	b.add(client, charge)
	return sync.OnceFunc(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.add(client, share{-charge.requests, -charge.bytes})
	}), nil
}

// add changes what a client holds. The caller holds the lock.
func (b *budget) add(client string, charge share) {
	b.held = b.held.plus(charge)
	if left := b.clients[client].plus(charge); left == (share{}) {
		delete(b.clients, client)
	} else {
		b.clients[client] = left
	}
}

// holds is what is held now.
func (b *budget) holds() share {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held
}

// A connection, and a request with a small body, takes requestBytes at most.
const requestBytes = 64 << 10

// smallBody is the part of a body that the number of requests bounds.
const smallBody = 4 << 10

// A kind of body and the memory that a byte of it may take until it is answered. A
// question of JSON becomes moves, positions and an answer. A file is kept twice; a slot
// bounds what is made of it.
const (
	questionWeight = 32
	fileWeight     = 2
)

// budgets are those of a server with this much memory. Questions and files have their
// own, so that those who send files do not take the place of those who ask.
func budgets(memory int64) (questions, files *budget) {
	requests := max(int(memory/requestBytes), 64)
	bytes := memory / bodyShare
	file := int64(fileWeight * MaxProof)
	questions = newBudget(share{requests, max(bytes, questionWeight*maxBody)}, share{(requests + 1) / 2, max(bytes/2, questionWeight*maxBody)})
	files = newBudget(share{requests, max(bytes, file)}, share{(requests + 1) / 2, max(bytes/2, file)})
	return questions, files
}
