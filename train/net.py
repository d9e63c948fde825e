"""The network: residual blocks of 3×3 convolutions, some with global pooling.

`Net` is trained on boards of mixed sizes that lie in a frame of 9×9; a mask keeps everything
off the board at zero, so that a smaller board is seen exactly as if it stood alone. `Folded`
is the same function with the normalisation folded into the convolutions, in half precision on
a GPU, for boards of one size without a frame. It is what plays and what is written to a file.
"""

import hashlib
import json
import math
import struct

import torch
import torch.nn.functional as F
from torch import nn

from tree import PLANES

BLOCKS, CHANNELS, HEAD, HIDDEN = 6, 64, 32, 64
POOLED = (1, 4)  # blocks with global pooling
MAGIC, VERSION = b"TGNN", 1


class Norm(nn.Module):
    """Batch normalisation over the points of boards, not of the frame around them."""

    def __init__(self, channels):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(channels))
        self.shift = nn.Parameter(torch.zeros(channels))
        self.register_buffer("mean", torch.zeros(channels))
        self.register_buffer("variance", torch.ones(channels))

    def forward(self, x, mask):
        mean, variance = self.mean, self.variance
        if self.training:
            count = mask.sum()
            y = x.float() * mask
            mean = y.sum((0, 2, 3)) / count
            variance = ((y * y).sum((0, 2, 3)) / count - mean * mean).clamp(min=0)
            with torch.no_grad():
                self.mean.lerp_(mean, 0.02)
                self.variance.lerp_(variance, 0.02)
        gain = self.scale * torch.rsqrt(variance + 1e-5)
        return (x * gain.view(1, -1, 1, 1).to(x.dtype) + (self.shift - mean * gain).view(1, -1, 1, 1).to(x.dtype)) * mask.to(x.dtype)

    def folded(self):
        """What to multiply the weights of a convolution by, and what to add."""
        gain = self.scale * torch.rsqrt(self.variance + 1e-5)
        return gain, self.shift - self.mean * gain


def pool(x, mask=None):
    """Mean and maximum over the board of activations that are not negative."""
    if mask is None:
        return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)
    x = x * mask.to(x.dtype)
    return torch.cat([x.sum((2, 3)) / mask.sum((2, 3)).to(x.dtype), x.amax((2, 3))], 1)


class Block(nn.Module):
    def __init__(self, channels, pooled):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = Norm(channels)
        self.pooling = nn.Linear(2 * channels, channels) if pooled else None
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = Norm(channels)
        nn.init.zeros_(self.second_norm.scale)  # a block begins as nothing

    def forward(self, x, mask):
        y = F.relu(self.first_norm(self.first(x), mask))
        if self.pooling is not None:
            y = (y + self.pooling(pool(y, mask))[:, :, None, None]) * mask.to(y.dtype)
        return F.relu(x + self.second_norm(self.second(y), mask))


class Net(nn.Module):
    def __init__(self, blocks=BLOCKS, channels=CHANNELS):
        super().__init__()
        self.stem = nn.Conv2d(PLANES, channels, 3, padding=1, bias=False)
        self.stem_norm = Norm(channels)
        self.blocks = nn.ModuleList(Block(channels, i in POOLED) for i in range(blocks))
        self.policy = nn.Conv2d(channels, HEAD, 1)
        self.policy_out = nn.Conv2d(HEAD, 1, 1)
        self.value = nn.Conv2d(channels, HEAD, 1)
        self.value_hidden = nn.Linear(2 * HEAD, HIDDEN)
        self.value_out = nn.Linear(HIDDEN, 1)
        self.ends = nn.Conv2d(channels, 2, 1)  # where own and opposing stones end up
        for last in (self.policy_out, self.value_out):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def forward(self, x, mask):
        """Logits of moves, logit of winning, logits of where stones end up."""
        x = F.relu(self.stem_norm(self.stem(x), mask))
        for block in self.blocks:
            x = block(x, mask)
        policy = self.policy_out(F.relu(self.policy(x)))
        value = self.value_out(F.relu(self.value_hidden(pool(F.relu(self.value(x)), mask))))
        return policy.flatten(1), value.squeeze(1), self.ends(x)


