"""Plays two networks against each other and says whether the first may replace the second.

    python3 arena.py NEW.weights OLD.weights --games 200 --evaluations 300

Every opening of random moves is played twice, with colours changed. Exit code 0 if the new
network has won more than half with 95 % confidence, 1 if not.
"""

import argparse
import math
import random
import sys

import torch

from net import Folded, read_weights
from replay import bits
from tree import Tree


class Player:
    """A network with a search tree for each of many games."""

    def __init__(self, net, rows, cols, games, evaluations, device, c=1.5):
        self.net, self.tree, self.evaluations, self.c = net, Tree(rows, cols, games, evaluations + 2, device), evaluations, c

    def moves(self, stones, side):
        """The most visited move of every game, -1 where there is none."""
        tree = self.tree
        tree.begin(stones, side)
        tree.learn(*self.net(tree.planes))
        for _ in range(self.evaluations):
            tree.descend(None, -1, self.c)
            tree.learn(*self.net(tree.planes))
        visits = tree.roots(tree.visits)
        return torch.where(visits.sum(1) > 0, visits.argmax(1), -1).int()


def openings(tree, stones, side, moves, draw):
    """Plays random moves, the same in the two games of each pair."""
    for _ in range(moves):
        tree.begin(stones, side)
        legal = bits(tree.roots(tree.moves)[torch.arange(tree.games), side.long()]).cpu()
        picks = []
        for game in range(0, tree.games, 2):
            pick = draw.choice(legal[game].nonzero().squeeze(1).tolist())
            picks += [pick, pick]
        tree.play(stones, side, torch.tensor(picks, dtype=torch.int32, device=tree.device))


def match(nets, rows, cols, games, evaluations, opening, seed, device):
    """Wins of the first network as Black and as White, of games/2 each."""
    players = [Player(net, rows, cols, games, evaluations, device) for net in nets]
    tree = players[0].tree
    stones = torch.zeros(games, 2, 2, dtype=torch.int64, device=device)
    side = torch.zeros(games, dtype=torch.uint8, device=device)
    openings(tree, stones, side, opening, random.Random(seed))
    first = torch.arange(games, device=device) % 2  # who plays Black: 0 is the first network
    while True:
        ours, theirs = (player.moves(stones, side) for player in players)
        move = torch.where(side.long() == first, ours, theirs)
        if (move < 0).all():
            break
        tree.play(stones, side, move.int())
    won = side.long() != first  # who is to play has lost
    return int(won[first == 0].sum()), int(won[first == 1].sum())


def interval(wins, games):
    """Wilson's 95 % interval of a share."""
    z, share = 1.96, wins / games
    middle, spread = share + z * z / (2 * games), z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - spread) / (1 + z * z / games), (middle + spread) / (1 + z * z / games)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("new")
    parser.add_argument("old")
    parser.add_argument("--games", type=int, default=200, help="an even number")
    parser.add_argument("--evaluations", type=int, default=300, help="for a move")
    parser.add_argument("--opening", type=int, default=2, help="random moves first")
    parser.add_argument("--size", default="9x9")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    o = parser.parse_args()
    rows, cols = map(int, o.size.split("x"))
    nets = [Folded(read_weights(path), o.device) for path in (o.new, o.old)]
    black, white = match(nets, rows, cols, o.games, o.evaluations, o.opening, o.seed, o.device)
    low, high = interval(black + white, o.games)
    print(f"{black + white} of {o.games} ({black} as Black, {white} as White), {low:.1%} to {high:.1%}")
    sys.exit(0 if low > 0.5 else 1)


if __name__ == "__main__":
    main()
