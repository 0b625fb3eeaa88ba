#include <algorithm>

#include "c_api.hpp"

using namespace cg::c_api;

namespace {

// As the integer in which nothing cancels; empty without signals.
std::vector<int16_t> gains_of(int64_t m, const uint8_t* excitatory, const uint8_t* inhibitory, const uint8_t* modulatory) {
    const int signals = (excitatory != nullptr) + (inhibitory != nullptr) + (modulatory != nullptr);
    expect(signals == 0 || signals == 3 || m == 0, "give all three signals or none, got " + std::to_string(signals));
    std::vector<int16_t> gains(signals == 3 ? m : 0);
    for (size_t e = 0; e < gains.size(); ++e)
        gains[e] = static_cast<int16_t>(510 + 2 * excitatory[e] - 2 * inhibitory[e] + modulatory[e]);
    return gains;
}

}  // namespace

cgk_status cgk_graph_create(const cgk_edges* edges, const float* weights, const uint8_t* excitatory, const uint8_t* inhibitory,
                            const uint8_t* modulatory, cgk_graph** out) {
    return guarded([&] {
        expect(out != nullptr, "out must not be NULL");
        *out = nullptr;
        const cg::Csr csr = csr_of(edges);
        const int64_t m = csr.edges();
        expect_finite(weights, m, "weights");
        expect(std::all_of(weights, weights + m, [](float weight) { return weight >= 0; }), "weights must be at least 0");
        const std::vector<int16_t> gains = gains_of(m, excitatory, inhibitory, modulatory);
        *out = new cgk_graph{{csr, weights, gains.empty() ? nullptr : gains.data()}};
    });
}

void cgk_graph_destroy(cgk_graph* graph) { delete graph; }

int64_t cgk_graph_nodes(const cgk_graph* graph) { return graph == nullptr ? 0 : graph->graph.n(); }

int64_t cgk_graph_edges(const cgk_graph* graph) { return graph == nullptr ? 0 : graph->graph.m(); }

cgk_status cgk_graph_weights(cgk_graph* graph, float* out) {
    return guarded([&] {
        given(graph, "graph");
        expect_array(out, graph->graph.m(), "out");
        std::copy_n(graph->graph.weights(), graph->graph.m(), out);
    });
}
