// A thread owns whole rows of edges, or whole tiles; every edge is written once, by one thread.

#include <algorithm>
#include <atomic>
#include <vector>

#include "context_graph/hebbian.hpp"
#include "context_graph/threads.hpp"
#include "finite.hpp"

namespace cg::hebbian {
namespace {

constexpr int64_t SLICE = 1 << 15;  // edges whose weights still lie in L2 when they are looked at again

double sum_of(const float* weights, int64_t m) {
    double sums[4] = {0, 0, 0, 0};
    int64_t e = 0;
    for (; e + 4 <= m; e += 4) {
        for (int j = 0; j < 4; ++j) sums[j] += weights[e + j];
    }
    for (; e < m; ++e) sums[0] += weights[e];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

float scale_of(double sum) { return sum > 0 ? static_cast<float>(1.0 / sum) : 1.0f; }

}  // namespace

void update(const Kernel& kernel, float* weights, const Csr& edges, const float* pre, const float* post,
            const Rule& rule, bool normalise, int threads) {
    const int64_t m = edges.edges();
    const int parts = worth_waking(threads, m);
    run_tasks(parts, [&](int part) {
        // Parts of as many edges each, cut between rows.
        const auto cut = [&](int at) {
            return std::lower_bound(edges.offsets, edges.offsets + edges.n, m * at / parts) - edges.offsets;
        };
        const int64_t begin = part == 0 ? 0 : cut(part), end = part + 1 == parts ? edges.n : cut(part + 1);
        for (int64_t first = begin, last; first < end; first = last) {
            last = std::lower_bound(edges.offsets + first + 1, edges.offsets + end, edges.offsets[first] + SLICE) - edges.offsets;
            require_finite(kernel.rows(weights, edges, first, last, pre, post, rule));
            if (!normalise) continue;
            for (int64_t s = first; s < last; ++s) {
                const int64_t from = edges.offsets[s], count = edges.offsets[s + 1] - from;
                const float scale = scale_of(sum_of(weights + from, count));
                for (int64_t e = from; e < from + count; ++e) weights[e] *= scale;
            }
            require_finite(weights + edges.offsets[first], edges.offsets[last] - edges.offsets[first]);
        }
    });
}

void update(const Kernel& kernel, Graph& graph, const float* pre, const float* post, const Rule& rule, bool normalise,
            int threads) {
    const int parts = worth_waking(threads, graph.m());
    std::atomic<int64_t> next{0};
    run_tasks(parts, [&](int) {
        std::vector<double> sums(normalise ? graph.block_size() : 0);
        std::vector<float> scales(sums.size());
        for (int64_t source; (source = next++) < graph.blocks();) {
            const float* pres = pre + graph.block_begin(source);
            std::fill(sums.begin(), sums.end(), 0.0);
            for (int64_t target = 0; target < graph.blocks(); ++target) {
                const Tile edges = graph.tile(source, target);
                require_finite(kernel.tile(edges, pres, post + graph.block_begin(target), rule));
                if (!normalise) continue;
                for (int64_t e = 0; e < edges.m; ++e) sums[edges.sources[e]] += edges.weights[e];
            }
            if (!normalise) continue;
            for (size_t i = 0; i < sums.size(); ++i) scales[i] = scale_of(sums[i]);
            for (int64_t target = 0; target < graph.blocks(); ++target) {
                const Tile edges = graph.tile(source, target);
                for (int64_t e = 0; e < edges.m; ++e) edges.weights[e] *= scales[edges.sources[e]];
            }
        }
    });
    graph.weights_changed();
}

}  // namespace cg::hebbian
