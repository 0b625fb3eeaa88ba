#pragma once
// A float as a sum of 16-bit numbers, for products on the tensor cores that are as exact as in float.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "ptx.cuh"

namespace cg::device {

// 22 bits together, down to 2^-24 and up to 65504: scale what goes in.
struct HalfParts {
    static constexpr int COUNT = 2;
    static __device__ uint16_t narrow(float value) { return __half_as_ushort(__float2half_rn(value)); }
    static __device__ float widen(uint16_t bits) { return __half2float(__ushort_as_half(bits)); }
    static __device__ void multiply(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
        multiply_f16(sum, a, b);
    }
};
// All 24 bits.
struct BfloatParts {
    static constexpr int COUNT = 3;
    static __device__ uint16_t narrow(float value) { return __bfloat16_as_ushort(__float2bfloat16_rn(value)); }
    static __device__ float widen(uint16_t bits) { return __uint_as_float(static_cast<uint32_t>(bits) << 16); }
    static __device__ void multiply(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
        multiply_bf16(sum, a, b);
    }
};

}  // namespace cg::device
