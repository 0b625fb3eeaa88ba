// Small kernels, each right and with one mistake that kernels are prone to. `BUG` is a template argument, so that one
// program a build holds them all. The emulator must find every mistake and nothing in the others.

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "ptx.cuh"

#define BOTH(name, parameters, arguments)                                             \
    extern "C" __global__ void right_##name parameters { name<false> arguments; }     \
    extern "C" __global__ void wrong_##name parameters { name<true> arguments; }

// Out = in reversed within the block. The mistake: no barrier between writing and reading.
template <bool BUG>
__device__ void reverse(const float* in, float* out) {
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    if (!BUG) __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
BOTH(reverse, (const float* in, float* out), (in, out))

// Sums of rotated tiles. The mistake: no barrier before the tile is written again.
template <bool BUG>
__device__ void tiles(const float* in, float* out, int count) {
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < count; ++t) {
        tile[threadIdx.x] = in[t * 64 + threadIdx.x];
        __syncthreads();
        sum += tile[(threadIdx.x + 33) % 64];
        if (!BUG) __syncthreads();
    }
    out[threadIdx.x] = sum;
}
BOTH(tiles, (const float* in, float* out, int count), (in, out, count))

// Sum of a block through one slot a warp. The mistake: the slots of warps that do not exist are read too.
template <bool BUG>
__device__ void slots(const float* in, float* out) {
    __shared__ float of_warp[4];
    float sum = in[threadIdx.x];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        float all = 0;
        for (int w = 0; w < (BUG ? 4 : 2); ++w) all += of_warp[w];
        out[0] = all;
    }
}
BOTH(slots, (const float* in, float* out), (in, out))

// The mistake: only half of the threads reach the barrier before the others' one.
template <bool BUG>
__device__ void divergent(const float* in, float* out) {
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    if (BUG) {
        if (threadIdx.x < 32) {
            __syncthreads();
        } else {
            tile[threadIdx.x] += 1;
            __syncthreads();
        }
    } else {
        if (threadIdx.x >= 32) tile[threadIdx.x] += 1;
        __syncthreads();
    }
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
BOTH(divergent, (const float* in, float* out), (in, out))

// The mistake: half a warp shuffles with the mask of a whole one.
template <bool BUG>
__device__ void half_warp(const float* in, float* out) {
    float sum = in[threadIdx.x];
    if (threadIdx.x < 16) {
        for (int step = 8; step > 0; step /= 2) sum += __shfl_xor_sync(BUG ? 0xffffffffu : 0xffffu, sum, step);
    }
    if (threadIdx.x == 0) out[0] = sum;
}
BOTH(half_warp, (const float* in, float* out), (in, out))

// The mistake: a lane publishes to its warp without __syncwarp.
template <bool BUG>
__device__ void publish(const float* in, float* out) {
    __shared__ float seen[2];
    const int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) seen[warp] = in[threadIdx.x];
    if (!BUG) __syncwarp();
    out[threadIdx.x] = seen[warp];
}
BOTH(publish, (const float* in, float* out), (in, out))

// The mistake: one element too many.
template <bool BUG>
__device__ void copy(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BUG ? i <= n : i < n) out[i] = 2 * in[i];
}
BOTH(copy, (const float* in, float* out, int n), (in, out, n))

// The mistake: vectors from an odd address.
template <bool BUG>
__device__ void vectors(const float* in, float* out) {
    const auto* four = reinterpret_cast<const float4*>(in + (BUG ? 1 : 4));
    const float4 value = four[threadIdx.x];
    out[threadIdx.x] = value.x + value.y + value.z + value.w;
}
BOTH(vectors, (const float* in, float* out), (in, out))

