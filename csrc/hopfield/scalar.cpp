// The definition in C++: one pattern, one weight, sums in double.

#include <cmath>

#include "context_graph/hopfield.hpp"
#include "stored_values.hpp"

namespace cg::hopfield {
namespace {

void scores(const float* const* queries, int64_t q, const Stored& patterns, int64_t begin, int64_t end, float* out,
            int64_t ld) {
    for (int64_t j = 0; j < q; ++j) {
        for (int64_t i = begin; i < end; ++i) {
            double sum = 0;
            for (int64_t x = 0; x < patterns.d; ++x) {
                sum += double{queries[j][x]} * value_at(patterns.row(i), patterns.width, x);
            }
            out[j * ld + i - begin] = static_cast<float>(sum);
        }
    }
}

void squares(const Stored& patterns, int64_t begin, int64_t end, float* out) {
    for (int64_t i = begin; i < end; ++i) {
        double sum = 0;
        for (int64_t x = 0; x < patterns.d; ++x) {
            const double value = value_at(patterns.row(i), patterns.width, x);
            sum += value * value;
        }
        out[i - begin] = static_cast<float>(sum);
    }
}

float max_score(const float* scores, int64_t n) {
    float best = scores[0];
    for (int64_t i = 1; i < n; ++i) best = scores[i] > best ? scores[i] : best;
    return best;
}

double exponentiate(float* scores, int64_t n, float max_score, int cutoff) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) {
        const double exponent = double{scores[i]} - max_score;
        scores[i] = exponent < -cutoff ? 0.0f : static_cast<float>(std::exp2(exponent));
        sum += scores[i];
    }
    return sum;
}

void add_weighted_rows(const Stored& patterns, int64_t, int64_t, const Mixture* mixtures, int64_t n) {
    for (const Mixture* mixture = mixtures; mixture < mixtures + n; ++mixture) {
        for (int64_t j = 0; j < mixture->q; ++j) {
            double* sum = mixture->sums[j];
            for (int64_t x = 0; x < patterns.d; ++x) sum[x] *= mixture->factor[j];
            for (int64_t t = 0; t < mixture->count; ++t) {
                const double weight = mixture->weights[t * mixture->q + j];
                for (int64_t x = 0; x < patterns.d; ++x) sum[x] += weight * value_at(mixture->rows[t], patterns.width, x);
            }
        }
    }
}

}  // namespace

const Kernel kernel_scalar{scores, {}, squares, max_score, exponentiate, add_weighted_rows};

}  // namespace cg::hopfield
