// Rules of NoGo and search trees for many games at once.
//
// On a GPU a warp of 32 lanes looks after one game. Compiled as plain C++ the same code
// runs on a processor with "warps" of one lane, game after game: that is how the tests
// hold it to the rules of the Go package nogo.
//
// All games of a tree are on boards of one size. Points are numbered row by row from the
// top left; a set of points is a number of 128 bits.

#include <cmath>
#include <cstdint>

#ifdef __CUDACC__
#include <cuda_fp16.h>
#define DEVICE __device__ __forceinline__
#define KERNEL __global__
using Real = __half;
constexpr int WARP = 32;
#else
#define DEVICE inline
#define KERNEL static
using Real = float;
constexpr int WARP = 1;
#endif

using Set = unsigned __int128;

constexpr int MAX_POINTS = 81;
constexpr int SLOTS = (MAX_POINTS + WARP - 1) / WARP;  // points that a lane looks after
constexpr int MAX_DEPTH = MAX_POINTS + 1;
constexpr int PLANES = 8;
constexpr float NEVER = -1e30f;

DEVICE Set bit(int p) { return Set(1) << p; }
DEVICE bool has(Set s, int p) { return (s >> p) & 1; }

DEVICE int size(Set s) {
#ifdef __CUDACC__
  return __popcll(uint64_t(s)) + __popcll(uint64_t(s >> 64));
#else
  return __builtin_popcountll(uint64_t(s)) + __builtin_popcountll(uint64_t(s >> 64));
#endif
}

// ---- What the lanes of a warp tell each other ----

#ifdef __CUDACC__
constexpr unsigned ALL = 0xffffffffu;
DEVICE uint64_t unite64(uint64_t x) {
  for (int d = 16; d; d >>= 1) x |= __shfl_xor_sync(ALL, x, d);
  return x;
}
DEVICE Set unite(Set s) { return Set(unite64(uint64_t(s >> 64))) << 64 | unite64(uint64_t(s)); }
DEVICE float sum(float x) {
  for (int d = 16; d; d >>= 1) x += __shfl_xor_sync(ALL, x, d);
  return x;
}
DEVICE float maximum(float x) {
  for (int d = 16; d; d >>= 1) x = fmaxf(x, __shfl_xor_sync(ALL, x, d));
  return x;
}
// best is the point with the greatest score, the smaller one of two.
DEVICE int best(float score, int point) {
  for (int d = 16; d; d >>= 1) {
    float s = __shfl_xor_sync(ALL, score, d);
    int p = __shfl_xor_sync(ALL, point, d);
    if (s > score || (s == score && p < point)) score = s, point = p;
  }
  return point;
}
DEVICE void meet() { __syncwarp(); }
DEVICE Real real(bool x) { return __float2half(x ? 1.f : 0.f); }
#else
DEVICE Set unite(Set s) { return s; }
DEVICE float sum(float x) { return x; }
DEVICE float maximum(float x) { return x; }
DEVICE int best(float, int point) { return point; }
DEVICE void meet() {}
DEVICE Real real(bool x) { return x ? 1.f : 0.f; }
#endif

// ---- Rules ----

struct Board {
  int rows, cols, points;
  Set on, west, east;  // all points; without the last column; without the first

  DEVICE Board(int rows_, int cols_) : rows(rows_), cols(cols_), points(rows_ * cols_) {
    on = bit(points) - 1;
    Set first = 0;
    for (int r = 0; r < rows; r++) first |= bit(r * cols);
    east = on & ~first;
    west = on & ~(first << (cols - 1));
  }

  // around is the set of points next to a point of s.
  DEVICE Set around(Set s) const {
    return ((s & west) << 1 | (s & east) >> 1 | s << cols | s >> cols) & on;
  }

  // block is the connected set of stones around point p.
  DEVICE Set block(Set stones, int p) const {
    Set all = bit(p);
    for (Set grown;; all = grown) {
      grown = (all | around(all)) & stones;
      if (grown == all) return all;
    }
  }

  // sound are the stones whose blocks have two liberties or more; it takes a whole warp.
  DEVICE Set sound(Set stones, Set empty, int lane) const {
    Set found = 0;
    for (int p = lane; p < points; p += WARP)
      if (has(stones, p) && size(around(block(stones, p)) & empty) >= 2) found |= bit(p);
    return unite(found);
  }

