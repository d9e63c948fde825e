package nogo

import "tengen/board"

// LegalByFlood lets the tests hold the plain rules against the bit operations.
func LegalByFlood(p Position, c board.Colour) board.Set { return p.legalByFlood(c) }
