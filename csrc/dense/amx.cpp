// Batches on tiles: sixteen rows by sixteen queries an instruction, 64 codes or 32 numbers of bfloat16 deep.
//
// Rows are loaded as they lie, queries from their panels. Tiles of 32 rows by 32 queries stay in four registers over d, so four
// products follow on four loads. What comes of them is compared with the thresholds, a row at a time.

#include <algorithm>
#include <cmath>

#include "lanes_avx512.hpp"
#include "context_graph/dense.hpp"
#include "tiles.hpp"

namespace cg::dense {
namespace {

constexpr int64_t ROWS = 2 * TILE_ROWS;

// What the next call will read, asked for from memory during this one, so many lines a step of a product.
struct Ahead {
    const char* next;
    int64_t lines;
};

// products[(2 r + g) * 256 ...] = 16 rows of row group r by 16 queries of group g.
template <bool FLOATS, int R, int G>
[[gnu::noinline]] void tile_products(const char* rows, int64_t stride, const char* panel, int64_t group, int64_t steps,
                                     Ahead& ahead, int32_t* products) {
    const int64_t lines = ahead.lines;
    const char* next = ahead.next;
    const char* other = rows + TILE_ROWS * stride;
    _tile_zero(0);
    if (G > 1) _tile_zero(1);
    if (R > 1) _tile_zero(2);
    if (R > 1 && G > 1) _tile_zero(3);
    for (int64_t x = 0; x < steps; ++x, rows += TILE_BYTES, other += TILE_BYTES, panel += TILE_SIZE) {
        _tile_loadd(4, rows, stride);
        _tile_loadd(6, panel, TILE_BYTES);
        for (int64_t line = 0; line < lines; ++line, next += TILE_BYTES) _mm_prefetch(next, _MM_HINT_T1);
        if constexpr (FLOATS) {
            _tile_dpbf16ps(0, 4, 6);
        } else {
            _tile_dpbusd(0, 4, 6);
        }
        if constexpr (G > 1) {
            _tile_loadd(7, panel + group, TILE_BYTES);
            if constexpr (FLOATS) {
                _tile_dpbf16ps(1, 4, 7);
            } else {
                _tile_dpbusd(1, 4, 7);
            }
        }
        if constexpr (R > 1) {
            _tile_loadd(5, other, stride);
            if constexpr (FLOATS) {
                _tile_dpbf16ps(2, 5, 6);
                if (G > 1) _tile_dpbf16ps(3, 5, 7);
            } else {
                _tile_dpbusd(2, 5, 6);
                if (G > 1) _tile_dpbusd(3, 5, 7);
            }
        }
    }
    ahead.next = next;
    _tile_stored(0, products, TILE_BYTES);
    if (G > 1) _tile_stored(1, products + 256, TILE_BYTES);
    if (R > 1) _tile_stored(2, products + 512, TILE_BYTES);
    if (R > 1 && G > 1) _tile_stored(3, products + 768, TILE_BYTES);
}

// All groups of queries with 16 R rows: visit(first query, their products), row by row of 16 queries, 512 numbers from one
// row group to the next. `bytes` from `next` on are what the next call reads.
template <bool FLOATS, int R, class Visit>
[[gnu::always_inline]] inline void each_product(const char* rows, int64_t stride, const void* panels, int64_t q,
                                                int64_t steps, const char* next, int64_t bytes, Visit visit) {
    alignas(64) int32_t products[4 * 256];
    const int64_t group = steps * TILE_SIZE, passes = (q + 2 * COARSE_GROUP - 1) / (2 * COARSE_GROUP);
    const char* panel = static_cast<const char*>(panels);
    Ahead ahead{next, (bytes / TILE_BYTES + passes * steps - 1) / (passes * steps)};
    for (int64_t j = 0; j < q; j += 2 * COARSE_GROUP, panel += 2 * group) {
        const bool both = j + COARSE_GROUP < q;
        if (both) {
            tile_products<FLOATS, R, 2>(rows, stride, panel, group, steps, ahead, products);
        } else {
            tile_products<FLOATS, R, 1>(rows, stride, panel, group, steps, ahead, products);
        }
        for (int g = 0; g <= both; ++g) visit(j + g * COARSE_GROUP, products + g * 256);
    }
}

// Sets a row's bit for the queries of a mask.
[[gnu::always_inline]] inline void mark(uint32_t queries, int64_t row, uint16_t* out, int64_t ld) {
    for (; queries != 0; queries &= queries - 1) {
        out[__builtin_ctz(queries) * ld + row / 16] |= static_cast<uint16_t>(1u << row % 16);
    }
}

[[gnu::always_inline]] inline __mmask16 those_of(int64_t q, int64_t j) {
    return q - j < 16 ? static_cast<__mmask16>((1u << (q - j)) - 1) : static_cast<__mmask16>(0xffff);
}

template <int R>
void code_block(const CoarseQueries& queries, const Codes& codes, int64_t i, const float* thresholds,
                uint16_t* out, int64_t ld) {
    constexpr float TINY = 0x1p-126f;  // more than products that underflow may have lost
    const char* rows = reinterpret_cast<const char*>(codes.codes) + i * codes.stride;
    const int64_t size = R * TILE_ROWS * codes.stride;
    each_product<false, R>(rows, codes.stride, queries.panels, queries.q, queries.padded / TILE_BYTES, rows + size, size,
                           [&](int64_t j, const int32_t* products) {
        const __mmask16 some = those_of(queries.q, j);
        const __m512i bias = _mm512_slli_epi32(_mm512_maskz_loadu_epi32(some, queries.sum + j), 7);
        const __m512 step = _mm512_maskz_loadu_ps(some, queries.step + j), bar = _mm512_maskz_loadu_ps(some, thresholds + j);
        const __m512 per_residual = _mm512_maskz_loadu_ps(some, queries.per_residual + j);
        const __m512 per_norm = _mm512_maskz_loadu_ps(some, queries.per_norm + j);
        for (int64_t r = 0; r < R * TILE_ROWS; ++r) {
            const __m512i dot = _mm512_sub_epi32(_mm512_load_si512(products + r / 16 * 512 + r % 16 * 16), bias);
            const __m512 estimate = _mm512_mul_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(dot), _mm512_set1_ps(codes.scale[i + r])), step);
            __m512 error = _mm512_fmadd_ps(per_norm, _mm512_set1_ps(codes.norm[i + r]), _mm512_set1_ps(TINY));
            error = _mm512_fmadd_ps(per_residual, _mm512_set1_ps(codes.residual[i + r]), error);
            mark(_mm512_mask_cmp_ps_mask(some, _mm512_add_ps(estimate, error), bar, _CMP_NLT_UQ), r, out + j * ld, ld);
        }
    });
}

