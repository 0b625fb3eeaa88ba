#pragma once
// What the lanes of a warp do together. All functions want the whole warp.

#include <cstdint>

namespace cg::device {

constexpr int WARP = 32;
constexpr int BLOCK = 256;  // threads of a block, unless a kernel says otherwise
constexpr int WARPS = BLOCK / WARP;
constexpr unsigned ALL = 0xffffffffu;

__device__ inline int lane_of() { return threadIdx.x % WARP; }
__device__ inline int warp_of() { return threadIdx.x / WARP; }

// A butterfly: every lane ends with the same bits, and the order of the sum is the same every time.
template <class T>
__device__ inline T warp_sum(T value) {
#pragma unroll
    for (int step = WARP / 2; step > 0; step /= 2) value += __shfl_xor_sync(ALL, value, step);
    return value;
}

__device__ inline uint64_t warp_max(uint64_t key) {
#pragma unroll
    for (int step = WARP / 2; step > 0; step /= 2) {
        const uint64_t other = __shfl_xor_sync(ALL, static_cast<unsigned long long>(key), step);
        key = other > key ? other : key;
    }
    return key;
}
__device__ inline uint64_t warp_min(uint64_t key) { return ~warp_max(~key); }

__device__ inline uint64_t from_lane(uint64_t value, int lane) {
    return __shfl_sync(ALL, static_cast<unsigned long long>(value), lane);
}

}  // namespace cg::device
