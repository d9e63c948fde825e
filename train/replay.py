"""Positions to learn from, packed as sets of bits, the oldest of which are forgotten."""

import torch

from tree import MAX_POINTS, PLANES

SIDE = 9  # of the frame in which boards of all sizes are learned


def bits(sets):
    """Sets of points, [..., 2] as 64-bit halves, as [..., 81] of 0 and 1."""
    shift = torch.arange(64, device=sets.device)
    return ((sets.unsqueeze(-1) >> shift) & 1).flatten(-2)[..., :MAX_POINTS]


class Replay:
    def __init__(self, room, device):
        def zeros(*shape, kind):
            return torch.zeros(room, *shape, dtype=kind, device=device)

        self.room, self.device, self.added = room, device, 0
        self.size = zeros(2, kind=torch.uint8)
        self.stones = zeros(2, 2, kind=torch.int64)
        self.moves = zeros(2, 2, kind=torch.int64)
        self.ends = zeros(2, 2, kind=torch.int64)
        self.policy = zeros(MAX_POINTS, kind=torch.float16)
        self.value = zeros(kind=torch.float16)

    def add(self, rows, cols, stones, moves, policy, value, ends):
        n = len(value)
        at = (self.added + torch.arange(n, device=self.device)) % self.room
        self.size[at, 0], self.size[at, 1] = rows, cols
        self.stones[at], self.moves[at], self.ends[at] = stones, moves, ends
        self.policy[at], self.value[at] = policy.half(), value.half()
        self.added += n

    def window(self, least):
        """How many of the newest positions are learned from: more as games get better."""
        return int(min(self.added, self.room, least + 0.6 * max(0, self.added - least)))

    def sample(self, count, least):
        """A batch in a frame of 9×9, turned or mirrored: planes, mask, policy, value, ends."""
        back = torch.randint(0, self.window(least), (count,), device=self.device)
        at = (self.added - 1 - back) % self.room
        rows, cols = self.size[at, 0].long(), self.size[at, 1].long()
        row = torch.arange(SIDE, device=self.device).repeat_interleave(SIDE)
        col = torch.arange(SIDE, device=self.device).repeat(SIDE)
        mask = (row < rows[:, None]) & (col < cols[:, None])
        point = torch.where(mask, row * cols[:, None] + col, torch.zeros_like(row))

        def framed(x):  # [count, k, 81] by points of the board → the frame
            return x.gather(2, point[:, None].expand(-1, x.shape[1], -1)) * mask[:, None]

        stones, moves = framed(bits(self.stones[at])), framed(bits(self.moves[at]))
        own, other, mine, theirs = stones[:, 0], stones[:, 1], moves[:, 0], moves[:, 1]
        nobody = mask & ~(stones.sum(1) + moves.sum(1)).bool()
        planes = torch.stack([own, other, mine, theirs, mine & ~theirs, theirs & ~mine, nobody, mask], 1).float()
        policy = framed(self.policy[at, None].float())
        ends = framed(bits(self.ends[at])).float()
        turned = self.turn(torch.cat([planes, mask[:, None].float(), policy, ends], 1))
        planes, mask, policy, ends = turned.split([PLANES, 1, 1, 2], 1)
        return planes, mask, policy.flatten(1), self.value[at].float(), ends

    def turn(self, x):
        """One symmetry of the frame for the whole batch."""
        x = x.view(len(x), -1, SIDE, SIDE)
        way = int(torch.randint(0, 8, ()))
        x = torch.rot90(x, way % 4, (2, 3))
        return (x.flip(3) if way >= 4 else x).contiguous()