  // legal finds where each colour may play: a stone must have a liberty and must not take
  // the last one of an opposing block.
  DEVICE void legal(const Set stones[2], Set moves[2], int lane) const {
    Set empty = on & ~(stones[0] | stones[1]), safe[2];
    for (int c = 0; c < 2; c++) safe[c] = sound(stones[c], empty, lane);
    for (int c = 0; c < 2; c++)
      moves[c] = empty & (around(empty) | around(safe[c])) & ~around(stones[1 - c] & ~safe[1 - c]);
  }
};

// ---- Trees ----

// Tree is the memory of all games. Node n of game g is number g·nodes + n; what belongs to
// its moves starts at MAX_POINTS times that.
struct Tree {
  int games, nodes, rows, cols;
  Set* stones;       // [node][2] Black, White
  Set* moves;        // [node][2] where Black and White may play
  uint8_t* side;     // [node] who is to play: 0 for Black
  float* value;      // [node] by the network, for the side to play
  int16_t* child;    // [node][point] or -1
  float* logit;      // [node][point] by the network
  int32_t* visits;   // [node][point]
  float* total;      // [node][point] sum of values for who makes the move
  int32_t* used;     // [game] nodes
  int32_t* path;     // [game][MAX_DEPTH] node · MAX_POINTS + move
  int32_t* length;   // [game] of the path
  int32_t* leaf;     // [game] node to be evaluated
  Real* planes;      // [game][point][PLANES] of the leaf: what the network sees
};

DEVICE bool over(const Tree& t, int64_t n) { return t.moves[2 * n + t.side[n]] == 0; }

// place makes a node and shows it to the network.
DEVICE void place(const Tree& t, const Board& b, int game, int64_t n, const Set stones[2], int side, int lane) {
  Set moves[2];
  b.legal(stones, moves, lane);
  if (lane == 0) {
    for (int c = 0; c < 2; c++) t.stones[2 * n + c] = stones[c], t.moves[2 * n + c] = moves[c];
    t.side[n] = side, t.value[n] = 0;
  }
  Set own = stones[side], other = stones[1 - side], mine = moves[side], theirs = moves[1 - side];
  Set nobody = b.on & ~(own | other | mine | theirs);
  for (int p = lane; p < b.points; p += WARP) {
    int64_t i = n * MAX_POINTS + p;
    t.child[i] = -1, t.logit[i] = 0, t.visits[i] = 0, t.total[i] = 0;
    Real* x = t.planes + (int64_t(game) * b.points + p) * PLANES;
    x[0] = real(has(own, p)), x[1] = real(has(other, p));
    x[2] = real(has(mine, p)), x[3] = real(has(theirs, p));
    x[4] = real(has(mine & ~theirs, p)), x[5] = real(has(theirs & ~mine, p));
    x[6] = real(has(nobody, p)), x[7] = real(true);
  }
  meet();
}

// Statistics are what a lane knows of its moves of a node, and all lanes of the node.
struct Statistics {
  bool open[SLOTS];
  float logit[SLOTS], prior[SLOTS], mean[SLOTS];
  int visits[SLOTS];
  float most, all;   // visits of a move, of all moves
  float mixed;       // value of the node by network and visits together
  float tried;       // prior of all moves that were visited

  DEVICE Statistics(const Tree& t, int64_t n, int points, int lane) {
    Set moves = t.moves[2 * n + t.side[n]];
    float top = NEVER, norm = 0, weighted = 0;
    most = all = tried = 0;
    for (int i = 0; i < SLOTS; i++) {
      int p = lane + WARP * i;
      int64_t k = n * MAX_POINTS + p;
      open[i] = p < points && has(moves, p);
      logit[i] = open[i] ? t.logit[k] : NEVER;
      visits[i] = open[i] ? t.visits[k] : 0;
      mean[i] = visits[i] ? t.total[k] / visits[i] : 0;
      top = fmaxf(top, logit[i]), most = fmaxf(most, float(visits[i])), all += visits[i];
    }
    top = maximum(top), most = maximum(most), all = sum(all);
    for (int i = 0; i < SLOTS; i++) {
      logit[i] -= top;
      prior[i] = open[i] ? expf(logit[i]) : 0;
      norm += prior[i];
    }
    norm = sum(norm);
    for (int i = 0; i < SLOTS; i++) {
      prior[i] /= norm;
      if (visits[i]) tried += prior[i], weighted += prior[i] * mean[i];
    }
    tried = sum(tried), weighted = sum(weighted);
    mixed = (t.value[n] + (tried > 0 ? all * weighted / tried : 0)) / (1 + all);
  }

