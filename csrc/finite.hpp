#pragma once
// NaN and infinity are errors. A score is finite only if its row and query are, so looking at scores is enough.

#include <bit>
#include <cstdint>
#include <stdexcept>

namespace cg {

inline bool all_finite(const float* values, int64_t n) {
    uint32_t bad = 0;
    for (int64_t i = 0; i < n; ++i) {
        bad |= (std::bit_cast<uint32_t>(values[i]) & 0x7f800000u) == 0x7f800000u;
    }
    return bad == 0;
}

inline void require_finite(bool finite) {
    if (!finite) throw std::domain_error("a score is not finite: a row or query holds NaN or infinity, or the result is too large for float32");
}

inline void require_finite(const float* scores, int64_t n) { require_finite(all_finite(scores, n)); }

}  // namespace cg
