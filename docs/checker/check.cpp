// A second checker of NoGo certificates, written from docs/certificate-format.md alone.
//
//   c++ -O2 -std=c++17 -o check check.cpp -lzstd
//   check FILE                      verifies a certificate
//   check judge POSITION b|w        the static test of a position
//   check search POSITION b|w LIMIT the endgame search of a position
//
// Exit code 0: valid; 1: the proof has a gap; 2: bad usage, or a file that is damaged or no
// certificate. It shares nothing with tengen but the page.

#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

using Set = uint64_t;            // of points, by their numbers
using Code = unsigned __int128;  // of a position

struct Refused : std::runtime_error {
  using runtime_error::runtime_error;
};

static void demand(bool right, const std::string& what) {
  if (!right) throw Refused(what);
}

static Set bit(int p) { return Set(1) << p; }
static int size(Set s) { return __builtin_popcountll(s); }
static int lowest(Set s) { return __builtin_ctzll(s); }
static int half_up(int n) { return (n + 1) / 2; }

// ---- The board ----

struct Board {
  int rows, cols, points;
  Set all, first, last;                     // all points, first and last column
  std::vector<std::vector<int>> symmetries;  // where each point goes

  Board(int rows_, int cols_) : rows(rows_), cols(cols_), points(rows_ * cols_), first(0), last(0) {
    demand(rows >= 1 && cols >= 1 && ((rows <= 19 && cols <= 19) || ((rows == 1 || cols == 1) && rows <= 63 && cols <= 63)), "the board is too long");
    demand(rows * (cols + 1) <= 64, "the board has too many points");
    all = bit(points) - 1;
    for (int r = 0; r < rows; r++) first |= bit(r * cols), last |= bit(r * cols + cols - 1);
    for (int swap = 0; swap < (rows == cols && rows > 1 ? 2 : 1); swap++)
      for (int up = 0; up < (rows > 1 ? 2 : 1); up++)
        for (int across = 0; across < (cols > 1 ? 2 : 1); across++) {
          std::vector<int> image(points);
          for (int p = 0; p < points; p++) {
            int r = up ? rows - 1 - p / cols : p / cols, c = across ? cols - 1 - p % cols : p % cols;
            image[p] = swap ? c * cols + r : r * cols + c;
          }
          symmetries.push_back(image);
        }
  }

  Set next(Set x) const { return ((x & ~last) << 1 | (x & ~first) >> 1 | x << cols | x >> cols) & all; }

  // component is the connected part of x around point p.
  Set component(Set x, int p) const {
    Set part = bit(p);
    for (Set grown; (grown = (part | next(part)) & x) != part;) part = grown;
    return part;
  }
};

// ---- Positions ----

enum { Black, White };

struct Position {
  const Board* board;
  Set stones[2] = {0, 0};
  std::vector<Set> blocks[2];  // liberties only, in the order that the page prescribes

  explicit Position(const Board& b) : board(&b) {}

  Position(const Board& b, Set black, Set white) : board(&b), stones{black, white} {
    for (int c : {Black, White})
      for (Set left = stones[c]; left;) {
        Set block = b.component(stones[c], lowest(left));
        blocks[c].push_back(b.next(block) & empty());
        left &= ~block;
      }
  }

  Set empty() const { return board->all & ~(stones[Black] | stones[White]); }

  bool sound() const {
    for (int c : {Black, White})
      for (Set liberties : blocks[c])
        if (!liberties) return false;
    return true;
  }

  Set legal(int c) const {
    Set free = empty(), breathing = board->next(free), capturing = 0;
    for (Set liberties : blocks[c])
      if (size(liberties) >= 2) breathing |= liberties;
    for (Set liberties : blocks[1 - c])
      if (size(liberties) == 1) capturing |= liberties;
    return free & breathing & ~capturing;
  }

  Position play(int c, int p) const {
    Position after(*board);
    after.stones[c] = stones[c] | bit(p), after.stones[1 - c] = stones[1 - c];
    Set joined = board->next(bit(p)) & empty();
    for (Set liberties : blocks[c])
      if (liberties & bit(p)) joined |= liberties & ~bit(p);
      else after.blocks[c].push_back(liberties);
    after.blocks[c].push_back(joined);
    for (Set liberties : blocks[1 - c]) after.blocks[1 - c].push_back(liberties & ~bit(p));
    return after;
  }
};

