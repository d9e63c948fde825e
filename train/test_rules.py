"""The rules of search.cu against those of the Go package nogo, by golden positions."""

import ctypes
import os
import unittest

from tree import HERE, MAX_DEPTH, MAX_POINTS, PLANES, POINTERS, Memory, library


def positions():
    """Size, stones of Black and White, legal points of Black and White, as sets."""
    with open(os.path.join(HERE, "testdata", "positions.txt")) as file:
        for line in file:
            board, *legal = line.split()
            rows = board.split("/")
            cells = "".join(rows)
            stones = [sum(1 << i for i, c in enumerate(cells) if c == x) for x in "xo"]
            legal = [sum(1 << i for i, c in enumerate(text) if c == "1") for text in legal]
            yield len(rows), len(rows[0]), stones, legal


def halves(sets):
    return [part for s in sets for part in (s & (1 << 64) - 1, s >> 64)]


class Rules(unittest.TestCase):
    def test_legal_moves(self):
        calls, count = library(gpu=False), 0
        for rows, cols, stones, legal in positions():
            points = rows * cols
            kinds = dict(
                stones=ctypes.c_uint64 * 4, moves=ctypes.c_uint64 * 4, side=ctypes.c_uint8 * 1, value=ctypes.c_float * 1,
                child=ctypes.c_int16 * MAX_POINTS, logit=ctypes.c_float * MAX_POINTS, visits=ctypes.c_int32 * MAX_POINTS,
                total=ctypes.c_float * MAX_POINTS, used=ctypes.c_int32 * 1, path=ctypes.c_int32 * MAX_DEPTH,
                length=ctypes.c_int32 * 1, leaf=ctypes.c_int32 * 1, planes=ctypes.c_float * (PLANES * points),
            )  # fmt: skip
            # Sets of 128 bits want addresses that are multiples of 16.
            room = {name: (ctypes.c_uint8 * (ctypes.sizeof(kind) + 16))() for name, kind in kinds.items()}
            at = {name: (ctypes.addressof(space) + 15) // 16 * 16 for name, space in room.items()}
            memory = Memory(1, 1, rows, cols, *(at[name] for name in POINTERS))
            space = (ctypes.c_uint8 * 48)()
            given = (ctypes.addressof(space) + 15) // 16 * 16
            (ctypes.c_uint64 * 4).from_address(given)[:] = halves(stones)
            for side in (0, 1):
                calls.tree_begin(ctypes.addressof(memory), None, given, ctypes.addressof(ctypes.c_uint8(side)))
                moves = list((ctypes.c_uint64 * 4).from_address(at["moves"]))
                self.assertEqual(moves, halves(legal), f"{rows}x{cols} {stones}")
                planes = (ctypes.c_float * (PLANES * points)).from_address(at["planes"])
                for p in range(points):
                    own, other = stones[side] >> p & 1, stones[1 - side] >> p & 1
                    mine, theirs = legal[side] >> p & 1, legal[1 - side] >> p & 1
                    nobody = not (own or other or mine or theirs)
                    want = [own, other, mine, theirs, mine and not theirs, theirs and not mine, nobody, 1]
                    self.assertEqual(planes[PLANES * p : PLANES * (p + 1)], [float(x) for x in want])
            count += 1
        self.assertGreater(count, 500)


if __name__ == "__main__":
    unittest.main()
