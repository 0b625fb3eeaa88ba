#include "context_graph/c/dense.h"

#include "c_api.hpp"

using namespace cg::c_api;
namespace dense = cg::dense;

cgk_status cgk_dense_scores(const cgk_rows* queries, const cgk_rows* rows, const float* scale, float* out, int threads) {
    return guarded([&] {
        const PlainRows q(queries, "queries");
        const dense::Rows r = rows_of(rows, scale, "rows");
        expect_same_dim(q.d(), r.d, "queries and rows");
        expect_array(out, q.n() * r.n, "out");
        dense::scores_all(dense::best_kernel(), q.queries(), r, out, thread_count(threads));
    });
}

cgk_status cgk_dense_topk(const cgk_rows* queries, const cgk_rows* rows, const float* scale, int64_t k, const uint8_t* mask,
                          float* scores, int64_t* ids, int threads) {
    return guarded([&] {
        const PlainRows q(queries, "queries");
        const dense::Rows r = rows_of(rows, scale, "rows");
        expect_same_dim(q.d(), r.d, "queries and rows");
        expect_choice(k, scores, ids, q.n());
        dense::topk(dense::best_kernel(), q.queries(), r, k, mask, scores, ids, thread_count(threads));
    });
}
