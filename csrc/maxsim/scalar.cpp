#include <cmath>

#include "context_graph/maxsim.hpp"
#include "half.hpp"

namespace cg::maxsim {
namespace {

void dots(const Query& query, const uint8_t* blocks, const float* scale, int64_t count, float* out, int64_t ld) {
    for (int64_t i = 0; i < query.q; ++i) {
        const int8_t* high = query.high + i * query.padded;
        const int8_t* low = query.low ? query.low + i * query.padded : nullptr;
        for (int64_t t = 0; t < count * BLOCK; ++t) {
            const uint8_t* token = blocks + t / BLOCK * BLOCK * query.padded + t % BLOCK * 4;
            int32_t sum = query.bias[i];
            for (int64_t x = 0; x < query.padded; ++x) {
                sum += (128 * high[x] + (low ? low[x] : 0)) * token[x / 4 * 4 * BLOCK + x % 4];
            }
            out[i * ld + t] = static_cast<float>(sum) * scale[t];
        }
    }
}

void fold(const float* dots, int64_t ld, int64_t q, int64_t from, int64_t to, float* best) {
    for (int64_t i = 0; i < q; ++i) {
        for (int64_t t = from; t < to; ++t) {
            if (dots[i * ld + t] > best[i]) best[i] = dots[i * ld + t];
        }
    }
}

float element(const dense::Rows& tokens, int64_t t, int64_t x) {
    if (tokens.element == dense::Element::f32) return reinterpret_cast<const float*>(tokens.row(t))[x];
    return half_to_float(reinterpret_cast<const uint16_t*>(tokens.row(t))[x]);
}

bool values(const Panels& query, const dense::Rows& tokens, int64_t from, int64_t to, float*, float* best) {
    bool finite = true;
    for (int64_t i = 0; i < query.count * PANEL; ++i) {
        const float* side = query.data + i / PANEL * tokens.d * PANEL + i % PANEL;
        for (int64_t t = from; t < to; ++t) {
            double sum = 0;
            for (int64_t x = 0; x < tokens.d; ++x) sum += double{side[x * PANEL]} * double{element(tokens, t, x)};
            const float dot = static_cast<float>(sum);
            finite &= std::isfinite(dot);
            if (dot > best[i]) best[i] = dot;
        }
    }
    return finite;
}

int64_t hits(const float* dots, int64_t count, float least, int32_t* out) {
    int64_t found = 0;
    for (int64_t t = 0; t < count; ++t) {
        if (dots[t] >= least) out[found++] = static_cast<int32_t>(t);
    }
    return found;
}

float dot(const float* query, const dense::Rows& tokens, int64_t t) {
    double sum = 0;
    for (int64_t x = 0; x < tokens.d; ++x) sum += double{query[x]} * double{element(tokens, t, x)};
    return static_cast<float>(sum);
}

}  // namespace

const Kernel kernel_scalar{dots, fold, values, hits, dot, false};

}  // namespace cg::maxsim
