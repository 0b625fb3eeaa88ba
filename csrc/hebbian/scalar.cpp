// The definition in C++, one edge after the other.

#include "context_graph/hebbian.hpp"
#include "finite.hpp"

namespace cg::hebbian {
namespace {

float learned(float weight, float pre, float post, const Rule& rule) {
    float gain = (rule.rate * pre) * post;
    if (rule.kind == Kind::soft) gain = gain * (1.0f - weight);
    if (rule.kind == Kind::oja) gain = (rule.rate * post) * (pre - post * weight);
    const float next = (weight + gain) - rule.decay * weight;
    // Written so that NaN stays NaN.
    const float raised = next < rule.least ? rule.least : next;
    return raised > rule.most ? rule.most : raised;
}

bool rows(float* weights, const Csr& edges, int64_t begin, int64_t end, const float* pre, const float* post,
          const Rule& rule) {
    for (int64_t s = begin; s < end; ++s) {
        for (int64_t e = edges.offsets[s]; e < edges.offsets[s + 1]; ++e) {
            weights[e] = learned(weights[e], pre[s], post[edges.targets[e]], rule);
        }
    }
    return all_finite(weights + edges.offsets[begin], edges.offsets[end] - edges.offsets[begin]);
}

bool tile(const Tile& edges, const float* pre, const float* post, const Rule& rule) {
    for (int64_t e = 0; e < edges.m; ++e) {
        edges.weights[e] = learned(edges.weights[e], pre[edges.sources[e]], post[edges.targets[e]], rule);
    }
    return all_finite(edges.weights, edges.m);
}

}  // namespace

const Kernel kernel_scalar{rows, tile};

}  // namespace cg::hebbian
