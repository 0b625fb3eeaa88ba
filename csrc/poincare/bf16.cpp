// Which rows may be among the nearest of which queries, by products of bfloat16.

#include "lanes_avx512.hpp"
#include "bf16_products.hpp"
#include "context_graph/poincare.hpp"

namespace cg::poincare {
namespace {

template <int V>
[[gnu::always_inline]] inline void block(const RoundedQueries& queries, const Points& rows, int64_t i, int64_t end,
                                         const float* slacks, const float* gain, const float* shift, uint16_t* room,
                                         uint16_t* out, int64_t ld) {
    __m512 slack[V];
    __mmask16 some[V];
    const auto row = [&](int64_t at) { return reinterpret_cast<const char*>(rows.row(at)); };
    for (int v = 0; v < V; ++v) {
        const int64_t first = i + v * VECTOR_ROWS;
        round_rows<F32>(row, first, end, rows.d, queries.padded, room + v * VECTOR_ROWS * queries.padded,
                        [](int, __m512, __m512) {});
        some[v] = those_of(end, first);
        slack[v] = _mm512_maskz_loadu_ps(some[v], slacks + v * VECTOR_ROWS);
    }
    const NextRows next{row(i + V * VECTOR_ROWS), V * VECTOR_ROWS * rows.stride * 4};
    each_product<Bf16Multiplier, V>(panels_of(queries), room, next, [&](int64_t j, int v, __m512 dot) __attribute__((always_inline)) {
        const __m512 rest = _mm512_fmadd_ps(_mm512_set1_ps(gain[j]), slack[v], _mm512_set1_ps(shift[j]));
        out[j * ld + v] = _mm512_mask_cmp_ps_mask(some[v], _mm512_add_ps(dot, rest), _mm512_setzero_ps(), _CMP_NLT_UQ);
    });
}

}  // namespace

RoundedMasks rounded_masks_bf16;

void rounded_masks_bf16(const RoundedQueries& queries, const Points& rows, int64_t begin, int64_t end, const float* slacks,
                        const float* gain, const float* shift, uint16_t* room, uint16_t* out, int64_t ld) {
    int64_t i = begin;
    for (; i + VECTOR_ROWS < end; i += BLOCK_ROWS, slacks += BLOCK_ROWS, out += 2) {
        block<2>(queries, rows, i, end, slacks, gain, shift, room, out, ld);
    }
    if (i < end) block<1>(queries, rows, i, end, slacks, gain, shift, room, out, ld);
}

}  // namespace cg::poincare
