#pragma once
// How a scan over rows is cut: blocks whose rows stay in half an L2 while several queries read them.

#include <algorithm>
#include <cstdint>

#include "context_graph/points.hpp"

namespace cg {

inline int64_t block_rows(const Points& rows) {
    return std::clamp<int64_t>((int64_t{1} << 17) / std::max<int64_t>(rows.stride, 1), 16, 2048);
}

// What `worth_waking` weighs: multiplications of q queries with all rows.
inline int64_t scan_work(int64_t q, const Points& rows) { return q * rows.n * std::max<int64_t>(rows.d, 1); }

}  // namespace cg
