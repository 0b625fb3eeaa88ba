// Dot products on tiles: 16 query tokens by 16 tokens an instruction, 64 dimensions deep.
//
// Query tokens are loaded as they lie. Four dimensions of 16 tokens side by side are a row of the other operand, so 64 of a
// block are a tile as they lie, too. A row of the products is a query token, as in what is asked for.

#include <algorithm>
#include <limits>
#include <type_traits>

#include "lanes_avx512.hpp"
#include "context_graph/maxsim.hpp"
#include "tiles.hpp"

namespace cg::maxsim {
namespace {

constexpr int64_t PRODUCTS = TILE_ROWS * BLOCK;  // of a tile
constexpr float MINUS_INFINITY = -std::numeric_limits<float>::infinity();
constexpr int64_t AHEAD = 16 * 1024;  // bytes from a token's use back to where it is asked for from memory

// The query side of a pass over tokens: 16 query tokens by their high bytes and low ones, or 32 or 16 by their high bytes.
template <int G, bool LOW>
struct Pass {
    static_assert(G == 1 || !LOW);
    static constexpr int SIDES = LOW ? 2 : G;
    static constexpr int64_t TOKENS = G * TILE_ROWS;

    Pass(const Query& query, int64_t i)
        : padded(query.padded), count(std::min(query.q - i, TOKENS)), side(query.high + i * padded),
          other(LOW ? query.low + i * padded : side + TILE_ROWS * padded) {
        for (int64_t r = 0; r < count; ++r) {
            const int32_t bias = query.bias[i + r];
            _mm512_store_si512(start + (LOW ? PRODUCTS : 0) + r * BLOCK, _mm512_set1_epi32(LOW ? bias : bias / 128));
        }
    }

    // The dot products with query token i + r, of what `multiply` wrote.
    __m512 sum(int64_t r, const int32_t* products) const {
        __m512i sum = _mm512_slli_epi32(_mm512_load_si512(products + r * BLOCK), 7);
        if (LOW) sum = _mm512_add_epi32(sum, _mm512_load_si512(products + PRODUCTS + r * BLOCK));
        return _mm512_cvtepi32_ps(sum);
    }