// The mistake is in the launch: as many bytes as there are threads, not floats.
template <bool BUG>
__device__ void dynamic(const float* in, float* out) {
    extern __shared__ float room[];
    room[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}
BOTH(dynamic, (const float* in, float* out), (in, out))

// The mistake: += in place of atomicAdd.
template <bool BUG>
__device__ void count(const float* in, int* out) {
    if (in[threadIdx.x] > 0) {
        if (BUG) {
            out[0] += 1;
        } else {
            atomicAdd(out, 1);
        }
    }
}
BOTH(count, (const float* in, int* out), (in, out))

// The mistake: shared memory is read before the asynchronous copy is waited for.
template <bool BUG>
__device__ void fetch(const float* in, float* out) {
    __shared__ __align__(16) float tile[128];
    if (threadIdx.x < 32) cg::device::copy_async(tile + 4 * threadIdx.x, in + 4 * threadIdx.x);
    cg::device::commit_copies();
    if (!BUG) cg::device::wait_copies<0>();
    __syncthreads();
    out[threadIdx.x] = tile[127 - threadIdx.x];
    if (BUG) cg::device::wait_copies<0>();
}
BOTH(fetch, (const float* in, float* out), (in, out))

// The mistake: the next asynchronous copies land where other warps still read.
template <bool BUG>
__device__ void refill(const float* in, float* out) {
    __shared__ __align__(16) float tile[64];
    float sum = 0;
    for (int first = 0; first < 128; first += 64) {
        if (threadIdx.x < 16) cg::device::copy_async(tile + 4 * threadIdx.x, in + first + 4 * threadIdx.x);
        cg::device::commit_copies();
        cg::device::wait_copies<0>();
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        if (!BUG) __syncthreads();
    }
    out[threadIdx.x] = sum;
}
BOTH(refill, (const float* in, float* out), (in, out))

// A 16 x 16 tile times a 16 x 8 tile, bfloat16. The mistake: two registers of A change places.
template <bool BUG>
__device__ void multiply(const unsigned short* a, const unsigned short* b, float* out) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    const auto pair = [](const unsigned short* at) { return at[0] | static_cast<uint32_t>(at[1]) << 16; };
    const uint32_t low = pair(a + (g + 8) * 16 + 2 * t), high = pair(a + g * 16 + 2 * t + 8);
    const uint32_t rows[4] = {pair(a + g * 16 + 2 * t), BUG ? high : low, BUG ? low : high,
                              pair(a + (g + 8) * 16 + 2 * t + 8)};
    const uint32_t columns[2] = {pair(b + g * 16 + 2 * t), pair(b + g * 16 + 2 * t + 8)};
    float sum[4] = {0, 0, 0, 0};
    cg::device::multiply_bf16(sum, rows, columns);
    for (int i = 0; i < 4; ++i) out[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = sum[i];
}
BOTH(multiply, (const unsigned short* a, const unsigned short* b, float* out), (a, b, out))

// A 16 x 8 tile times an 8 x 8 tile, TF32. The mistake: two registers of A change places.
template <bool BUG>
__device__ void floats(const unsigned* a, const unsigned* b, float* out) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    const uint32_t low = a[(g + 8) * 8 + t], high = a[g * 8 + t + 4];
    const uint32_t rows[4] = {a[g * 8 + t], BUG ? high : low, BUG ? low : high, a[(g + 8) * 8 + t + 4]};
    const uint32_t columns[2] = {b[g * 8 + t], b[g * 8 + t + 4]};
    float sum[4] = {0, 0, 0, 0};
    cg::device::multiply_tf32(sum, rows, columns);
    for (int i = 0; i < 4; ++i) out[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = sum[i];
}
BOTH(floats, (const unsigned* a, const unsigned* b, float* out), (a, b, out))

// The tile of bfloat16 through shared memory and ldmatrix. The mistake: rows of the second matrix come third.
template <bool BUG>
__device__ void matrices(const unsigned short* a, const unsigned short* b, float* out) {
    __shared__ __align__(16) unsigned short tile[256];
    for (int i = threadIdx.x; i < 256; i += 32) tile[i] = a[i];
    __syncwarp();
    const int lane = threadIdx.x, matrix = lane / 8;
    const int below = BUG ? matrix / 2 : matrix % 2, right = BUG ? matrix % 2 : matrix / 2;
    uint32_t rows[4];
    cg::device::load_matrices(rows, tile + (lane % 8 + 8 * below) * 16 + 8 * right);
    const int g = lane / 4, t = lane % 4;
    const auto pair = [](const unsigned short* at) { return at[0] | static_cast<uint32_t>(at[1]) << 16; };
    const uint32_t columns[2] = {pair(b + g * 16 + 2 * t), pair(b + g * 16 + 2 * t + 8)};
    float sum[4] = {0, 0, 0, 0};
    cg::device::multiply_bf16(sum, rows, columns);
    for (int i = 0; i < 4; ++i) out[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = sum[i];
}
BOTH(matrices, (const unsigned short* a, const unsigned short* b, float* out), (a, b, out))

// The first warp reads a tile by ldmatrix, then both write over it. The mistake: no barrier between.
template <bool BUG>
__device__ void restage(const float* in, float* out) {
    __shared__ __align__(16) float tile[128];
    for (int i = threadIdx.x; i < 128; i += 64) tile[i] = in[i];
    __syncthreads();
    uint32_t rows[4] = {0, 0, 0, 0};
    if (threadIdx.x < 32) cg::device::load_matrices(rows, tile + threadIdx.x * 4);
    if (!BUG) __syncthreads();
    tile[threadIdx.x] = 2;
    tile[threadIdx.x + 64] = __uint_as_float(rows[0]);
    out[threadIdx.x] = tile[threadIdx.x];
}
BOTH(restage, (const float* in, float* out), (in, out))

// log sum exp2 over a lane's numbers. The mistake: the sum is not rescaled when the maximum grows.
template <bool BUG>
__device__ void softmax(const float* in, float* out, int n) {
    float most = -INFINITY, sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) {
        const float grown = fmaxf(most, in[i]);
        if (!BUG) sum *= cg::device::exp2_fast(most - grown);
        sum += cg::device::exp2_fast(in[i] - grown);
        most = grown;
    }
    out[threadIdx.x] = most + log2f(sum);
}
BOTH(softmax, (const float* in, float* out, int n), (in, out, n))

// The mistake: a thread leaves while the others wait for it.
template <bool BUG>
__device__ void leave(const float* in, float* out) {
    __shared__ float tile[64];
    if (BUG && threadIdx.x == 5) return;
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
BOTH(leave, (const float* in, float* out), (in, out))

// The last block to come adds what all wrote. The mistake: no fence before the counter.
template <bool BUG>
__device__ void last_block(const float* in, float* parts, unsigned* counter, float* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = in[blockIdx.x];
        if (!BUG) __threadfence();
        last = atomicAdd(counter, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float sum = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) sum += parts[b];
        out[0] = sum;
    }
}
BOTH(last_block, (const float* in, float* parts, unsigned* counter, float* out), (in, parts, counter, out))

// Each warp waits for a vote the other half never gives.
template <bool BUG>
__device__ void vote(const float* in, int* out) {
    int found = 0;
    if (BUG && threadIdx.x % 2) {
        found = __any_sync(0xffffffffu, in[threadIdx.x] > 0);
    } else {
        found = __popc(__ballot_sync(0xffffffffu, in[threadIdx.x] > 0));
    }
    out[threadIdx.x] = found;
}
BOTH(vote, (const float* in, int* out), (in, out))

// Every collective once, for their meaning.
extern "C" __global__ void collectives(const int* in, int* out) {
    const int lane = threadIdx.x, value = in[lane];
    int* mine = out + 20 * lane;
    mine[0] = __shfl_sync(~0u, value, lane / 2);
    mine[1] = __shfl_up_sync(~0u, value, 3);
    mine[2] = __shfl_down_sync(~0u, value, 3, 8);
    mine[3] = __shfl_xor_sync(~0u, value, 5, 16);
    mine[4] = static_cast<int>(__ballot_sync(~0u, value > 0));
    mine[5] = __any_sync(~0u, value == 7);
    mine[6] = __all_sync(~0u, value < 1000);
    mine[7] = __reduce_add_sync(~0u, value);
    mine[8] = __reduce_min_sync(~0u, value);
    mine[9] = __reduce_max_sync(~0u, value);
    mine[10] = static_cast<int>(__reduce_xor_sync(~0u, static_cast<unsigned>(value)));
    mine[11] = __syncthreads_count(value > 0);
    mine[12] = __syncthreads_or(value == 7);
    mine[13] = __syncthreads_and(value < 1000);
    mine[14] = static_cast<int>(__match_any_sync(~0u, value % 3));
    mine[15] = __dp4a(value, 0x01020304, 1);
    mine[16] = static_cast<int>(__byte_perm(value, 0x11223344, 0x5410));
    mine[17] = __popc(value);
    mine[18] = __ffs(value);
    mine[19] = __clz(value);
}

extern "C" __global__ void indices(int* out) {
    const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    out[block * threads + thread] = block * threads + thread;
}

extern "C" __global__ void unknown_ptx(int* out) {
    int value;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(value));
    out[0] = value;
}
