#pragma once
// One stored number as a float, for baseline code.

#include <cstring>

#include "context_graph/stored.hpp"
#include "half.hpp"

namespace cg {

inline float value_at(const char* row, Width width, int64_t x) {
    if (width == Width::f32) {
        float value;
        std::memcpy(&value, row + 4 * x, sizeof value);
        return value;
    }
    uint16_t bits;
    std::memcpy(&bits, row + 2 * x, sizeof bits);
    return width == Width::f16 ? half_to_float(bits) : bfloat_to_float(bits);
}

}  // namespace cg
