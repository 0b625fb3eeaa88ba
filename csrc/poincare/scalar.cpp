// The definition in C++: one pair, sums in double.

#include <cmath>

#include "context_graph/poincare.hpp"
#include "half.hpp"

namespace cg::poincare {
namespace {

double square_of_sum(const float* x, const float* y, double t, int64_t d) {
    double sum = 0;
    for (int64_t i = 0; i < d; ++i) {
        const double both = double{x[i]} + t * double{y[i]};
        sum += both * both;
    }
    return sum;
}

double square(const float* x, int64_t d) { return square_of_sum(x, x, 0.0, d); }

void blend(const float* x, double a, const float* y, double b, int64_t d, float* out) {
    for (int64_t i = 0; i < d; ++i) out[i] = static_cast<float>(a * double{x[i]} + b * double{y[i]});
}

void gaps(const Points& queries, const Points& rows, int64_t begin, int64_t end, float* out, int64_t ld) {
    for (int64_t j = 0; j < queries.n; ++j) {
        for (int64_t i = begin; i < end; ++i) {
            out[j * ld + i - begin] = static_cast<float>(square_of_sum(queries.row(j), rows.row(i), -1.0, rows.d));
        }
    }
}

void half_gaps(const float* query, const Halves& halves, int64_t begin, int64_t end, float* out) {
    for (int64_t i = begin; i < end; ++i) {
        double sum = 0;
        for (int64_t x = 0; x < halves.stride; ++x) {
            const double apart = double{query[x]} - double{half_to_float(halves.data[i * halves.stride + x])};
            sum += apart * apart;
        }
        out[i - begin] = static_cast<float>(sum);
    }
}

void keys(float* gaps, const float* slacks, float slack, float c, int64_t n) {
    for (int64_t i = 0; i < n; ++i) gaps[i] = c * gaps[i] / (slack * slacks[i]);
}

void lengths(float* keys, double c, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
        keys[i] = static_cast<float>(2 / std::sqrt(c) * std::asinh(std::sqrt(double{keys[i]})));
    }
}

}  // namespace

const Kernel kernel_scalar{square, square_of_sum, blend, gaps, half_gaps, keys, lengths};

}  // namespace cg::poincare
