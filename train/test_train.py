"""Tests of the trainer on a processor. Without PyTorch they are left out."""

import os
import tempfile
import unittest

try:
    import torch
except ImportError:
    torch = None

if torch is not None:
    from net import Folded, Net, Norm, fold, read_weights, weights_file
    from replay import Replay, bits
    from selfplay import Pool, schedule


def restless():
    """A network in which every part matters."""
    torch.manual_seed(1)
    net = Net().eval()
    for part in net.modules():
        if isinstance(part, Norm):
            part.mean.normal_()
            part.variance.uniform_(0.5, 2)
            part.scale.data.normal_()
            part.shift.data.normal_()
    for last in (net.policy_out, net.value_out):
        torch.nn.init.normal_(last.weight)
    return net


@unittest.skipIf(torch is None, "PyTorch is missing")
class Training(unittest.TestCase):
    def test_schedule_halves(self):
        self.assertEqual(schedule(4, 8), [0, 0, 0, 0, 1, 1, 2, 2])
        self.assertEqual(len(schedule(16, 32)), 32)

    def test_folded_boards_are_as_in_the_frame(self):
        net = restless()
        folded = Folded(fold(net), "cpu")
        for rows, cols in ((5, 5), (5, 8), (9, 9)):
            planes = (torch.rand(3, rows, cols, 8) > 0.5).float()
            x, mask = torch.zeros(3, 8, 9, 9), torch.zeros(3, 1, 9, 9)
            x[:, :, :rows, :cols], mask[:, :, :rows, :cols] = planes.permute(0, 3, 1, 2), 1
            logits, win, ends = net(x, mask)
            got, value = folded(planes)
            inner = logits.view(3, 9, 9)[:, :rows, :cols].flatten(1)
            self.assertLess((got - inner).abs().max(), 1e-3)
            self.assertLess((value - torch.tanh(win / 2)).abs().max(), 1e-4)
            self.assertLess((folded.ends(planes) - torch.sigmoid(ends[:, :, :rows, :cols])).abs().max(), 1e-4)

    def test_weights_file(self):
        net = restless()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.weights")
            data = weights_file(net, dict(seed=1))
            with open(path, "wb") as file:
                file.write(data)
            for (name, part), (other, read) in zip(fold(net).items(), read_weights(path).items()):
                self.assertEqual(name, other)
                self.assertLess((part - read).abs().max(), 2e-3 * max(1, part.abs().max()))
            self.assertLess(len(data), 1 << 20)
            damaged = bytearray(data)
            damaged[5000] ^= 1
            with open(path, "wb") as file:
                file.write(damaged)
            with self.assertRaises(SystemExit):
                read_weights(path)

    def test_games_become_positions(self):
        pool, replay = Pool(5, 6, 16, 8, Folded(fold(restless()), "cpu"), "cpu"), Replay(5000, "cpu")
        while pool.games < 30:
            pool.step(replay)
        self.assertGreater(replay.added, 200)
        n = replay.added
        stones, moves, ends = (bits(x[:n]) for x in (replay.stones, replay.moves, replay.ends))
        self.assertEqual(int((stones[:, 0] & stones[:, 1]).sum()), 0)
        self.assertEqual(int((stones & ~ends).sum()), 0, "stones stay")
        self.assertTrue((moves[:, 0].sum(1) > 0).all(), "who is to play can")
        policy = replay.policy[:n].float()
        self.assertLess((policy.sum(1) - 1).abs().max(), 0.01)
        self.assertEqual(float((policy * (1 - moves[:, 0])).sum()), 0)
        # Three quarters of a target are the result: parity of what is still played tells who won.
        left = ends.sum((1, 2)) - stones.sum((1, 2))
        result = torch.where(left % 2 == 1, 1.0, -1.0)
        self.assertTrue(((replay.value[:n].float() - 0.75 * result).abs() <= 0.251).all())
        last = left == 1
        self.assertTrue((replay.value[:n][last].float() > 0.99).all())

    def test_batches(self):
        replay = Replay(100, "cpu")
        one = torch.tensor([[[1, 0], [2, 0]]])  # own stone on the first point, the other's on the second
        policy = torch.zeros(1, 81)
        policy[0, 6] = 1
        replay.add(5, 6, one, torch.tensor([[[1 << 6, 0], [1 << 7, 0]]]), policy, torch.tensor([0.5]), one)
        for _ in range(20):
            planes, mask, target, value, ends = replay.sample(4, 1)
            self.assertEqual(planes.sum((2, 3))[0].tolist(), [1, 1, 1, 1, 1, 1, 26, 30])
            self.assertEqual(mask.sum((1, 2, 3)).tolist(), [30] * 4)
            self.assertTrue(torch.equal(planes[:, 2].flatten(1), target))
            self.assertTrue(torch.equal(planes[:, :2], ends))


if __name__ == "__main__":
    unittest.main()