    const int64_t padded, count;
    const int8_t *const side, *const other;
    alignas(64) int32_t start[SIDES * PRODUCTS] = {};  // what products start from: the bias
};

// STEPS of 64 dimensions of the query stay in tiles 2 to 5; with 0, any number of them are loaded with each block.
template <int STEPS, class Pass>
[[gnu::always_inline]] inline void hold(const Pass& pass) {
    if (STEPS > 0) _tile_loadd(2, pass.side, pass.padded);
    if (STEPS > 1) _tile_loadd(3, pass.side + TILE_BYTES, pass.padded);
    if (STEPS > 0 && Pass::SIDES > 1) _tile_loadd(4, pass.other, pass.padded);
    if (STEPS > 1 && Pass::SIDES > 1) _tile_loadd(5, pass.other + TILE_BYTES, pass.padded);
}

// Products of a pass with a block, side after side.
template <int STEPS, class Pass>
[[gnu::always_inline]] inline void multiply(const Pass& pass, const uint8_t* block, int32_t* out) {
    _tile_loadd(0, pass.start, TILE_BYTES);
    if (Pass::SIDES > 1) _tile_loadd(1, pass.start + PRODUCTS, TILE_BYTES);
    if constexpr (STEPS > 0) {
        _tile_loadd(6, block, TILE_BYTES);
        _tile_dpbsud(0, 2, 6);
        if (Pass::SIDES > 1) _tile_dpbsud(1, 4, 6);
        if constexpr (STEPS > 1) {
            _tile_loadd(7, block + TILE_SIZE, TILE_BYTES);
            _tile_dpbsud(0, 3, 7);
            if (Pass::SIDES > 1) _tile_dpbsud(1, 5, 7);
        }
    } else {
        int64_t x = 0;
        for (; x + TILE_BYTES <= pass.padded; x += TILE_BYTES) {
            _tile_loadd(6, block + x * BLOCK, TILE_BYTES);
            _tile_loadd(2, pass.side + x, pass.padded);
            _tile_dpbsud(0, 2, 6);
            if constexpr (Pass::SIDES > 1) {
                _tile_loadd(4, pass.other + x, pass.padded);
                _tile_dpbsud(1, 4, 6);
            }
        }
        if (x < pass.padded) {
            _tile_loadd(7, block + x * BLOCK, TILE_BYTES);
            _tile_loadd(3, pass.side + x, pass.padded);
            _tile_dpbsud(0, 3, 7);
            if constexpr (Pass::SIDES > 1) {
                _tile_loadd(5, pass.other + x, pass.padded);
                _tile_dpbsud(1, 5, 7);
            }
        }
    }
    _tile_stored(0, out, TILE_BYTES);
    if (Pass::SIDES > 1) _tile_stored(1, out + PRODUCTS, TILE_BYTES);
}

// Calls visit(block, products) in order. A block is multiplied while the products of the one before are used, and one at
// `ahead`, so many bytes behind it, asked for from memory.
template <int STEPS, class Pass, class Visit>
[[gnu::always_inline]] inline void each_block(const Pass& pass, const uint8_t* blocks, int64_t begin, int64_t end,
                                              int64_t ahead, Visit visit) {
    alignas(64) int32_t products[2][Pass::SIDES * PRODUCTS];
    const int64_t size = BLOCK * pass.padded;
    hold<STEPS>(pass);
    multiply<STEPS>(pass, blocks + begin * size, products[begin % 2]);
    for (int64_t b = begin; b < end; ++b) {
        const uint8_t* block = blocks + b * size;
        if (b + 1 < end) multiply<STEPS>(pass, block + size, products[(b + 1) % 2]);
        for (int64_t at = 0; at < size; at += TILE_BYTES) _mm_prefetch(block + ahead + at, _MM_HINT_T1);
        visit(b, products[b % 2]);
    }
}

template <int STEPS, class Pass>
void dots_of(const Pass& pass, const uint8_t* blocks, const float* scale, int64_t count, const uint8_t* next, float* out,
             int64_t ld) {
    each_block<STEPS>(pass, blocks, 0, count, next - blocks,
                      [&](int64_t b, const int32_t* products) __attribute__((always_inline)) {
        const __m512 factor = _mm512_loadu_ps(scale + b * BLOCK);
#pragma GCC unroll 4
        for (int64_t r = 0; r < pass.count; ++r) {
            _mm512_storeu_ps(out + r * ld + b * BLOCK, _mm512_mul_ps(pass.sum(r, products), factor));
        }
    });
}

// Of each of 16 rows of 16 its largest number.
[[gnu::always_inline]] inline __m512 row_maxima(const float* rows) {
    __m512 four[4], eight[2];
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) {  // a lane of 128 bits then holds four rows
        const float* at = rows + 4 * r * BLOCK;
        const __m512 a = _mm512_load_ps(at), b = _mm512_load_ps(at + BLOCK);
        const __m512 c = _mm512_load_ps(at + 2 * BLOCK), d = _mm512_load_ps(at + 3 * BLOCK);
        const __m512d ab = _mm512_castps_pd(_mm512_max_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b)));
        const __m512d cd = _mm512_castps_pd(_mm512_max_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d)));
        four[r] = _mm512_max_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(ab, cd)), _mm512_castpd_ps(_mm512_unpackhi_pd(ab, cd)));
    }
    for (int r = 0; r < 2; ++r) {
        const __m512 a = four[2 * r], b = four[2 * r + 1];
        eight[r] = _mm512_max_ps(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xee));
    }
    return _mm512_max_ps(_mm512_shuffle_f32x4(eight[0], eight[1], 0x88), _mm512_shuffle_f32x4(eight[0], eight[1], 0xdd));
}

