"""Trains the network that orders moves in large positions of NoGo, package movenet.

    go run ./internal/train/moves -seconds 225 -o examples
    python3 moves.py examples --teacher 270 --policy 300 --out net

A large network, the teacher, learns from settled moves: for the position after a move, who wins
and how many nodes that took. It then scores all moves of the listed positions, and a small
network learns these scores as a policy: all moves by one evaluation. The teacher is kept in the
folder, and the same command goes on with it. The result is net/moves.weights.
"""

import argparse
import glob
import hashlib
import math
import os
import struct
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from net import Block, Norm, pool

# Records: see internal/train/moves/files.go.
RECORD, COUNTS, CODES = 96, slice(16, 63), slice(63, 93)
WINS, POSITION, LISTED = 1, 8, 16
ROWS, COLS = 5, 15  # the frame that holds all boards

# The network of package movenet.
CHANNELS, BLOCKS, PLANES = 48, 2, 9
MAGIC, VERSION = b"TGMN", 1
ACTIVATION, WEIGHT, STEM = 1 << 8, 1 << 9, 1 << 10

COST = 0.5  # weight of the logarithm of the nodes against that of the chance to win
SHARPNESS = 0.7


def read(pattern):
    """All records of some files."""
    parts = [np.fromfile(name, dtype=np.uint8) for name in sorted(glob.glob(pattern))]
    if not parts:
        raise SystemExit(f"there are no files {pattern}: make them with go run ./internal/train/moves")
    return np.concatenate([part[: len(part) // RECORD * RECORD].reshape(-1, RECORD) for part in parts])


class Boards:
    """Positions in frames on the device. A board is in the corner of its frame."""

    def __init__(self, records, device):
        rows, cols = records[:, 0].astype(np.int64), records[:, 1].astype(np.int64)
        codes = np.zeros((len(records), ROWS, COLS), np.uint8)
        mask = np.zeros((len(records), 1, ROWS, COLS), np.uint8)
        for r, c in sorted(set(zip(rows.tolist(), cols.tolist()))):
            here = (rows == r) & (cols == c)
            codes[here, :r, :c] = records[here, CODES][:, : r * c].reshape(-1, r, c)
            mask[here, :, :r, :c] = 1
        put = lambda x: torch.tensor(x, device=device)
        self.codes, self.mask, self.rows, self.cols = put(codes), put(mask), put(rows), put(cols)
        self.counts = put(records[:, COUNTS].copy().view(np.int8))

    def flipped(self, x, at, turn):
        """Frames with their boards flipped: up and down, left and right, or both."""
        row, col = (torch.arange(n, device=x.device)[None].expand(len(at), n) for n in (ROWS, COLS))
        rows, cols = self.rows[at][:, None], self.cols[at][:, None]
        if turn & 1:
            row = torch.where(row < rows, rows - 1 - row, row)
        if turn & 2:
            col = torch.where(col < cols, cols - 1 - col, col)
        return x[torch.arange(len(at), device=x.device)[:, None, None], row[:, :, None], col[:, None, :]]

    def planes(self, at, turn):
        """The input of the networks, and the mask."""
        codes, mask = self.flipped(self.codes[at], at, turn).long(), self.mask[at]
        bits = torch.stack([(codes >> k) & 1 for k in range(8)], 1)
        return torch.cat([bits, mask.long()], 1).to(torch.bfloat16).contiguous(memory_format=torch.channels_last), mask


class Teacher(nn.Module):
    """Who wins after a move, as a logit, and a quarter of the logarithm of the nodes."""

    def __init__(self, channels=64, blocks=6):
        super().__init__()
        self.stem = nn.Conv2d(PLANES, channels, 3, padding=1, bias=False)
        self.norm = Norm(channels)
        self.blocks = nn.ModuleList(Block(channels, i in (1, 4)) for i in range(blocks))
        self.last = nn.Conv2d(channels, 48, 1)
        self.hidden = nn.Linear(96 + COUNTS.stop - COUNTS.start, 64)
        self.out = nn.Linear(64, 2)

    def forward(self, planes, mask, counts):
        with torch.autocast(planes.device.type, dtype=torch.bfloat16):
            x = F.relu(self.norm(self.stem(planes), mask))
            for block in self.blocks:
                x = block(x, mask)
            x = pool(F.relu(self.last(x)), mask)
        return self.out(F.relu(self.hidden(torch.cat([x.float(), counts.float() / 8], 1))))


class PolicyBlock(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = Norm(channels)
        self.pooling = nn.Linear(2 * channels, channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = Norm(channels)
        nn.init.zeros_(self.second_norm.scale)  # a block begins as nothing

    def forward(self, x, mask):
        y = F.relu(self.first_norm(self.first(x), mask))
        pooled = torch.cat([y.sum((2, 3)) / 16, y.amax((2, 3))], 1)
        y = F.relu(y + self.pooling(pooled)[:, :, None, None]) * mask.to(y.dtype)
        return F.relu(x + self.second_norm(self.second(y), mask))


class Policy(nn.Module):
    """A logit for every point."""

    def __init__(self, channels=CHANNELS, blocks=BLOCKS):
        super().__init__()
        self.stem = nn.Conv2d(PLANES, channels, 3, padding=1, bias=False)
        self.norm = Norm(channels)
        self.blocks = nn.ModuleList(PolicyBlock(channels) for _ in range(blocks))
        self.head = nn.Conv2d(channels, 1, 1)

    def forward(self, planes, mask):
        with torch.autocast(planes.device.type, dtype=torch.bfloat16, enabled=planes.dtype == torch.bfloat16):
            x = F.relu(self.norm(self.stem(planes), mask))
            for block in self.blocks:
                x = block(x, mask)
            return self.head(x).flatten(1).float()


def fit(name, net, rate, seconds, step, report):
    """Takes steps for some seconds, the rate falling to 0."""
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-4)
    begin = said = time.time()
    count = 0
    while (share := (time.time() - begin) / seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, count / 300) * (0.5 + 0.5 * math.cos(math.pi * share)) + 1e-6
        loss = step()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        count += 1
        if time.time() - said > seconds / 6:
            said = time.time()
            net.eval()
            with torch.no_grad():
                print(f"{name} {count} steps, {said - begin:.0f} s, loss {loss.item():.4f}, {report()}", flush=True)
            net.train()
    net.eval()


def train_teacher(folder, seconds, device):
    records = read(f"{folder}/settled*.bin")
    points, wins = records[:, 2], torch.tensor(records[:, 3] == WINS, device=device).float()
    cost = torch.tensor(records[:, 4:6].copy().view(np.uint16)[:, 0].astype(np.float32) / 4000, device=device)
    boards = Boards(records, device)
    held = np.arange(len(records)) % 50 == 0
    # Large positions are rare: they are taken more often.
    often = np.where(points >= 16, 4, np.where(points >= 14, 2, 1))
    learned = torch.tensor(np.repeat(np.nonzero(~held)[0], often[~held]), device=device)
    kept = torch.tensor(np.nonzero(held)[0][:65536], device=device)
    net = Teacher().to(device).to(memory_format=torch.channels_last)

    def out(at, turn):
        return net(*boards.planes(at, turn), boards.counts[at])

    def step():
        at = learned[torch.randint(0, len(learned), (8192,), device=device)]
        result = out(at, int(np.random.randint(4)))
        return F.binary_cross_entropy_with_logits(result[:, 0], wins[at]) + F.smooth_l1_loss(result[:, 1], cost[at], beta=0.5)

    def report():
        result = out(kept, 0)
        right = ((result[:, 0] > 0) == (wins[kept] > 0.5)).float().mean()
        return f"winner right {right:.4f}, error of the logarithm {4 * (result[:, 1] - cost[kept]).abs().mean():.3f}"

    print(f"{len(records)} settled moves", flush=True)
    fit("teacher", net, 4e-3, seconds, step, report)
    return net


@torch.no_grad()
def graded(net, records, device):
    """Scores of the positions after moves."""
    boards, scores = Boards(records, device), []
    for first in range(0, len(records), 1 << 17):
        at = torch.arange(first, min(first + (1 << 17), len(records)), device=device)
        out = sum(net(*boards.planes(at, turn), boards.counts[at]) for turn in (0, 3)) / 2
        scores.append(torch.log2(torch.sigmoid(out[:, 0]) + 0.01) - COST * 4 * out[:, 1])
    return torch.cat(scores).cpu().numpy()


NONE = -1e9  # the score of a point that is no move


def lessons(folder, teacher, most, device):
    """Positions and the teacher's scores of all their points. Scoring takes time: where there are
    more than a number of moves, those of positions with few points are left out."""
    records = read(f"{folder}/listed*.bin")
    at = np.nonzero(records[:, 3] == POSITION)[0]
    count = records[at, 6].astype(int)
    whole = np.diff(np.append(at, len(records))) == count + 1
    at, count = at[whole], count[whole]
    large = np.lexsort((np.random.RandomState(1).random(len(at)), -records[at, 2].astype(int)))
    large = large[np.cumsum(count[large]) <= most]
    at, count = at[large], count[large]
    moves = np.concatenate([np.arange(p + 1, p + 1 + n) for p, n in zip(at, count)])
    scores = np.full((len(at), ROWS * COLS), NONE, np.float32)
    point, cols = records[moves, 6].astype(int), records[moves, 1].astype(int)
    scores[np.repeat(np.arange(len(at)), count), point // cols * COLS + point % cols] = graded(teacher, records[moves], device)
    print(f"{len(at)} positions with {len(moves)} moves", flush=True)
    return records[at], scores


def train_policy(records, scores, seconds, device):
    boards, target = Boards(records, device), torch.tensor(scores, device=device)
    order = torch.tensor(np.random.RandomState(1).permutation(len(records)), device=device)
    kept, learned = order[: len(order) // 50], order[len(order) // 50 :]
    net = Policy().to(device).to(memory_format=torch.channels_last)

    def both(at, turn):
        wanted = boards.flipped(target[at].view(-1, ROWS, COLS), at, turn).flatten(1)
        return net(*boards.planes(at, turn)), wanted

    def divergence(got, wanted):
        none = wanted <= NONE
        share = F.softmax(SHARPNESS * wanted, 1)
        return (share * (torch.log(share + 1e-9) - F.log_softmax(got.masked_fill(none, NONE), 1)).masked_fill(none, 0)).sum(1).mean()

    def step():
        at = learned[torch.randint(0, len(learned), (4096,), device=device)]
        return divergence(*both(at, int(np.random.randint(4))))

    def report():
        got, wanted = both(kept[:16384], 0)
        best = got.masked_fill(wanted <= NONE, NONE).argmax(1, keepdim=True)
        lost = (wanted.max(1).values - wanted.gather(1, best)[:, 0]).mean()
        return f"divergence {divergence(got, wanted):.4f}, lost by the first move {lost:.3f}"

    fit("policy", net, 5e-3, seconds, step, report)
    return net


def integers(numbers, unit, form):
    """Numbers in fixed point."""
    return torch.round(numbers.detach().float().cpu() * unit).to(torch.int64).flatten().numpy().astype(form).tobytes()


@torch.no_grad()
def weights_file(net):
    """The file that package movenet reads: magic, version, channels, blocks, integers, and a
    SHA-256 of everything before it."""

    def folded(conv, norm):
        gain, shift = norm.folded()
        return (conv.weight * gain.view(-1, 1, 1, 1)).permute(2, 3, 1, 0).flatten(0, 1), shift  # [tap][in][out]

    def convolution(conv, norm):
        weight, shift = folded(conv, norm)
        pairs = weight.view(9, CHANNELS // 2, 2, CHANNELS).transpose(2, 3)  # [tap][pair][out][in of the pair]
        return integers(pairs, WEIGHT, "<i2") + integers(shift, ACTIVATION * WEIGHT, "<i4")

    weight, shift = folded(net.stem, net.norm)
    data = MAGIC + struct.pack("<III", VERSION, CHANNELS, BLOCKS)
    data += integers(weight, STEM, "<i2") + integers(shift, STEM, "<i4")
    for block in net.blocks:
        data += convolution(block.first, block.first_norm)
        data += integers(block.pooling.weight.T, WEIGHT, "<i2") + integers(block.pooling.bias, ACTIVATION * WEIGHT, "<i4")
        data += convolution(block.second, block.second_norm)
    data += integers(net.head.weight, WEIGHT, "<i2") + integers(net.head.bias, ACTIVATION * WEIGHT, "<i4")
    return data + hashlib.sha256(data).digest()


@torch.no_grad()
def golden(net, records, device):
    """A position of every size with the scores of the network."""
    lines, seen = ["# rows cols, codes of points, and the scores of the trainer's network in floating point"], set()
    boards = Boards(records, device)
    for i in range(0, len(records), len(records) // 10000 + 1):
        record = records[i]
        rows, cols = int(record[0]), int(record[1])
        if (rows, cols) not in seen:
            seen.add((rows, cols))
            planes, mask = boards.planes(torch.tensor([i], device=device), 0)
            scores = net(planes.float(), mask).view(ROWS, COLS)[:rows, :cols].flatten()
            lines += [f"{rows} {cols}", " ".join(map(str, record[CODES][: rows * cols])), " ".join(f"{s:.3f}" for s in scores.tolist())]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("examples", help="folder that go run ./internal/train/moves has filled")
    parser.add_argument("--teacher", type=float, default=270, help="seconds of training the teacher")
    parser.add_argument("--moves", type=float, default=60e6, help="score at most this many moves for the policy")
    parser.add_argument("--policy", type=float, default=300, help="seconds of training the policy; 0: the teacher alone")
    parser.add_argument("--out", default="net", help="folder for the teacher and the weights")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    os.makedirs(options.out, exist_ok=True)
    kept = os.path.join(options.out, "teacher.pt")
    if os.path.exists(kept):
        teacher = Teacher().to(device).to(memory_format=torch.channels_last)
        teacher.load_state_dict(torch.load(kept, map_location=device))
        teacher.eval()
    else:
        teacher = train_teacher(options.examples, options.teacher, device)
        torch.save(teacher.state_dict(), kept)
    if options.policy == 0:
        return
    records, scores = lessons(options.examples, teacher, options.moves, device)
    net = train_policy(records, scores, options.policy, device)
    for name, data in (("moves.weights", weights_file(net)), ("golden.txt", golden(net, records, device).encode())):
        with open(os.path.join(options.out, name + ".part"), "wb") as file:
            file.write(data)
        os.replace(os.path.join(options.out, name + ".part"), os.path.join(options.out, name))


if __name__ == "__main__":
    main()
