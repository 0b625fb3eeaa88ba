// A batch over patterns of bfloat16 on tiles: patterns times queries for the scores, weights times patterns for the mixture.

#include <algorithm>

#include "lanes_avx512.hpp"
#include "context_graph/hopfield.hpp"
#include "tiles.hpp"
#include "transpose.hpp"

namespace cg::hopfield {
namespace {

constexpr int64_t DEPTH = 32;  // numbers of bfloat16 in a row of a tile
constexpr int PARTS = 3;       // of a query

int64_t rounded_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

const uint16_t* numbers(const Stored& patterns, int64_t i) { return reinterpret_cast<const uint16_t*>(patterns.row(i)); }

// products[(2 r + g) * 256 ...] = 16 patterns of group r by 16 queries of group g. The parts of a query meet the same tile of
// patterns one after another: it is loaded once for the three.
template <int R, int G>
[[gnu::noinline]] void score_tiles(const RowTiles& rows, const char* panel, int64_t group, int64_t part, int64_t steps,
                                   Ahead& ahead, int32_t* products) {
    const char *next = ahead.next, *row = rows.data, *other = rows.data + rows.group;
    const int64_t lines = ahead.lines, stride = rows.row;
    zero_sums<R, G>();
    for (int64_t x = 0; x < steps; ++x, row += TILE_BYTES, other += TILE_BYTES, panel += TILE_SIZE) {
        for (int64_t line = 0; line < lines; ++line, next += TILE_BYTES) _mm_prefetch(next, _MM_HINT_T1);
        _tile_loadd(4, row, stride);
        if (R > 1) _tile_loadd(5, other, stride);
        const char* query = panel;
        for (int p = 0; p < PARTS; ++p, query += part) {
            _tile_loadd(6, query, TILE_BYTES);
            _tile_dpbf16ps(0, 4, 6);
            if (R > 1) _tile_dpbf16ps(2, 5, 6);
            if constexpr (G > 1) {
                _tile_loadd(7, query + group, TILE_BYTES);
                _tile_dpbf16ps(1, 4, 7);
                if (R > 1) _tile_dpbf16ps(3, 5, 7);
            }
        }
    }
    ahead.next = next;
    store_sums<R, G>(products);
}

// Sixteen patterns by sixteen queries become queries by patterns, `ld` numbers apart; of these q by count are written.
void write_transposed(const int32_t* products, int64_t q, int64_t count, float* out, int64_t ld) {
    __m512i lines[16];
#pragma GCC unroll 16
    for (int r = 0; r < 16; ++r) lines[r] = _mm512_load_si512(products + 16 * r);
    transpose(lines);
    const __mmask16 some = those_of(count, 0);
#pragma GCC unroll 16
    for (int j = 0; j < 16; ++j) {
        if (j < q) _mm512_mask_storeu_epi32(out + j * ld, some, lines[j]);
    }
}

template <int R>
void score_block(const SplitQueries& queries, const RowTiles& rows, int64_t count, const char* next, int64_t bytes, float* out,
                 int64_t ld) {
    alignas(64) int32_t products[4 * 256];
    const int64_t steps = queries.padded / DEPTH, group = steps * TILE_SIZE, part = 2 * queries.part;
    const char* panel = reinterpret_cast<const char*>(queries.panels);
    const int64_t all_steps = steps * ((queries.q + 2 * QUERY_GROUP - 1) / (2 * QUERY_GROUP));
    Ahead ahead{next, lines_a_step(bytes, all_steps)};
    for (int64_t j = 0; j < queries.q; j += 2 * QUERY_GROUP, panel += 2 * group) {
        const bool both = j + QUERY_GROUP < queries.q;
        if (both) {
            score_tiles<R, 2>(rows, panel, group, part, steps, ahead, products);
        } else {
            score_tiles<R, 1>(rows, panel, group, part, steps, ahead, products);
        }
        for (int g = 0; g <= both; ++g) {
            const int64_t here = j + g * QUERY_GROUP;
            for (int r = 0; r < R; ++r) {
                const int64_t some = std::min<int64_t>(count - r * TILE_ROWS, TILE_ROWS);
                write_transposed(products + (2 * r + g) * 256, queries.q - here, some, out + here * ld + r * TILE_ROWS, ld);
            }
        }
    }
}

// 32 rows as they lie where they fill their tiles, else copied to `room` and filled up with zeros.
RowTiles rows_of(const Stored& patterns, int64_t begin, int64_t count, int64_t padded, uint16_t* room) {
    constexpr int64_t ROWS = 2 * TILE_ROWS;
    if (patterns.d == padded && count == ROWS) {
        return {patterns.row(begin), patterns.stride, TILE_BYTES, TILE_ROWS * patterns.stride};
    }
    for (int64_t r = 0; r < ROWS; ++r) {
        uint16_t* to = room + r * padded;
        const int64_t d = r < count ? patterns.d : 0;
        if (d > 0) std::copy_n(numbers(patterns, begin + r), d, to);
        std::fill(to + d, to + padded, uint16_t{0});
    }
    return {reinterpret_cast<const char*>(room), 2 * padded, TILE_BYTES, 2 * TILE_ROWS * padded};
}

void scores(const SplitQueries& queries, const Stored& patterns, int64_t begin, int64_t end, uint16_t* room, float* out,
            int64_t ld) {
    const Tiles tiles;
    constexpr int64_t ROWS = 2 * TILE_ROWS;
    for (int64_t i = begin; i < end; i += ROWS, out += ROWS) {
        const int64_t count = std::min(end - i, ROWS);
        const RowTiles rows = rows_of(patterns, i, count, queries.padded, room);
        const char* next = patterns.row(i + count);
        if (count > TILE_ROWS) {
            score_block<2>(queries, rows, count, next, ROWS * patterns.stride, out, ld);
        } else {
            score_block<1>(queries, rows, count, next, ROWS * patterns.stride, out, ld);
        }
    }
}

// Numbers x ... x + 31 of a block's rows, two rows side by side as the depth of a product wants them: tiles of 16 such pairs by 16
// numbers, which stay in L1 while all queries meet them.
void pair_rows(const Stored& patterns, int64_t begin, int64_t count, int64_t x, uint16_t* pairs) {
    const __m512i lows = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), highs = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    const __mmask32 some = patterns.d - x >= DEPTH ? 0xffffffffu : (1u << (patterns.d - x)) - 1;
    const auto row = [&](int64_t i) __attribute__((always_inline)) {
        if (i >= count) return _mm512_setzero_si512();
        const uint16_t* at = numbers(patterns, begin + i) + x;
        _mm_prefetch(reinterpret_cast<const char*>(at + DEPTH), _MM_HINT_T0);  // what the next call reads
        return _mm512_maskz_loadu_epi16(some, at);
    };
    for (int64_t i = 0; i < count; i += DEPTH, pairs += TILE_SIZE / 2) {
        for (int64_t p = 0; p < DEPTH; p += 2, pairs += DEPTH) {
            const __m512i a = row(i + p), b = row(i + p + 1);
            const __m512i low = _mm512_unpacklo_epi16(a, b), high = _mm512_unpackhi_epi16(a, b);
            _mm512_storeu_si512(pairs, _mm512_permutex2var_epi64(low, lows, high));
            _mm512_storeu_si512(pairs + TILE_SIZE / 2, _mm512_permutex2var_epi64(low, highs, high));
        }
    }
}

// A weight as the sum of two numbers of bfloat16, query by query, filled up with zeros to `depth` rows and whole groups.
void split_weights(const float* weights, int64_t ld, int64_t q, int64_t count, int64_t depth, uint16_t* high, uint16_t* low) {
    for (int64_t j = 0; j < rounded_up(q, QUERY_GROUP); ++j, high += depth, low += depth) {
        for (int64_t i = 0; i < depth; i += 16) {
            const int64_t left = j < q ? count - i : 0;
            const __m512 weight = left >= 16 ? Lanes::load(weights + j * ld + i)
                                 : left > 0  ? Lanes::load(weights + j * ld + i, left) : _mm512_setzero_ps();
            const __m256i upper = reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(weight));
            const __m512 rest = _mm512_sub_ps(weight, Lanes::from_bfloat(upper));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(high + i), upper);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(low + i), reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(rest)));
        }
    }
}

