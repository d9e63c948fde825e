#!/usr/bin/env python3
"""A second checker of certificates under superko. It follows
docs/superko-certificate-format.md, and shares nothing with tengen but that page.

    superko.py FILE    verifies a certificate

Exit code 0: valid; 1: the proof has a gap; 2: bad usage, or a file that is damaged or no
certificate. It needs Python 3 and the program zstd. A board is a string: x the prover, o
the opponent, a dot an empty point.
"""

import hashlib
import subprocess
import sys

PASS = -1


class Damaged(Exception):
    pass


class Gap(Exception):
    pass


def demand(right, error, what):
    if not right:
        raise error(what)


class Board:
    """The rules of Go on strings."""

    def __init__(self, rows, cols):
        self.points = rows * cols
        self.near = []
        for i in range(self.points):
            r, c = divmod(i, cols)
            near = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
            self.near.append([a * cols + b for a, b in near if 0 <= a < rows and 0 <= b < cols])

    def region(self, b, i):
        """The points like i that are connected to it, and the kinds of points beside them."""
        same, beside, todo = {i}, set(), [i]
        while todo:
            for j in self.near[todo.pop()]:
                if b[j] != b[i]:
                    beside.add(b[j])
                elif j not in same:
                    same.add(j)
                    todo.append(j)
        return same, beside

    def sound(self, b):
        return all(b[i] == "." or "." in self.region(b, i)[1] for i in range(self.points))

    def put(self, b, i, own):
        """The board after a stone, None if it is suicide."""
        other = "o" if own == "x" else "x"
        b = b[:i] + own + b[i + 1:]
        for j in self.near[i]:
            if b[j] == other:
                same, beside = self.region(b, j)
                if "." not in beside:
                    b = "".join("." if k in same else s for k, s in enumerate(b))
        return b if "." in self.region(b, i)[1] else None

    def score(self, b):
        total = 0
        for i in range(self.points):
            kinds = {b[i]} if b[i] != "." else self.region(b, i)[1]
            total += (kinds == {"x"}) - (kinds == {"o"})
        return total


