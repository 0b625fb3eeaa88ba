#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../include/context_graph/maxsim.hpp"

namespace cg::maxsim {

// A query as `Query` wants it, with what one unit of each token's fine values is worth.
struct FineQuery {
    std::vector<int8_t> high, low;
    std::vector<int16_t> pairs;
    std::vector<int32_t> bias;
    std::vector<float> step;
    std::vector<double> size, missing;  // |query token| and |query token - step * fine|
    Query view;
};

// eight: fine values are multiples of 128, and `low` is null.
inline FineQuery refine(const float* query, int64_t q, int64_t dim, int64_t padded, bool eight = false) {
    const size_t size = q * padded, filled = (q + 15) / 16 * 16 * padded;
    FineQuery fine{std::vector<int8_t>(filled), std::vector<int8_t>(filled), std::vector<int16_t>(size),
                   std::vector<int32_t>(q),   std::vector<float>(q),     std::vector<double>(q),
                   std::vector<double>(q),    {}};
    const int unit = eight ? 128 : 1;
    constexpr int LARGEST_FINE = 127 * 128;
    constexpr int PLACE[4] = {0, 2, 1, 3};
    for (int64_t i = 0; i < q; ++i) {
        double largest = 0;
        for (int64_t x = 0; x < dim; ++x) largest = std::max(largest, std::fabs(double{query[i * dim + x]}));
        const double step = largest / LARGEST_FINE;
        fine.step[i] = static_cast<float>(step);
        for (int64_t x = 0; x < dim; ++x) {
            const double given = query[i * dim + x];
            const int value = step > 0 ? unit * static_cast<int>(std::lrint(given / (unit * step))) : 0;
            const double rest = given - fine.step[i] * static_cast<double>(value);
            fine.size[i] += given * given;
            fine.missing[i] += rest * rest;
            const int64_t at = i * padded + x;
            fine.high[at] = static_cast<int8_t>((value + 64) >> 7);
            fine.low[at] = static_cast<int8_t>(value - 128 * fine.high[at]);
            fine.pairs[i * padded + x / 4 * 4 + PLACE[x % 4]] = static_cast<int16_t>(value);
            fine.bias[i] -= 128 * value;
        }
        fine.size[i] = std::sqrt(fine.size[i]);
        fine.missing[i] = std::sqrt(fine.missing[i]);
    }
    fine.view = {q, padded, fine.high.data(), eight ? nullptr : fine.low.data(), fine.pairs.data(), fine.bias.data()};
    return fine;
}

}  // namespace cg::maxsim
