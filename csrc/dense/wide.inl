// What both vector backends share, for a lane type `Lanes` included before: inner products with values.

#include "batches.inl"
#include "context_graph/dense.hpp"

namespace cg::dense {
namespace {

void multiply(const float* scale, int64_t n, float* scores) {
    int64_t i = 0;
    for (; i + Lanes::floats <= n; i += Lanes::floats) {
        Lanes::store(scores + i, Lanes::mul(Lanes::load(scores + i), Lanes::load(scale + i)));
    }
    for (; i < n; ++i) scores[i] *= scale[i];
}

void scores(const Queries& queries, const Rows& rows, int64_t begin, int64_t end, float* out, int64_t ld) {
    constexpr int64_t AT_ONCE = 64;
    const float* starts[AT_ONCE];
    for (int64_t j = 0; j < queries.q; j += AT_ONCE) {
        const int64_t count = queries.q - j < AT_ONCE ? queries.q - j : AT_ONCE;
        for (int64_t l = 0; l < count; ++l) starts[l] = queries.row(j + l);
        products(starts, count, rows.stored(), begin, end, out + j * ld, ld);
    }
    if (!rows.scale) return;
    for (int64_t j = 0; j < queries.q; ++j) multiply(rows.scale + begin, end - begin, out + j * ld);
}

}  // namespace
}  // namespace cg::dense
