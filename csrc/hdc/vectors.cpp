// Items, rotation, bundles and the scans all backends share.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "context_graph/hdc.hpp"
#include "context_graph/select.hpp"
#include "context_graph/threads.hpp"

namespace cg::hdc {
namespace {

using Vector = std::array<uint64_t, WORDS>;

constexpr int64_t LAST = BITS / 64;                                // word 156 holds the last bits
constexpr uint64_t LAST_BITS = (uint64_t{1} << (BITS % 64)) - 1;  // 10,000 bits end inside it

constexpr int64_t ROWS_IN_L1 = 24;  // 30 KiB, which all queries read there: L2 would feed half as many comparisons

uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

void fill(uint64_t key, uint64_t* out) {
    for (int64_t w = 0; w < WORDS; ++w) {
        key += 0x9e3779b97f4a7c15u;
        out[w] = w <= LAST ? mix(key) : 0;
    }
    out[LAST] &= LAST_BITS;
}

// `count` <= 64 bits of a vector from bit `at`, not past the end.
uint64_t read_bits(const uint64_t* in, int64_t at, int64_t count) {
    const int64_t w = at / 64, shift = at % 64;
    uint64_t bits = in[w] >> shift;
    if (shift != 0 && w + 1 < WORDS) bits |= in[w + 1] << (64 - shift);
    return count == 64 ? bits : bits & ((uint64_t{1} << count) - 1);
}

void put_xor(uint64_t* to, const uint64_t* x, const uint64_t* y) {
    for (int64_t w = 0; w < WORDS; ++w) to[w] = x[w] ^ y[w];
}

// Bits that n votes need.
int64_t depth_for(int64_t n) { return std::max<int64_t>(4, std::bit_width(static_cast<uint64_t>(n))); }

// Symbols come back soon in text: each one's rotated items are kept, as many as fit in L2.
class Items {
   public:
    // Not filled: most texts have few symbols, and memory that nothing touches costs nothing.
    Items(int64_t rotations, uint64_t seed)
        : rotations_(rotations), seed_(seed), kept_(new Vector[SLOTS * rotations]), of_(SLOTS) {}

    const uint64_t* rotated(uint64_t symbol, int64_t by) {
        const uint64_t slot = mix(symbol) % SLOTS;
        Vector* vectors = kept_.get() + slot * rotations_;
        if (of_[slot] != symbol) {
            item(symbol, seed_, vectors[0].data());
            for (int64_t r = 1; r < rotations_; ++r) permute(vectors[0].data(), r, vectors[r].data());
            of_[slot] = symbol;
        }
        return vectors[by].data();
    }
    bool both_fit(uint64_t x, uint64_t y) const { return x == y || mix(x) % SLOTS != mix(y) % SLOTS; }

   private:
    static constexpr uint64_t SLOTS = 256;