// code of a position as a symmetry shows it.
static Code code(const Position& x, const std::vector<int>& image) {
  static const std::vector<Code> power = [] {
    std::vector<Code> list(64, 1);
    for (int i = 1; i < 64; i++) list[i] = 3 * list[i - 1];
    return list;
  }();
  Code sum = 0;
  for (Set s = x.stones[Black]; s; s &= s - 1) sum += power[image[lowest(s)]];
  for (Set s = x.stones[White]; s; s &= s - 1) sum += 2 * power[image[lowest(s)]];
  return sum;
}

static Code canonical(const Position& x) {
  Code least = ~Code(0);
  for (const auto& image : x.board->symmetries) least = std::min(least, code(x, image));
  return least;
}

static Position decode(const Board& b, Code code) {
  Set stones[2] = {0, 0};
  for (int p = 0; p < b.points; p++, code /= 3)
    if (int digit = int(code % 3)) stones[digit - 1] |= bit(p);
  return Position(b, stones[Black], stones[White]);
}

// ---- Static tests ----

struct Reserve {
  int sure;
  Set firm;
};

static Reserve reserve(const Position& x, int c, const Set legal[2]) {
  const Board& b = *x.board;
  int o = 1 - c;
  Set closed = x.empty() & ~legal[o], keep = closed & ~legal[c], fill = closed & legal[c];
  auto save = [&](int p) { fill &= ~bit(p), keep |= bit(p); };
  for (Set liberties : x.blocks[o])
    if ((liberties & fill) && !(liberties & keep)) {
      Set near = liberties & fill & b.next(legal[o]);
      save(lowest(near ? near : liberties & fill));
    }
  for (Set open = legal[o] & b.next(fill) & ~b.next(keep); open;) {
    int p = lowest(fill & b.next(bit(lowest(open))));
    save(p);
    open &= ~b.next(bit(p));
  }
  Set ground = x.stones[c] | closed, safe = 0;
  int sure = size(fill);
  for (Set left = ground; left;) {
    Set part = b.component(ground, lowest(left));
    left &= ~part;
    if ((part & fill) && !(part & keep)) sure--;
    if (part & (keep | fill)) safe |= part;
  }
  Set firm = legal[c] & legal[o] & b.next(safe) & ~b.next(legal[o] & ~b.next(keep));
  for (Set liberties : x.blocks[o])
    if (!(liberties & keep)) firm &= ~liberties;
  return {sure, firm};
}

static int most(const Position& x, int c, Set taken, const Set legal[2]) {
  const Board& b = *x.board;
  int n = size(legal[c]);
  Set free = legal[c];
  for (int y : {Black, White}) {
    Set ground = x.stones[y] | legal[y];
    // Components in ascending order of their lowest points or, of the opponent's, stones.
    for (Set left = y == c ? ground : x.stones[y]; left;) {
      Set part = b.component(ground, lowest(left));
      left &= ~part;
      Set set = (part | b.next(part)) & x.empty();
      if (set && !(set & ~free) && ((part & x.stones[y]) || size(set & ~taken) >= 2)) free &= ~set, n--;
    }
  }
  return n;
}

enum Result { Lost, Won, Unknown };
static const char* const names[] = {"lost", "won", "unknown"};

struct Judgement {
  Result result;
  int slack, replies;  // replies: legal moves of the side to move
};

static Judgement judge(const Position& x, int c) {
  int o = 1 - c;
  Set legal[2] = {x.legal(Black), x.legal(White)};
  int replies = size(legal[c]);
  if (!legal[c]) return {Lost, 0, replies};
  if (!legal[o]) return {Won, 0, replies};
  Reserve theirs = reserve(x, o, legal);
  int slack = most(x, c, theirs.firm, legal) - theirs.sure - 2 * (size(theirs.firm) / 2);
  if (slack <= 0) return {Lost, 0, replies};
  int shared = size(legal[c] & legal[o]);
  if (size(legal[c] & ~legal[o]) + 2 * half_up(shared) <= half_up(size(legal[o]))) return {Unknown, slack, replies};
  Reserve mine = reserve(x, c, legal);
  int firm = size(mine.firm), turns = shared > firm ? firm / 2 + 1 : half_up(firm);
  bool wins = mine.sure + 2 * turns > most(x, o, mine.firm, legal);
  return {wins ? Won : Unknown, slack, replies};
}

// ---- The endgame search ----

class Search {
 public:
  explicit Search(uint64_t limit_) : limit(limit_) {}

  uint64_t nodes = 0;