// mixed[(2 g + t) * 256 ...] = 16 queries of group g by 16 numbers from 16 t on.
template <int G>
[[gnu::noinline]] void mix_tiles(const uint16_t* high, const uint16_t* low, int64_t depth, const uint16_t* pairs, float* mixed) {
    _tile_zero(0);
    _tile_zero(1);
    if (G > 1) {
        _tile_zero(2);
        _tile_zero(3);
    }
    const int64_t stride = 2 * depth, group = QUERY_GROUP * depth;
    for (int64_t i = 0; i < depth; i += DEPTH, pairs += TILE_SIZE) {
        _tile_loadd(6, pairs, TILE_BYTES);
        _tile_loadd(7, pairs + TILE_SIZE / 2, TILE_BYTES);
        for (const uint16_t* part : {low + i, high + i}) {
            _tile_loadd(4, part, stride);
            _tile_dpbf16ps(0, 4, 6);
            _tile_dpbf16ps(1, 4, 7);
            if constexpr (G > 1) {
                _tile_loadd(5, part + group, stride);
                _tile_dpbf16ps(2, 5, 6);
                _tile_dpbf16ps(3, 5, 7);
            }
        }
    }
    _tile_stored(0, mixed, TILE_BYTES);
    _tile_stored(1, mixed + 256, TILE_BYTES);
    if (G > 1) {
        _tile_stored(2, mixed + 512, TILE_BYTES);
        _tile_stored(3, mixed + 768, TILE_BYTES);
    }
}

