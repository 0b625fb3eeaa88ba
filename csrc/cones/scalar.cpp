// The definition in C++: one pair, four sums in double, one comparison.

#include <cmath>

#include "context_graph/cones.hpp"

namespace cg::cones {

Sums sums_in_order(const float* x, const float* y, int64_t d) {
    Sums sums{0, 0, 0, 0};
    for (int64_t i = 0; i < d; ++i) {
        const double of_x = x[i], of_y = y[i], w = of_y - of_x;
        sums.g += w * of_x;
        sums.q += w * w;
        sums.n += of_x * of_x;
        sums.n_of_y += of_y * of_y;
    }
    return sums;
}

// angle <= aperture, free of transcendental functions: both sides' sines and cosines, multiplied out.
bool inside(const Sums& sums, double k) {
    const auto [g, q, n, n_of_y] = sums;
    const double a = 1 - n, narrow = n - k * k * a * a;
    if (narrow <= 0) return true;  // the whole ball
    return std::sqrt(std::fmax(n * q - g * g, 0)) * std::sqrt(narrow) <= k * (a * g - n * q);
}

const Kernel kernel_scalar{sums_in_order, nullptr, nullptr};

}  // namespace cg::cones
