// Two blocks of 16 tokens by four query tokens: sixteen VPDPBUSD per ten loads, so the two multiplier ports are the
// bound: 2 * 128 products a cycle, half of them for the query's low byte. Tokens are read once per four query tokens.

#include <immintrin.h>

#include "context_graph/maxsim.hpp"

namespace cg::maxsim {
namespace {

inline __m512i four_bytes(const int8_t* at) {
    return _mm512_set1_epi32(*reinterpret_cast<const int32_t*>(at));
}

// As the intrinsic, but accumulating in place: GCC 12 copies every accumulator around the loop otherwise.
[[gnu::always_inline]] inline void multiply_add(__m512i& sum, __m512i bytes, __m512i query) {
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(bytes), "v"(query));
}

template <int B, int Q>
[[gnu::always_inline]] inline void tile(const Query& query, int64_t i, const uint8_t* blocks, const float* scale,
                                        float* out, int64_t ld) {
    __m512i high[Q][B], low[Q][B];
    for (int q = 0; q < Q; ++q) {
        for (int b = 0; b < B; ++b) {
            high[q][b] = _mm512_setzero_si512();
            low[q][b] = _mm512_set1_epi32(query.bias[i + q]);
        }
    }
    const int64_t size = BLOCK * query.padded;
    const bool first = i == 0;  // only this pass finds its tokens outside L1
    for (int64_t x = 0; x < query.padded; x += 4) {
        __m512i tokens[B];
        for (int b = 0; b < B; ++b) {
            const uint8_t* at = blocks + b * size + x * BLOCK;
            tokens[b] = _mm512_loadu_si512(at);
            if (first) _mm_prefetch(reinterpret_cast<const char*>(at + 4 * size), _MM_HINT_T0);
        }
        for (int q = 0; q < Q; ++q) {
            const int64_t at = (i + q) * query.padded + x;
            const __m512i query_high = four_bytes(query.high + at), query_low = four_bytes(query.low + at);
            for (int b = 0; b < B; ++b) {
                multiply_add(high[q][b], tokens[b], query_high);
                multiply_add(low[q][b], tokens[b], query_low);
            }
        }
    }
    for (int q = 0; q < Q; ++q) {
        for (int b = 0; b < B; ++b) {
            const __m512i sum = _mm512_add_epi32(_mm512_slli_epi32(high[q][b], 7), low[q][b]);
            _mm512_storeu_ps(out + q * ld + b * BLOCK,
                             _mm512_mul_ps(_mm512_cvtepi32_ps(sum), _mm512_loadu_ps(scale + b * BLOCK)));
        }
    }
}

template <int Q>
[[gnu::always_inline]] inline void strip(const Query& query, int64_t i, const uint8_t* blocks, const float* scale,
                                         int64_t count, float* out, int64_t ld) {
    const int64_t size = BLOCK * query.padded;
    int64_t b = 0;
    for (; b + 2 <= count; b += 2) tile<2, Q>(query, i, blocks + b * size, scale + b * BLOCK, out + b * BLOCK, ld);
    for (; b < count; ++b) tile<1, Q>(query, i, blocks + b * size, scale + b * BLOCK, out + b * BLOCK, ld);
}

void dots(const Query& query, const uint8_t* blocks, const float* scale, int64_t count, float* out, int64_t ld) {
    int64_t i = 0;
    for (; i + 4 <= query.q; i += 4) strip<4>(query, i, blocks, scale, count, out + i * ld, ld);
    for (; i < query.q; ++i) strip<1>(query, i, blocks, scale, count, out + i * ld, ld);
}

void fold(const float* dots, int64_t ld, int64_t q, int64_t from, int64_t to, float* best) {
    for (int64_t i = 0; i < q; ++i) {
        const float* line = dots + i * ld;
        __m512 most = _mm512_set1_ps(best[i]);
        int64_t t = from;
        for (; t + 16 <= to; t += 16) most = _mm512_max_ps(most, _mm512_loadu_ps(line + t));
        if (t < to) {
            const __mmask16 some = static_cast<__mmask16>((1u << (to - t)) - 1);
            most = _mm512_mask_max_ps(most, some, most, _mm512_maskz_loadu_ps(some, line + t));
        }
        best[i] = _mm512_reduce_max_ps(most);
    }
}

}  // namespace

const Kernel kernel_avx512{dots, fold};

}  // namespace cg::maxsim
