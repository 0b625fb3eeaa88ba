// Late interaction: for every document and query token the best inner product with a token of the document.
//
// Packed bytes: a warp takes a document, 16 tokens by 32 query tokens at a time on the tensor cores (mma.sync m16n8k32,
// unsigned tokens, the query's 15 bits as two signed bytes), so the sums are the integers of every backend, bit by bit.
// A document's bytes are read once per 32 query tokens; with one such group memory is the bound. A piece of a block that
// the fragments want is whole 32-byte sectors, though a lane loads four bytes.
// Floats: one to eight warps take a document, 16 tokens by 32 query tokens at a time on the tensor cores (tiles.cuh), the
// query in 16-bit parts, so products are as exact as in float. Tokens are read once per 32 query tokens; with one such
// group memory is the bound. A dot product's bits depend on d alone, and a maximum is exact in any order.

#include <cuda_runtime.h>

#include <cmath>

#include "../csrc/include/context_graph/maxsim.hpp"
#include "../csrc/maxsim/refine.hpp"
#include "check.cuh"
#include "memory.cuh"
#include "ptx.cuh"
#include "tiles.cuh"

namespace cg::maxsim::device {

using namespace cg::device;

// Words from row to row of the query in shared memory: 4 more than a multiple of 8, so no two lanes want the same bank.
__host__ __device__ constexpr int row_words(int padded) { return (padded + 31) / 32 * 8 + 4; }

__device__ inline float lanes_max(float value, int least, int most) {
    for (int step = least; step <= most; step *= 2) value = fmaxf(value, __shfl_xor_sync(ALL, value, step));
    return value;
}

}  // namespace cg::maxsim::device

using namespace cg::maxsim::device;

// high, low (q, padded): the query's fine values are 128 high + low; bias and step (q). out (m, q).
extern "C" __global__ void __launch_bounds__(BLOCK, 2)
    cg_maxsim_maxima_packed(const signed char* high, const signed char* low, const int* bias, const float* step, int q,
                            int padded, const unsigned char* blocks, const float* scale, const long long* offsets,
                            const long long* ids, unsigned m, float* out) {
    constexpr int BLOCK_TOKENS = static_cast<int>(cg::maxsim::BLOCK);
    extern __shared__ __align__(16) uint32_t query[];
    const int words = padded / 4, across = row_words(padded), base = blockIdx.y * GROUP;
    for (int i = threadIdx.x; i < 2 * GROUP * across; i += BLOCK) {
        const int part = i / (GROUP * across), row = base + i / across % GROUP, word = i % across;
        const signed char* from = part == 0 ? high : low;
        query[i] = row < q && word < words ? reinterpret_cast<const uint32_t*>(from)[static_cast<long long>(row) * words + word] : 0;
    }
    __syncthreads();

    const int lane = lane_of(), g = lane / 4, t = lane % 4;
    for (unsigned j = blockIdx.x * WARPS + warp_of(); j < m; j += gridDim.x * WARPS) {
        const long long doc = ids == nullptr ? j : ids[j], start = offsets[doc], stop = offsets[doc + 1];
        float best[TILES][2];
#pragma unroll
        for (int tile = 0; tile < TILES; ++tile) best[tile][0] = best[tile][1] = -INFINITY;
        for (long long block = start / BLOCK_TOKENS; block * BLOCK_TOKENS < stop; ++block) {
            const auto* tokens = reinterpret_cast<const uint32_t*>(blocks) + block * BLOCK_TOKENS * words;
            int of_high[TILES][4] = {}, of_low[TILES][4] = {};
#pragma unroll 2
            for (int word = t; word < words + t; word += 8) {
                uint32_t a[4] = {0, 0, 0, 0};
                if (word < words) {
                    a[0] = __ldg(tokens + word * BLOCK_TOKENS + g);
                    a[1] = __ldg(tokens + word * BLOCK_TOKENS + g + 8);
                }
                if (word + 4 < words) {
                    a[2] = __ldg(tokens + (word + 4) * BLOCK_TOKENS + g);
                    a[3] = __ldg(tokens + (word + 4) * BLOCK_TOKENS + g + 8);
                }
#pragma unroll
                for (int tile = 0; tile < TILES; ++tile) {
                    const uint32_t* row = query + (8 * tile + g) * across + word;
                    const uint32_t of_query[2] = {row[0], row[4]};
                    multiply_u8s8(of_high[tile], a, of_query);
                    const uint32_t rest[2] = {row[GROUP * across], row[GROUP * across + 4]};
                    multiply_u8s8(of_low[tile], a, rest);
                }
            }
#pragma unroll
            for (int tile = 0; tile < TILES; ++tile) {
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    const int column = base + 8 * tile + 2 * t + i % 2;
                    const long long token = block * BLOCK_TOKENS + g + i / 2 * 8;
                    if (column >= q || token < start || token >= stop) continue;
                    const int sum = 128 * of_high[tile][i] + of_low[tile][i] + bias[column];
                    best[tile][i % 2] = fmaxf(best[tile][i % 2], __fmul_rn(static_cast<float>(sum), scale[token]));
                }
            }
        }
#pragma unroll
        for (int tile = 0; tile < TILES; ++tile) {
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const float most = lanes_max(best[tile][h], 4, 16);
                const int column = base + 8 * tile + 2 * t + h;
                if (g == 0 && column < q) {
                    out[static_cast<long long>(j) * q + column] = most == -INFINITY ? most : __fmul_rn(most, step[column]);
                }
            }
        }
    }
}

