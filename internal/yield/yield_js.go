// Package yield lets a search give way in a browser, where one thread runs all goroutines and
// none is interrupted: without it no cancellation would arrive before a search has ended.
package yield

import (
	"syscall/js"
	"time"
)

// every is the time between two turns of the browser's event loop.
const every = 10 * time.Millisecond

var (
	last  time.Time
	again = make(chan struct{})
	port  = open()
)

// open makes a channel of messages to ourselves. A message comes back after all events that
// wait, and sooner than the shortest timer of a browser.
func open() js.Value {
	channel := js.Global().Get("MessageChannel").New()
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		again <- struct{}{}
		return nil
	}))
	return channel.Get("port2")
}

// Now gives way if it has not done so for a while.
func Now() {
	if time.Since(last) < every {
		return
	}
	port.Call("postMessage", js.Null())
	<-again
	last = time.Now()
}
