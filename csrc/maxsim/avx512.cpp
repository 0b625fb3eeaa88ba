// Two blocks of 16 tokens by four query tokens of two bytes, or eight of one: sixteen VPDPBUSD per ten loads, so the
// multiplier ports are the bound. Tokens are read once per four (eight) query tokens.

#include <immintrin.h>

#include "lanes_avx512.hpp"
#include "maxsim/wide.inl"

namespace cg::maxsim {
namespace {

inline __m512i four_bytes(const int8_t* at) {
    return _mm512_set1_epi32(*reinterpret_cast<const int32_t*>(at));
}

// As the intrinsic, but accumulating in place: GCC 12 copies every accumulator around the loop otherwise.
[[gnu::always_inline]] inline void multiply_add(__m512i& sum, __m512i bytes, __m512i query) {
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(bytes), "v"(query));
}

// Sums of the high bytes alone start from the bias / 128, for fine = 128 * high.
template <int B, int Q, bool LOW>
[[gnu::always_inline]] inline void tile(const Query& query, int64_t i, const uint8_t* blocks, int64_t ahead,
                                        const float* scale, float* out, int64_t ld) {
    __m512i high[Q][B], low[Q][B];
    for (int q = 0; q < Q; ++q) {
        for (int b = 0; b < B; ++b) {
            high[q][b] = LOW ? _mm512_setzero_si512() : _mm512_set1_epi32(query.bias[i + q] / 128);
            if (LOW) low[q][b] = _mm512_set1_epi32(query.bias[i + q]);
        }
    }
    const int64_t size = BLOCK * query.padded;
    // The tokens of the next call are asked for meanwhile, a part of them in each pass over these: memory works all the time.
    const int64_t lines = query.padded / 4 * B, share = (lines * Q + query.q - 1) / query.q;
    const int64_t per_step = (share + query.padded / 4 - 1) / (query.padded / 4);
    const uint8_t* next = blocks + ahead + share * (i / Q) * 4 * BLOCK;
    for (int64_t x = 0; x < query.padded; x += 4) {
        for (int64_t line = 0; line < per_step; ++line, next += 4 * BLOCK) {
            _mm_prefetch(reinterpret_cast<const char*>(next), _MM_HINT_T1);
        }
        __m512i tokens[B];
        for (int b = 0; b < B; ++b) {
            tokens[b] = _mm512_loadu_si512(blocks + b * size + x * BLOCK);
        }
        for (int q = 0; q < Q; ++q) {
            const int64_t at = (i + q) * query.padded + x;
            const __m512i query_high = four_bytes(query.high + at);
            for (int b = 0; b < B; ++b) multiply_add(high[q][b], tokens[b], query_high);
            if (!LOW) continue;
            const __m512i query_low = four_bytes(query.low + at);
            for (int b = 0; b < B; ++b) multiply_add(low[q][b], tokens[b], query_low);
        }
    }
    for (int q = 0; q < Q; ++q) {
        for (int b = 0; b < B; ++b) {
            __m512i sum = _mm512_slli_epi32(high[q][b], 7);
            if (LOW) sum = _mm512_add_epi32(sum, low[q][b]);
            _mm512_storeu_ps(out + q * ld + b * BLOCK,
                             _mm512_mul_ps(_mm512_cvtepi32_ps(sum), _mm512_loadu_ps(scale + b * BLOCK)));
        }
    }
}

template <int Q, bool LOW>
[[gnu::always_inline]] inline void strip(const Query& query, int64_t i, const uint8_t* blocks, const float* scale,
                                         int64_t count, float* out, int64_t ld) {
    const int64_t size = BLOCK * query.padded;
    int64_t b = 0;
    for (; b + 2 <= count; b += 2) {
        tile<2, Q, LOW>(query, i, blocks + b * size, count * size, scale + b * BLOCK, out + b * BLOCK, ld);
    }
    for (; b < count; ++b) {
        tile<1, Q, LOW>(query, i, blocks + b * size, count * size, scale + b * BLOCK, out + b * BLOCK, ld);
    }
}

template <int Q, bool LOW>
[[gnu::always_inline]] inline void all_strips(const Query& query, const uint8_t* blocks, const float* scale,
                                              int64_t count, float* out, int64_t ld) {
    int64_t i = 0;
    for (; i + Q <= query.q; i += Q) strip<Q, LOW>(query, i, blocks, scale, count, out + i * ld, ld);
    for (; i < query.q; ++i) strip<1, LOW>(query, i, blocks, scale, count, out + i * ld, ld);
}

void dots(const Query& query, const uint8_t* blocks, const float* scale, int64_t count, float* out, int64_t ld) {
    if (query.low == nullptr) return all_strips<8, false>(query, blocks, scale, count, out, ld);
    all_strips<4, true>(query, blocks, scale, count, out, ld);
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

#ifdef CG_AMX
extern const TileKernel tiles_amx;  // amx.cpp
constexpr const TileKernel* TILES = &tiles_amx;
#else
constexpr const TileKernel* TILES = nullptr;
#endif

const Kernel kernel_avx512{dots, fold, values, hits, dot, true, TILES};

}  // namespace cg::maxsim