  Result run(const Position& x, int c) {
    Judgement j = judge(x, c);
    if (j.result != Unknown) return j.result;
    try {
      return expand(x, c);
    } catch (Exhausted) {
      return Unknown;
    }
  }

 private:
  struct Exhausted {};
  struct Hash {
    size_t operator()(const std::array<Set, 2>& k) const { return (k[0] * 0x9e3779b97f4a7c15u ^ k[1]) * 0xff51afd7ed558ccdu; }
  };

  uint64_t limit;
  std::unordered_map<std::array<Set, 2>, Result, Hash> memory;
  int tries[2][64] = {}, wins[2][64] = {};

  const Result* known(const Position& x) const {
    auto it = memory.find({x.stones[Black], x.stones[White]});
    return it == memory.end() ? nullptr : &it->second;
  }

  Result keep(const Position& x, Result r) { return memory[{x.stones[Black], x.stones[White]}] = r; }

  Result expand(const Position& x, int c) {
    if (nodes == limit) throw Exhausted();
    nodes++;
    std::vector<std::pair<int, int>> list;  // points with scores, ascending by point
    for (Set moves = x.legal(c); moves; moves &= moves - 1) {
      int p = lowest(moves);
      Position child = x.play(c, p);
      const Result* r = known(child);
      Judgement j = r ? Judgement{*r, 0, 0} : judge(child, 1 - c);
      if (j.result == Lost) return keep(x, Won);
      if (j.result == Unknown) list.push_back({p, 32 * wins[c][p] / (tries[c][p] + 1) - 8 * (j.replies + j.slack)});
    }
    while (!list.empty()) {
      auto best = std::max_element(list.begin(), list.end(), [](auto& a, auto& b) { return a.second < b.second; });
      int p = best->first;
      list.erase(best);
      Position child = x.play(c, p);
      const Result* seen = known(child);
      Result r = seen ? *seen : expand(child, 1 - c);
      tries[c][p]++;
      if (r == Lost) {
        wins[c][p]++;
        return keep(x, Won);
      }
    }
    return keep(x, Lost);
  }
};

// ---- SHA-256 (FIPS 180-4) ----

static std::array<uint8_t, 32> sha256(const uint8_t* data, size_t length) {
  static const uint32_t k[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
      0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
      0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
      0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
      0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
      0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::vector<uint8_t> text(data, data + length);
  text.push_back(0x80);
  while (text.size() % 64 != 56) text.push_back(0);
  for (int i = 7; i >= 0; i--) text.push_back(uint8_t(uint64_t(length) * 8 >> 8 * i));
  auto turn = [](uint32_t x, int n) { return x >> n | x << (32 - n); };
  for (size_t at = 0; at < text.size(); at += 64) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++) w[i] = uint32_t(text[at + 4 * i]) << 24 | text[at + 4 * i + 1] << 16 | text[at + 4 * i + 2] << 8 | text[at + 4 * i + 3];
    for (int i = 16; i < 64; i++) {
      uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    std::copy(h, h + 8, v);
    for (int i = 0; i < 64; i++) {
      uint32_t s = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
      uint32_t t = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
      std::copy_backward(v, v + 7, v + 8);
      v[0] = s + t, v[4] += s;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
  }
  std::array<uint8_t, 32> sum;
  for (int i = 0; i < 32; i++) sum[i] = uint8_t(h[i / 4] >> (24 - 8 * (i % 4)));
  return sum;
}

// ---- The file ----

struct Entry {
  Code code;
  int move;
};

struct Certificate {
  Board board;
  int turn, winner;
  uint64_t limit;
  Set root[2];
  std::vector<Entry> entries;
};

static uint64_t number(const uint8_t* at, int bytes) {
  uint64_t n = 0;
  for (int i = bytes - 1; i >= 0; i--) n = n << 8 | at[i];
  return n;
}

// unpack takes exactly one zstd frame of known length.
static std::vector<uint8_t> unpack(const uint8_t* packed, size_t length, size_t unpacked) {
  demand(length >= 4 && number(packed, 4) == ZSTD_MAGICNUMBER, "a block is not a zstd frame");
  size_t frame = ZSTD_findFrameCompressedSize(packed, length);
  demand(!ZSTD_isError(frame) && frame == length, "a block is not exactly one zstd frame");
  std::vector<uint8_t> out(unpacked + 1);
  ZSTD_DCtx* context = ZSTD_createDCtx();
  ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 22);
  // As a stream, for only then does the limit of the window count.
  ZSTD_inBuffer in = {packed, length, 0};
  ZSTD_outBuffer to = {out.data(), out.size(), 0};
  size_t left = 1;
  while (left && in.pos < in.size && to.pos < to.size && !ZSTD_isError(left)) left = ZSTD_decompressStream(context, &to, &in);
  if (left && !ZSTD_isError(left)) left = ZSTD_decompressStream(context, &to, &in);
  ZSTD_freeDCtx(context);
  demand(left == 0 && to.pos == unpacked, "a block does not unpack to its length");
  out.pop_back();
  return out;
}

