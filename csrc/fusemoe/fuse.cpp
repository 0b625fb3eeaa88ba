// Rows are grouped by expert, so that an expert's weights are read once for all of them; threads share the rows of the
// projections. An output adds its experts in rising order, whatever the batch.

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "context_graph/fusemoe.hpp"
#include "context_graph/threads.hpp"
#include "finite.hpp"
#include "packed_queries.hpp"

namespace cg::fusemoe {
namespace {

constexpr int64_t ROWS_PER_PASS = 64;

struct Pair {
    int64_t row;
    float weight;
};

// Pairs of expert i: from starts[i] to starts[i + 1], by row, then by slot.
struct Groups {
    std::vector<int64_t> starts;
    std::vector<Pair> pairs;

    Groups(const int64_t* ids, const float* weights, int64_t n, int64_t k, int64_t experts) : starts(experts + 1) {
        for (int64_t at = 0; at < n * k; ++at) {
            if (ids[at] < -1 || ids[at] >= experts) throw std::invalid_argument("ids must lie in [-1, experts)");
            if (ids[at] >= 0) ++starts[ids[at] + 1];
        }
        for (int64_t i = 0; i < experts; ++i) starts[i + 1] += starts[i];
        pairs.resize(starts[experts]);
        std::vector<int64_t> next(starts.begin(), starts.end() - 1);
        for (int64_t at = 0; at < n * k; ++at) {
            if (ids[at] >= 0) pairs[next[ids[at]]++] = {at / k, weights[at]};
        }
    }
};

// Few inputs read the rows once anyway; many want them to stay in L2.
int64_t block_rows(int64_t count, int64_t d) {
    if (count <= 4) return int64_t{1} << 12;
    return std::clamp<int64_t>((int64_t{1} << 16) / std::max<int64_t>(d, 1) / 16 * 16, 16, 512);
}

}  // namespace

void fuse(const Kernel& kernel, const Inputs& inputs, const Projections& projections, const float* bias,
          const int64_t* ids, const float* weights, int64_t k, float* out, int threads) {
    const int64_t dout = projections.first.n, din = projections.first.d;
    const Groups groups(ids, weights, inputs.n, k, projections.experts);
    std::fill(out, out + inputs.n * dout, 0.0f);
    const int64_t work = static_cast<int64_t>(groups.pairs.size()) * dout * std::max<int64_t>(din, 1);
    split(dout, worth_waking(threads, work), [&](int, int64_t begin, int64_t end) {
        std::vector<float> found;
        std::vector<const float*> starts;
        for (int64_t e = 0; e < projections.experts; ++e) {
            const Stored rows = projections.of(e);
            for (int64_t p = groups.starts[e]; p < groups.starts[e + 1]; p += ROWS_PER_PASS) {
                const int64_t count = std::min(ROWS_PER_PASS, groups.starts[e + 1] - p), block = block_rows(count, din);
                const Pair* pairs = groups.pairs.data() + p;
                starts.clear();
                for (int64_t j = 0; j < count; ++j) {
                    starts.push_back(inputs.data + pairs[j].row * inputs.row_stride + e * inputs.expert_stride);
                }
                found.resize(count * block);
                const Products products(kernel.products, kernel.batch, starts.data(), count, din);
                for (int64_t first = begin; first < end; first += block) {
                    const int64_t last = std::min(first + block, end);
                    products(rows, first, last, found.data(), block);
                    for (int64_t j = 0; j < count; ++j) {
                        const float weight = pairs[j].weight;
                        const float* product = found.data() + j * block;
                        float* to = out + pairs[j].row * dout + first;
                        const float* plus = bias ? bias + e * dout + first : nullptr;
                        for (int64_t r = 0; r < last - first; ++r) {
                            to[r] += weight * (plus ? product[r] + plus[r] : product[r]);
                        }
                    }
                }
            }
        }
        for (int64_t i = 0; i < inputs.n; ++i) {
            if (!all_finite(out + i * dout + begin, end - begin)) {
                throw std::domain_error("an output is not finite: an input or a chosen expert holds NaN or infinity, or the result is too large for float32");
            }
        }
    });
}

}  // namespace cg::fusemoe
