#include "context_graph/c/maxsim.h"

#include "c_api.hpp"
#include "context_graph/maxsim.hpp"
#include "context_graph/select.hpp"

using namespace cg::c_api;
namespace maxsim = cg::maxsim;

namespace {

struct Documents {
    cg::dense::Rows tokens;
    const int64_t* offsets;
    int64_t n;
};

Documents documents_of(const cgk_documents* documents, int64_t d) {
    const cgk_documents& given_documents = given(documents, "documents");
    const cg::dense::Rows tokens = rows_of(given_documents.tokens, nullptr, "documents.tokens");
    expect(tokens.element == cg::Width::f32 || tokens.element == cg::Width::f16,
           "documents.tokens.element must be CGK_F32 or CGK_F16");
    expect_same_dim(d, tokens.d, "query and documents.tokens");
    expect_offsets(given_documents.offsets, given_documents.n, "documents.offsets");
    expect(given_documents.offsets[given_documents.n] == tokens.n, "documents.offsets must end at the number of tokens, " +
                                                                      std::to_string(tokens.n) + ", got " +
                                                                      std::to_string(given_documents.offsets[given_documents.n]));
    return {tokens, given_documents.offsets, given_documents.n};
}

}  // namespace

cgk_status cgk_maxsim_maxima(const cgk_rows* query, const cgk_documents* documents, float* out, int threads) {
    return guarded([&] {
        const PlainRows q(query, "query");
        const Documents all = documents_of(documents, q.d());
        expect_array(out, q.n() * all.n, "out");
        maxsim::maxima(maxsim::best_kernel(), q.queries(), all.tokens, all.offsets, all.n, out, thread_count(threads));
    });
}

cgk_status cgk_maxsim_nearest(const cgk_rows* query, const cgk_documents* documents, const float* weights, int64_t k,
                              const uint8_t* mask, float* scores, int64_t* ids, int threads) {
    return guarded([&] {
        const PlainRows q(query, "query");
        const Documents all = documents_of(documents, q.d());
        expect(q.n() > 0, "query must have at least one token");
        expect_choice(k, scores, ids, 1);
        if (weights != nullptr) expect_finite(weights, q.n(), "weights");
        const std::vector<float> ones(weights == nullptr ? q.n() : 0, 1.0f);
        std::vector<float> maxima(all.n * q.n()), sums(all.n);
        maxsim::maxima(maxsim::best_kernel(), q.queries(), all.tokens, all.offsets, all.n, maxima.data(), thread_count(threads));
        maxsim::weighted_sum(maxima.data(), all.n, q.n(), weights == nullptr ? ones.data() : weights, sums.data());
        std::vector<cg::TopK> best(1, cg::TopK(k));
        for (int64_t i = 0; i < all.n; ++i) {
            if (all.offsets[i] < all.offsets[i + 1] && (mask == nullptr || mask[i])) best[0].offer(sums[i], i);
        }
        cg::write_best(best, k, scores, ids);
    });
}
