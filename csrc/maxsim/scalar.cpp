#include "context_graph/maxsim.hpp"

namespace cg::maxsim {
namespace {

void dots(const Query& query, const uint8_t* blocks, const float* scale, int64_t count, float* out, int64_t ld) {
    for (int64_t i = 0; i < query.q; ++i) {
        const int8_t* high = query.high + i * query.padded;
        const int8_t* low = query.low + i * query.padded;
        for (int64_t t = 0; t < count * BLOCK; ++t) {
            const uint8_t* token = blocks + t / BLOCK * BLOCK * query.padded + t % BLOCK * 4;
            int32_t sum = query.bias[i];
            for (int64_t x = 0; x < query.padded; ++x) {
                sum += (128 * high[x] + low[x]) * token[x / 4 * 4 * BLOCK + x % 4];
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

}  // namespace

const Kernel kernel_scalar{dots, fold};

}  // namespace cg::maxsim
