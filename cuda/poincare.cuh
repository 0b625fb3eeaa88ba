#pragma once
// The careful forms of the ball: sums in double where a difference from 1 is taken, nothing that cancels elsewhere.

#include "rows.cuh"

namespace cg::poincare::device {

using namespace cg::device;

// |x|² of a row of floats, in double.
__device__ inline double square(const float* x, int d) {
    double sum = 0;
    for_each_value_of(x, d,
                      [&](float value) { sum = fma(static_cast<double>(value), static_cast<double>(value), sum); });
    return warp_sum(sum);
}

// |x + t y|² in double.
__device__ inline double square_of_sum(const float* x, const float* y, double t, int d) {
    double sum = 0;
    for_each_pair(x, y, d, [&](float a, float b) {
        const double both = fma(t, static_cast<double>(b), static_cast<double>(a));
        sum = fma(both, both, sum);
    });
    return warp_sum(sum);
}

// out = a x + b y, rounded once. Two products and a sum, not a fused one: a x - a x is then exactly 0.
__device__ inline void blend(const float* x, double a, const float* y, double b, int d, float* out) {
    for (int i = lane_of(); i < d; i += WARP) {
        out[i] = static_cast<float>(__dadd_rn(__dmul_rn(a, x[i]), __dmul_rn(b, y[i])));
    }
}

__device__ inline float key_of_gap(float gap, float slack, float slack_of_row, float c) {
    return __fdiv_rn(__fmul_rn(c, gap), __fmul_rn(slack, slack_of_row));
}

// 2/sqrt(c) asinh sqrt(key), as log1p(z + z²/(1 + sqrt(1 + z²))) with z² = key, where nothing cancels.
__device__ inline float length(float key, float scale) {
    const float root = __fsqrt_rn(__fadd_rn(1.0f, key));
    const float w = __fadd_rn(__fsqrt_rn(key), __fdiv_rn(key, __fadd_rn(1.0f, root)));
    return __fmul_rn(scale, log1pf(w));
}

__device__ inline void flag_row(unsigned* bad, unsigned i, bool is_bad) {
    if (is_bad && lane_of() == 0) atomicMin(bad, i);
}

}  // namespace cg::poincare::device
