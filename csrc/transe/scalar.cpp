// The definition in C++: one fact, one sum in double.

#include <cmath>

#include "context_graph/transe.hpp"

namespace cg::transe {
namespace {

// A sum that float32 cannot hold is infinite, and refused, in the other backends; so it is here.
float minus(double sum, Norm norm) {
    const float held = static_cast<float>(sum);
    return 0.0f - (norm == Norm::l1 || std::isinf(held) ? held : static_cast<float>(std::sqrt(sum)));
}

double left_over(float wish, float tail, Norm norm) {
    const double difference = double{wish} - double{tail};
    return norm == Norm::l1 ? std::fabs(difference) : difference * difference;
}

void score(const Points& heads, const Points& relations, const Points& tails, Norm norm, int64_t begin, int64_t end,
           float* out) {
    for (int64_t i = begin; i < end; ++i) {
        const float *h = heads.row(i), *r = relations.row(i), *t = tails.row(i);
        double sum = 0;
        for (int64_t x = 0; x < heads.d; ++x) sum += left_over(h[x] + r[x], t[x], norm);
        out[i] = minus(sum, norm);
    }
}

void scores(const Points& wishes, const Points& tails, Norm norm, int64_t begin, int64_t end, float* out, int64_t ld) {
    for (int64_t j = 0; j < wishes.n; ++j) {
        for (int64_t i = begin; i < end; ++i) {
            double sum = 0;
            for (int64_t x = 0; x < tails.d; ++x) sum += left_over(wishes.row(j)[x], tails.row(i)[x], norm);
            out[j * ld + i - begin] = minus(sum, norm);
        }
    }
}

}  // namespace

const Kernel kernel_scalar{score, scores};

}  // namespace cg::transe
