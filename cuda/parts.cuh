#pragma once
// A float as a sum of narrower numbers, for products on the tensor cores that are as exact as in float.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "ptx.cuh"
#include "warp.cuh"

namespace cg::device {

// The power of two that brings the greatest number of a warp's row into [1, 2), from each lane's greatest magnitude, and
// its inverse.
struct Scale {
    float down, up;
};
__device__ inline Scale scale_of(float most) {
    for (int with = WARP / 2; with > 0; with /= 2) most = fmaxf(most, __shfl_xor_sync(ALL, most, with));
    const int exponent = max(1, min(253, static_cast<int>(__float_as_uint(most) >> 23)));  // both powers are normal
    return {__uint_as_float((254u - exponent) << 23), __uint_as_float(static_cast<uint32_t>(exponent) << 23)};
}

// 22 bits together, down to 2^-24 and up to 65504: scale what goes in.
struct HalfParts {
    using Item = uint16_t;
    static constexpr int COUNT = 2;
    static __device__ uint16_t narrow(float value) { return __half_as_ushort(__float2half_rn(value)); }
    static __device__ float widen(uint16_t bits) { return __half2float(__ushort_as_half(bits)); }
    static __device__ void multiply(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
        multiply_f16(sum, a, b);
    }
};
// All 24 bits.
struct BfloatParts {
    using Item = uint16_t;
    static constexpr int COUNT = 3;
    static __device__ uint16_t narrow(float value) { return __bfloat16_as_ushort(__float2bfloat16_rn(value)); }
    static __device__ float widen(uint16_t bits) { return __uint_as_float(static_cast<uint32_t>(bits) << 16); }
    static __device__ void multiply(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
        multiply_bf16(sum, a, b);
    }
};
// Against rows that are floats themselves: both factors are split where they are multiplied, into two TF32 of 11 bits,
// and the product of their low parts is left out. Rounding the high part gives the low one either sign, so that what is
// left out does not add up: 2^-22 of a product at most. Where a number is not finite, its low part is NaN.
struct FloatParts {
    using Item = float;
    static constexpr int COUNT = 1;
    static __device__ float narrow(float value) { return value; }
    static __device__ float widen(float value) { return value; }
    static __device__ uint32_t high(uint32_t bits) { return (bits + 0x1000u) & 0xffffe000u; }
    static __device__ uint32_t low(uint32_t bits) {
        return __float_as_uint(__fsub_rn(__uint_as_float(bits), __uint_as_float(high(bits))));
    }
    static __device__ void multiply(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
        const uint32_t a_high[4] = {high(a[0]), high(a[1]), high(a[2]), high(a[3])};
        const uint32_t a_low[4] = {low(a[0]), low(a[1]), low(a[2]), low(a[3])};
        const uint32_t b_high[2] = {high(b[0]), high(b[1])}, b_low[2] = {low(b[0]), low(b[1])};
        multiply_tf32(sum, a_low, b_high);
        multiply_tf32(sum, a_high, b_low);
        multiply_tf32(sum, a_high, b_high);
    }
};

}  // namespace cg::device
