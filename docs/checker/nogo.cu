// Solves NoGo on a small board: the winner of every position, in the most naive way, on a
// graphics card. It shares no code with tengen and nothing of its algorithm. There is no
// symmetry, no exchange of colours and no search: each board is one bit, and boards with
// more stones come first.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o nogo nogo.cu      boards to 25 points, 106 GB
//   c++ -O2 -std=c++17 -x c++ -o nogo nogo.cu            the same on a processor, to 16 points
//   ./nogo 5 5
//   ./nogo 5 5 1000                                      and the winners of 1,000 random positions
//
// Rules: a stone must leave a liberty to every block of either colour, and who cannot play
// loses.
//
// It prints the winning first moves, and how many legal boards there are with each number of
// stones: in all, and those where Black wins whoever begins, White wins whoever begins, the
// first to play wins, and the second.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using Set = uint32_t; // of points, row by row from A1

#ifdef __CUDACC__
#define DEVICE __host__ __device__
#else
#define DEVICE
#endif

constexpr int maxPoints = 25;
constexpr int wordBits = 5; // a word has the bits of 32 boards

// Board is what does not change.
struct Board {
    int rows, cols, points;
    Set all, first, last;   // all points, the first and the last column
    const uint64_t *start;  // set of occupied points → the first word of its boards
};

DEVICE inline Set around(const Board &b, Set x) {
    return (((x & ~b.last) << 1) | ((x & ~b.first) >> 1) | (x << b.cols) | (x >> b.cols)) & b.all;
}

// sound: every block of x has a liberty.
DEVICE inline bool sound(const Board &b, Set x, Set empty) {
    Set reached = around(b, empty) & x;
    for (;;) {
        const Set next = reached | (around(b, reached) & x);
        if (next == reached) return reached == x;
        reached = next;
    }
}

DEVICE inline int count(Set x) {
#ifdef __CUDA_ARCH__
    return __popc(x);
#else
    return __builtin_popcount(x);
#endif
}

// A board is the set of its occupied points and a colouring: bit i says whether the i-th of
// these points has a stone of the side to play.

// spread puts the bits of a colouring on the points of a set.
DEVICE inline Set spread(Set occupied, Set colouring) {
    Set own = 0;
    for (; occupied; occupied &= occupied - 1, colouring >>= 1)
        if (colouring & 1) own |= occupied & (~occupied + 1);
    return own;
}

DEVICE inline bool bitOf(const uint32_t *words, const Board &b, Set occupied, Set colouring) {
    return words[b.start[occupied] + (colouring >> wordBits)] >> (colouring & 31) & 1;
}

DEVICE inline bool isLegal(const Board &b, Set occupied, Set colouring) {
    const Set own = spread(occupied, colouring), empty = b.all & ~occupied;
    return sound(b, own, empty) && sound(b, occupied & ~own, empty);
}

// wins: the side to play wins the board, or the board is not legal. So a move is legal and
// wins if the bit of the board after it, seen by the other side, is not set.
DEVICE inline bool wins(const uint32_t *words, const Board &b, Set occupied, Set colouring) {
    if (!isLegal(b, occupied, colouring)) return true;
    const int stones = count(occupied);
    const Set after = (Set(2) << stones) - 1; // all of one stone more
    for (Set rest = b.all & ~occupied; rest; rest &= rest - 1) {
        const Set point = rest & (~rest + 1);
        const int below = count(occupied & (point - 1));
        const Set low = colouring & ((Set(1) << below) - 1), high = colouring >> below;
        const Set next = high << (below + 1) | Set(1) << below | low;
        if (!bitOf(words, b, occupied | point, ~next & after)) return true;
    }
    return false;
}

// Totals count the boards with a number of stones.
struct Totals {
    unsigned long long legal, black, white, first, second;
};

