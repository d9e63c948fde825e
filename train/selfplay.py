"""Games of the network with itself, many at once, by Gumbel search.

Danihelka et al., "Policy improvement by planning with Gumbel" (2022): moves are drawn by
noise on the prior and halved by their values, so that few evaluations are enough to improve
the policy.
"""

import math

import torch

from replay import bits
from tree import MAX_POINTS, Tree


def schedule(considered, evaluations):
    """Visits that a root move must have to be looked at next, for each evaluation of a search
    that begins with so many moves and halves them."""
    rounds, moves = max(1, math.ceil(math.log2(considered))), considered
    seen, order = [0] * considered, []
    while len(order) < evaluations:
        for _ in range(max(1, evaluations // (rounds * moves))):
            order += seen[:moves]
            seen[:moves] = [n + 1 for n in seen[:moves]]
        moves = max(2, moves // 2)
    return order[:evaluations]


class Search:
    """Gumbel search for all games of a tree. On a GPU it is recorded once and replayed."""

    def __init__(self, tree, net, considered=16):
        self.tree, self.net = tree, net
        self.order = schedule(min(considered, tree.points), tree.nodes - 2)
        make = dict(device=tree.device)
        self.stones = torch.zeros(tree.games, 2, 2, dtype=torch.int64, **make)
        self.side = torch.zeros(tree.games, dtype=torch.uint8, **make)
        self.noise = torch.zeros(tree.games, MAX_POINTS, **make)
        self.move = torch.zeros(tree.games, dtype=torch.int32, **make)
        self.policy = torch.zeros(tree.games, MAX_POINTS, **make)
        self.value = torch.zeros(tree.games, **make)
        self.graph = self.record() if tree.gpu else None

    def record(self):
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            self.search()  # cuDNN picks its algorithms
        torch.cuda.current_stream().wait_stream(aside)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.search()
        return graph

    def search(self):
        tree = self.tree
        tree.begin(self.stones, self.side)
        tree.learn(*self.net(tree.planes))
        for want in self.order:
            tree.descend(self.noise, want)
            tree.learn(*self.net(tree.planes))
        tree.decide(self.noise, self.move, self.policy, self.value)

    def __call__(self):
        """Fills move, policy and value for the present stones."""
        uniform = torch.rand(self.noise.shape, device=self.noise.device).clamp(1e-9, 1 - 1e-7)
        self.noise.copy_(-torch.log(-torch.log(uniform)))
        if self.graph is None:
            self.search()
        else:
            self.graph.replay()


class Pool:
    """Games on boards of one size that go on for ever: a game that ends makes room for the
    next. A game begins with a few random moves, which are not learned from."""

    RANDOM_GAMES, MOST_RANDOM = 0.6, 6
    HORIZON = 0.9  # how much later positions count in the value that is learned

    def __init__(self, rows, cols, games, evaluations, net, device):
        self.search = Search(Tree(rows, cols, games, evaluations + 2, device), net)
        self.tree = self.search.tree
        length = self.tree.points + 1
        make = dict(device=device)
        self.ply = torch.zeros(games, dtype=torch.int64, **make)
        # The first games begin at all stages, so that games do not end all at once.
        self.random = torch.randint(0, self.tree.points * 3 // 4, (games,), **make)
        self.stones = torch.zeros(games, length, 2, 2, dtype=torch.int64, **make)
        self.moves = torch.zeros(games, length, 2, 2, dtype=torch.int64, **make)
        self.side = torch.zeros(games, length, dtype=torch.uint8, **make)
        self.policy = torch.zeros(games, length, MAX_POINTS, dtype=torch.float16, **make)
        self.value = torch.zeros(games, length, **make)
        self.all = torch.arange(games, **make)
        self.games = self.black_wins = self.lengths = 0

    def draw_random(self, games):
        """How many moves of each game are random."""
        device = self.search.noise.device
        some = torch.rand(games, device=device) < self.RANDOM_GAMES
        return torch.randint(1, self.MOST_RANDOM + 1, (games,), device=device) * some

    def step(self, replay):
        """One move of all games; what is finished goes into the replay."""
        search, tree = self.search, self.tree
        search()
        moves = tree.roots(tree.moves)
        at = (self.all, self.ply)
        self.stones[at], self.side[at] = search.stones, search.side
        self.moves[at] = moves
        self.policy[at], self.value[at] = search.policy.half(), search.value
        over = search.move < 0
        if over.any():
            self.finish(over.nonzero().squeeze(1), replay)
        move = torch.where(self.ply < self.random, self.random_moves(), search.move)
        tree.play(search.stones, search.side, torch.where(over, -1, move).int())
        self.ply = torch.where(over, 0, self.ply + 1)
        self.clear(over)
        return tree.games

    def random_moves(self):
        """A legal move each; anything where there is none."""
        legal = bits(self.tree.roots(self.tree.moves)[self.all, self.search.side.long()])
        chance = torch.rand(legal.shape, device=legal.device) * legal
        return chance.argmax(1).int()

    def clear(self, over):
        self.search.stones[over] = 0
        self.search.side[over] = 0
        self.random = torch.where(over, self.draw_random(len(over)), self.random)

    def finish(self, ended, replay):
        """Hands positions with what became of them to the replay."""
        last, loser = self.ply[ended], self.search.side[ended]
        self.games += len(ended)
        self.black_wins += int((loser == 1).sum())
        self.lengths += int(last.sum())
        final = self.search.stones[ended]
        target = self.targets(ended, last, loser)
        step = torch.arange(self.stones.shape[1], device=last.device)[None, :]
        game, ply = ((step < last[:, None]) & (step >= self.random[ended][:, None])).nonzero(as_tuple=True)
        source = ended[game]
        side = self.side[source, ply].long()
        rows = torch.arange(len(game), device=last.device)

        def both(sets):  # own first
            return torch.stack([sets[rows, side], sets[rows, 1 - side]], 1)

        replay.add(
            self.tree.rows, self.tree.cols, both(self.stones[source, ply]), both(self.moves[source, ply]),
            self.policy[source, ply], target[game, ply], both(final[game]),
        )

    def targets(self, ended, last, loser):
        """What the side to play may expect of every position, -1…1: three quarters the result,
        one quarter the values of the searches that came later, the nearer the more."""
        side, value = self.side[ended], self.value[ended]
        result = torch.where(side == loser[:, None], -1.0, 1.0)
        later = torch.zeros_like(value)
        ahead = torch.full_like(value[:, 0], -1.0)  # at the end, for who cannot move
        for t in range(value.shape[1] - 1, -1, -1):
            at_end, before = last == t, last > t
            now = -ahead
            later[:, t] = torch.where(at_end, -1.0, now)
            blended = self.HORIZON * now + (1 - self.HORIZON) * value[:, t]
            ahead = torch.where(at_end, torch.full_like(ahead, -1.0), torch.where(before, blended, ahead))
        return 0.75 * result + 0.25 * later
