#pragma once
// Packs queries for `BatchProducts`.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "context_graph/batch.hpp"

namespace cg {

class PackedQueries {
   public:
    // Below `worth_packing` queries the row by row product is as fast.
    static bool worth_packing(const BatchProducts& batch, int64_t q) { return batch.wide > 0 && q >= 2 * batch.wide; }

    PackedQueries(const BatchProducts& batch, const float* const* queries, int64_t q, int64_t d) : q_(q), d_(d) {
        const int64_t wide = batch.wide, lanes = batch.lanes, steps = (d + lanes - 1) / lanes;
        values_.assign((q + wide - 1) / wide * wide * steps * lanes + LINE, 0.0f);
        start_ = LINE - reinterpret_cast<uintptr_t>(values_.data()) / sizeof(float) % LINE;
        for (int64_t j = 0; j < q; ++j) {
            float* to = values_.data() + start_ + (j / wide * wide * steps + j % wide) * lanes;
            for (int64_t x = 0; x < d; x += lanes) {
                std::copy(queries[j] + x, queries[j] + std::min(x + lanes, d), to + x * wide);
            }
        }
    }

    Panels view() const { return {values_.data() + start_, q_, d_}; }

   private:
    static constexpr int64_t LINE = 16;  // floats in a cache line

    std::vector<float> values_;
    int64_t start_, q_, d_;
};

// Inner products of some queries with rows, by whichever of a backend's two ways suits their number.
class Products {
   public:
    using RowProducts = void(const float* const* queries, int64_t q, const Stored& rows, int64_t begin, int64_t end,
                             float* out, int64_t ld);

    Products(RowProducts* row_products, const BatchProducts& batch, const float* const* queries, int64_t q, int64_t d)
        : row_products_(row_products), batch_products_(batch.run), queries_(queries), q_(q) {
        if (PackedQueries::worth_packing(batch, q)) packed_.emplace(batch, queries, q, d);
    }

    void operator()(const Stored& rows, int64_t begin, int64_t end, float* out, int64_t ld) const {
        if (packed_) return batch_products_(packed_->view(), rows, begin, end, out, ld);
        row_products_(queries_, q_, rows, begin, end, out, ld);
    }

   private:
    RowProducts* row_products_;
    decltype(BatchProducts::run) batch_products_;
    const float* const* queries_;
    int64_t q_;
    std::optional<PackedQueries> packed_;
};

}  // namespace cg
