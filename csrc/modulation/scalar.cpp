// The definition in C++, one edge after the other.

#include "context_graph/modulation.hpp"

#include <algorithm>
#include <cmath>

namespace cg::modulation {
namespace {

bool effective_weight(const float* base, const float* excitatory, const float* inhibitory, const float* modulatory,
                      int64_t n, float* out) {
    bool finite = true;
    for (int64_t i = 0; i < n; ++i) {
        out[i] = base[i] * (((1.0f + excitatory[i]) - inhibitory[i]) + 0.5f * modulatory[i]);
        finite &= std::isfinite(out[i]);
    }
    return finite;
}

bool effective_weight_bytes(const float* base, const uint8_t* excitatory, const uint8_t* inhibitory,
                            const uint8_t* modulatory, int64_t n, float* out) {
    bool finite = true;
    for (int64_t i = 0; i < n; ++i) {
        const int gain = 510 + 2 * excitatory[i] - 2 * inhibitory[i] + modulatory[i];
        out[i] = base[i] * (static_cast<float>(gain) * GAIN_UNIT);
        finite &= std::isfinite(out[i]);
    }
    return finite;
}

float effective(const float* weights, const int16_t* gains, int64_t e) {
    return gains ? weights[e] * (static_cast<float>(gains[e]) * GAIN_UNIT) : weights[e];
}

void flow(const Tile& edges, const float* from, float* to) {
    for (int64_t e = 0; e < edges.m; ++e) {
        to[edges.targets[e]] += effective(edges.weights, edges.gains, e) * from[edges.sources[e]];
    }
}

// No branch, for none could be foretold.
int64_t follow(const uint32_t* targets, const float* weights, const int16_t* gains, int64_t count, float strength,
               float least, uint32_t* nodes, float* reached) {
    int64_t found = 0;
    for (int64_t e = 0; e < count; ++e) {
        nodes[found] = targets[e];
        reached[found] = strength * std::min(effective(weights, gains, e), 1.0f);
        found += reached[found] >= least;
    }
    return found;
}

}  // namespace

const Kernel kernel_scalar{effective_weight, effective_weight_bytes, flow, follow};

}  // namespace cg::modulation