void code_masks(const CoarseQueries& queries, const Codes& codes, int64_t begin, int64_t end, const float* thresholds,
                uint8_t* room, uint16_t* out, int64_t ld) {
    const Tiles tiles;
    const int64_t blocks = (end - begin + 15) / 16;
    for (int64_t j = 0; j < queries.q; ++j) std::fill(out + j * ld, out + j * ld + blocks, uint16_t{0});
    int64_t i = begin;
    for (; i + ROWS <= end; i += ROWS) code_block<2>(queries, codes, i, thresholds, out + (i - begin) / 16, ld);
    for (; i + TILE_ROWS <= end; i += TILE_ROWS) code_block<1>(queries, codes, i, thresholds, out + (i - begin) / 16, ld);
    if (i < end) kernel_avx512.code_masks(queries, codes, i, end, thresholds, room, out + (i - begin) / 16, ld);
}

struct F32 {
    static constexpr int64_t bytes = 4;
    static __m512 load(const char* at) { return _mm512_loadu_ps(at); }
    static __m512 load(const char* at, int64_t some) { return _mm512_maskz_loadu_ps(Lanes::first(some), at); }
};
struct F16 {
    static constexpr int64_t bytes = 2;
    static __m512 load(const char* at) { return Lanes::load_half(reinterpret_cast<const uint16_t*>(at)); }
    static __m512 load(const char* at, int64_t some) { return Lanes::load_half(reinterpret_cast<const uint16_t*>(at), some); }
};
struct BF16 {
    static constexpr int64_t bytes = 2;
    static __m512 load(const char* at) { return Lanes::load_bfloat(reinterpret_cast<const uint16_t*>(at)); }
    static __m512 load(const char* at, int64_t some) { return Lanes::load_bfloat(reinterpret_cast<const uint16_t*>(at), some); }
};