// sum = factor * sum + mixed for up to 32 numbers, in double: the error does not grow with the number of blocks.
[[gnu::always_inline]] inline void add_mixed(const float* mixed, int64_t some, double factor, double* sum) {
    const __m512d factors = _mm512_set1_pd(factor);
    const float* parts[4] = {mixed, mixed + 8, mixed + 256, mixed + 264};
    if (some >= 32) {
#pragma GCC unroll 4
        for (int p = 0; p < 4; ++p) {
            Lanes::store(sum + 8 * p, Lanes::add(Lanes::mul(Lanes::load(sum + 8 * p), factors), Lanes::widen(parts[p])));
        }
        return;
    }
    for (int64_t x = 0; x < some; ++x) sum[x] = sum[x] * factor + double{parts[x / 8][x % 8]};
}

void add_weighted(const Stored& patterns, int64_t begin, int64_t end, const float* weights, int64_t ld, int64_t q,
                  const double* factor, double* sums, uint16_t* room) {
    const Tiles tiles;
    const int64_t d = patterns.d, count = end - begin, depth = rounded_up(count, DEPTH);
    uint16_t *pairs = room, *high = room + MAX_TILE_BLOCK * DEPTH, *low = high + MAX_TILE_BLOCK * rounded_up(q, QUERY_GROUP);
    split_weights(weights, ld, q, count, depth, high, low);
    alignas(64) float mixed[4 * 256];
    for (int64_t x = 0; x < d; x += DEPTH) {
        pair_rows(patterns, begin, count, x, pairs);
        for (int64_t j = 0; j < q; j += 2 * QUERY_GROUP) {
            if (j + QUERY_GROUP < q) {
                mix_tiles<2>(high + j * depth, low + j * depth, depth, pairs, mixed);
            } else {
                mix_tiles<1>(high + j * depth, low + j * depth, depth, pairs, mixed);
            }
            for (int64_t l = 0; l < std::min<int64_t>(q - j, 2 * QUERY_GROUP); ++l) {
                add_mixed(mixed + l / 16 * 512 + l % 16 * 16, d - x, factor[j + l], sums + (j + l) * d + x);
            }
        }
    }
}

}  // namespace

extern const TileKernel tiles_amx{scores, add_weighted};

}  // namespace cg::hopfield
