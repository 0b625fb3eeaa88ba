#pragma once
// Float rows and the choice among them, as arrays.

#include <utility>

#include "arrays.hpp"
#include "context_graph/points.hpp"

namespace cg {

// float32 (n, d), each row contiguous; rows may lie apart.
template <class Kind>
Points points_of(const Kind& rows) {
    expect(rows.ndim() == 2 && rows.itemsize() == sizeof(float) && rows.shape(0) < 0xffffffff &&
               (rows.size() == 0 || ((rows.shape(1) == 1 || rows.strides(1) == rows.itemsize()) &&
                                     rows.strides(0) >= 0 && rows.strides(0) % sizeof(float) == 0)),
           "rows must be float32, lie row by row, and be fewer than 2^32 - 1");
    return {static_cast<const float*>(rows.data()), rows.shape(0), rows.shape(1),
            rows.strides(0) / static_cast<int64_t>(sizeof(float))};
}

using Chosen = std::pair<Answer<float>, Answer<int64_t>>;

// Where `like` lies.
template <class Kind>
Chosen empty_choice(const Kind& like, int64_t q, int64_t k) {
    return {Answer<float>(like, {q, k}), Answer<int64_t>(like, {q, k})};
}

}  // namespace cg
