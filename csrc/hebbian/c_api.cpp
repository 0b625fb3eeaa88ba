#include "context_graph/c/hebbian.h"

#include <cmath>

#include "c_api.hpp"
#include "context_graph/hebbian.hpp"

using namespace cg::c_api;
namespace hebbian = cg::hebbian;

namespace {

hebbian::Rule rule_of(const cgk_hebbian_rule& rule) {
    expect(rule.kind >= CGK_HEBBIAN_PLAIN && rule.kind <= CGK_HEBBIAN_OJA,
           "rule.kind must be one of cgk_hebbian_kind, got " + std::to_string(rule.kind));
    expect(std::isfinite(rule.rate) && std::isfinite(rule.decay), "rule.rate and .decay must be finite");
    expect(rule.min_weight <= rule.max_weight, "rule.min_weight must not exceed .max_weight, got " +
                                                   std::to_string(rule.min_weight) + " and " + std::to_string(rule.max_weight));
    return {static_cast<hebbian::Kind>(rule.kind), rule.rate, rule.decay, rule.min_weight, rule.max_weight};
}

}  // namespace

cgk_status cgk_hebbian_update(float* weights, const cgk_edges* edges, const float* pre, const float* post,
                              const cgk_hebbian_rule* rule, int threads) {
    return guarded([&] {
        const cg::Csr csr = csr_of(edges);
        const hebbian::Rule with = rule_of(given(rule, "rule"));
        expect_array(weights, csr.edges(), "weights");
        expect_finite(pre, csr.n, "pre");
        expect_finite(post, csr.n, "post");
        hebbian::update(hebbian::best_kernel(), weights, csr, pre, post, with, rule->normalise != 0, thread_count(threads));
    });
}

cgk_status cgk_hebbian_learn(cgk_graph* graph, const float* pre, const float* post, const cgk_hebbian_rule* rule, int threads) {
    return guarded([&] {
        given(graph, "graph");
        const hebbian::Rule with = rule_of(given(rule, "rule"));
        expect(with.least >= 0, "rule.min_weight must be at least 0 for the weights of a graph, got " + std::to_string(with.least));
        expect_finite(pre, graph->graph.n(), "pre");
        expect_finite(post, graph->graph.n(), "post");
        hebbian::update(hebbian::best_kernel(), graph->graph, pre, post, with, rule->normalise != 0, thread_count(threads));
    });
}