DEVICE inline void classify(const uint32_t *words, const Board &b, Set occupied, Set colouring, Totals &t) {
    if (!isLegal(b, occupied, colouring)) return;
    const Set inverse = ~colouring & ((Set(1) << count(occupied)) - 1);
    const bool black = bitOf(words, b, occupied, colouring), white = bitOf(words, b, occupied, inverse);
    t.legal++;
    if (black && white) t.first++;
    else if (black) t.black++;
    else if (white) t.white++;
    else t.second++;
}

// Layer has the boards with a number of stones.
struct Layer {
    int stones;
    std::vector<Set> sets;
};

#ifdef __CUDACC__

constexpr int threads = 256, blocks = 132 * 8;

inline void check(cudaError_t e) {
    if (e != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(e));
        exit(2);
    }
}

template <typename T> T *copied(const std::vector<T> &list) {
    T *p;
    check(cudaMalloc(&p, list.size() * sizeof(T)));
    check(cudaMemcpy(p, list.data(), list.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

// A warp takes a word: its 32 boards have the same points, and so do the boards after a move,
// which are in one word or two.
__global__ void solveLayer(Board b, uint32_t *words, const Set *sets, uint64_t n, int stones) {
    const int shift = stones > wordBits ? stones - wordBits : 0;
    const uint64_t all = n << shift, step = uint64_t(gridDim.x) * (blockDim.x / 32);
    const Set lane = threadIdx.x % 32;
    for (uint64_t at = uint64_t(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32; at < all; at += step) {
        const Set occupied = sets[at >> shift], word = Set(at) & ((Set(1) << shift) - 1), colouring = word << wordBits | lane;
        const bool bit = !(colouring >> stones) && wins(words, b, occupied, colouring);
        const unsigned bits = __ballot_sync(~0u, bit);
        if (lane == 0) words[b.start[occupied] + word] = bits;
    }
}

__global__ void countLayer(Board b, const uint32_t *words, const Set *sets, uint64_t n, int stones, Totals *totals) {
    const uint64_t all = n << stones, step = uint64_t(gridDim.x) * blockDim.x;
    Totals t{};
    for (uint64_t at = uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; at < all; at += step)
        classify(words, b, sets[at >> stones], Set(at) & ((Set(1) << stones) - 1), t);
    atomicAdd(&totals->legal, t.legal);
    atomicAdd(&totals->black, t.black);
    atomicAdd(&totals->white, t.white);
    atomicAdd(&totals->first, t.first);
    atomicAdd(&totals->second, t.second);
}

struct Machine {
    Board b;
    uint32_t *words;
    Totals *totals;

    Machine(Board board, const std::vector<uint64_t> &start, uint64_t size) : b(board) {
        b.start = copied(start);
        check(cudaMalloc(&words, size * sizeof *words));
        check(cudaMalloc(&totals, sizeof *totals));
    }
    void solve(const Layer &layer) {
        Set *sets = copied(layer.sets);
        solveLayer<<<blocks, threads>>>(b, words, sets, layer.sets.size(), layer.stones);
        check(cudaDeviceSynchronize());
        check(cudaFree(sets));
    }
    Totals counted(const Layer &layer) {
        Set *sets = copied(layer.sets);
        Totals t{};
        check(cudaMemset(totals, 0, sizeof t));
        countLayer<<<blocks, threads>>>(b, words, sets, layer.sets.size(), layer.stones, totals);
        check(cudaMemcpy(&t, totals, sizeof t, cudaMemcpyDeviceToHost));
        check(cudaFree(sets));
        return t;
    }
    uint32_t word(uint64_t at) {
        uint32_t w;
        check(cudaMemcpy(&w, words + at, sizeof w, cudaMemcpyDeviceToHost));
        return w;
    }
};

#else

struct Machine {
    Board b;
    std::vector<uint32_t> words;

    Machine(Board board, const std::vector<uint64_t> &start, uint64_t size) : b(board), words(size) { b.start = start.data(); }
    void solve(const Layer &layer) {
        for (Set occupied : layer.sets)
            for (Set colouring = 0; colouring >> layer.stones == 0; colouring++)
                if (wins(words.data(), b, occupied, colouring)) words[b.start[occupied] + (colouring >> wordBits)] |= 1u << (colouring & 31);
    }
    Totals counted(const Layer &layer) {
        Totals t{};
        for (Set occupied : layer.sets)
            for (Set colouring = 0; colouring >> layer.stones == 0; colouring++) classify(words.data(), b, occupied, colouring, t);
        return t;
    }
    uint32_t word(uint64_t at) { return words[at]; }
};

#endif

// random is splitmix64.
uint64_t random64() {
    static uint64_t state = 1;
    uint64_t x = state += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

int main(int argc, char **argv) {
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: nogo ROWS COLUMNS [POSITIONS]\n");
        return 2;
    }
    Board b{};
    b.rows = atoi(argv[1]);
    b.cols = atoi(argv[2]);
    b.points = b.rows * b.cols;
    if (b.rows < 1 || b.cols < 1 || b.points > maxPoints) {
        fprintf(stderr, "boards have 1 to %d points\n", maxPoints);
        return 2;
    }
    b.all = (Set(1) << b.points) - 1;
    for (int r = 0; r < b.rows; r++) b.first |= Set(1) << r * b.cols;
    b.last = b.first << (b.cols - 1);

    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
    std::vector<uint64_t> start(size_t(b.all) + 1);
    std::vector<Layer> layers(b.points + 1);
    uint64_t size = 0;
    for (Set occupied = 0; occupied <= b.all; occupied++) {
        const int stones = count(occupied);
        layers[stones].stones = stones;
        layers[stones].sets.push_back(occupied);
        start[occupied] = size;
        size += stones > wordBits ? uint64_t(1) << (stones - wordBits) : 1;
    }
    Machine m(b, start, size);
    fprintf(stderr, "%.1f GB\n", double(size) * 4 / 1e9);
    for (int stones = b.points; stones >= 0; stones--) {
        m.solve(layers[stones]);
        fprintf(stderr, "%d stones, %.1f s\n", stones, seconds());
    }
    const auto moverWins = [&](Set occupied, Set colouring) { return bool(m.word(start[occupied] + (colouring >> wordBits)) >> (colouring & 31) & 1); };
    printf("%s wins %dx%d\nwinning first moves:", moverWins(0, 0) ? "black" : "white", b.rows, b.cols);
    // After a move its stone belongs to the side that does not play.
    for (int p = 0; p < b.points; p++)
        if (!moverWins(Set(1) << p, 0)) printf(" %c%d", 'A' + p % b.cols + (p % b.cols > 7), p / b.cols + 1);
    printf("\n%6s %15s %15s %15s %15s %15s\n", "stones", "legal", "black", "white", "first", "second");
    Totals all{};
    const auto print = [](const char *name, const Totals &t) { printf("%6s %15llu %15llu %15llu %15llu %15llu\n", name, t.legal, t.black, t.white, t.first, t.second); };
    for (const Layer &layer : layers) {
        const Totals t = m.counted(layer);
        all.legal += t.legal;
        all.black += t.black;
        all.white += t.white;
        all.first += t.first;
        all.second += t.second;
        print(std::to_string(layer.stones).c_str(), t);
    }
    print("all", all);
    fprintf(stderr, "%.1f s\n", seconds());

    // Random boards with random stones, the highest row first, and who wins if Black plays first.
    for (long left = argc > 3 ? atol(argv[3]) : 0; left > 0;) {
        const Set occupied = Set(random64()) & b.all, colouring = Set(random64()) & ((Set(1) << count(occupied)) - 1);
        if (!isLegal(b, occupied, colouring)) continue;
        left--;
        const Set black = spread(occupied, colouring);
        for (int r = b.rows; r-- > 0;) {
            for (int c = 0; c < b.cols; c++) {
                const Set point = Set(1) << (r * b.cols + c);
                putchar(black & point ? 'x' : occupied & point ? 'o' : '.');
            }
            putchar(r ? '/' : ' ');
        }
        puts(moverWins(occupied, colouring) ? "black" : "white");
    }
}
