// Both vector backends, for a lane type `Lanes` included before. Multiplications and additions are never fused here: the bits
// are those of the scalar backend.

#include "context_graph/modulation.hpp"
#include "fetch_edges.hpp"

namespace cg::modulation {
namespace {

constexpr int64_t STREAMED = 1 << 18;  // edges from which the answer would only push others out of the cache

[[gnu::always_inline]] inline Lanes::Floats factor(Lanes::Floats gain) {
    return Lanes::mul(gain, Lanes::all(GAIN_UNIT));
}

[[gnu::always_inline]] inline Lanes::Floats factor_of(const float* excitatory, const float* inhibitory,
                                                      const float* modulatory, int64_t i) {
    const Lanes::Floats difference =
        Lanes::sub(Lanes::add(Lanes::all(1), Lanes::load(excitatory + i)), Lanes::load(inhibitory + i));
    return Lanes::add(difference, Lanes::mul(Lanes::all(0.5f), Lanes::load(modulatory + i)));
}

[[gnu::always_inline]] inline Lanes::Floats factor_of(const uint8_t* excitatory, const uint8_t* inhibitory,
                                                      const uint8_t* modulatory, int64_t i) {
    const Lanes::Floats difference =
        Lanes::sub(Lanes::from_integers(excitatory + i), Lanes::from_integers(inhibitory + i));
    const Lanes::Floats gain = Lanes::add(Lanes::add(difference, difference), Lanes::from_integers(modulatory + i));
    return factor(Lanes::add(Lanes::all(510), gain));
}

inline float factor_of_one(const float* excitatory, const float* inhibitory, const float* modulatory, int64_t i) {
    return ((1.0f + excitatory[i]) - inhibitory[i]) + 0.5f * modulatory[i];
}

inline float factor_of_one(const uint8_t* excitatory, const uint8_t* inhibitory, const uint8_t* modulatory, int64_t i) {
    return static_cast<float>(510 + 2 * excitatory[i] - 2 * inhibitory[i] + modulatory[i]) * GAIN_UNIT;
}

// Whether a lane is NaN or infinite shows in what 0 times all of them adds up to.
inline bool zero(Lanes::Floats sums) {
    float lanes[Lanes::floats];
    Lanes::store(lanes, sums);
    bool all = true;
    for (int64_t j = 0; j < Lanes::floats; ++j) all &= lanes[j] == 0;
    return all;
}

template <class NT>
bool effective_weight_of(const float* base, const NT* excitatory, const NT* inhibitory, const NT* modulatory, int64_t n,
                         float* out) {
    float lost = 0;
    int64_t i = 0;
    const auto one = [&] {
        out[i] = base[i] * factor_of_one(excitatory, inhibitory, modulatory, i);
        lost += 0.0f * out[i];
        ++i;
    };
    constexpr uintptr_t line = sizeof(Lanes::Floats);
    const bool streamed = n >= STREAMED;
    while (streamed && i < n && reinterpret_cast<uintptr_t>(out + i) % line != 0) one();
    Lanes::Floats lost_lanes = Lanes::all(0);
    for (; i + Lanes::floats <= n; i += Lanes::floats) {
        const Lanes::Floats weight =
            Lanes::mul(Lanes::load(base + i), factor_of(excitatory, inhibitory, modulatory, i));
        lost_lanes = Lanes::add(lost_lanes, Lanes::mul(weight, Lanes::all(0)));
        if (streamed) {
            Lanes::stream(out + i, weight);
        } else {
            Lanes::store(out + i, weight);
        }
    }
    if (streamed) _mm_sfence();
    while (i < n) one();
    return zero(lost_lanes) && lost == 0;
}

[[gnu::always_inline]] inline float effective(const float* weights, const int16_t* gains, int64_t e) {
    return gains ? weights[e] * (static_cast<float>(gains[e]) * GAIN_UNIT) : weights[e];
}

// What an edge reads and adds to lies in the cache, so plain loads and stores of one number at a time are the fastest way. The edges
// themselves come from memory, and are asked for early: between these loads the processor does not see that they follow each other.
template <bool GAINED>
void flow_with(const Tile& edges, const float* __restrict from, float* __restrict to) {
    const uint16_t *sources = edges.sources, *targets = edges.targets;
    int64_t e = 0;
    alignas(64) float gained[Lanes::floats];
    for (; e + Lanes::floats <= edges.m; e += Lanes::floats) {
        const float* weights = edges.weights + e;
        fetch_edges(edges, e);
        if (GAINED) {
            Lanes::store(gained, Lanes::mul(Lanes::load(weights), factor(Lanes::from_integers(edges.gains + e))));
            weights = gained;
        }
        float sent[Lanes::floats];
        for (int64_t j = 0; j < Lanes::floats; ++j) sent[j] = weights[j] * from[sources[e + j]];
        for (int64_t j = 0; j < Lanes::floats; ++j) to[targets[e + j]] += sent[j];
    }
    for (; e < edges.m; ++e) {
        to[targets[e]] += effective(edges.weights, GAINED ? edges.gains : nullptr, e) * from[sources[e]];
    }
}

void flow(const Tile& edges, const float* from, float* to) {
    if (edges.gains) {
        flow_with<true>(edges, from, to);
    } else {
        flow_with<false>(edges, from, to);
    }
}

}  // namespace
}  // namespace cg::modulation
