#pragma once
// Float query tokens side by side, and documents of float tokens against them.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "../include/context_graph/maxsim.hpp"

namespace cg::maxsim {

struct PackedQuery {
    explicit PackedQuery(const dense::Queries& query) {
        const int64_t count = (query.q + PANEL - 1) / PANEL;
        data.assign(count * query.d * PANEL, 0.0f);
        for (int64_t i = 0; i < query.q; ++i) {
            float* side = data.data() + i / PANEL * query.d * PANEL + i % PANEL;
            for (int64_t x = 0; x < query.d; ++x) side[x * PANEL] = query.row(i)[x];
        }
        view = {count, data.data()};
    }
    PackedQuery(const PackedQuery&) = delete;
    PackedQuery& operator=(const PackedQuery&) = delete;

    std::vector<float> data;
    Panels view;
};

// What one thread needs.
class ValueScorer {
   public:
    ValueScorer(const Kernel& kernel, const PackedQuery& query, const dense::Rows& tokens)
        : kernel_(kernel), query_(query), tokens_(tokens), room_(ROOM * tokens.d), best_(query.view.count * PANEL) {}

    // Of the document with these tokens, one number a query token; -inf without a token. Good until the next call.
    const float* maxima(int64_t first, int64_t last) {
        std::fill(best_.begin(), best_.end(), -std::numeric_limits<float>::infinity());
        for (int64_t from = first; from < last; from += AT_ONCE) {
            const int64_t to = std::min(from + AT_ONCE, last);
            if (!kernel_.values(query_.view, tokens_, from, to, room_.data(), best_.data())) {
                throw std::domain_error("a score is not finite: a row or query holds NaN or infinity, or the result is too large for float32");
            }
        }
        return best_.data();
    }

   private:
    static constexpr int64_t AT_ONCE = 256;  // tokens that stay in L2 while further panels come to them

    const Kernel& kernel_;
    const PackedQuery& query_;
    const dense::Rows& tokens_;
    std::vector<float> room_, best_;
};

}  // namespace cg::maxsim
