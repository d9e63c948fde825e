// Solves Go on a small board: the score of every position, in the most naive way, on a
// graphics card. It shares no code with tengen and little of its algorithm. Every board is
// kept by itself, without symmetry and without exchange of colours, in three arrays: for the
// positions after a stone, after a pass, and with a ban. All of them are evaluated from all
// their moves until nothing changes.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o area area.cu      boards to 22 points, 84 GB
//   c++ -O2 -std=c++17 -x c++ -o area area.cu            the same on a processor, to 15 points
//   ./area 2 11
//   ./area 2 11 2x11.values                              and the values for tengen table build --values
//
// Rules: basic ko, no suicide, two passes end the game, area score, no komi. An endless game
// is a draw, so every position begins with 0.
//
// It prints the score of the empty board, the score after every first move, and how many
// legal boards have each score, for the side to play.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using Set = uint32_t;  // of points, row by row from A1
using Code = uint64_t; // of a board: a base-3 digit for each point, 1 for a stone of the side to play

#ifdef __CUDACC__
#define DEVICE __host__ __device__
#else
#define DEVICE
#endif

constexpr int maxPoints = 22;
constexpr int half = 11;          // points in the lower half of a code
constexpr Code halfCodes = 177147; // 3^half
constexpr int8_t illegal = -128;
constexpr Code noKey = ~Code(0);

// Board is what does not change.
struct Board {
    int rows, cols, points;
    Set all, first, last; // all points, the first and the last column
    Code codes;
    const uint32_t *decode; // half a code → own stones, and those of the other above them
    const Code *encode;     // half a set → its code
    const Code *images;     // symmetry, lower or upper half, half a set → its code
    uint8_t image[8][maxPoints];
    int syms;
};

DEVICE inline Set around(const Board &b, Set x) {
    return (((x & ~b.last) << 1) | ((x & ~b.first) >> 1) | (x << b.cols) | (x >> b.cols)) & b.all;
}

DEVICE inline Set flood(const Board &b, Set seed, Set within) {
    for (;;) {
        Set next = seed | (around(b, seed) & within);
        if (next == seed) return seed;
        seed = next;
    }
}

DEVICE inline Set lowest(Set x) { return x & (~x + 1); }

DEVICE inline int place(Set x) {
#ifdef __CUDA_ARCH__
    return __ffs(x) - 1;
#else
    return __builtin_ctz(x);
#endif
}

DEVICE inline int count(Set x) {
#ifdef __CUDA_ARCH__
    return __popc(x);
#else
    return __builtin_popcount(x);
#endif
}

DEVICE inline Code codeOf(const Board &b, Set own, Set other) {
    const Set low = (1u << half) - 1;
    return b.encode[own & low] + 2 * b.encode[other & low] + halfCodes * (b.encode[own >> half] + 2 * b.encode[other >> half]);
}

DEVICE inline void stonesOf(const Board &b, Code code, Set &own, Set &other) {
    const uint32_t low = b.decode[code % halfCodes], high = b.decode[code / halfCodes];
    own = (low & 0xffff) | (high & 0xffff) << half;
    other = low >> 16 | (high >> 16) << half;
}

// sound: every block of x has a liberty.
DEVICE inline bool sound(const Board &b, Set x, Set empty) {
    return flood(b, around(b, empty) & x, x) == x;
}

// area is the score for own: stones, and empty regions that reach only them.
DEVICE inline int area(const Board &b, Set own, Set other) {
    const Set empty = b.all & ~(own | other);
    const Set mine = flood(b, around(b, own) & empty, empty), yours = flood(b, around(b, other) & empty, empty);
    return count(own) + count(mine & ~yours) - count(other) - count(yours & ~mine);
}

// captured are the stones of other that a stone on a point takes.
DEVICE inline Set captured(const Board &b, Set own, Set other, Set point) {
    const Set empty = b.all & ~(own | other | point);
    const Set near = around(b, point) & other;
    if (!near) return 0;
    const Set reached = flood(b, near, other);
    // What remains of these blocks if those with another liberty are taken away.
    return reached & ~flood(b, reached & around(b, empty), reached);
}

DEVICE inline bool legal(const Board &b, Set own, Set other, Set point, Set taken) {
    const Set empty = b.all & ~(own | other | point);
    return taken || around(b, flood(b, point, own | point)) & empty;
}