namespace cg::maxsim::device {

// A warp a query token, zeros for those beyond q.
template <class Parts>
__device__ inline void split(const float* query, int q, int d, uint16_t* parts, float* step) {
    const int row = blockIdx.x * WARPS + warp_of();
    uint16_t* group = parts + group_at<Parts>(row / GROUP, d);
    const float up = split_row<Parts>(query + static_cast<long long>(row) * d, row < q ? d : 0, padded_of(d), group, row % GROUP);
    if (lane_of() == 0) step[row] = up;
}

// `team` warps take a document's tokens in turn.
template <class Rows>
__device__ inline void maxima(const uint16_t* parts, const float* step, int q, const unsigned char* tokens,
                              long long stride, int d, const long long* offsets, unsigned n, int team, float* out,
                              int* not_finite) {
    __shared__ float of_warps[WARPS][GROUP];
    const int lane = lane_of(), g = lane / 4, t = lane % 4, base = blockIdx.y * GROUP, documents = WARPS / team;
    const uint16_t* group = parts + group_at<typename Rows::Parts>(blockIdx.y, d);
    for (unsigned first = blockIdx.x * documents; first < n; first += gridDim.x * documents) {
        const unsigned doc = first + warp_of() / team;
        const long long start = doc < n ? offsets[doc] : 0;
        const auto count = static_cast<unsigned>(doc < n ? max(0ll, offsets[doc + 1] - start) : 0);  // offsets may fall
        float* const best = of_warps[warp_of()];
        best[lane] = -INFINITY;
        __syncwarp();
        bool wrong = false;
        for (unsigned token = warp_of() % team * ROWS; token < count; token += team * ROWS) {
            const unsigned char* own = tokens + (start + token + g) * stride;
            const bool low = token + g < count, high = token + g + 8 < count;
            float sum[TILES][4] = {};
            multiply_rows<Rows>(sum, low ? own : nullptr, high ? own + 8 * stride : nullptr, d, group);
#pragma unroll
            for (int tile = 0; tile < TILES; ++tile) {
#pragma unroll
                for (int h = 0; h < 2; ++h) {
                    const int column = 8 * tile + 2 * t + h;
                    const float up = __ldg(step + base + column);
                    const float first = low ? __fmul_rn(sum[tile][h], up) : -INFINITY;
                    const float second = high ? __fmul_rn(sum[tile][2 + h], up) : -INFINITY;
                    wrong |= (low && !isfinite(first)) || (high && !isfinite(second));
                    const float most = lanes_max(fmaxf(first, second), 4, 16);
                    if (g == 0) best[column] = fmaxf(best[column], most);
                }
            }
        }
        if (wrong) atomicOr(not_finite, 1);
        __syncthreads();
        const int own = threadIdx.x / GROUP, column = threadIdx.x % GROUP;
        if (own < documents && first + own < n && base + column < q) {
            float most = -INFINITY;
            for (int warp = own * team; warp < own * team + team; ++warp) most = fmaxf(most, of_warps[warp][column]);
            out[static_cast<long long>(first + own) * q + base + column] = most;
        }
        __syncthreads();  // the next documents' maxima go where these lie
    }
}

}  // namespace cg::maxsim::device

#define CG_MAXIMA(type, Rows)                                                                                        \
    extern "C" __global__ void __launch_bounds__(BLOCK, 2)                                                           \
        cg_maxsim_maxima_##type(const unsigned short* parts, const float* step, int q, const unsigned char* tokens,  \
                                long long stride, int d, const long long* offsets, unsigned n, int team, float* out, \
                                int* not_finite) {                                                                   \
        maxima<Rows>(parts, step, q, tokens, stride, d, offsets, n, team, out, not_finite);                          \
    }

CG_MAXIMA(f32, FloatRows)
CG_MAXIMA(f16, NarrowRows<HalfParts>)

#define CG_SPLIT(type, Parts)                                                                          \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                \
        cg_maxsim_split_##type(const float* query, int q, int d, unsigned short* parts, float* step) { \
        split<Parts>(query, q, d, parts, step);                                                        \
    }

CG_SPLIT(f16, HalfParts)
CG_SPLIT(bf16, BfloatParts)

// A thread a document, its q maxima in order of the query's tokens, multiplied and added apart as on the CPU. Neighbours read
// lines that lie together, so memory is the bound: 4q bytes a document.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_maxsim_weigh(const float* maxima, unsigned m, int q, const float* weights, float* out) {
    for (unsigned j = blockIdx.x * BLOCK + threadIdx.x; j < m; j += gridDim.x * BLOCK) {
        const float* line = maxima + static_cast<long long>(j) * q;
        float sum = 0;
        bool empty = false;
        for (int i = 0; i < q; ++i) {
            const float most = __ldg(line + i);
            empty |= most == -INFINITY;
            sum = __fadd_rn(sum, weights == nullptr ? most : __fmul_rn(__ldg(weights + i), most));
        }
        out[j] = empty ? -INFINITY : sum;
    }
}

