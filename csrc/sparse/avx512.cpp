// The arithmetic runs 16 postings at a time; the additions stay one by one, because a scatter is no faster and
// documents lie anywhere. Bound by the latency of the sums, which a window keeps in L2.

#include <immintrin.h>

#include "context_graph/sparse.hpp"

namespace cg::sparse {
namespace {

void dot(const uint32_t* docs, const float* values, int64_t n, float weight, uint32_t base, float* sums) {
    alignas(64) float share[16];
    int64_t i = 0;
    for (; i + 16 <= n; i += 16) {
        _mm512_store_ps(share, _mm512_mul_ps(_mm512_set1_ps(weight), _mm512_loadu_ps(values + i)));
        for (int x = 0; x < 16; ++x) sums[docs[i + x] - base] += share[x];
    }
    for (; i < n; ++i) sums[docs[i] - base] += weight * values[i];
}

void bm25(const uint32_t* docs, const float* values, int64_t n, float weight, const Bm25& bm25, const float* lengths,
          uint32_t base, float* sums) {
    alignas(64) float share[16];
    const __m512 gain = _mm512_set1_ps(bm25.gain), flat = _mm512_set1_ps(bm25.flat), slope = _mm512_set1_ps(bm25.slope);
    int64_t i = 0;
    for (; i + 16 <= n; i += 16) {
        // Plain loads: the gather instruction is slower, on AMD and on processors mended against Downfall.
        alignas(64) float gathered[16];
        for (int x = 0; x < 16; ++x) gathered[x] = lengths[docs[i + x]];
        const __m512 length = _mm512_load_ps(gathered);
        const __m512 value = _mm512_loadu_ps(values + i);
        const __m512 saturation = _mm512_add_ps(value, _mm512_add_ps(flat, _mm512_mul_ps(slope, length)));
        const __m512 gained = _mm512_div_ps(_mm512_mul_ps(value, gain), saturation);
        _mm512_store_ps(share, _mm512_mul_ps(_mm512_set1_ps(weight), gained));
        for (int x = 0; x < 16; ++x) sums[docs[i + x] - base] += share[x];
    }
    for (; i < n; ++i) {
        const float saturation = values[i] + (bm25.flat + bm25.slope * lengths[docs[i]]);
        sums[docs[i] - base] += weight * (values[i] * bm25.gain / saturation);
    }
}

}  // namespace

const Kernel kernel_avx512{dot, bm25};

}  // namespace cg::sparse
