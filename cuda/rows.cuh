#pragma once
// Rows of numbers in pieces of 16 bytes, and the query that meets them in shared memory.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "warp.cuh"

namespace cg::device {

// How 16 bytes of a row are numbers.
struct F32 {
    using Item = float;
    static __device__ float item(const Item* at) { return *at; }
    static __device__ void widen(uint4 piece, float (&out)[4]) {
        out[0] = __uint_as_float(piece.x);
        out[1] = __uint_as_float(piece.y);
        out[2] = __uint_as_float(piece.z);
        out[3] = __uint_as_float(piece.w);
    }
};
struct F16 {
    using Item = __half;
    static __device__ float item(const Item* at) { return __half2float(*at); }
    static __device__ void pair(uint32_t halves, float* out) {
        const float2 values = __half22float2(*reinterpret_cast<const __half2*>(&halves));
        out[0] = values.x;
        out[1] = values.y;
    }
    static __device__ void widen(uint4 piece, float (&out)[8]) {
        pair(piece.x, out);
        pair(piece.y, out + 2);
        pair(piece.z, out + 4);
        pair(piece.w, out + 6);
    }
};
struct BF16 {
    using Item = __nv_bfloat16;
    static __device__ float item(const Item* at) { return __bfloat162float(*at); }
    static __device__ void pair(uint32_t halves, float* out) {
        out[0] = __uint_as_float(halves << 16);
        out[1] = __uint_as_float(halves & 0xffff0000u);
    }
    static __device__ void widen(uint4 piece, float (&out)[8]) {
        pair(piece.x, out);
        pair(piece.y, out + 2);
        pair(piece.z, out + 4);
        pair(piece.w, out + 6);
    }
};
struct I8 {
    using Item = int8_t;
    static __device__ float item(const Item* at) { return static_cast<float>(*at); }
    static __device__ void four(uint32_t bytes, float* out) {
#pragma unroll
        for (int x = 0; x < 4; ++x) out[x] = static_cast<float>(static_cast<int8_t>(bytes >> (8 * x)));
    }
    static __device__ void widen(uint4 piece, float (&out)[16]) {
        four(piece.x, out);
        four(piece.y, out + 4);
        four(piece.z, out + 8);
        four(piece.w, out + 12);
    }
};

template <class Type>
constexpr int PER_PIECE = 16 / sizeof(typename Type::Item);

// Where number x of the query lies in shared memory: fours of numbers that lanes read together stand side by side, so
// that no two lanes want the same bank. What is left after the last whole piece follows in order.
template <class Type>
__device__ inline int place(int x, int d) {
    constexpr int per = PER_PIECE<Type>;
    const int pieces = d / per;
    if (x >= pieces * per) return x;
    return ((x % per / 4) * pieces + x / per) * 4 + x % 4;
}

// Calls step(number of the row, number of the query) for this lane's share of a row, always in the same order. Each
// 16-byte piece of the row is loaded once.
template <class Type, class Step>
__device__ inline void for_each_value(const unsigned char* row, const float* query, int d, Step step) {
    constexpr int per = PER_PIECE<Type>;
    const int pieces = d / per, lane = lane_of();
    const auto* fours = reinterpret_cast<const float4*>(query);
    constexpr int ahead = per > 8 ? 2 : 4;  // pieces on their way; sixteen numbers a piece would spill four times
#pragma unroll(ahead)
    for (int p = lane; p < pieces; p += WARP) {
        float values[per];
        Type::widen(__ldg(reinterpret_cast<const uint4*>(row) + p), values);
#pragma unroll
        for (int j = 0; j < per / 4; ++j) {
            const float4 four = fours[j * pieces + p];
            step(values[4 * j], four.x);
            step(values[4 * j + 1], four.y);
            step(values[4 * j + 2], four.z);
            step(values[4 * j + 3], four.w);
        }
    }
    const auto* items = reinterpret_cast<const typename Type::Item*>(row);
    for (int x = pieces * per + lane; x < d; x += WARP) step(Type::item(items + x), query[x]);
}

// Calls step with the numbers of this lane's share of matching float rows, in the order of `for_each_value`.
template <class Step>
__device__ inline void for_each_pair(const float* x, const float* y, int d, Step step) {
    const int pieces = d / 4, lane = lane_of();
#pragma unroll 2
    for (int p = lane; p < pieces; p += WARP) {
        const float4 a = __ldg(reinterpret_cast<const float4*>(x) + p), b = __ldg(reinterpret_cast<const float4*>(y) + p);
        step(a.x, b.x);
        step(a.y, b.y);
        step(a.z, b.z);
        step(a.w, b.w);
    }
    for (int i = pieces * 4 + lane; i < d; i += WARP) step(x[i], y[i]);
}

// The same for one row.
template <class Step>
__device__ inline void for_each_value_of(const float* x, int d, Step step) {
    const int pieces = d / 4, lane = lane_of();
#pragma unroll 4
    for (int p = lane; p < pieces; p += WARP) {
        const float4 a = __ldg(reinterpret_cast<const float4*>(x) + p);
        step(a.x);
        step(a.y);
        step(a.z);
        step(a.w);
    }
    for (int i = pieces * 4 + lane; i < d; i += WARP) step(x[i]);
}

template <class T>
__device__ inline const T* row_at(const unsigned char* rows, long long stride, long long i) {
    return reinterpret_cast<const T*>(rows + i * stride);
}

}  // namespace cg::device
