// Both vector backends, for a lane type `Lanes` included before. The arithmetic runs a vector of postings at a time; the additions
// stay one by one, because a scatter is no faster and documents lie anywhere. Bound by the latency of the sums, which a window
// keeps in L2. Nothing is fused: the bits are those of the scalar backend.

#include "context_graph/sparse.hpp"

namespace cg::sparse {
namespace {

void dot(const uint32_t* docs, const float* values, int64_t n, float weight, uint32_t base, float* sums) {
    alignas(64) float share[Lanes::floats];
    int64_t i = 0;
    for (; i + Lanes::floats <= n; i += Lanes::floats) {
        Lanes::store(share, Lanes::mul(Lanes::all(weight), Lanes::load(values + i)));
        for (int64_t x = 0; x < Lanes::floats; ++x) sums[docs[i + x] - base] += share[x];
    }
    for (; i < n; ++i) sums[docs[i] - base] += weight * values[i];
}

void bm25(const uint32_t* docs, const float* values, int64_t n, float weight, const Bm25& bm25, const float* lengths,
          uint32_t base, float* sums) {
    alignas(64) float share[Lanes::floats];
    const Lanes::Floats gain = Lanes::all(bm25.gain), flat = Lanes::all(bm25.flat), slope = Lanes::all(bm25.slope);
    int64_t i = 0;
    for (; i + Lanes::floats <= n; i += Lanes::floats) {
        const Lanes::Floats length = Lanes::gather(lengths, docs + i), value = Lanes::load(values + i);
        const Lanes::Floats saturation = Lanes::add(value, Lanes::add(flat, Lanes::mul(slope, length)));
        const Lanes::Floats gained = Lanes::div(Lanes::mul(value, gain), saturation);
        Lanes::store(share, Lanes::mul(Lanes::all(weight), gained));
        for (int64_t x = 0; x < Lanes::floats; ++x) sums[docs[i + x] - base] += share[x];
    }
    for (; i < n; ++i) {
        const float saturation = values[i] + (bm25.flat + bm25.slope * lengths[docs[i]]);
        sums[docs[i] - base] += weight * (values[i] * bm25.gain / saturation);
    }
}

int64_t reaching(const float* sums, int64_t n, float least, uint32_t* out) {
    const Lanes::Floats bar = Lanes::all(least);
    int64_t count = 0, i = 0;
    for (; i + Lanes::floats <= n; i += Lanes::floats) {
        for (uint32_t bits = Lanes::at_least(Lanes::load(sums + i), bar); bits != 0; bits &= bits - 1) {
            out[count++] = static_cast<uint32_t>(i + __builtin_ctz(bits));
        }
    }
    for (; i < n; ++i) {
        if (sums[i] >= least) out[count++] = static_cast<uint32_t>(i);
    }
    return count;
}

}  // namespace
}  // namespace cg::sparse
