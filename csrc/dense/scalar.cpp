// The definition in C++: one row, one query, one sum.

#include <bit>
#include <cmath>
#include <cstring>

#include "context_graph/dense.hpp"
#include "half.hpp"

namespace cg::dense {
namespace {

float element(const Rows& rows, const char* row, int64_t x) {
    switch (rows.element) {
        case Element::f32: return reinterpret_cast<const float*>(row)[x];
        case Element::f16: return half_to_float(reinterpret_cast<const uint16_t*>(row)[x]);
        case Element::bf16: return bfloat_to_float(reinterpret_cast<const uint16_t*>(row)[x]);
        default: return reinterpret_cast<const int8_t*>(row)[x];
    }
}

void scores(const Queries& queries, const Rows& rows, int64_t begin, int64_t end, float* out, int64_t ld) {
    for (int64_t j = 0; j < queries.q; ++j) {
        const float* query = queries.row(j);
        for (int64_t i = begin; i < end; ++i) {
            const char* row = rows.row(i);
            double sum = 0;
            for (int64_t x = 0; x < rows.d; ++x) sum += double{query[x]} * double{element(rows, row, x)};
            const float dot = static_cast<float>(sum);
            out[j * ld + i - begin] = rows.scale ? dot * rows.scale[i] : dot;
        }
    }
}

void code_dots(const FineQuery& query, const uint8_t* codes, int64_t stride, int64_t begin, int64_t end, int64_t* out) {
    for (int64_t i = begin; i < end; ++i) {
        const uint8_t* code = codes + i * stride;
        int64_t sum = 0;
        for (int64_t x = 0; x < query.padded; ++x) sum += int64_t{query.fine[x]} * code[x];
        out[i - begin] = sum - 128 * query.sum;
    }
}

void sign_dots(const uint64_t* planes, const uint64_t* rows, int64_t words, int64_t begin, int64_t end, int32_t* out) {
    for (int64_t i = begin; i < end; ++i) {
        int32_t sum = 0;
        for (int plane = 0; plane < 4; ++plane) {
            for (int64_t w = 0; w < words; ++w) sum += std::popcount(planes[plane * words + w] & rows[i * words + w]) << plane;
        }
        out[i - begin] = sum;
    }
}

}  // namespace

const Kernel kernel_scalar{scores, code_dots, {}, nullptr, sign_dots};

}  // namespace cg::dense