  // lift is what a value adds to a logit (Danihelka et al. 2022, the monotone σ).
  DEVICE float lift(float value) const { return (50 + most) * 0.25f * (value + 1); }
  DEVICE float completed(int i) const { return visits[i] ? mean[i] : mixed; }
};

// improved is the policy that the visits have made of the prior.
DEVICE void improved(const Statistics& s, float policy[SLOTS]) {
  float top = NEVER, norm = 0;
  for (int i = 0; i < SLOTS; i++) {
    policy[i] = s.open[i] ? s.logit[i] + s.lift(s.completed(i)) : NEVER;
    top = fmaxf(top, policy[i]);
  }
  top = maximum(top);
  for (int i = 0; i < SLOTS; i++) {
    policy[i] = s.open[i] ? expf(policy[i] - top) : 0;
    norm += policy[i];
  }
  norm = sum(norm);
  for (int i = 0; i < SLOTS; i++) policy[i] /= norm;
}

DEVICE int choose(const float score[SLOTS], int lane) {
  float top = NEVER;
  int point = MAX_POINTS;
  for (int i = 0; i < SLOTS; i++)
    if (score[i] > top) top = score[i], point = lane + WARP * i;
  return best(top, point);
}

// follow keeps the visits of an inner node in proportion to its improved policy.
DEVICE int follow(const Statistics& s, int lane) {
  float score[SLOTS];
  improved(s, score);
  for (int i = 0; i < SLOTS; i++) score[i] = s.open[i] ? score[i] - s.visits[i] / (1 + s.all) : NEVER;
  return choose(score, lane);
}

// halve is sequential halving at the root: of the moves with so many visits the one that
// noise, prior and value favour.
DEVICE int halve(const Statistics& s, const float* noise, int want, int lane) {
  float score[SLOTS];
  int wanted = 0;
  for (int i = 0; i < SLOTS; i++) wanted += s.open[i] && s.visits[i] == want;
  bool any = sum(float(wanted)) > 0;
  for (int i = 0; i < SLOTS; i++) {
    bool now = s.open[i] && (!any || s.visits[i] == want);
    score[i] = now ? noise[lane + WARP * i] + s.logit[i] + (s.visits[i] ? s.lift(s.mean[i]) : 0) : NEVER;
  }
  return choose(score, lane);
}

// explore is PUCT, with a doubt about moves that were never visited.
DEVICE int explore(const Statistics& s, float c, int lane) {
  float score[SLOTS], unseen = s.mixed - 0.2f * sqrtf(s.tried);
  for (int i = 0; i < SLOTS; i++)
    score[i] = s.open[i] ? (s.visits[i] ? s.mean[i] : unseen) + c * s.prior[i] * sqrtf(s.all + 1) / (1 + s.visits[i]) : NEVER;
  return choose(score, lane);
}

DEVICE void begin(const Tree& t, int g, int lane, const Set* stones, const uint8_t* side) {
  Board b(t.rows, t.cols);
  Set own[2] = {stones[2 * g], stones[2 * g + 1]};
  place(t, b, g, int64_t(g) * t.nodes, own, side[g], lane);
  if (lane == 0) t.used[g] = 1, t.length[g] = 0, t.leaf[g] = 0;
}

// descend walks from the root to a new node or the end of the game. With want ≥ 0 it is
// Gumbel search, where the root's moves are halved; otherwise PUCT.
DEVICE void descend(const Tree& t, int g, int lane, const float* noise, int want, float c) {
  Board b(t.rows, t.cols);
  int64_t base = int64_t(g) * t.nodes;
  int n = 0, depth = 0;
  while (!over(t, base + n)) {
    Statistics s(t, base + n, b.points, lane);
    int move = want < 0   ? explore(s, c, lane)
               : depth == 0 ? halve(s, noise + int64_t(g) * MAX_POINTS, want, lane)
                            : follow(s, lane);
    int64_t i = (base + n) * MAX_POINTS + move;
    int next = t.child[i], made = t.used[g];
    if (next < 0 && made == t.nodes) break;  // no room: the node is visited again
    if (lane == 0) t.path[g * MAX_DEPTH + depth] = n * MAX_POINTS + move;
    depth++;
    if (next >= 0) {
      n = next;
      continue;
    }
    int side = t.side[base + n];
    Set stones[2] = {t.stones[2 * (base + n)], t.stones[2 * (base + n) + 1]};
    stones[side] |= bit(move);
    place(t, b, g, base + made, stones, 1 - side, lane);
    if (lane == 0) t.child[i] = made, t.used[g] = made + 1;
    n = made;
    break;
  }
  meet();
  if (lane == 0) t.length[g] = depth, t.leaf[g] = n;
}

