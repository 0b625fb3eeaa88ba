// Which rows may be among the best of which queries, by products of bfloat16.

#include <cmath>

#include "lanes_avx512.hpp"
#include "bf16_products.hpp"
#include "context_graph/dense.hpp"

namespace cg::dense {
namespace {

template <class Type, int V>
[[gnu::always_inline]] inline void block(const RoundedQueries& queries, const Rows& rows, int64_t i, int64_t end,
                                         const float* thresholds, uint16_t* room, uint16_t* out, int64_t ld) {
    __m512 norms[V];
    __mmask16 some[V];
    for (int v = 0; v < V; ++v) {
        const int64_t first = i + v * VECTOR_ROWS;
        __m512 squares[VECTOR_ROWS];
#pragma GCC unroll 16
        for (int r = 0; r < VECTOR_ROWS; ++r) squares[r] = _mm512_setzero_ps();
        round_rows<Type>([&](int64_t at) { return rows.row(at); }, first, end, rows.d, queries.padded,
                         room + v * VECTOR_ROWS * queries.padded, [&](int r, __m512 a, __m512 b) __attribute__((always_inline)) {
            squares[r] = _mm512_fmadd_ps(b, b, _mm512_fmadd_ps(a, a, squares[r]));
        });
        __m512i columns[VECTOR_ROWS];
#pragma GCC unroll 16
        for (int r = 0; r < VECTOR_ROWS; ++r) columns[r] = _mm512_castps_si512(squares[r]);
        transpose(columns);
        __m512 square = _mm512_set1_ps(static_cast<float>(rows.d) * 0x1p-126f);
#pragma GCC unroll 16
        for (int r = 0; r < VECTOR_ROWS; ++r) square = _mm512_add_ps(square, _mm512_castsi512_ps(columns[r]));
        // No less than a row's norm, whatever the sum has lost.
        norms[v] = _mm512_mul_ps(_mm512_sqrt_ps(square), _mm512_set1_ps(1.0f + static_cast<float>(rows.d + 32) * 0x1p-23f));
        some[v] = those_of(end, first);
    }
    const NextRows next{rows.row(i + V * VECTOR_ROWS), V * VECTOR_ROWS * rows.stride};
    each_product<Bf16Multiplier, V>(panels_of(queries), room, next, [&](int64_t j, int v, __m512 dot) __attribute__((always_inline)) {
        const __m512 upper = _mm512_add_ps(
            dot, _mm512_fmadd_ps(_mm512_set1_ps(queries.per_norm[j]), norms[v], _mm512_set1_ps(queries.smallest[j])));
        out[j * ld + v] = _mm512_mask_cmp_ps_mask(some[v], upper, _mm512_set1_ps(thresholds[j]), _CMP_NLT_UQ);
    });
}

template <class Type>
void masks_of(const RoundedQueries& queries, const Rows& rows, int64_t begin, int64_t end, const float* thresholds,
              uint16_t* room, uint16_t* out, int64_t ld) {
    int64_t i = begin;
    for (; i + VECTOR_ROWS < end; i += BLOCK_ROWS, out += 2) block<Type, 2>(queries, rows, i, end, thresholds, room, out, ld);
    if (i < end) block<Type, 1>(queries, rows, i, end, thresholds, room, out, ld);
}

}  // namespace

RoundedMasks rounded_masks_bf16;

void rounded_masks_bf16(const RoundedQueries& queries, const Rows& rows, int64_t begin, int64_t end, const float* thresholds,
                        uint16_t* room, uint16_t* out, int64_t ld) {
    if (rows.element == Element::f32) return masks_of<F32>(queries, rows, begin, end, thresholds, room, out, ld);
    if (rows.element == Element::f16) return masks_of<F16>(queries, rows, begin, end, thresholds, room, out, ld);
    masks_of<BF16>(queries, rows, begin, end, thresholds, room, out, ld);
}

}  // namespace cg::dense
