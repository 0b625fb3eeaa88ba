#include "context_graph/c/hopfield.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "c_api.hpp"
#include "context_graph/hopfield.hpp"

using namespace cg::c_api;
namespace hopfield = cg::hopfield;

namespace {

cg::Stored patterns_of(const cgk_rows* patterns, int64_t d) {
    const cg::Stored rows = stored_of(patterns, "patterns");
    expect(rows.width != cg::Width::i8, "patterns.element must be CGK_F32, CGK_F16 or CGK_BF16");
    expect(rows.n > 0, "patterns must have at least one row");
    expect_same_dim(d, rows.d, "queries and patterns");
    return rows;
}

void expect_beta(double beta) {
    expect(std::isfinite(beta) && beta > 0, "beta must be finite and above 0, got " + std::to_string(beta));
}

template <class T>
void copy_to(T* out, const std::vector<T>& values) {
    if (out != nullptr) std::copy(values.begin(), values.end(), out);
}

}  // namespace

cgk_status cgk_hopfield_retrieve(const cgk_rows* queries, const cgk_rows* patterns, const cgk_hopfield_settings* settings,
                                 const uint8_t* mask, const cgk_hopfield_result* result, int threads) {
    return guarded([&] {
        const PlainRows q(queries, "queries");
        const cg::Stored rows = patterns_of(patterns, q.d());
        const cgk_hopfield_settings& with = given(settings, "settings");
        expect_beta(with.beta);
        expect(with.steps >= 1, "settings.steps must be 1 or more, got " + std::to_string(with.steps));
        expect(with.tolerance >= 0, "settings.tolerance must be 0 or more, got " + std::to_string(with.tolerance));
        expect(with.shortlist >= 0, "settings.shortlist must be 0, for all patterns, or more, got " + std::to_string(with.shortlist));
        const cgk_hopfield_result& to = given(result, "result");
        expect_array(to.output, q.n() * q.d(), "result.output");
        std::vector<float> lse(q.n()), dropped(q.n());
        std::vector<int64_t> steps(q.n());
        const auto converged = std::make_unique<bool[]>(q.n());
        hopfield::retrieve(hopfield::best_kernel(), q.data(), q.n(), rows, with.beta, with.steps, with.tolerance, mask,
                           with.shortlist, {to.output, lse.data(), steps.data(), converged.get(), dropped.data()},
                           thread_count(threads));
        copy_to(to.lse, lse);
        copy_to(to.steps, steps);
        copy_to(to.dropped, dropped);
        if (to.converged != nullptr) std::copy_n(converged.get(), q.n(), to.converged);
    });
}

cgk_status cgk_hopfield_energy(const cgk_rows* queries, const cgk_rows* patterns, double beta, const uint8_t* mask, float* out,
                               int threads) {
    return guarded([&] {
        const PlainRows q(queries, "queries");
        const cg::Stored rows = patterns_of(patterns, q.d());
        expect_beta(beta);
        expect_array(out, q.n(), "out");
        hopfield::energy(hopfield::best_kernel(), q.data(), q.n(), rows, beta, mask, out, thread_count(threads));
    });
}
