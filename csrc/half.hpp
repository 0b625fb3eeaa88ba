#pragma once
// IEEE half precision and bfloat16 without hardware, for baseline code.

#include <bit>
#include <cstdint>

namespace cg {

inline float half_to_float(uint16_t half) {
    const uint32_t sign = uint32_t{half & 0x8000u} << 16;
    const uint32_t exponent = (half >> 10) & 31, fraction = half & 1023;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
    if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
    const float small = static_cast<float>(fraction) * 0x1p-24f;  // subnormal: exact in float
    return sign ? -small : small;
}

inline float bfloat_to_float(uint16_t bfloat) { return std::bit_cast<float>(uint32_t{bfloat} << 16); }

}  // namespace cg