// A block's tokens from `from` to `to` are a document's, and the first of it or not.
template <class Pass>
[[gnu::always_inline]] inline void join(const Pass& pass, const int32_t* products, const float* scale, int64_t from,
                                        int64_t to, bool first, float* most) {
    const __m512 factor = _mm512_loadu_ps(scale), none = _mm512_set1_ps(MINUS_INFINITY);
    const __mmask16 some = static_cast<__mmask16>((1u << to) - (1u << from));
    if (first) {
#pragma GCC unroll 4
        for (int64_t r = 0; r < pass.count; ++r) {
            _mm512_store_ps(most + r * BLOCK, _mm512_mask_mul_ps(none, some, pass.sum(r, products), factor));
        }
        return;
    }
#pragma GCC unroll 4
    for (int64_t r = 0; r < pass.count; ++r) {
        const __m512 dots = _mm512_mask_mul_ps(none, some, pass.sum(r, products), factor);
        _mm512_store_ps(most + r * BLOCK, _mm512_max_ps(_mm512_load_ps(most + r * BLOCK), dots));
    }
}

template <int STEPS, class Pass>
void maxima_of(const Pass& pass, const Packed& packed, int64_t begin, int64_t end, float* best, int64_t ld) {
    alignas(64) float most[Pass::TOKENS * BLOCK] = {};
    const int64_t* offsets = packed.offsets;
    int64_t doc = begin;
    const auto pass_empty_ones = [&] {
        for (; doc < end && offsets[doc] == offsets[doc + 1]; ++doc, best += ld) {
            std::fill_n(best, pass.count, MINUS_INFINITY);
        }
    };
    pass_empty_ones();
    if (doc == end) return;
    each_block<STEPS>(pass, packed.blocks, offsets[doc] / BLOCK, (offsets[end] + BLOCK - 1) / BLOCK, AHEAD,
                      [&](int64_t b, const int32_t* products) __attribute__((always_inline)) {
        const int64_t here = b * BLOCK, behind = here + BLOCK;
        while (doc < end && offsets[doc] < behind) {
            const int64_t from = std::max(offsets[doc] - here, int64_t{0}), to = std::min(offsets[doc + 1] - here, BLOCK);
            join(pass, products, packed.scale + here, from, to, offsets[doc] >= here, most);
            if (offsets[doc + 1] > behind) return;
            for (int64_t r = 0; r < pass.count; r += TILE_ROWS) {
                const __mmask16 rows = Lanes::first(std::min(pass.count - r, TILE_ROWS));
                _mm512_mask_storeu_ps(best + r, rows, row_maxima(most + r * BLOCK));
            }
            ++doc;
            best += ld;
            pass_empty_ones();
        }
    });
}

template <int STEPS>
using Steps = std::integral_constant<int, STEPS>;

// run(steps, pass, first query token) for all of them.
template <class Run>
[[gnu::always_inline]] inline void each_pass(const Query& query, Run run) {
    const int64_t tail = query.padded % TILE_BYTES;
    const Tiles tiles(tail != 0 ? tail : TILE_BYTES);
    const auto with_steps = [&](const auto& pass, int64_t i) {
        if (query.padded == TILE_BYTES) return run(Steps<1>{}, pass, i);
        if (query.padded == 2 * TILE_BYTES) return run(Steps<2>{}, pass, i);
        run(Steps<0>{}, pass, i);
    };
    for (int64_t i = 0; i < query.q;) {
        if (query.low) {
            with_steps(Pass<1, true>(query, i), i);
            i += TILE_ROWS;
        } else if (query.q - i > TILE_ROWS) {
            with_steps(Pass<2, false>(query, i), i);
            i += 2 * TILE_ROWS;
        } else {
            with_steps(Pass<1, false>(query, i), i);
            i += TILE_ROWS;
        }
    }
}

void dots(const Query& query, const uint8_t* blocks, const float* scale, int64_t count, const uint8_t* next, float* out,
          int64_t ld) {
    each_pass(query, [&](auto steps, const auto& pass, int64_t i) {
        dots_of<steps.value>(pass, blocks, scale, count, next, out + i * ld, ld);
    });
}

void maxima(const Query& query, const Packed& packed, int64_t begin, int64_t end, float* best) {
    each_pass(query, [&](auto steps, const auto& pass, int64_t i) {
        maxima_of<steps.value>(pass, packed, begin, end, best + i, query.q);
    });
}

}  // namespace

extern const TileKernel tiles_amx{dots, maxima};

}  // namespace cg::maxsim
