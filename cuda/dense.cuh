#pragma once
// Selection keys and row loads of the flat scan, as device functions.

#include <cuda_fp16.h>

#include <cstdint>

namespace cg::dense::device {

constexpr int WARP = 32;
constexpr int BLOCK = 256;
constexpr int WARPS = BLOCK / WARP;
constexpr int MOST_K = 128;
constexpr int SLOTS = MOST_K / WARP;  // queue entries a lane keeps
constexpr unsigned ALL = 0xffffffffu;

// The CPU's key: order-preserving score bits above the inverted id. 0 is smaller than any row's key: an empty entry.
__device__ inline uint64_t key_of(float score, uint32_t id) {
    const uint32_t bits = __float_as_uint(score + 0.0f);
    const uint32_t ordered = bits ^ ((bits >> 31) ? 0xffffffffu : 0x80000000u);
    return (static_cast<uint64_t>(ordered) << 32) | (0xffffffffu - id);
}

__device__ inline float score_of(uint64_t key) {
    const uint32_t ordered = static_cast<uint32_t>(key >> 32);
    return __uint_as_float(ordered ^ ((ordered >> 31) ? 0x80000000u : 0xffffffffu));
}

__device__ inline uint64_t warp_max(uint64_t key) {
    for (int step = WARP / 2; step > 0; step /= 2) {
        const uint64_t other = __shfl_xor_sync(ALL, static_cast<unsigned long long>(key), step);
        key = other > key ? other : key;
    }
    return key;
}

__device__ inline uint64_t warp_min(uint64_t key) { return ~warp_max(~key); }

__device__ inline float warp_sum(float value) {
    for (int step = WARP / 2; step > 0; step /= 2) value += __shfl_xor_sync(ALL, value, step);
    return value;
}

// How 16 bytes of a row become products with the query in shared memory.
struct F32 {
    using Item = float;
    static __device__ float item(const Item* at) { return *at; }
    static __device__ float dot(uint4 piece, const float* query, float sum) {
        sum = fmaf(__uint_as_float(piece.x), query[0], sum);
        sum = fmaf(__uint_as_float(piece.y), query[1], sum);
        sum = fmaf(__uint_as_float(piece.z), query[2], sum);
        return fmaf(__uint_as_float(piece.w), query[3], sum);
    }
};
struct F16 {
    using Item = __half;
    static __device__ float item(const Item* at) { return __half2float(*at); }
    static __device__ float pair(uint32_t halves, const float* query, float sum) {
        const float2 values = __half22float2(*reinterpret_cast<const __half2*>(&halves));
        return fmaf(values.y, query[1], fmaf(values.x, query[0], sum));
    }
    static __device__ float dot(uint4 piece, const float* query, float sum) {
        sum = pair(piece.x, query, sum);
        sum = pair(piece.y, query + 2, sum);
        sum = pair(piece.z, query + 4, sum);
        return pair(piece.w, query + 6, sum);
    }
};
struct I8 {
    using Item = int8_t;
    static __device__ float item(const Item* at) { return static_cast<float>(*at); }
    static __device__ float four(uint32_t bytes, const float* query, float sum) {
        for (int x = 0; x < 4; ++x) {
            sum = fmaf(static_cast<float>(static_cast<int8_t>(bytes >> (8 * x))), query[x], sum);
        }
        return sum;
    }
    static __device__ float dot(uint4 piece, const float* query, float sum) {
        sum = four(piece.x, query, sum);
        sum = four(piece.y, query + 4, sum);
        sum = four(piece.z, query + 8, sum);
        return four(piece.w, query + 12, sum);
    }
};

// The k best keys a warp has seen: entry e sits in slot e / 32 of lane e % 32. Loops unroll so entries stay in registers.
struct Queue {
    uint64_t entry[SLOTS];
    uint64_t worst;  // the same on all lanes
    int k;

    __device__ explicit Queue(int size) : worst(0), k(size) {
#pragma unroll
        for (int s = 0; s < SLOTS; ++s) entry[s] = 0;
    }

    // All lanes call with the same key.
    __device__ void offer(uint64_t key, int lane) {
        if (key <= worst) return;
        // Exactly one entry gives way: keys differ, and of equal empty entries the first lane and slot is taken.
        int mine = -1;
#pragma unroll
        for (int s = SLOTS - 1; s >= 0; --s) {
            if (s * WARP + lane < k && entry[s] == worst) mine = s;
        }
        const unsigned holders = __ballot_sync(ALL, mine >= 0);
        const bool chosen = lane == __ffs(holders) - 1;
        uint64_t least = ~0ull;
#pragma unroll
        for (int s = 0; s < SLOTS; ++s) {
            if (chosen && s == mine) entry[s] = key;
            if (s * WARP + lane < k && entry[s] < least) least = entry[s];
        }
        worst = warp_min(least);
    }
};

}  // namespace cg::dense::device
