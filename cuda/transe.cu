// Facts as translations: one warp a fact or a tail, each row read once in 16-byte pieces.
//
// Memory is the bound: 12 d bytes a fact, 4 d bytes a tail and query. head + relation is rounded to float once and then
// compared with the tail, here as there, and a lane adds in order of d, then a butterfly: both give the same bits.

#include <cuda_runtime.h>

#include <stdexcept>

#include "../csrc/include/context_graph/transe.hpp"
#include "memory.cuh"
#include "rows.cuh"
#include "select.cuh"

namespace cg::transe::device {

using namespace cg::device;

template <bool SQUARED>
__device__ inline float add_difference(float wish, float tail, float sum) {
    const float difference = wish - tail;
    return SQUARED ? fmaf(difference, difference, sum) : sum + fabsf(difference);
}

template <bool SQUARED>
__device__ inline float minus(float sum) {
    return 0.0f - (SQUARED ? __fsqrt_rn(sum) : sum);
}

template <bool SQUARED>
__device__ inline void score(const unsigned char* heads, long long head_stride, const unsigned char* relations,
                             long long relation_stride, const unsigned char* tails, long long tail_stride, unsigned n,
                             int d, float* out, int* not_finite) {
    const int lane = lane_of(), pieces = d / 4;
    for (unsigned i = blockIdx.x * WARPS + warp_of(); i < n; i += gridDim.x * WARPS) {
        const auto* h = row_at<float>(heads, head_stride, i);
        const auto* r = row_at<float>(relations, relation_stride, i);
        const auto* t = row_at<float>(tails, tail_stride, i);
        float sum = 0;
#pragma unroll 2
        for (int p = lane; p < pieces; p += WARP) {
            const float4 a = __ldcs(reinterpret_cast<const float4*>(h) + p);
            const float4 b = __ldcs(reinterpret_cast<const float4*>(r) + p);
            const float4 c = __ldcs(reinterpret_cast<const float4*>(t) + p);
            sum = add_difference<SQUARED>(a.x + b.x, c.x, sum);
            sum = add_difference<SQUARED>(a.y + b.y, c.y, sum);
            sum = add_difference<SQUARED>(a.z + b.z, c.z, sum);
            sum = add_difference<SQUARED>(a.w + b.w, c.w, sum);
        }
        for (int x = pieces * 4 + lane; x < d; x += WARP) sum = add_difference<SQUARED>(h[x] + r[x], t[x], sum);
        const float found = minus<SQUARED>(warp_sum(sum));
        if (lane != 0) continue;
        out[i] = found;
        if (!isfinite(found)) atomicOr(not_finite, 1);
    }
}

template <bool SQUARED>
__device__ inline void nearest(const float* heads, const float* relations, const unsigned char* tails, long long stride,
                               int d, const Selection& select) {
    extern __shared__ __align__(16) float wish[];
    for (int x = threadIdx.x; x < d; x += BLOCK) {
        const long long at = static_cast<long long>(blockIdx.y) * d + x;
        wish[place<F32>(x, d)] = heads[at] + relations[at];
    }
    __syncthreads();
    scan_rows(select, [&](unsigned i) {
        float sum = 0;
        for_each_value<F32>(tails + i * stride, wish, d,
                            [&](float tail, float wanted) { sum = add_difference<SQUARED>(wanted, tail, sum); });
        return minus<SQUARED>(warp_sum(sum));
    });
}

}  // namespace cg::transe::device

using namespace cg::transe::device;

#define CG_TRANSE(norm, SQUARED)                                                                                   \
    extern "C" __global__ void __launch_bounds__(BLOCK, 4)                                                         \
        cg_transe_score_##norm(const unsigned char* heads, long long head_stride, const unsigned char* relations,  \
                               long long relation_stride, const unsigned char* tails, long long tail_stride,       \
                               unsigned n, int d, float* out, int* not_finite) {                                   \
        score<SQUARED>(heads, head_stride, relations, relation_stride, tails, tail_stride, n, d, out, not_finite); \
    }                                                                                                              \
    extern "C" __global__ void __launch_bounds__(BLOCK, 3)                                                         \
        cg_transe_nearest_##norm(const float* heads, const float* relations, const unsigned char* tails,           \
                                 long long stride, const unsigned char* mask, unsigned n, int d, int k,            \
                                 const uint64_t* below, uint64_t* best, int* not_finite) {                         \
        nearest<SQUARED>(heads, relations, tails, stride, d, {mask, n, k, below, best, not_finite});               \
    }

CG_TRANSE(l1, false)
CG_TRANSE(l2, true)

namespace cg::transe {

using namespace cg::cuda;

void score_cuda(const Points& heads, const Points& relations, const Points& tails, Norm norm, float* out,
                const gpu::Context& context) {
    if (heads.n == 0) return;
    Work work(context);
    const InRows h(heads, work.stream), r(relations, work.stream), t(tails, work.stream);
    const Out<float> found(out, heads.n, work);
    int* const not_finite = work.not_finite();
    const auto kernel = norm == Norm::l1 ? cg_transe_score_l1 : cg_transe_score_l2;
    kernel<<<blocks_for(heads.n), BLOCK, 0, work.stream>>>(h.get(), h.stride(), r.get(), r.stride(), t.get(), t.stride(),
                                                      static_cast<unsigned>(heads.n), static_cast<int>(heads.d),
                                                      found.get(), not_finite);
    launched("cg_transe_score");
    found.finish();
    work.end();
}

void nearest_cuda(const Points& heads, const Points& relations, const Points& tails, Norm norm, int64_t k,
                  const uint8_t* mask, float* scores, int64_t* ids, const gpu::Context& context) {
    const int64_t q = heads.n, d = heads.d;
    expect_queries(q);
    expect_dim(d);
    if (q == 0 || k == 0) return;
    Work work(context);
    const InPacked h(heads, work.stream), r(relations, work.stream);
    const InRows t(tails, work.stream);
    const In<uint8_t> visible(mask, tails.n, work.stream);
    const Out<float> found(scores, q * k, work);
    const Out<int64_t> found_ids(ids, q * k, work);
    int* const not_finite = work.not_finite();
    const size_t shared = d * sizeof(float);
    const dim3 grid(blocks_for(tails.n), static_cast<unsigned>(q));
    const auto kernel = norm == Norm::l1 ? cg_transe_nearest_l1 : cg_transe_nearest_l2;
    allow_shared(kernel, shared);
    choose(q, tails.n, k, grid.x, found.get(), found_ids.get(), work.stream,
           [&](int part, const uint64_t* below, uint64_t* best) {
               kernel<<<grid, BLOCK, shared, work.stream>>>(h.get(), r.get(), t.get(), t.stride(), visible.get(),
                                                       static_cast<unsigned>(tails.n), static_cast<int>(d), part, below,
                                                       best, not_finite);
               launched("cg_transe_nearest");
           });
    found.finish();
    found_ids.finish();
    work.end();
}

}  // namespace cg::transe
