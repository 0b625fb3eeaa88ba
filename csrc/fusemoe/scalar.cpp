// The definition in C++: one pair, one sum in double.

#include "context_graph/fusemoe.hpp"
#include "stored_values.hpp"

namespace cg::fusemoe {
namespace {

void distances(const Points& x, const Points& rows, int64_t begin, int64_t end, float* out, int64_t ld) {
    for (int64_t j = 0; j < x.n; ++j) {
        for (int64_t i = begin; i < end; ++i) {
            double sum = 0;
            for (int64_t c = 0; c < rows.d; ++c) {
                const double difference = double{x.row(j)[c]} - double{rows.row(i)[c]};
                sum += difference * difference;
            }
            out[j * ld + i - begin] = static_cast<float>(sum);
        }
    }
}

void products(const float* const* x, int64_t n, const Stored& rows, int64_t begin, int64_t end, float* out,
              int64_t ld) {
    for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = begin; i < end; ++i) {
            double sum = 0;
            for (int64_t c = 0; c < rows.d; ++c) sum += double{x[j][c]} * value_at(rows.row(i), rows.width, c);
            out[j * ld + i - begin] = static_cast<float>(sum);
        }
    }
}

void squares(const Stored& rows, int64_t begin, int64_t end, float* out) {
    for (int64_t i = begin; i < end; ++i) {
        double sum = 0;
        for (int64_t c = 0; c < rows.d; ++c) {
            const double value = value_at(rows.row(i), rows.width, c);
            sum += value * value;
        }
        out[i - begin] = static_cast<float>(sum);
    }
}

}  // namespace

const Kernel kernel_scalar{distances, products, {}, squares};

}  // namespace cg::fusemoe
