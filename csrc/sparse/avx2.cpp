// The arithmetic runs 8 postings at a time; the additions stay one by one, because a scatter is no faster and
// documents lie anywhere. Bound by the latency of the sums, which a window keeps in L2.

#include <immintrin.h>

#include "context_graph/sparse.hpp"

namespace cg::sparse {
namespace {

void dot(const uint32_t* docs, const float* values, int64_t n, float weight, uint32_t base, float* sums) {
    alignas(64) float share[8];
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        _mm256_store_ps(share, _mm256_mul_ps(_mm256_set1_ps(weight), _mm256_loadu_ps(values + i)));
        for (int x = 0; x < 8; ++x) sums[docs[i + x] - base] += share[x];
    }
    for (; i < n; ++i) sums[docs[i] - base] += weight * values[i];
}

void bm25(const uint32_t* docs, const float* values, int64_t n, float weight, const Bm25& bm25, const float* lengths,
          uint32_t base, float* sums) {
    alignas(64) float share[8];
    const __m256 gain = _mm256_set1_ps(bm25.gain), flat = _mm256_set1_ps(bm25.flat), slope = _mm256_set1_ps(bm25.slope);
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        // Plain loads: the gather instruction is slower, on AMD and on processors mended against Downfall.
        alignas(32) float gathered[8];
        for (int x = 0; x < 8; ++x) gathered[x] = lengths[docs[i + x]];
        const __m256 length = _mm256_load_ps(gathered);
        const __m256 value = _mm256_loadu_ps(values + i);
        const __m256 saturation = _mm256_add_ps(value, _mm256_add_ps(flat, _mm256_mul_ps(slope, length)));
        const __m256 gained = _mm256_div_ps(_mm256_mul_ps(value, gain), saturation);
        _mm256_store_ps(share, _mm256_mul_ps(_mm256_set1_ps(weight), gained));
        for (int x = 0; x < 8; ++x) sums[docs[i + x] - base] += share[x];
    }
    for (; i < n; ++i) {
        const float saturation = values[i] + (bm25.flat + bm25.slope * lengths[docs[i]]);
        sums[docs[i] - base] += weight * (values[i] * bm25.gain / saturation);
    }
}

}  // namespace

const Kernel kernel_avx2{dot, bm25};

}  // namespace cg::sparse
