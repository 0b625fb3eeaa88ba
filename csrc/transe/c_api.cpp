#include "context_graph/c/transe.h"

#include "c_api.hpp"
#include "context_graph/transe.hpp"

using namespace cg::c_api;
namespace transe = cg::transe;

namespace {

transe::Norm norm_of(cgk_transe_norm norm) {
    expect(norm == CGK_TRANSE_L1 || norm == CGK_TRANSE_L2, "norm must be CGK_TRANSE_L1 or CGK_TRANSE_L2, got " + std::to_string(norm));
    return static_cast<transe::Norm>(norm);
}

}  // namespace

cgk_status cgk_transe_score(const cgk_rows* heads, const cgk_rows* relations, const cgk_rows* tails, cgk_transe_norm norm,
                            float* out, int threads) {
    return guarded([&] {
        const cg::Points h = points_of(heads, "heads"), r = points_of(relations, "relations"), t = points_of(tails, "tails");
        expect_pairs(h, r, "heads and relations");
        expect_pairs(h, t, "heads and tails");
        expect_array(out, h.n, "out");
        transe::score(transe::best_kernel(), h, r, t, norm_of(norm), out, thread_count(threads));
    });
}

cgk_status cgk_transe_nearest(const cgk_rows* heads, const cgk_rows* relations, const cgk_rows* tails, cgk_transe_norm norm,
                              int64_t k, const uint8_t* mask, float* scores, int64_t* ids, int threads) {
    return guarded([&] {
        const cg::Points h = points_of(heads, "heads"), r = points_of(relations, "relations"), t = points_of(tails, "tails");
        expect_pairs(h, r, "heads and relations");
        expect_same_dim(h.d, t.d, "heads and tails");
        expect_finite(h, "heads");
        expect_finite(r, "relations");
        expect_choice(k, scores, ids, h.n);
        transe::nearest(transe::best_kernel(), h, r, t, norm_of(norm), k, mask, scores, ids, thread_count(threads));
    });
}
