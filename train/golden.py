"""Writes what the network thinks, layer by layer, for the tests of the Go package internal/net.

    python3 golden.py ../internal/net/nogo.weights > ../internal/net/testdata/golden.txt

A line is a board with the side to play, or a layer with the sum and the sum of squares of all its
numbers and a few of them, or an output in full.
"""

import sys

import torch
import torch.nn.functional as F

from net import Folded, pool, read_weights
from test_rules import positions
from tree import PLANES

BOARDS = ((5, 5, 1), (5, 8, 0), (6, 7, 1), (7, 7, 0), (9, 6, 1), (9, 9, 0), (9, 9, 1))
SOME = 8


def planes(rows, cols, stones, legal, side):
    points = range(rows * cols)
    own, other, mine, theirs = (torch.tensor([s >> p & 1 for p in points]).float() for s in (stones[side], stones[1 - side], legal[side], legal[1 - side]))
    nobody = (own + other + mine + theirs == 0).float()
    kinds = [own, other, mine, theirs, mine * (1 - theirs), theirs * (1 - mine), nobody, torch.ones(rows * cols)]
    return torch.stack(kinds, 1).view(1, rows, cols, PLANES)


def full(name, x):
    print(name, *(f"{v:.6g}" for v in x.flatten().tolist()))


def layer(name, x):
    flat = x[0].permute(1, 2, 0).flatten()  # point by point
    some = [int(i) for i in torch.linspace(0, len(flat) - 1, SOME)]
    full(name, torch.cat([flat.sum().view(1), (flat * flat).sum().view(1), flat[some]]))


@torch.no_grad()
def main():
    torch.set_num_threads(1)
    net = Folded(read_weights(sys.argv[1]), "cpu")
    # The fourth golden position of the last game on each board: a few dozen stones at most.
    games = {}
    for rows, cols, stones, legal in positions():
        if not any(stones):
            games[rows, cols] = []
        games[rows, cols].append((stones, legal))
    for rows, cols, side in BOARDS:
        game = games[rows, cols]
        stones, legal = game[min(3, len(game) - 2)]
        cells = "".join("x" if stones[0] >> p & 1 else "o" if stones[1] >> p & 1 else "." for p in range(rows * cols))
        print("board", "/".join(cells[i : i + cols] for i in range(0, rows * cols, cols)), side)
        seen = planes(rows, cols, stones, legal, side)
        x = net.conv(seen.permute(0, 3, 1, 2), "stem")
        layer("stem", x)
        for i in range(net.blocks):
            y = net.conv(x, f"block{i}.first")
            layer(f"block{i}.first", y)
            if f"block{i}.pooling" in net.parts:
                y = y + net.linear(pool(y), f"block{i}.pooling")[:, :, None, None]
                layer(f"block{i}.pooling", y)
            x = net.conv(y, f"block{i}.second", add=x)
            layer(f"block{i}.second", x)
        layer("policy", net.conv(x, "policy"))
        layer("value", net.conv(x, "value"))
        full("hidden", F.relu(net.linear(pool(net.conv(x, "value")), "value_hidden")))
        logits, value = net(seen)
        full("logits", logits)
        full("result", value)
        full("ends", net.ends(seen))


if __name__ == "__main__":
    main()
