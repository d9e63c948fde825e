package web

import (
	"errors"
	"sync"
)

// budget limits the requests under way, and the memory of their bodies and of the values
// read from them. No client gets more than its share.
type budget struct {
	all, each share

	mu      sync.Mutex
	held    share
	clients map[string]share
}

// share is an amount that is in use, or a limit.
type share struct {
	requests int
	bytes    int64
}

func (s share) plus(t share) share { return share{s.requests + t.requests, s.bytes + t.bytes} }

func (s share) fits(limit share) bool { return s.requests <= limit.requests && s.bytes <= limit.bytes }

func newBudget(all, each share) *budget {
	return &budget{all: all, each: each, clients: map[string]share{}}
}

// The reasons to refuse a request before it is read.
var (
	errClientBudget = errors.New("this client has reached its limit of requests or of their size: wait until one of them ends and ask again")
	errBudget       = errors.New("the server has no memory for further requests: ask again in a while")
)

// take charges a client for a request. giveBack ends the charge.
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

// holds is the amount in use.
func (b *budget) holds() share {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held
}

// requestBytes bounds the memory of a connection, and of a request with a small body.
const requestBytes = 64 << 10

// smallBody is the part of a body that requestBytes covers.
const smallBody = 4 << 10

// The memory that a byte of a body may take until it is answered. A question in JSON
// becomes moves, positions and an answer. A file is held twice; a slot bounds the memory of
// its contents.
const (
	questionWeight = 32
	fileWeight     = 2
)

// budgets divides the memory of a server. Questions and files have separate budgets, so
// that files do not block questions.
func budgets(memory int64) (questions, files *budget) {
	requests := max(int(memory/requestBytes), 64)
	bytes := memory / bodyShare
	file := int64(fileWeight * MaxProof)
	questions = newBudget(share{requests, max(bytes, questionWeight*maxBody)}, share{(requests + 1) / 2, max(bytes/2, questionWeight*maxBody)})
	files = newBudget(share{requests, max(bytes, file)}, share{(requests + 1) / 2, max(bytes/2, file)})
	return questions, files
}
