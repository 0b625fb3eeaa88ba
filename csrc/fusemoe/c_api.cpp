#include "context_graph/c/fusemoe.h"

#include <cmath>

#include "c_api.hpp"
#include "context_graph/fusemoe.hpp"

using namespace cg::c_api;
namespace fusemoe = cg::fusemoe;

namespace {

fusemoe::Projections projections_of(const cgk_fusemoe_projections& p) {
    expect(p.experts >= 0 && p.dout >= 0 && p.din >= 0, "projections.experts, .dout and .din must be 0 or more");
    const cgk_rows first{p.data, p.experts == 0 ? 0 : p.dout, p.din, 0, p.element};
    const cg::Stored rows = stored_of(&first, "projections");
    expect(rows.width != cg::Width::i8, "projections.element must be CGK_F32, CGK_F16 or CGK_BF16");
    return {{rows.data, rows.width, p.dout, p.din, rows.stride}, p.experts, p.dout * rows.stride};
}

}  // namespace

cgk_status cgk_fusemoe_gate(const cgk_rows* x, const cgk_rows* experts, cgk_gate kind, int64_t k, double temperature,
                            const uint8_t* present, int64_t present_stride, float* weights, int64_t* ids, int threads) {
    return guarded([&] {
        const cg::Points rows = points_of(x, "x"), centres = points_of(experts, "experts");
        expect_same_dim(rows.d, centres.d, "x and experts");
        expect_finite(rows, "x");
        expect_finite(centres, "experts");
        expect(kind >= CGK_GATE_LAPLACE && kind <= CGK_GATE_COSINE, "kind must be one of cgk_gate, got " + std::to_string(kind));
        expect(std::isfinite(temperature) && temperature > 0, "temperature must be finite and above 0, got " + std::to_string(temperature));
        expect(present_stride == 0 || present_stride >= centres.n,
               "present_stride must be 0 or at least the number of experts, got " + std::to_string(present_stride));
        expect_choice(k, weights, ids, rows.n);
        fusemoe::gate(fusemoe::best_kernel(), rows, centres, static_cast<fusemoe::Kind>(kind), k, temperature,
                      {present, present_stride}, weights, ids, thread_count(threads));
    });
}

cgk_status cgk_fusemoe_fuse(const cgk_fusemoe_inputs* inputs, const cgk_fusemoe_projections* projections, const float* bias,
                            const int64_t* ids, const float* weights, int64_t k, float* out, int threads) {
    return guarded([&] {
        const cgk_fusemoe_inputs& from = given(inputs, "inputs");
        const fusemoe::Projections experts = projections_of(given(projections, "projections"));
        expect(from.n >= 0 && k >= 0, "inputs.n and k must be 0 or more, got " + std::to_string(from.n) + " and " + std::to_string(k));
        expect(from.expert_stride >= 0 && from.row_stride >= 0, "inputs.row_stride and .expert_stride must be 0 or more");
        expect_array(from.data, from.n * experts.first.d, "inputs.data");
        expect_array(ids, from.n * k, "ids");
        expect_finite(weights, from.n * k, "weights");
        if (bias != nullptr) expect_finite(bias, experts.experts * experts.first.n, "bias");
        expect_array(out, from.n * experts.first.n, "out");
        fusemoe::fuse(fusemoe::best_kernel(), {from.data, from.n, from.row_stride, from.expert_stride}, experts, bias, ids,
                      weights, k, out, thread_count(threads));
    });
}
