package engine

import "tengen/board"

// DefaultPlayer is the player that suits a board: the perfect one where every move is
// settled in a moment, tree search elsewhere.
func DefaultPlayer(size board.Size) PlayerKind {
	const quickRow = 30
	if size.Points() <= finishPoints || isRow(size) && size.Points() <= quickRow {
		return PlayerPerfect
	}
	return PlayerMCTS
}

// Playouts is how many playouts the thinking of a mover has come to, 0 for one that
// counts none. It may be asked while the mover thinks.
func Playouts(m Mover) int {
	if counting, ok := m.(interface{ Done() int }); ok {
		return counting.Done()
	}
	return 0
}
