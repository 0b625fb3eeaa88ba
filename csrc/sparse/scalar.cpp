#include "context_graph/sparse.hpp"

namespace cg::sparse {
namespace {

void dot(const uint32_t* docs, const float* values, int64_t n, float weight, uint32_t base, float* sums) {
    for (int64_t i = 0; i < n; ++i) sums[docs[i] - base] += weight * values[i];
}

void bm25(const uint32_t* docs, const float* values, int64_t n, float weight, const Bm25& bm25, const float* lengths,
          uint32_t base, float* sums) {
    for (int64_t i = 0; i < n; ++i) {
        const float value = values[i];
        const float saturation = value + (bm25.flat + bm25.slope * lengths[docs[i]]);
        sums[docs[i] - base] += weight * (value * bm25.gain / saturation);
    }
}

int64_t reaching(const float* sums, int64_t n, float least, uint32_t* out) {
    int64_t count = 0;
    for (int64_t i = 0; i < n; ++i) {
        if (sums[i] >= least) out[count++] = static_cast<uint32_t>(i);
    }
    return count;
}

}  // namespace

const Kernel kernel_scalar{dot, bm25, reaching};

}  // namespace cg::sparse
