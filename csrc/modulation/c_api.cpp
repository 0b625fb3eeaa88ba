#include "context_graph/c/modulation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "c_api.hpp"
#include "context_graph/modulation.hpp"

using namespace cg::c_api;
namespace modulation = cg::modulation;

namespace {

template <class Signal>
cgk_status weigh(const float* base, const Signal* excitatory, const Signal* inhibitory, const Signal* modulatory, int64_t n,
                 float* out, int threads) {
    return guarded([&] {
        expect_array(base, n, "base");
        expect_array(excitatory, n, "excitatory");
        expect_array(inhibitory, n, "inhibitory");
        expect_array(modulatory, n, "modulatory");
        expect_array(out, n, "out");
        if (!modulation::effective_weight(modulation::best_kernel(), base, excitatory, inhibitory, modulatory, n, out,
                                          thread_count(threads)))
            throw std::domain_error("an effective weight is not finite: an input holds NaN or infinity, or the result is too large for float32");
    });
}

void expect_share(double value, const char* name) {
    expect(value >= 0 && value <= 1, std::string(name) + " must lie in [0, 1], got " + std::to_string(value));
}

}  // namespace

cgk_status cgk_modulation_effective_weight(const float* base, const float* excitatory, const float* inhibitory,
                                           const float* modulatory, int64_t n, float* out, int threads) {
    return weigh(base, excitatory, inhibitory, modulatory, n, out, threads);
}

cgk_status cgk_modulation_effective_weight_bytes(const float* base, const uint8_t* excitatory, const uint8_t* inhibitory,
                                                 const uint8_t* modulatory, int64_t n, float* out, int threads) {
    return weigh(base, excitatory, inhibitory, modulatory, n, out, threads);
}

cgk_status cgk_modulation_spread(cgk_graph* graph, float* activation, int steps, float keep, int threads) {
    return guarded([&] {
        given(graph, "graph");
        expect_finite(activation, graph->graph.n(), "activation");
        expect(steps >= 0, "steps must be 0 or more, got " + std::to_string(steps));
        expect_share(keep, "keep");
        modulation::spread(modulation::best_kernel(), graph->graph, activation, steps, keep, thread_count(threads));
    });
}

cgk_status cgk_modulation_pagerank(cgk_graph* graph, const float* seeds, float damping, int iterations, double tolerance,
                                   float* ranks, int* done, double* change, int threads) {
    return guarded([&] {
        given(graph, "graph");
        const int64_t n = graph->graph.n();
        expect_finite(seeds, n, "seeds");
        expect_array(ranks, n, "ranks");
        expect_share(damping, "damping");
        expect(iterations >= 0, "iterations must be 0 or more, got " + std::to_string(iterations));
        const double total = std::accumulate(seeds, seeds + n, 0.0);
        expect(n == 0 || (total > 0 && std::all_of(seeds, seeds + n, [](float seed) { return seed >= 0; })),
               "seeds must be at least 0 and not all 0; give the nodes to start from a positive number");
        std::vector<float> scaled(n);
        std::transform(seeds, seeds + n, scaled.begin(), [&](float seed) { return static_cast<float>(seed / total); });
        const modulation::Ranked ranked = modulation::pagerank(modulation::best_kernel(), graph->graph, scaled.data(), damping,
                                                               iterations, tolerance, ranks, thread_count(threads));
        if (done != nullptr) *done = ranked.iterations;
        if (change != nullptr) *change = ranked.change;
    });
}

cgk_status cgk_modulation_strongest_paths(cgk_graph* graph, const int64_t* seeds, const float* seed_strengths, int64_t count,
                                          int hops, int64_t k, float* strengths, int64_t* nodes) {
    return guarded([&] {
        given(graph, "graph");
        expect_array(seeds, count, "seeds");
        expect(hops >= 0, "hops must be 0 or more, got " + std::to_string(hops));
        expect_choice(k, strengths, nodes, 1);
        const std::vector<float> ones(seed_strengths == nullptr ? count : 0, 1.0f);
        const float* with = seed_strengths == nullptr ? ones.data() : seed_strengths;
        for (int64_t i = 0; i < count; ++i) {
            expect(seeds[i] >= 0 && seeds[i] < graph->graph.n(), "seeds must be nodes, got " + std::to_string(seeds[i]));
            expect(std::isfinite(with[i]) && with[i] > 0, "seed_strengths must be finite and above 0, got " + std::to_string(with[i]));
        }
        modulation::strongest_paths(modulation::best_kernel(), graph->graph, seeds, with, count, hops, k, strengths,
                                    nodes);
    });
}
