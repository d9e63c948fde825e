//go:build !js

package net

import _ "embed"

//go:embed nogo.weights
var embedded []byte

// Weights is the file of the network that is part of the program.
func Weights() []byte { return embedded }
