// Batches on tiles: which rows may be among the nearest of which queries.

#include <algorithm>

#include "lanes_avx512.hpp"
#include "context_graph/poincare.hpp"
#include "tiles.hpp"

namespace cg::poincare {
namespace {

constexpr int64_t ROWS = 2 * TILE_ROWS;

template <int R>
void rounded_block(const RoundedQueries& queries, const uint16_t* room, const float* slacks, int64_t count, const char* next,
                   int64_t bytes, const float* gain, const float* shift, uint16_t* out, int64_t ld) {
    each_product<true, R>(tile_by_tile(room, queries.padded), queries.panels, queries.q, queries.padded / 32, next, bytes, [&](int64_t j, const int32_t* products) {
        const __mmask16 some = those_of(queries.q, j);
        const __m512 of_slack = _mm512_maskz_loadu_ps(some, gain + j), of_query = _mm512_maskz_loadu_ps(some, shift + j);
        for (int64_t r = 0; r < count; ++r) {
            const __m512 dot = _mm512_castsi512_ps(_mm512_load_si512(products + r / 16 * 512 + r % 16 * 16));
            const __m512 upper = _mm512_add_ps(dot, _mm512_fmadd_ps(of_slack, _mm512_set1_ps(slacks[r]), of_query));
            mark(_mm512_mask_cmp_ps_mask(some, upper, _mm512_setzero_ps(), _CMP_NLT_UQ), r, out + j * ld, ld);
        }
    });
}

}  // namespace

RoundedMasks rounded_masks_amx;

void rounded_masks_amx(const RoundedQueries& queries, const Points& rows, int64_t begin, int64_t end, const float* slacks,
                       const float* gain, const float* shift, uint16_t* room, uint16_t* out, int64_t ld) {
    const Tiles tiles;
    const int64_t blocks = (end - begin + 15) / 16;
    for (int64_t j = 0; j < queries.q; ++j) std::fill(out + j * ld, out + j * ld + blocks, uint16_t{0});
    for (int64_t i = begin; i < end; i += ROWS, slacks += ROWS, out += ROWS / 16) {
        const int64_t count = std::min(ROWS, end - i), bytes = ROWS * rows.stride * 4;
        for (int64_t r = 0; r < count; ++r) {
            round_row<F32>(reinterpret_cast<const char*>(rows.row(i + r)), rows.d, queries.padded, r, room,
                           [](__m512, __m512) {});
        }
        // Rows behind the last hold an earlier block's numbers or zeros, and nothing of them is looked at.
        const char* next = reinterpret_cast<const char*>(rows.row(i + count));
        if (count > TILE_ROWS) {
            rounded_block<2>(queries, room, slacks, count, next, bytes, gain, shift, out, ld);
        } else {
            rounded_block<1>(queries, room, slacks, count, next, bytes, gain, shift, out, ld);
        }
    }
}

}  // namespace cg::poincare
