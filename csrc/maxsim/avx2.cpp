// Eight tokens by four query tokens. Bytes widen to 16 bits by taking even and odd dimensions apart, which meet the
// 15-bit query in VPMADDWD; the query's values come in that order.

#include <immintrin.h>

#include "lanes_avx2.hpp"
#include "maxsim/wide.inl"

namespace cg::maxsim {
namespace {

inline __m256i two_halves(const int16_t* at) {
    return _mm256_set1_epi32(*reinterpret_cast<const int32_t*>(at));
}

template <int Q>
[[gnu::always_inline]] inline void tile(const Query& query, int64_t i, const uint8_t* tokens, const float* scale,
                                        float* out, int64_t ld) {
    __m256i sum[Q];
    for (int q = 0; q < Q; ++q) sum[q] = _mm256_set1_epi32(query.bias[i + q]);
    for (int64_t x = 0; x < query.padded; x += 4) {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(tokens + x * BLOCK));
        const __m256i even = _mm256_and_si256(bytes, _mm256_set1_epi16(0xff)), odd = _mm256_srli_epi16(bytes, 8);
        for (int q = 0; q < Q; ++q) {
            const int16_t* at = query.pairs + (i + q) * query.padded + x;
            const __m256i both = _mm256_add_epi32(_mm256_madd_epi16(even, two_halves(at)),
                                                  _mm256_madd_epi16(odd, two_halves(at + 2)));
            sum[q] = _mm256_add_epi32(sum[q], both);
        }
    }
    for (int q = 0; q < Q; ++q) {
        _mm256_storeu_ps(out + q * ld, _mm256_mul_ps(_mm256_cvtepi32_ps(sum[q]), _mm256_loadu_ps(scale)));
    }
}

void dots(const Query& query, const uint8_t* blocks, const float* scale, int64_t count, float* out, int64_t ld) {
    for (int64_t half = 0; half < 2 * count; ++half) {
        const uint8_t* tokens = blocks + half / 2 * BLOCK * query.padded + half % 2 * 32;
        int64_t i = 0;
        for (; i + 4 <= query.q; i += 4) tile<4>(query, i, tokens, scale + half * 8, out + i * ld + half * 8, ld);
        for (; i < query.q; ++i) tile<1>(query, i, tokens, scale + half * 8, out + i * ld + half * 8, ld);
    }
}

void fold(const float* dots, int64_t ld, int64_t q, int64_t from, int64_t to, float* best) {
    for (int64_t i = 0; i < q; ++i) {
        const float* line = dots + i * ld;
        float most = best[i];
        int64_t t = from;
        if (t + 8 <= to) {
            __m256 eight = _mm256_loadu_ps(line + t);
            for (t += 8; t + 8 <= to; t += 8) eight = _mm256_max_ps(eight, _mm256_loadu_ps(line + t));
            __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
            four = _mm_max_ps(four, _mm_movehl_ps(four, four));
            const float found = _mm_cvtss_f32(_mm_max_ss(four, _mm_movehdup_ps(four)));
            if (found > most) most = found;
        }
        for (; t < to; ++t) most = line[t] > most ? line[t] : most;
        best[i] = most;
    }
}

}  // namespace

const Kernel kernel_avx2{dots, fold, values, hits, dot, false};

}  // namespace cg::maxsim
