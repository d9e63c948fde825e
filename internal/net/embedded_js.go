package net

import "syscall/js"

// Weights is the file of the network. In a browser the worker fetches it when it is needed.
func Weights() []byte {
	file := js.Global().Call("tengenFile", "nogo.weights")
	weights := make([]byte, file.Length())
	js.CopyBytesToGo(weights, file)
	return weights
}
