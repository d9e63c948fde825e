"""Trains the NoGo player's network from nothing: games and learning in one loop.

    python3 train.py --steps 43800 --out net

writes net/net.weights (for players), net/state.pt (to go on from), net/log.csv and
net/curves.svg. The same command goes on where it was stopped; Ctrl-C stops it.
"""

import argparse
import copy
import csv
import os
import random
import signal
import time

import torch
import torch.nn.functional as F

import curves
from net import Folded, Net, fold, weights_file
from replay import Replay
from selfplay import Pool

LEAST = 200_000  # positions before learning begins


class Trainer:
    COUNTS = ("spent", "rounds", "steps", "played", "log")  # kept beside the weights

    def __init__(self, o):
        self.o = o
        torch.manual_seed(o.seed)
        random.seed(o.seed)
        if o.device != "cpu":
            torch.backends.cudnn.benchmark = True
            torch.set_float32_matmul_precision("high")
        self.net = Net().to(o.device)
        if o.device != "cpu":
            self.net = self.net.to(memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.net).eval()  # of the latest weights: it plays
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=o.rate, momentum=0.9, weight_decay=5e-5, nesterov=True)
        self.spent, self.rounds, self.steps, self.played, self.log = 0.0, 0, 0, 0, []
        if os.path.exists(self.path("state.pt")):
            self.resume()
        self.forward = torch.compile(self.net) if o.compile and o.device != "cpu" else self.net
        self.player = Folded(fold(self.average), o.device)
        self.replay = Replay(o.room, o.device)
        self.main = Pool(9, 9, o.games, o.evaluations, self.player, o.device)
        self.others = [Pool(rows, cols, max(2, o.games // 4), o.evaluations, self.player, o.device) for rows, cols in self.sizes()]
        self.next = 0

    def sizes(self):
        """The boards beside 9×9, rows first; their turned forms are learned by symmetry."""
        return [(r, c) for r in range(5, 10) for c in range(r, 10) if (r, c) != (9, 9)] if self.o.other > 0 else []

    def path(self, name):
        return os.path.join(self.o.out, name)

    def resume(self):
        state = torch.load(self.path("state.pt"), map_location=self.o.device)
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        for name in self.COUNTS:
            setattr(self, name, state[name])
        torch.manual_seed(self.o.seed + self.rounds)
        random.seed(self.o.seed + self.rounds)

    def save(self):
        os.makedirs(self.o.out, exist_ok=True)
        state = dict(net=self.net.state_dict(), average=self.average.state_dict(), optimizer=self.optimizer.state_dict(),
                     **{name: getattr(self, name) for name in self.COUNTS})  # fmt: skip
        torch.save(state, self.path("state.pt.new"))
        os.replace(self.path("state.pt.new"), self.path("state.pt"))
        about = dict(steps=self.steps, games=self.played, seconds=round(self.spent), seed=self.o.seed)
        with open(self.path("net.weights.new"), "wb") as file:
            file.write(weights_file(self.average, about))
        os.replace(self.path("net.weights.new"), self.path("net.weights"))
        if self.log:
            with open(self.path("log.csv"), "w", newline="") as file:
                table = csv.DictWriter(file, self.log[0].keys())
                table.writeheader()
                table.writerows(self.log)
            curves.write(self.log, self.path("curves.svg"))

    def rate(self):
        """The learning rate: a short rise, a plateau, and a fall by a factor of fifty."""
        done = min(1.0, self.done())
        warm = min(1.0, self.steps / 500)
        return self.o.rate * warm * 0.02 ** max(0.0, (done - 0.45) / 0.55)

    def done(self):
        """How much of the run lies behind, 1 at its end: by steps if they are given, else by time."""
        return self.steps / self.o.steps if self.o.steps else self.spent / self.o.seconds

    def learn(self):
        """Four batches; returns the losses of the last."""
        self.net.train()
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        for _ in range(self.o.batches):
            planes, mask, policy, value, ends = self.replay.sample(self.o.batch, LEAST if self.o.device != "cpu" else 64)
            if self.o.device != "cpu":
                planes = planes.contiguous(memory_format=torch.channels_last)
            with torch.autocast(self.o.device, dtype=torch.bfloat16, enabled=self.o.device != "cpu"):
                logits, win, final = self.forward(planes, mask)
            legal = planes[:, 2].flatten(1) > 0
            choice = torch.log_softmax(logits.float().masked_fill(~legal, -1e4), 1)
            losses = dict(
                policy=-(policy * choice).sum(1).mean(),
                value=F.binary_cross_entropy_with_logits(win.float(), (value + 1) / 2),
                ends=(F.binary_cross_entropy_with_logits(final.float(), ends, reduction="none") * mask).sum() / mask.sum() / 2,
            )
            loss = losses["policy"] + 1.5 * losses["value"] + 0.5 * losses["ends"]
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 4.0)
            self.optimizer.step()
            self.steps += 1
            self.follow()
        self.player.load(fold(self.average))
        return losses

    @torch.no_grad()
    def follow(self):
        """The average follows the weights, over about a thousand steps."""
        pull = max(0.001, 1 / (self.steps + 1))
        for mine, latest in zip(self.average.state_dict().values(), self.net.state_dict().values()):
            mine.lerp_(latest, pull)

    def play(self):
        """A move of all games on 9×9, or now and then on another board."""
        if self.others and random.random() < self.o.other:
            self.next = (self.next + 1) % len(self.others)
            return self.others[self.next].step(self.replay)
        return self.main.step(self.replay)

    def run(self):
        stop = []
        for sign in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sign, lambda *_: stop.append(True))
        began, before, told, saved = time.time(), self.spent, time.time(), time.time()
        playing = 0.0
        while self.done() < 1 and not stop:
            at = time.time()
            self.play()
            if self.o.device != "cpu":
                torch.cuda.synchronize()
            playing += time.time() - at
            losses = self.learn() if self.replay.added >= (LEAST if self.o.device != "cpu" else 64) else None
            self.rounds += 1
            self.spent = before + time.time() - began
            if time.time() - told > self.o.tell and losses:
                told = time.time()
                self.tell({name: loss.item() for name, loss in losses.items()}, playing / (time.time() - began))
            if time.time() - saved > 60:
                saved = time.time()
                self.save()
        self.save()

    def tell(self, losses, playing):
        games = self.main.games
        self.played += games
        row = dict(seconds=round(self.spent), rounds=self.rounds, steps=self.steps, games=self.played, positions=self.replay.added,
                   black=round(self.main.black_wins / max(1, games), 4), length=round(self.main.lengths / max(1, games), 1),
                   rate=round(self.rate(), 5), playing=round(playing, 3), **{k: round(v, 4) for k, v in losses.items()})  # fmt: skip
        self.log.append(row)
        print(" ".join(f"{k} {v}" for k, v in row.items()), flush=True)
        self.main.games = self.main.black_wins = self.main.lengths = 0


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default="net", help="folder for everything that is written")
    parser.add_argument("--seconds", type=float, default=1200, help="of work in all, earlier runs counted in")
    parser.add_argument("--steps", type=int, default=0, help="of learning in all, whatever the time; 0 goes by --seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=4096, help="on 9×9 at once")
    parser.add_argument("--evaluations", type=int, default=32, help="for a move")
    parser.add_argument("--other", type=float, default=0.2, help="share of moves on boards other than 9×9")
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--batches", type=int, default=4, help="learned after each move of all games")
    parser.add_argument("--rate", type=float, default=0.05, help="of learning, at its greatest")
    parser.add_argument("--room", type=int, default=5_000_000, help="positions that are kept")
    parser.add_argument("--compile", action=argparse.BooleanOptionalAction, default=True, help="fuse what is trained")
    parser.add_argument("--tell", type=float, default=15, help="seconds between lines of the log")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args()


if __name__ == "__main__":
    Trainer(options()).run()