namespace cg::maxsim {

using namespace cg::cuda;

void weighted_sum_cuda(const float* maxima, int64_t m, int64_t q, const float* weights, float* out,
                       const gpu::Context& context) {
    if (m == 0) return;
    Work work(context);
    const In<float> best(maxima, m * q, work.stream), of_query(weights, q, work.stream);
    const Out<float> found(out, m, work);
    cg_maxsim_weigh<<<blocks_for((m + WARP - 1) / WARP), device::BLOCK, 0, work.stream>>>(
        best.get(), static_cast<unsigned>(m), static_cast<int>(q), of_query.get(), found.get());
    launched("cg_maxsim_weigh");
    found.finish();
    work.end();
}

void maxima_packed_cuda(const float* query, int64_t q, const Packed& packed, const int64_t* ids, int64_t m, float* out,
                        const gpu::Context& context) {
    if (q == 0 || m == 0) return;
    Work work(context);
    const FineQuery fine = refine(HostIn<float>(query, q * packed.dim, work.stream).get(), q, packed.dim, packed.padded);
    const bool there = on_device(packed.blocks) && on_device(packed.scale);  // then nobody asks how many tokens there are
    const int64_t tokens = there ? 0 : HostIn<int64_t>(packed.offsets + packed.n, 1, work.stream).get()[0], room = (tokens + BLOCK - 1) / BLOCK * BLOCK;
    const In<signed char> high(fine.high.data(), q * packed.padded, work.stream), low(fine.low.data(), q * packed.padded, work.stream);
    const In<int32_t> bias(fine.bias.data(), q, work.stream);
    const In<float> step(fine.step.data(), q, work.stream), scale(packed.scale, room, work.stream);
    const In<uint8_t> blocks(packed.blocks, room * packed.padded, work.stream);
    const In<int64_t> offsets(packed.offsets, packed.n + 1, work.stream), chosen(ids, m, work.stream);
    const Out<float> found(out, m * q, work);
    const size_t shared = 2 * GROUP * row_words(static_cast<int>(packed.padded)) * sizeof(uint32_t);
    const dim3 grid(blocks_for(m), static_cast<unsigned>((q + GROUP - 1) / GROUP));
    cg_maxsim_maxima_packed<<<grid, device::BLOCK, shared, work.stream>>>(
        high.get(), low.get(), bias.get(), step.get(), static_cast<int>(q), static_cast<int>(packed.padded), blocks.get(),
        scale.get(), reinterpret_cast<const long long*>(offsets.get()), reinterpret_cast<const long long*>(chosen.get()),
        static_cast<unsigned>(m), found.get());
    launched("cg_maxsim_maxima_packed");
    found.finish();
    work.end();
}

void maxima_cuda(const dense::Queries& query, const dense::Rows& tokens, const int64_t* offsets, int64_t n, float* out,
                 const gpu::Context& context) {
    if (query.q == 0 || n == 0) return;
    Work work(context);
    const bool half = tokens.element == dense::Element::f16;
    const int q = static_cast<int>(query.q), d = static_cast<int>(tokens.d), groups = (q + GROUP - 1) / GROUP;
    const In<float> of_query(query.data, query.q * query.d, work.stream);
    const InRows rows(tokens.data, tokens.n, tokens.d * (half ? 2 : 4), tokens.stride, work.stream);
    const Offsets starts(offsets, n, tokens.n, "tokens", work);
    const Out<float> found(out, n * query.q, work);
    int* const not_finite = work.not_finite();
    const Buffer<unsigned short> parts(half ? group_at<HalfParts>(groups, d) : group_at<BfloatParts>(groups, d), work.stream);
    const Buffer<float> step(groups * GROUP, work.stream);
    const auto split = half ? cg_maxsim_split_f16 : cg_maxsim_split_bf16;
    split<<<groups * GROUP / device::WARPS, device::BLOCK, 0, work.stream>>>(of_query.get(), q, d, parts.get(), step.get());
    launched("cg_maxsim_split");
    int team = 1;  // warps of a document, so that each has three tiles on average
    while (team < device::WARPS && team * n * 3 * ROWS <= tokens.n) team *= 2;
    const auto kernel = half ? cg_maxsim_maxima_f16 : cg_maxsim_maxima_f32;
    const dim3 grid(blocks_for(n * team), static_cast<unsigned>(groups));
    kernel<<<grid, device::BLOCK, 0, work.stream>>>(parts.get(), step.get(), q, rows.get(), rows.stride(), d, starts.get(),
                                                    static_cast<unsigned>(n), team, found.get(), not_finite);
    launched("cg_maxsim_maxima");
    found.finish();
    work.end();
}

}  // namespace cg::maxsim
