"""Search trees of many games: the memory, and calls into search.cu.

On a GPU the library is built by nvcc, elsewhere by the C++ compiler, from the same source.
"""

import ctypes
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MAX_POINTS = 81
MAX_DEPTH = MAX_POINTS + 1
PLANES = 8

POINTERS = "stones moves side value child logit visits total used path length leaf planes".split()


class Memory(ctypes.Structure):
    """The struct Tree of search.cu."""

    _fields_ = [(name, ctypes.c_int) for name in ("games", "nodes", "rows", "cols")]
    _fields_ += [(name, ctypes.c_void_p) for name in POINTERS]


def library(gpu):
    """Builds and loads search.cu; the file is kept as long as the source does not change."""
    source = os.path.join(HERE, "search.cu")
    target = os.path.join(HERE, "build", "libsearch-gpu.so" if gpu else "libsearch-cpu.so")
    if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(source):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        fresh = tempfile.mktemp(dir=os.path.dirname(target))
        if gpu:
            command = ["nvcc", "-O3", "-std=c++17", "-arch=native", "-Xcompiler", "-fPIC", "-shared"]
        else:
            command = [os.environ.get("CXX", "c++"), "-O2", "-std=c++17", "-fPIC", "-shared", "-x", "c++"]
        subprocess.run([*command, "-o", fresh, source], check=True)
        os.replace(fresh, target)
    calls = ctypes.CDLL(target)
    pointer, integer, real = ctypes.c_void_p, ctypes.c_int, ctypes.c_float
    calls.tree_begin.argtypes = [pointer] * 4
    calls.tree_descend.argtypes = [pointer, pointer, pointer, integer, real]
    calls.tree_learn.argtypes = [pointer] * 4
    calls.tree_decide.argtypes = [pointer] * 6
    calls.tree_play.argtypes = [pointer] * 5
    return calls


class Tree:
    """Trees of so many games on boards of one size, with room for so many nodes each."""

    def __init__(self, rows, cols, games, nodes, device):
        import torch  # not at the top: the test of the rules needs no PyTorch

        self.games, self.nodes, self.rows, self.cols, self.device = games, nodes, rows, cols, device
        self.points = rows * cols
        self.gpu = device != "cpu"
        self.calls = library(self.gpu)

        def zeros(*shape, kind):
            return torch.zeros(*shape, dtype=kind, device=device)

        n = games * nodes
        self.stones = zeros(n, 2, 2, kind=torch.int64)
        self.moves = zeros(n, 2, 2, kind=torch.int64)
        self.side = zeros(n, kind=torch.uint8)
        self.value = zeros(n, kind=torch.float32)
        self.child = zeros(n, MAX_POINTS, kind=torch.int16)
        self.logit = zeros(n, MAX_POINTS, kind=torch.float32)
        self.visits = zeros(n, MAX_POINTS, kind=torch.int32)
        self.total = zeros(n, MAX_POINTS, kind=torch.float32)
        self.used = zeros(games, kind=torch.int32)
        self.path = zeros(games, MAX_DEPTH, kind=torch.int32)
        self.length = zeros(games, kind=torch.int32)
        self.leaf = zeros(games, kind=torch.int32)
        self.planes = zeros(games, rows, cols, PLANES, kind=torch.float16 if self.gpu else torch.float32)
        self.memory = Memory(games, nodes, rows, cols, *(getattr(self, name).data_ptr() for name in POINTERS))

    def roots(self, tensor):
        """What a tensor over all nodes says of the roots."""
        return tensor.view(self.games, self.nodes, *tensor.shape[1:])[:, 0]

    def call(self, name, *arguments):
        import torch

        stream = torch.cuda.current_stream().cuda_stream if self.gpu else None
        arguments = [a.data_ptr() if isinstance(a, torch.Tensor) else a for a in arguments]
        getattr(self.calls, "tree_" + name)(ctypes.addressof(self.memory), stream, *arguments)

    def begin(self, stones, side):
        self.call("begin", stones, side)

    def descend(self, noise, want=-1, c=0.0):
        self.call("descend", noise, want, c)

    def learn(self, logits, values):
        self.call("learn", logits, values)

    def decide(self, noise, move, policy, value):
        self.call("decide", noise, move, policy, value)

    def play(self, stones, side, move):
        self.call("play", stones, side, move)
