package nogo

import "tengen/board"

// LegalByFlood lets the tests compare the flood fill with the bit operations.
func LegalByFlood(p Position, c board.Colour) board.Set { return p.legalByFlood(c) }
