#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "context_graph/poincare.hpp"
#include "context_graph/select.hpp"

namespace cg::poincare {

// Chosen scores are minus keys; only here do they become distances.
inline void write_nearest(const Kernel& kernel, std::vector<TopK>& chosen, int64_t k, double c, float* found,
                          int64_t* ids) {
    write_best(chosen, k, found, ids);
    const int64_t filled = std::find(ids, ids + k, -1) - ids;
    for (int64_t rank = 0; rank < filled; ++rank) found[rank] = 0.0f - found[rank];
    kernel.lengths(found, c, filled);
    std::fill(found + filled, found + k, std::numeric_limits<float>::infinity());
}

}  // namespace cg::poincare