// A stone that takes one stone may be retaken only later if it could be taken alone.
DEVICE inline bool leavesBan(const Board &b, Set other, Set point, Set taken) {
    return taken && !(taken & (taken - 1)) && (around(b, point) & ~(other & ~taken)) == taken;
}

// Bans is a hash table of the positions with a ban. A place holds a key and a value below.
struct Bans {
    uint64_t *places;
    uint64_t mask;
};

DEVICE inline uint64_t mix(uint64_t x) { // the finaliser of splitmix64
    x += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

DEVICE inline Code keyOf(Code code, Set ban) { return code << 5 | place(ban); }

DEVICE inline uint64_t *find(const Bans &bans, Code key) {
    for (uint64_t at = mix(key);; at++) {
        uint64_t *p = bans.places + (at & bans.mask);
        const uint64_t held = *(volatile uint64_t *)p;
        if (held == noKey) return nullptr;
        if (held >> 8 == key) return p;
    }
}

DEVICE inline bool insert(const Bans &bans, Code key) {
    const uint64_t entry = key << 8 | 64; // the value 0
    for (uint64_t at = mix(key);; at++) {
        uint64_t *p = bans.places + (at & bans.mask);
#ifdef __CUDA_ARCH__
        const uint64_t held = atomicCAS((unsigned long long *)p, (unsigned long long)noKey, (unsigned long long)entry);
#else
        const uint64_t held = *p;
        if (held == noKey) *p = entry;
#endif
        if (held == noKey) return true;
        if (held >> 8 == key) return false;
    }
}

DEVICE inline int valueIn(uint64_t place) { return int(place & 255) - 64; }

// Values are those of all positions, for the side to play.
struct Values {
    int8_t *played; // code → value after a stone, without a ban
    int8_t *passed; // code → value after a pass
    uint32_t *done; // a bit for each code: the best stone is known for ever
    Bans bans;
};

DEVICE inline int larger(int a, int b) { return a > b ? a : b; }

// start finds out whether a board is legal, and enters the bans that its moves leave. It
// returns the number of new bans.
DEVICE inline int start(const Board &b, const Values &v, Code code) {
    Set own, other;
    stonesOf(b, code, own, other);
    const Set empty = b.all & ~(own | other);
    if (!sound(b, own, empty) || !sound(b, other, empty)) {
        v.played[code] = v.passed[code] = illegal;
        return 0;
    }
    v.played[code] = v.passed[code] = 0;
    int entered = 0;
    // A point is taken as a ko only if all its neighbours are stones of the other side.
    for (Set rest = empty & ~around(b, empty | own); rest; rest &= rest - 1) {
        const Set point = lowest(rest), taken = captured(b, own, other, point);
        if (leavesBan(b, other, point, taken)) entered += insert(v.bans, keyOf(codeOf(b, other & ~taken, own | point), taken));
    }
    return entered;
}

// Stones are the results of playing a stone: the best, the next best, and the point of the
// best. Kos are the points where one leaves a ban.
struct Stones {
    int best, second;
    Set point, kos;
};

DEVICE inline Stones play(const Board &b, const Values &v, Set own, Set other) {
    Stones s{-b.points, -b.points, 0, 0};
    for (Set rest = b.all & ~(own | other); rest; rest &= rest - 1) {
        const Set point = lowest(rest), taken = captured(b, own, other, point);
        if (!legal(b, own, other, point, taken)) continue;
        const Code next = codeOf(b, other & ~taken, own | point);
        int worth;
        if (leavesBan(b, other, point, taken)) {
            s.kos |= point;
            worth = -valueIn(*(volatile uint64_t *)find(v.bans, keyOf(next, taken)));
        } else {
            worth = -*(volatile int8_t *)(v.played + next);
        }
        if (worth > s.best) {
            s.second = s.best;
            s.best = worth;
            s.point = point;
        } else if (worth > s.second) {
            s.second = worth;
        }
    }
    return s;
}

// evaluate computes the values of a board from those of all boards after it. It reports
// whether one has changed.
DEVICE inline bool evaluate(const Board &b, const Values &v, Code code) {
    Set own, other;
    stonesOf(b, code, own, other);
    const Stones s = play(b, v, own, other);
    bool changed = false;
    const int pass = -*(volatile int8_t *)(v.passed + codeOf(b, other, own));
    const int played = larger(s.best, pass), passed = larger(s.best, area(b, own, other));
    if (played != v.played[code]) v.played[code] = int8_t(played), changed = true;
    if (passed != v.passed[code]) v.passed[code] = int8_t(passed), changed = true;
    // A ko can be retaken from either side, so a point that is banned is one of these.
    bool open = false;
    for (Set kos = s.kos; kos; kos &= kos - 1) {
        const Set ban = lowest(kos);
        uint64_t *p = find(v.bans, keyOf(code, ban));
        if (!p) continue;
        const int value = larger(ban == s.point ? s.second : s.best, pass);
        open = open || value != b.points;
        if (value == valueIn(*p)) continue;
        *(volatile uint64_t *)p = keyOf(code, ban) << 8 | uint64_t(value + 64);
        changed = true;
    }
    if (!open && (s.best == b.points || s.best == -b.points)) {
#ifdef __CUDA_ARCH__
        atomicOr(v.done + code / 32, 1u << code % 32);
#else
        v.done[code / 32] |= 1u << code % 32;
#endif
    }
    return changed;
}

// visit evaluates a board unless its best stone is known. Then only a pass can matter, and
// only where every stone loses everything.
DEVICE inline bool visit(const Board &b, const Values &v, Code code) {
    if (!(v.done[code / 32] >> code % 32 & 1)) return evaluate(b, v, code);
    if (v.played[code] == b.points) return false;
    Set own, other;
    stonesOf(b, code, own, other);
    const int pass = -*(volatile int8_t *)(v.passed + codeOf(b, other, own));
    if (pass == v.played[code]) return false;
    v.played[code] = int8_t(pass);
    return true;
}

// Totals count boards by their value plus the number of points.
struct Totals {
    unsigned long long scores[2 * maxPoints + 1];
};

DEVICE inline Code imageOf(const Board &b, int sym, Set own, Set other) {
    const Set low = (1u << half) - 1;
    const Code *lower = b.images + (2 * sym << half), *upper = lower + (1 << half);
    return lower[own & low] + 2 * lower[other & low] + upper[own >> half] + 2 * upper[other >> half];
}

// Tengen keeps a board if no image of it, or of its inverse, has a smaller code. It keeps the
// values of the best stone for both sides, and for each ban the best stone elsewhere. Equal is
// the set of the symmetries that leave the board as it is. Twin says that one turns it into
// its inverse.
DEVICE inline bool isKept(const Board &b, Code code, Set own, Set other, unsigned &equal, bool &twin) {
    equal = 0;
    twin = false;
    for (int sym = 0; sym < b.syms; sym++) {
        const Code same = imageOf(b, sym, own, other), inverse = imageOf(b, sym, other, own);
        if (same < code || inverse < code) return false;
        equal |= unsigned(same == code) << sym;
        twin = twin || inverse == code;
    }
    return true;
}

// Output is for the boards of an interval of codes: two values each, or notKept, and a list of
// bans, each a code, a side, a point and a value.
constexpr uint16_t notKept = 0xffff;
struct Output {
    uint16_t *values;
    uint64_t *bans;
    unsigned long long *listed;
};

DEVICE inline void keep(const Board &b, const Values &v, Code code, uint16_t *values, const Output &out) {
    *values = notKept;
    if (v.played[code] == illegal) return;
    Set own, other;
    stonesOf(b, code, own, other);
    unsigned equal;
    bool twin;
    if (!isKept(b, code, own, other, equal, twin)) return;
    uint16_t both = 0;
    for (int side = 0; side < 2; side++) {
        const Stones s = side ? play(b, v, other, own) : play(b, v, own, other);
        both |= uint16_t(s.best + 64) << 8 * side;
        if (side && twin) break;
        for (Set kos = s.kos; kos; kos &= kos - 1) {
            const Set ban = lowest(kos);
            const int digit = place(ban);
            bool smallest = true;
            for (int sym = 0; sym < b.syms; sym++)
                if (equal >> sym & 1 && b.image[sym][digit] < digit) smallest = false;
            if (!smallest) continue;
            const uint64_t entry = code << 14 | uint64_t(side) << 13 | uint64_t(digit) << 8 | uint64_t((ban == s.point ? s.second : s.best) + 64);
#ifdef __CUDA_ARCH__
            out.bans[atomicAdd(out.listed, 1ull)] = entry;
#else
            out.bans[(*out.listed)++] = entry;
#endif
        }
    }
    *values = both;
}

constexpr Code atOnce = 1 << 26; // codes of an output

#ifdef __CUDACC__

constexpr int threads = 128;
constexpr Code perBlock = 4096; // codes

inline void check(cudaError_t e) {
    if (e != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(e));
        exit(2);
    }
}