class Numbers:
    """The contents of a block."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        demand(self.at < len(self.data), Damaged, "a block is too short")
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            b = self.byte()
            value |= (b & 127) << shift
            shift += 7
            if b < 128:
                demand(b or shift == 7, Damaged, "a number is too long")
                return value


def unpacked(data, blocks):
    """The contents of the blocks."""
    at = 48
    for _ in range(blocks):
        raw = int.from_bytes(data[at:at + 4], "little")
        packed = int.from_bytes(data[at + 4:at + 8], "little")
        frame = data[at + 8:at + 8 + packed]
        done = subprocess.run(["zstd", "-dcq"], input=frame, capture_output=True)
        demand(done.returncode == 0 and len(done.stdout) == raw, Damaged, "a block does not unpack")
        yield Numbers(done.stdout)
        at += 8 + packed
    demand(at == len(data) - 32, Damaged, "the blocks have the wrong length")


def verify(data):
    demand(len(data) >= 80 and data[:8] == b"TENGENPF" and data[10:14] == b"gosk", Damaged, "this is no certificate under superko")
    demand(data[8:10] == b"\1\0", Damaged, "the version is not 1")
    demand(hashlib.sha256(data[:-32]).digest() == data[-32:], Damaged, "the checksum is wrong")
    rows, cols, to_play, prover, rules, passes, goal, zero = data[14:22]
    goal -= 128
    points = rows * cols
    demand(0 < points <= 14 and to_play < 2 and prover < 2 and rules in (1, 2) and passes < 2 and zero == 0, Damaged, "the header is wrong")
    moves = int.from_bytes(data[22:24], "little")
    count = int.from_bytes(data[24:32], "little")
    stones = [int.from_bytes(data[32 + 8 * c:40 + 8 * c], "little") for c in (0, 1)]
    start = ""
    for i in range(points):
        bit = i // cols * (cols + 1) + i % cols
        here = [stones[c] >> bit & 1 for c in (0, 1)]
        demand(here != [1, 1], Damaged, "two stones on a point")
        start += ("x" if here[prover] else "o") if any(here) else "."
    board = Board(rows, cols)

    def identity(b, side):
        return (b, side) if rules == 2 else b

    entries = []  # (board, side, passed), free, barred; side 0 is the prover
    game = []
    for block in unpacked(data, (count + 65535) // 65536):
        if not entries:
            game = [block.byte() for _ in range(moves)]
        for _ in range(min(65536, count - len(entries))):
            entries.append(entry(block, board, entries, goal, identity))
        demand(block.at == len(block.data), Damaged, "a block is too long")
    demand(len(entries) > 0, Gap, "there is no entry")

    # The game that led to the position of the claim.
    demand(board.sound(start), Damaged, "the start is not legal")
    b, side, passed, ended = start, int(to_play != prover), passes == 1, False
    occurred = {identity(b, side)}
    if passed:
        occurred.add(identity(b, 1 - side))
    for move in game:
        demand(not ended and move <= points, Damaged, "a move of the game is not legal")
        if move == points:
            ended, passed = passed, True
        else:
            demand(b[move] == ".", Damaged, "a move of the game is not legal")
            b, passed = board.put(b, move, "xo"[side]), False
            demand(b and identity(b, 1 - side) not in occurred, Damaged, "a move of the game is not legal")
        side = 1 - side
        occurred.add(identity(b, side))
    demand(not ended, Damaged, "the game is over")
    position, free, barred = entries[-1]
    demand(position == (b, side, passed), Gap, "the last entry is another position")
    demand(not free & occurred, Gap, "the prover returns to a board of the game")
    demand(barred <= occurred, Gap, "a move of the opponent has no entry")
    who = ["black", "white"][prover]
    return f"{who} scores at least {goal} on {rows}x{cols}, {moves} moves after the start: {count} entries"


def entry(block, board, entries, goal, identity):
    """Reads and checks an entry."""
    code = block.number()
    side, passed = code & 1, code & 2 != 0
    code >>= 2
    b = ""
    for _ in range(board.points):
        b += ".xo"[code % 3]
        code //= 3
    demand(code == 0, Damaged, "a position does not exist")
    where = f"entry {len(entries)}, {b}: "
    demand(board.sound(b), Gap, where + "a block has no liberty")
    if side == 0:
        move = block.byte()
        demand(move <= board.points, Damaged, "a move does not exist")
        tries = [PASS if move == board.points else move]
    else:
        tries = [PASS] + [i for i in range(board.points) if b[i] == "."]
    free, barred = set(), set()
    for move in tries:
        back = block.number()
        demand(back <= len(entries), Damaged, "an entry follows that is not there")
        if move == PASS:
            nxt = (b, 1 - side, True)
            if back == 0:
                demand(passed or side == 1, Gap, where + "no entry follows a pass")
                demand(board.score(b) >= goal, Gap, where + "the goal is not reached")
                continue
            demand(not passed, Gap, where + "an entry follows the end of the game")
        else:
            demand(b[move] == ".", Gap, where + "a stone on a stone")
            after = board.put(b, move, "xo"[side])
            if after is None:
                demand(side == 1 and back == 0, Gap, where + "a suicide")
                continue
            nxt = (after, 1 - side, False)
            if back == 0:
                demand(side == 1, Gap, where + "no entry follows a stone")
                barred.add(identity(after, 1 - side))
                continue
            if side == 0:
                free.add(identity(after, 1 - side))
        position, more, needed = entries[-back]
        demand(position == nxt, Gap, where + "another position follows")
        free |= more
        barred |= needed
    demand(identity(b, side) not in free, Gap, where + "the prover returns to this board")
    barred.discard(identity(b, side))
    return (b, side, passed), free, barred


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        with open(sys.argv[1], "rb") as file:
            print("valid:", verify(file.read()))
        return 0
    except Gap as gap:
        print("not valid:", gap)
        return 1
    except (Damaged, OSError) as error:
        print("superko.py:", error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
