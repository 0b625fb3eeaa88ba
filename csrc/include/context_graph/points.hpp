#pragma once
// Rows of float32 numbers: embeddings, points of a ball.

#include <cstdint>

namespace cg {

// n rows of d numbers, `stride` numbers apart.
struct Points {
    const float* data;
    int64_t n, d, stride;

    [[gnu::always_inline]] const float* row(int64_t i) const { return data + i * stride; }
};

}  // namespace cg