    int64_t rotations_;
    uint64_t seed_;
    std::unique_ptr<Vector[]> kept_;
    std::vector<std::optional<uint64_t>> of_;
};

// The first two symbols in one pass, unless one takes the other's slot.
void put_gram(Items& items, const uint64_t* text, int64_t width, uint64_t* out) {
    const uint64_t* first = items.rotated(text[0], width - 1);
    int64_t x = 1;
    if (width > 1 && items.both_fit(text[0], text[1])) {
        put_xor(out, first, items.rotated(text[x++], width - 2));
    } else {
        std::copy_n(first, WORDS, out);
    }
    for (; x < width; ++x) put_xor(out, out, items.rotated(text[x], width - 1 - x));
}

// Of all queries to a few rows; those of query j at out + j * ld.
void all_distances(const Kernel& kernel, const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int32_t* out,
                   int64_t ld) {
    int64_t j = 0;
    if (kernel.distances_at_once != nullptr) {
        for (; j + QUERIES_AT_ONCE <= q; j += QUERIES_AT_ONCE) {
            kernel.distances_at_once(queries + j * WORDS, rows, n, out + j * ld, ld);
        }
    }
    for (; j < q; ++j) kernel.distances(queries + j * WORDS, rows, n, out + j * ld);
}

}  // namespace

void item(uint64_t symbol, uint64_t seed, uint64_t* out) { fill(mix(symbol ^ mix(seed)), out); }

void tie(uint64_t seed, uint64_t* out) { fill(~mix(seed), out); }

void permute(const uint64_t* in, int64_t by, uint64_t* out) {
    const int64_t shift = ((by % BITS) + BITS) % BITS;
    if (shift > 0 && shift < 64) {  // as within an n-gram: each word takes the last bits of the word before it
        out[0] = in[0] << shift | read_bits(in, BITS - shift, shift);
        for (int64_t w = 1; w <= LAST; ++w) out[w] = in[w] << shift | in[w - 1] >> (64 - shift);
        out[LAST] &= LAST_BITS;
        std::fill(out + LAST + 1, out + WORDS, 0);
        return;
    }
    std::fill(out, out + WORDS, 0);
    for (int64_t w = 0; w <= LAST; ++w) {
        const int64_t wanted = std::min<int64_t>(64, BITS - 64 * w);
        const int64_t from = (64 * w + BITS - shift) % BITS, first = std::min(wanted, BITS - from);
        out[w] = read_bits(in, from, first);
        if (first < wanted) out[w] |= read_bits(in, 0, wanted - first) << first;
    }
}

void bundle(const Kernel& kernel, const uint64_t* rows, int64_t n, uint64_t seed, uint64_t* out) {
    Vector even;
    tie(seed, even.data());
    const int64_t depth = depth_for(n);
    std::vector<uint64_t> planes(depth * WORDS);
    const Counts counts{planes.data(), depth};
    kernel.tally(rows, n, counts);
    kernel.majority(counts, n, even.data(), out);
}

void encode(const Kernel& kernel, const uint64_t* symbols, const int64_t* offsets, int64_t n, int64_t ngram,
            uint64_t seed, uint64_t* out, int threads) {
    constexpr int64_t BATCH = 64;  // grams between two tallies: 80 KiB
    Vector even;
    tie(seed, even.data());
    const int parts = worth_waking(threads, (offsets[n] + n) * WORDS * 4);
    split(n, parts, [&](int, int64_t begin, int64_t end) {
        Items items(ngram, seed);
        std::vector<Vector> grams(BATCH);
        std::vector<uint64_t> planes;
        for (int64_t doc = begin; doc < end; ++doc) {
            const uint64_t* text = symbols + offsets[doc];
            const int64_t size = offsets[doc + 1] - offsets[doc], width = std::min(ngram, size);
            const int64_t total = size == 0 ? 0 : size - width + 1, depth = depth_for(total);
            planes.assign(depth * WORDS, 0);
            const Counts counts{planes.data(), depth};
            for (int64_t first = 0; first < total; first += BATCH) {
                const int64_t count = std::min(BATCH, total - first);
                for (int64_t g = 0; g < count; ++g) {
                    put_gram(items, text + first + g, width, grams[g].data());
                }
                kernel.tally(grams[0].data(), count, counts);
            }
            kernel.majority(counts, total, even.data(), out + doc * WORDS);
        }
    });
}

void distances(const Kernel& kernel, const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n,
               int32_t* out, int threads) {
    const int parts = worth_waking(threads, q * n * WORDS * 2);
    split(n, parts, [&](int, int64_t begin, int64_t end) {
        for (int64_t first = begin; first < end; first += ROWS_IN_L1) {
            const int64_t count = std::min(ROWS_IN_L1, end - first);
            all_distances(kernel, queries, q, rows + first * WORDS, count, out + first, n);
        }
    });
}

void search(const Kernel& kernel, const uint64_t* queries, int64_t q, const uint64_t* rows, int64_t n, int64_t k,
            const uint8_t* mask, int32_t* distances, int64_t* ids, int threads) {
    const int parts = worth_waking(threads, q * n * WORDS * 2);
    std::vector<std::vector<TopK>> best(q, std::vector<TopK>(parts, TopK(k)));
    split(n, parts, [&](int part, int64_t begin, int64_t end) {
        constexpr int64_t BLOCK = 10 * ROWS_IN_L1;
        std::vector<int32_t> found(q * BLOCK);
        std::array<float, BLOCK> nearness;  // a negated distance is exact in float
        for (int64_t first = begin; first < end; first += BLOCK) {
            const int64_t count = std::min(BLOCK, end - first);
            const int64_t at_once = q > 1 ? ROWS_IN_L1 : BLOCK;
            for (int64_t i = 0; i < count; i += at_once) {
                const int64_t some = std::min(at_once, count - i);
                all_distances(kernel, queries, q, rows + (first + i) * WORDS, some, found.data() + i, BLOCK);
            }
            for (int64_t j = 0; j < q; ++j) {
                for (int64_t i = 0; i < count; ++i) nearness[i] = -static_cast<float>(found[j * BLOCK + i]);
                best[j][part].offer_all(nearness.data(), count, first, mask ? mask + first : nullptr);
            }
        }
    });
    std::vector<float> scores(k);
    for (int64_t j = 0; j < q; ++j) {
        write_best(best[j], k, scores.data(), ids + j * k);
        for (int64_t r = 0; r < k; ++r) {
            distances[j * k + r] = ids[j * k + r] < 0 ? BEYOND : static_cast<int32_t>(-scores[r]);
        }
    }
}

}  // namespace cg::hdc