// Writes a row in bfloat16, filled up with zeros, and returns no less than its norm.
template <class Type>
[[gnu::always_inline]] inline float rounded(const char* row, int64_t d, int64_t padded, uint16_t* to) {
    __m512 low = _mm512_setzero_ps(), high = _mm512_setzero_ps();
    int64_t x = 0;
    const auto take = [&](__m512 a, __m512 b) __attribute__((always_inline)) {
        low = _mm512_fmadd_ps(a, a, low);
        high = _mm512_fmadd_ps(b, b, high);
        _mm512_storeu_si512(to + x, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(b, a)));
    };
    for (; x + 32 <= d; x += 32) take(Type::load(row + x * Type::bytes), Type::load(row + (x + 16) * Type::bytes));
    if (x < padded) {
        const int64_t left = d - x;
        const __m512 a = left >= 16 ? Type::load(row + x * Type::bytes) : Type::load(row + x * Type::bytes, left);
        take(a, left > 16 ? Type::load(row + (x + 16) * Type::bytes, left - 16) : _mm512_setzero_ps());
    }
    const float square = _mm512_reduce_add_ps(_mm512_add_ps(low, high)) + static_cast<float>(d) * 0x1p-126f;
    return std::sqrt(square) * (1.0f + static_cast<float>(d + 32) * 0x1p-23f);
}

template <int R>
void rounded_block(const RoundedQueries& queries, const uint16_t* room, const float* norms, int64_t count, const char* next,
                   int64_t bytes, const float* thresholds, uint16_t* out, int64_t ld) {
    each_product<true, R>(reinterpret_cast<const char*>(room), 2 * queries.padded, queries.panels, queries.q,
                          queries.padded / 32, next, bytes, [&](int64_t j, const int32_t* products) {
        const __mmask16 some = those_of(queries.q, j);
        const __m512 per_norm = _mm512_maskz_loadu_ps(some, queries.per_norm + j);
        const __m512 smallest = _mm512_maskz_loadu_ps(some, queries.smallest + j);
        const __m512 bar = _mm512_maskz_loadu_ps(some, thresholds + j);
        for (int64_t r = 0; r < count; ++r) {
            const __m512 dot = _mm512_castsi512_ps(_mm512_load_si512(products + r / 16 * 512 + r % 16 * 16));
            const __m512 upper = _mm512_add_ps(dot, _mm512_fmadd_ps(per_norm, _mm512_set1_ps(norms[r]), smallest));
            mark(_mm512_mask_cmp_ps_mask(some, upper, bar, _CMP_NLT_UQ), r, out + j * ld, ld);
        }
    });
}

template <class Type>
void rounded_masks_of(const RoundedQueries& queries, const Rows& rows, int64_t begin, int64_t end,
                      const float* thresholds, uint16_t* room, uint16_t* out, int64_t ld) {
    const Tiles tiles;
    const int64_t blocks = (end - begin + 15) / 16;
    for (int64_t j = 0; j < queries.q; ++j) std::fill(out + j * ld, out + j * ld + blocks, uint16_t{0});
    float norms[ROWS];
    for (int64_t i = begin; i < end; i += ROWS, out += ROWS / 16) {
        const int64_t count = std::min(ROWS, end - i);
        for (int64_t r = 0; r < count; ++r) norms[r] = rounded<Type>(rows.row(i + r), rows.d, queries.padded, room + r * queries.padded);
        // Rows behind the last hold an earlier block's numbers or zeros, and nothing of them is looked at.
        const char* next = rows.row(i + count);
        if (count > TILE_ROWS) {
            rounded_block<2>(queries, room, norms, count, next, ROWS * rows.stride, thresholds, out, ld);
        } else {
            rounded_block<1>(queries, room, norms, count, next, ROWS * rows.stride, thresholds, out, ld);
        }
    }
}

void rounded_masks(const RoundedQueries& queries, const Rows& rows, int64_t begin, int64_t end, const float* thresholds,
                   uint16_t* room, uint16_t* out, int64_t ld) {
    if (rows.element == Element::f32) return rounded_masks_of<F32>(queries, rows, begin, end, thresholds, room, out, ld);
    if (rows.element == Element::f16) return rounded_masks_of<F16>(queries, rows, begin, end, thresholds, room, out, ld);
    rounded_masks_of<BF16>(queries, rows, begin, end, thresholds, room, out, ld);
}

}  // namespace

extern const TileKernel tiles_amx{code_masks, rounded_masks};

}  // namespace cg::dense
