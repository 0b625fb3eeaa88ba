// Batches on tiles: sixteen rows by sixteen queries an instruction, 64 codes or 32 numbers of bfloat16 deep.
//
// What comes of them is compared with the thresholds, a row at a time.

#include <algorithm>
#include <cmath>

#include "lanes_avx512.hpp"
#include "context_graph/dense.hpp"
#include "tiles.hpp"

namespace cg::dense {
namespace {

constexpr int64_t ROWS = 2 * TILE_ROWS;

template <int R>
void code_block(const CoarseQueries& queries, const Codes& codes, int64_t i, const float* thresholds,
                uint16_t* out, int64_t ld) {
    constexpr float TINY = 0x1p-126f;  // more than products that underflow may have lost
    const char* rows = reinterpret_cast<const char*>(codes.codes) + i * codes.stride;
    const int64_t size = R * TILE_ROWS * codes.stride;
    each_product<false, R>({rows, codes.stride, TILE_BYTES, TILE_ROWS * codes.stride}, queries.panels, queries.q, queries.padded / TILE_BYTES, rows + size, size,
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

// `round_row`, and no less than the row's norm.
template <class Type>
[[gnu::always_inline]] inline float rounded_row(const char* row, int64_t d, int64_t padded, int64_t r, uint16_t* room) {
    __m512 low = _mm512_setzero_ps(), high = _mm512_setzero_ps();
    round_row<Type>(row, d, padded, r, room, [&](__m512 a, __m512 b) __attribute__((always_inline)) {
        low = _mm512_fmadd_ps(a, a, low);
        high = _mm512_fmadd_ps(b, b, high);
    });
    const float square = _mm512_reduce_add_ps(_mm512_add_ps(low, high)) + static_cast<float>(d) * 0x1p-126f;
    return std::sqrt(square) * (1.0f + static_cast<float>(d + 32) * 0x1p-23f);
}

template <int R>
void rounded_block(const RoundedQueries& queries, const uint16_t* room, const float* norms, int64_t count, const char* next,
                   int64_t bytes, const float* thresholds, uint16_t* out, int64_t ld) {
    each_product<true, R>(tile_by_tile(room, queries.padded), queries.panels, queries.q, queries.padded / 32, next, bytes, [&](int64_t j, const int32_t* products) {
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
        for (int64_t r = 0; r < count; ++r) norms[r] = rounded_row<Type>(rows.row(i + r), rows.d, queries.padded, r, room);
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
