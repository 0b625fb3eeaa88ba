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

}  // namespace

const Leaving* follow_one_by_one(const uint32_t* targets, const float* weights, const int16_t* gains,
                                 const Leaving* path, const Leaving* end, float least, int64_t enough,
                                 Reached& reached) {
    int64_t found = reached.count;
    for (; path != end && found <= enough; ++path) {
        fetch_leaving(targets, weights, path, end);
        if (path->strength < least) continue;
        const int64_t last = path->first + path->count;
        for (int64_t e = path->first; e < last; ++e) {  // no branch, for none could be foretold
            const float strength = path->strength * std::min(effective(weights, gains, e), 1.0f);
            reached.nodes[found] = targets[e];
            reached.paths[found] = path->path;
            reached.strengths[found] = strength;
            found += strength >= least;
        }
    }
    reached.count = found;
    return path;
}

const Kernel kernel_scalar{effective_weight, effective_weight_bytes, flow, follow_one_by_one};

}  // namespace cg::modulation