// learn takes the network's word on the leaf, or the result, back to the root.
DEVICE void learn(const Tree& t, int g, int lane, const float* logits, const float* values) {
  int points = t.rows * t.cols;
  int64_t base = int64_t(g) * t.nodes, n = base + t.leaf[g];
  float value = -1;  // who cannot move has lost
  if (!over(t, n)) {
    value = values[g];
    for (int p = lane; p < points; p += WARP) t.logit[n * MAX_POINTS + p] = logits[int64_t(g) * points + p];
    if (lane == 0) t.value[n] = value;
  }
  if (lane != 0) return;
  for (int d = t.length[g] - 1; d >= 0; d--) {
    int64_t i = base * MAX_POINTS + t.path[g * MAX_DEPTH + d];
    value = -value;
    t.visits[i]++, t.total[i] += value;
  }
}

// decide reads the root of a finished Gumbel search: the move, -1 if the game is over, the
// policy to learn, and the value.
DEVICE void decide(const Tree& t, int g, int lane, const float* noise, int32_t* move, float* policy, float* value) {
  int points = t.rows * t.cols;
  int64_t root = int64_t(g) * t.nodes;
  Statistics s(t, root, points, lane);
  float learned[SLOTS], score[SLOTS];
  improved(s, learned);
  for (int i = 0; i < SLOTS; i++) {
    int p = lane + WARP * i;
    bool last = s.open[i] && s.visits[i] == int(s.most);
    score[i] = last ? noise[int64_t(g) * MAX_POINTS + p] + s.logit[i] + s.lift(s.completed(i)) : NEVER;
    if (p < MAX_POINTS) policy[int64_t(g) * MAX_POINTS + p] = s.open[i] ? learned[i] : 0;
  }
  int chosen = choose(score, lane);
  if (lane == 0) move[g] = over(t, root) ? -1 : chosen, value[g] = over(t, root) ? -1 : s.mixed;
}

// ---- What Python calls ----

#ifdef __CUDACC__
#define LANES                                                 \
  int g = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;     \
  int lane = threadIdx.x % WARP;                              \
  if (g >= t.games) return;
#define EACH_GAME(name, ...) name<<<(t->games + 3) / 4, 4 * WARP, 0, cudaStream_t(stream)>>>(*t, __VA_ARGS__)
#else
#define LANES \
  int lane = 0; \
  for (int g = 0; g < t.games; g++)
#define EACH_GAME(name, ...) (void)stream, name(*t, __VA_ARGS__)
#endif

KERNEL void begin_all(Tree t, const Set* stones, const uint8_t* side) { LANES begin(t, g, lane, stones, side); }
KERNEL void descend_all(Tree t, const float* noise, int want, float c) { LANES descend(t, g, lane, noise, want, c); }
KERNEL void learn_all(Tree t, const float* logits, const float* values) { LANES learn(t, g, lane, logits, values); }
KERNEL void decide_all(Tree t, const float* noise, int32_t* move, float* policy, float* value) {
  LANES decide(t, g, lane, noise, move, policy, value);
}
KERNEL void play_all(Tree t, Set* stones, uint8_t* side, const int32_t* move) {
  LANES if (lane == 0 && move[g] >= 0) {
    stones[2 * g + side[g]] |= bit(move[g]);
    side[g] = 1 - side[g];
  }
}

extern "C" {
void tree_begin(Tree* t, void* stream, const Set* stones, const uint8_t* side) { EACH_GAME(begin_all, stones, side); }
void tree_descend(Tree* t, void* stream, const float* noise, int want, float c) { EACH_GAME(descend_all, noise, want, c); }
void tree_learn(Tree* t, void* stream, const float* logits, const float* values) { EACH_GAME(learn_all, logits, values); }
void tree_decide(Tree* t, void* stream, const float* noise, int32_t* move, float* policy, float* value) {
  EACH_GAME(decide_all, noise, move, policy, value);
}
void tree_play(Tree* t, void* stream, Set* stones, uint8_t* side, const int32_t* move) { EACH_GAME(play_all, stones, side, move); }
}
