package cgt_test

// tree is a game as an explicit tree. The functions on it are the definitions,
// with no regard to speed and no code of the package: the oracle of these tests.
type tree struct {
	left, right []*tree
}

func negate(t *tree) *tree {
	n := &tree{}
	for _, o := range t.right {
		n.left = append(n.left, negate(o))
	}
	for _, o := range t.left {
		n.right = append(n.right, negate(o))
	}
	return n
}

func plus(t, u *tree) *tree {
	s := &tree{}
	for _, o := range t.left {
		s.left = append(s.left, plus(o, u))
	}
	for _, o := range u.left {
		s.left = append(s.left, plus(t, o))
	}
	for _, o := range t.right {
		s.right = append(s.right, plus(o, u))
	}
	for _, o := range u.right {
		s.right = append(s.right, plus(t, o))
	}
	return s
}

// wins reports whether the player who moves wins the sum of the trees. Games are
// compared by playing their difference, so a comparison is one call.
func wins(leftMoves bool, sum ...*tree) bool {
	for i, t := range sum {
		options := t.right
		if leftMoves {
			options = t.left
		}
		for _, o := range options {
			sum[i] = o
			won := !wins(!leftMoves, sum...)
			sum[i] = t
			if won {
				return true
			}
		}
	}
	return false
}

func lessEq(t, u *tree) bool { return !wins(false, u, negate(t)) }