static void read_block(Certificate& cert, const std::vector<uint8_t>& data, size_t count) {
  Code end = 1;
  for (int i = 0; i < cert.board.points; i++) end *= 3;
  size_t at = 0;
  Code code = 0;
  for (size_t i = 0; i < count; i++) {
    Code n = 0;
    for (int k = 0;; k++) {
      demand(at < data.size() && k < 15, "a number of a block is cut short or too long");
      n |= Code(data[at] & 127) << 7 * k;
      if (!(data[at++] & 128)) break;
    }
    demand(n < end && (code = i ? code + n : n) < end, "a code is too large for the board");
    demand(cert.entries.empty() || code > cert.entries.back().code, "the codes do not ascend");
    cert.entries.push_back({code, 0});
  }
  demand(data.size() - at == count, "a block has another length than its entries");
  for (size_t i = 0; i < count; i++) {
    int move = data[at + i];
    demand(move < cert.board.points, "a move is not on the board");
    cert.entries[cert.entries.size() - count + i].move = move;
  }
}

static Certificate read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  demand(bool(in), "the file cannot be read");
  std::vector<uint8_t> data{std::istreambuf_iterator<char>(in), {}};
  demand(data.size() >= 80, "the file is too short");
  size_t end = data.size() - 32;
  auto sum = sha256(data.data(), end);
  demand(std::equal(sum.begin(), sum.end(), data.begin() + end), "the checksum is wrong");
  const uint8_t* d = data.data();
  demand(!memcmp(d, "TENGENPF", 8) && number(d + 8, 2) == 1 && !memcmp(d + 10, "nogo", 4), "the file is no certificate of NoGo, version 1");
  Certificate cert{Board(d[14], d[15]), d[16], d[17], number(d + 20, 4), {0, 0}, {}};
  demand(cert.turn <= 1 && cert.winner <= 1 && number(d + 18, 2) == 0, "the header is wrong");
  demand(cert.limit >= 1 && cert.limit <= 65536, "the limit of searches is wrong");
  for (int c : {Black, White}) {
    uint64_t word = number(d + 32 + 8 * c, 8);
    for (int p = 0; p < cert.board.points; p++) {
      int place = p / cert.board.cols * (cert.board.cols + 1) + p % cert.board.cols;
      if (word >> place & 1) cert.root[c] |= bit(p), word &= ~bit(place);
    }
    demand(word == 0, "the root has stones off the board");
  }
  demand(!(cert.root[0] & cert.root[1]), "the root has two stones on a point");
  demand(Position(cert.board, cert.root[0], cert.root[1]).sound(), "a block of the root has no liberty");
  uint64_t count = number(d + 24, 8);
  size_t at = 48;
  for (uint64_t done = 0; done < count;) {
    uint64_t now = std::min<uint64_t>(65536, count - done);
    demand(end - at >= 8, "the file is cut short");
    uint64_t u = number(d + at, 4), p = number(d + at + 4, 4);
    demand(u <= 16 * now && p <= u + u / 8 + 64 && p <= end - at - 8, "the lengths of a block are wrong");
    read_block(cert, unpack(d + at + 8, p, u), now);
    at += 8 + p, done += now;
  }
  demand(at == end, "the file goes on after its last block");
  return cert;
}

// ---- The check ----

class Checker {
 public:
  explicit Checker(const Certificate& cert_) : cert(cert_) {}

  uint64_t searches = 0, nodes = 0;

  // gap says what is wrong with the proof; "" if nothing is.
  std::string gap() {
    for (const Entry& e : cert.entries) {
      Position x = decode(cert.board, e.code);
      if (!x.sound()) return "an entry has a block without a liberty";
      if (canonical(x) != e.code) return "an entry is not in canonical orientation";
      if (!(x.legal(cert.winner) & bit(e.move))) return "the move of an entry is not legal";
      if (!refuted(x.play(cert.winner, e.move))) return "a reply to an entry is not settled";
    }
    Position root(cert.board, cert.root[Black], cert.root[White]);
    bool fine = cert.turn == cert.winner ? settled(root) : refuted(root);
    return fine ? "" : "the root is not settled";
  }

