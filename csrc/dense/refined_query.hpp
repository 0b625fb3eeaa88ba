#pragma once
// A query in 15 bits, for scans over 8-bit codes of rows, with bounds on what that leaves out.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "context_graph/dense.hpp"

namespace cg::dense {

inline constexpr float ROUND_UP = 1.0f + 0x1p-20f;  // lifts a bound over the rounding of its own arithmetic

struct RefinedQuery {
    std::vector<int16_t> fine;
    std::vector<int8_t> high, low;
    FineQuery view;
    double step;
    double size;     // >= |query|
    double missing;  // >= |query - step * fine|
};

inline RefinedQuery refine(const float* values, int64_t d) {
    const int64_t padded = (d + 63) / 64 * 64;
    RefinedQuery query{std::vector<int16_t>(padded), std::vector<int8_t>(padded), std::vector<int8_t>(padded), {}, 0, 0, 0};
    double largest = 0, square = 0, missing = 0;
    for (int64_t x = 0; x < d; ++x) {
        largest = std::max(largest, std::fabs(double{values[x]}));
        square += double{values[x]} * double{values[x]};
    }
    constexpr int LARGEST_FINE = 127 * 128;  // high <= 127, -64 <= low < 64
    query.step = largest / LARGEST_FINE;
    int64_t sum = 0;
    for (int64_t x = 0; x < d; ++x) {
        const int fine = query.step > 0 ? static_cast<int>(std::lrint(values[x] / query.step)) : 0;
        const int high = (fine + 64) >> 7;
        query.fine[x] = static_cast<int16_t>(fine);
        query.high[x] = static_cast<int8_t>(high);
        query.low[x] = static_cast<int8_t>(fine - 128 * high);
        sum += fine;
        const double rest = values[x] - query.step * fine;
        missing += rest * rest;
    }
    query.size = std::sqrt(square) * ROUND_UP;
    query.missing = std::sqrt(missing) * ROUND_UP;
    query.view = {query.fine.data(), query.high.data(), query.low.data(), padded, sum};
    return query;
}

}  // namespace cg::dense