class Folded:
    """The network without training, for boards of one size at a time."""

    def __init__(self, parts, device):
        self.gpu = device != "cpu"
        self.kind = torch.float16 if self.gpu else torch.float32
        self.parts = {name: part.to(device, self.kind).contiguous(**self.layout(part)) for name, part in parts.items()}
        self.blocks = sum(name.endswith(".first") for name in parts)

    def layout(self, part):
        return {"memory_format": torch.channels_last} if part.dim() == 4 else {}

    def load(self, parts):
        """Takes over other weights in place: recorded graphs see them."""
        for name, part in parts.items():
            self.parts[name].copy_(part)

    def conv(self, x, name, add=None):
        """Convolution, what is to be added, and everything below zero cut off."""
        weight, bias = self.parts[name], self.parts[name + ".bias"]
        pad = weight.shape[2] // 2
        if self.gpu:
            if add is None:
                return torch.cudnn_convolution_relu(x, weight, bias, [1, 1], [pad, pad], [1, 1], 1)
            return torch.cudnn_convolution_add_relu(x, weight, add, 1.0, bias, [1, 1], [pad, pad], [1, 1], 1)
        y = F.conv2d(x, weight, bias, padding=pad)
        return F.relu(y if add is None else y + add)

    def linear(self, x, name):
        return F.linear(x, self.parts[name], self.parts[name + ".bias"])

    def trunk(self, planes):
        x = self.conv(planes.permute(0, 3, 1, 2), "stem")
        for i in range(self.blocks):
            y = self.conv(x, f"block{i}.first")
            if f"block{i}.pooling" in self.parts:
                y = y + self.linear(pool(y), f"block{i}.pooling")[:, :, None, None]
            x = self.conv(y, f"block{i}.second", add=x)
        return x

    def heads(self, x):
        policy = F.conv2d(self.conv(x, "policy"), self.parts["policy_out"], self.parts["policy_out.bias"])
        hidden = F.relu(self.linear(pool(self.conv(x, "value")), "value_hidden"))
        value = self.linear(hidden, "value_out")
        return policy.flatten(1).float().contiguous(), torch.tanh(value.squeeze(1).float() / 2)

    @torch.no_grad()
    def __call__(self, planes):
        """Logits of moves and values in -1…1 of planes as search.cu writes them."""
        return self.heads(self.trunk(planes))

    @torch.no_grad()
    def ends(self, planes):
        """Chances that own and opposing stones end up on each point."""
        x = self.trunk(planes)
        return torch.sigmoid(F.conv2d(x, self.parts["ends"], self.parts["ends.bias"]).float())


@torch.no_grad()
def fold(net):
    """The tensors of a network by name, in the order in which they are written."""
    parts = {}

    def normed(name, conv, norm):
        gain, shift = norm.folded()
        parts[name], parts[name + ".bias"] = conv.weight * gain.view(-1, 1, 1, 1), shift

    def plain(name, layer):
        parts[name], parts[name + ".bias"] = layer.weight, layer.bias

    normed("stem", net.stem, net.stem_norm)
    for i, block in enumerate(net.blocks):
        normed(f"block{i}.first", block.first, block.first_norm)
        if block.pooling is not None:
            plain(f"block{i}.pooling", block.pooling)
        normed(f"block{i}.second", block.second, block.second_norm)
    for name in ("policy", "policy_out", "value", "value_hidden", "value_out", "ends"):
        plain(name, getattr(net, name))
    return {name: part.detach() for name, part in parts.items()}


def weights_file(net, about):
    """The file that players read: magic, version, a JSON header with names and shapes, the
    numbers in half precision, and a SHA-256 of everything before it."""
    parts = fold(net)
    header = dict(about, planes=PLANES, blocks=len(net.blocks), tensors=[[name, list(part.shape)] for name, part in parts.items()])
    text = json.dumps(header, separators=(",", ":")).encode()
    data = MAGIC + struct.pack("<II", VERSION, len(text)) + text
    for part in parts.values():
        data += part.cpu().contiguous().half().numpy().astype("<f2").tobytes()
    return data + hashlib.sha256(data).digest()


def read_weights(path):
    """The tensors of a weights file by name; a file that is not whole is refused."""
    with open(path, "rb") as file:
        data = file.read()
    body, digest = data[:-32], data[-32:]
    if body[:4] != MAGIC or hashlib.sha256(body).digest() != digest:
        raise SystemExit(f"{path} is not a whole weights file: make it again")
    version, length = struct.unpack("<II", body[4:12])
    if version != VERSION:
        raise SystemExit(f"{path} has version {version}, this program reads {VERSION}")
    at, parts = 12 + length, {}
    for name, shape in json.loads(body[12:at])["tensors"]:
        count = math.prod(shape)
        numbers = struct.unpack(f"<{count}e", body[at : at + 2 * count])
        parts[name] = torch.tensor(numbers).view(shape)
        at += 2 * count
    return parts