 private:
  struct Hash {
    size_t operator()(Code c) const { return (uint64_t(c >> 64) * 0x9e3779b97f4a7c15u ^ uint64_t(c)) * 0xff51afd7ed558ccdu; }
  };

  const Certificate& cert;
  std::unordered_map<Code, bool, Hash> searched;

  // refuted: every move of the loser leads to a settled position.
  bool refuted(const Position& x) {
    int loser = 1 - cert.winner;
    for (Set moves = x.legal(loser); moves; moves &= moves - 1)
      if (!settled(x.play(loser, lowest(moves)))) return false;
    return true;
  }

  bool settled(const Position& x) {
    Code code = canonical(x);
    auto it = std::lower_bound(cert.entries.begin(), cert.entries.end(), code, [](const Entry& e, Code c) { return e.code < c; });
    if (it != cert.entries.end() && it->code == code) return true;
    auto [seen, fresh] = searched.try_emplace(code, false);
    if (fresh) {
      Search search(cert.limit);
      seen->second = search.run(decode(cert.board, code), cert.winner) == Won;
      searches++, nodes += search.nodes;
    }
    return seen->second;
  }
};

// ---- Commands ----

static const char* const colours[] = {"black", "white"};

static int verify(const std::string& path) {
  Certificate cert = read(path);
  Checker checker(cert);
  std::string gap = checker.gap();
  if (!gap.empty()) {
    printf("not valid: %s\n", gap.c_str());
    return 1;
  }
  printf("valid: %s wins %dx%d with %s to play, %zu entries, %llu searches, %llu nodes\n", colours[cert.winner], cert.board.rows,
         cert.board.cols, colours[cert.turn], cert.entries.size(), (unsigned long long)checker.searches, (unsigned long long)checker.nodes);
  return 0;
}

static std::string name(const Board& b, int p) {
  return std::string(1, "ABCDEFGHJKLMNOPQRSTUVWXYZ"[p % b.cols]) + std::to_string(p / b.cols + 1);
}

static std::string list(const Board& b, Set s) {
  std::string text;
  for (; s; s &= s - 1) text += (text.empty() ? "" : " ") + name(b, lowest(s));
  return text.empty() ? "–" : text;
}

static int examine(const std::vector<std::string>& args) {
  std::vector<std::string> rows(1);
  for (char ch : args[1])
    if (ch == '/') rows.emplace_back();
    else rows.back() += ch;
  Board b(int(rows.size()), int(rows[0].size()));
  Set stones[2] = {0, 0};
  for (int r = 0; r < b.rows; r++) {
    demand(int(rows[r].size()) == b.cols, "the rows have different lengths");
    for (int c = 0; c < b.cols; c++)
      if (rows[r][c] != '.') stones[rows[r][c] == 'o'] |= bit((b.rows - 1 - r) * b.cols + c);
  }
  Position x(b, stones[Black], stones[White]);
  demand(x.sound(), "a block has no liberty");
  int c = args[2] == "w" ? White : Black, o = 1 - c;
  if (args[0] == "search") {
    Search search(std::stoull(args[3]));
    Result r = search.run(x, c);
    printf("%s %llu\n", names[r], (unsigned long long)search.nodes);
    return 0;
  }
  Set legal[2] = {x.legal(Black), x.legal(White)};
  Reserve mine = reserve(x, c, legal), theirs = reserve(x, o, legal);
  Judgement j = judge(x, c);
  printf("%d | %s | %d | %d | %s | %d | %s | %s\n", mine.sure, list(b, mine.firm).c_str(), most(x, c, theirs.firm, legal), theirs.sure,
         list(b, theirs.firm).c_str(), most(x, o, mine.firm, legal), names[j.result], j.result == Unknown ? std::to_string(j.slack).c_str() : "–");
  return 0;
}

int main(int argc, char** argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  try {
    if (args.size() == 1) return verify(args[0]);
    if ((args.size() == 3 && args[0] == "judge") || (args.size() == 4 && args[0] == "search")) return examine(args);
    throw Refused("usage: check FILE, check judge POSITION b|w, check search POSITION b|w LIMIT");
  } catch (const std::exception& e) {
    fprintf(stderr, "check: %s\n", e.what());
    return 2;
  }
}