template <typename T> T *memory(uint64_t n) {
    T *p;
    check(cudaMalloc(&p, n * sizeof(T)));
    return p;
}

template <typename T> T *copied(const std::vector<T> &list) {
    T *p = memory<T>(list.size());
    check(cudaMemcpy(p, list.data(), list.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

__global__ void startAll(Board b, Values v, unsigned long long *entered) {
    const Code first = Code(blockIdx.x) * perBlock, end = first + perBlock < b.codes ? first + perBlock : b.codes;
    int n = 0;
    for (Code code = first + threadIdx.x; code < end; code += threads) n += start(b, v, code);
    if (n) atomicAdd(entered, (unsigned long long)n);
}

// The fullest boards have the largest codes and come first. Threads take the boards that
// are still open from a list, so that none waits for boards that are not legal.
__global__ void sweepAll(Board b, Values v, unsigned long long *changes) {
    __shared__ uint16_t list[perBlock];
    __shared__ int listed;
    if (threadIdx.x == 0) listed = 0;
    __syncthreads();
    const Code first = Code(gridDim.x - 1 - blockIdx.x) * perBlock, end = first + perBlock < b.codes ? first + perBlock : b.codes;
    for (Code code = first + threadIdx.x; code < end; code += threads) {
        const int8_t now = v.played[code];
        if (now == illegal || (now == b.points && v.done[code / 32] >> code % 32 & 1)) continue;
        list[atomicAdd(&listed, 1)] = uint16_t(code - first);
    }
    __syncthreads();
    int n = 0;
    for (int i = threadIdx.x; i < listed; i += threads) n += visit(b, v, first + list[i]);
    if (n) atomicAdd(changes, (unsigned long long)n);
}

__global__ void countAll(Board b, Values v, Totals *t) {
    __shared__ unsigned long long scores[2 * maxPoints + 1];
    if (threadIdx.x <= 2 * maxPoints) scores[threadIdx.x] = 0;
    __syncthreads();
    const Code first = Code(blockIdx.x) * perBlock, end = first + perBlock < b.codes ? first + perBlock : b.codes;
    for (Code code = first + threadIdx.x; code < end; code += threads) {
        const int value = v.played[code];
        if (value == illegal) continue;
        atomicAdd(&scores[value + b.points], 1ull);
    }
    __syncthreads();
    if (threadIdx.x <= 2 * maxPoints && scores[threadIdx.x]) atomicAdd(&t->scores[threadIdx.x], scores[threadIdx.x]);
}

__global__ void keepAll(Board b, Values v, Code first, Output out) {
    const Code at = Code(blockIdx.x) * threads + threadIdx.x;
    if (first + at < b.codes) keep(b, v, first + at, out.values + at, out);
}

struct Machine {
    Board b;
    Values v;
    unsigned long long *counter;
    unsigned blocks;
    Output out{};
    uint16_t *values; // on the host

    Machine(Board board, const std::vector<uint32_t> &decode, const std::vector<Code> &encode, const std::vector<Code> &images, uint64_t places) : b(board) {
        b.decode = copied(decode);
        b.encode = copied(encode);
        b.images = copied(images);
        v.played = memory<int8_t>(b.codes);
        v.passed = memory<int8_t>(b.codes);
        v.done = memory<uint32_t>(b.codes / 32 + 1);
        check(cudaMemset(v.done, 0, (b.codes / 32 + 1) * 4));
        v.bans = {memory<uint64_t>(places), places - 1};
        check(cudaMemset(v.bans.places, 255, places * 8));
        counter = memory<unsigned long long>(1);
        blocks = unsigned((b.codes + perBlock - 1) / perBlock);
    }
    unsigned long long counted() {
        unsigned long long n;
        check(cudaMemcpy(&n, counter, 8, cudaMemcpyDeviceToHost));
        check(cudaMemset(counter, 0, 8));
        return n;
    }
    unsigned long long start() {
        check(cudaMemset(counter, 0, 8));
        startAll<<<blocks, threads>>>(b, v, counter);
        return counted();
    }
    unsigned long long sweep() {
        sweepAll<<<blocks, threads>>>(b, v, counter);
        return counted();
    }
    Totals totals() {
        Totals *t = memory<Totals>(1), out;
        check(cudaMemset(t, 0, sizeof *t));
        countAll<<<blocks, threads>>>(b, v, t);
        check(cudaMemcpy(&out, t, sizeof out, cudaMemcpyDeviceToHost));
        return out;
    }
    // kept is the output for the codes from first, at most atOnce of them.
    const uint16_t *kept(Code first, std::vector<uint64_t> &bans) {
        if (!out.values) {
            out = {memory<uint16_t>(atOnce), memory<uint64_t>(atOnce), counter};
            check(cudaMallocHost(&values, atOnce * sizeof *values));
        }
        keepAll<<<unsigned(atOnce / threads), threads>>>(b, v, first, out);
        const unsigned long long n = counted();
        const size_t before = bans.size();
        bans.resize(before + n);
        check(cudaMemcpy(bans.data() + before, out.bans, n * 8, cudaMemcpyDeviceToHost));
        check(cudaMemcpy(values, out.values, atOnce * sizeof *values, cudaMemcpyDeviceToHost));
        return values;
    }
    int played(Code code) {
        int8_t value;
        check(cudaMemcpy(&value, v.played + code, 1, cudaMemcpyDeviceToHost));
        return value;
    }
};

#else

struct Machine {
    Board b;
    Values v;
    std::vector<int8_t> after, passes;
    std::vector<uint32_t> done;
    std::vector<uint64_t> bans;
    std::vector<uint16_t> values;

    Machine(Board board, const std::vector<uint32_t> &decode, const std::vector<Code> &encode, const std::vector<Code> &images, uint64_t places)
        : b(board), after(board.codes), passes(board.codes), done(board.codes / 32 + 1), bans(places, noKey) {
        b.decode = decode.data();
        b.encode = encode.data();
        b.images = images.data();
        v = {after.data(), passes.data(), done.data(), {bans.data(), places - 1}};
    }
    unsigned long long start() {
        unsigned long long n = 0;
        for (Code code = 0; code < b.codes; code++) n += ::start(b, v, code);
        return n;
    }
    unsigned long long sweep() {
        unsigned long long n = 0;
        for (Code code = b.codes; code-- > 0;)
            if (v.played[code] != illegal) n += visit(b, v, code);
        return n;
    }
    Totals totals() {
        Totals t{};
        for (Code code = 0; code < b.codes; code++) {
            if (v.played[code] == illegal) continue;
            t.scores[v.played[code] + b.points]++;
        }
        return t;
    }
    const uint16_t *kept(Code first, std::vector<uint64_t> &list) {
        values.resize(atOnce);
        const size_t before = list.size();
        unsigned long long n = 0;
        list.resize(before + std::min(atOnce, b.codes));
        for (Code at = 0; at < atOnce && first + at < b.codes; at++) keep(b, v, first + at, &values[at], {nullptr, list.data() + before, &n});
        list.resize(before + n);
        return values.data();
    }
    int played(Code code) { return v.played[code]; }
};

#endif

// File is a file with a checksum, FNV-1a in 64 bits, at its end.
struct File {
    FILE *out;
    uint64_t sum = 0xcbf29ce484222325;
    std::vector<uint8_t> buffer;

    void add(uint8_t byte) {
        sum = (sum ^ byte) * 0x100000001b3;
        buffer.push_back(byte);
        if (buffer.size() == 1 << 20) flush();
    }
    void flush() {
        if (fwrite(buffer.data(), 1, buffer.size(), out) != buffer.size()) perror("values"), exit(2);
        buffer.clear();
    }
};

// writeValues writes the magic, the version and the size of the board, the values of all
// boards that are kept in ascending order of their codes, two bytes each, then those of all
// bans, a byte each, and the checksum. A byte is a value plus 64.
void writeValues(Machine &m, const char *path) {
    File f{fopen(path, "wb"), 0xcbf29ce484222325, {}};
    if (!f.out) perror(path), exit(2);
    for (const char *c = "tengenGV"; *c; c++) f.add(uint8_t(*c));
    f.add(1);
    f.add(uint8_t(m.b.rows));
    f.add(uint8_t(m.b.cols));
    f.add(0);
    std::vector<uint64_t> bans;
    unsigned long long boards = 0;
    for (Code first = 0; first < m.b.codes; first += atOnce) {
        const uint16_t *values = m.kept(first, bans);
        for (Code at = 0; at < atOnce && first + at < m.b.codes; at++) {
            if (values[at] == notKept) continue;
            f.add(uint8_t(values[at]));
            f.add(uint8_t(values[at] >> 8));
            boards++;
        }
    }
    std::sort(bans.begin(), bans.end());
    for (uint64_t entry : bans) f.add(uint8_t(entry));
    const uint64_t sum = f.sum;
    for (int i = 0; i < 8; i++) f.add(uint8_t(sum >> 8 * i));
    f.flush();
    if (fclose(f.out)) perror(path), exit(2);
    printf("kept %llu boards and %zu bans\n", boards, bans.size());
}

int main(int argc, char **argv) {
    Board b{};
    if (argc == 3 || argc == 4) b.rows = atoi(argv[1]), b.cols = atoi(argv[2]);
    b.points = b.rows * b.cols;
    if (b.rows < 1 || b.cols < 1 || b.rows > maxPoints || b.cols > maxPoints || b.points > maxPoints) {
        fprintf(stderr, "usage: %s ROWS COLUMNS [FILE], at most %d points\n", argv[0], maxPoints);
        return 2;
    }
    b.all = (1u << b.points) - 1;
    for (int r = 0; r < b.rows; r++) {
        b.first |= 1u << r * b.cols;
        b.last |= 1u << (r * b.cols + b.cols - 1);
    }
    b.codes = 1;
    for (int i = 0; i < b.points; i++) b.codes *= 3;
    std::vector<uint32_t> decode(halfCodes);
    for (Code code = 0; code < halfCodes; code++) {
        Code rest = code;
        for (int i = 0; i < half; i++, rest /= 3)
            if (rest % 3) decode[code] |= 1u << (rest % 3 == 1 ? i : i + 16);
    }
    std::vector<Code> encode(1 << half);
    Code power = 1;
    for (int i = 0; i < half; i++, power *= 3)
        for (Set x = 0; x < 1u << half; x++)
            if (x >> i & 1) encode[x] += power;

    b.syms = b.rows == b.cols ? 8 : 4;
    std::vector<Code> images(size_t(b.syms) * 2 << half);
    for (int sym = 0; sym < b.syms; sym++)
        for (int i = 0; i < b.points; i++) {
            int r = i / b.cols, c = i % b.cols;
            if (sym & 1) r = b.rows - 1 - r;
            if (sym & 2) c = b.cols - 1 - c;
            if (sym & 4) std::swap(r, c);
            const int to = r * b.cols + c;
            b.image[sym][i] = uint8_t(to);
            Code weight = 1;
            for (int n = 0; n < to; n++) weight *= 3;
            Code *part = &images[size_t(2 * sym + i / half) << half];
            for (Set x = 0; x < 1u << half; x++)
                if (x >> i % half & 1) part[x] += weight;
        }

    // About one board in twenty of all codes can have a ban.
    uint64_t places = 1 << 12;
    while (places < b.codes / 15) places *= 2;
    Machine m(b, decode, encode, images, places);
    const auto began = std::chrono::steady_clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
    const unsigned long long bans = m.start();
    fprintf(stderr, "%.0f s: %llu positions with a ban\n", seconds(), bans);
    int sweeps = 0;
    for (unsigned long long changed = 1; changed;) {
        changed = m.sweep();
        sweeps++;
        fprintf(stderr, "%.0f s: sweep %d changed %llu\n", seconds(), sweeps, changed);
    }
    const Totals t = m.totals();
    b.encode = encode.data();
    printf("score %d\n", m.played(0));
    for (int r = b.rows; r-- > 0;) {
        for (int c = 0; c < b.cols; c++) {
            const Set point = 1u << (r * b.cols + c);
            if (b.points > 1) printf("%4d", -m.played(codeOf(b, 0, point)));
        }
        printf("\n");
    }
    unsigned long long boards = 0;
    for (int i = 0; i <= 2 * b.points; i++) {
        boards += t.scores[i];
        if (t.scores[i]) printf("%+d: %llu\n", i - b.points, t.scores[i]);
    }
    printf("boards %llu\nbans %llu\nsweeps %d\n", boards, bans, sweeps);
    if (argc == 4) writeValues(m, argv[3]);
}
