#pragma once
// Rows of numbers in the width they are kept in: float32, or fewer bits where a scan is bound by memory.

#include <cstdint>

namespace cg {

enum class Width { f32, f16, bf16, i8 };

// n rows of d numbers, `stride` bytes apart.
struct Stored {
    const void* data;
    Width width;
    int64_t n, d, stride;

    [[gnu::always_inline]] const char* row(int64_t i) const { return static_cast<const char*>(data) + i * stride; }
};

}  // namespace cg
