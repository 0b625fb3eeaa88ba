// Flat scans: one warp a row, the row read once in 16-byte pieces, the query in shared memory.
//
// Memory is the bound: the bytes of a row a query. A lane adds its products in order of d with fused multiply-adds in
// float, then a butterfly; so a dot product's bits depend on d alone. d <= 12288: the query has to fit beside the queues.

#include <cuda_runtime.h>

#include <stdexcept>

#include "../csrc/include/context_graph/dense.hpp"
#include "memory.cuh"
#include "rows.cuh"
#include "select.cuh"

namespace cg::dense::device {

using namespace cg::device;

template <class Type>
__device__ inline const float* take_query(const float* queries, int d) {
    extern __shared__ __align__(16) float query[];
    for (int x = threadIdx.x; x < d; x += BLOCK) {
        query[place<Type>(x, d)] = queries[static_cast<long long>(blockIdx.y) * d + x];
    }
    __syncthreads();
    return query;
}

template <class Type>
__device__ inline float dot(const unsigned char* row, const float* query, int d) {
    float sum = 0;
    meet<Type>(row, query, d, [&](float value, float of_query) { sum = fmaf(value, of_query, sum); });
    return warp_sum(sum);
}

template <class Type>
__device__ inline void topk(const float* queries, const unsigned char* rows, long long stride, const float* scale, int d,
                            const Selection& select) {
    const float* query = take_query<Type>(queries, d);
    scan_rows(select, [&](unsigned i) {
        const float sum = dot<Type>(rows + i * stride, query, d);
        return scale == nullptr ? sum : __fmul_rn(sum, scale[i]);
    });
}

template <class Type>
__device__ inline void scores(const float* queries, const unsigned char* rows, long long stride, const float* scale,
                              unsigned n, int d, float* out, int* not_finite) {
    const float* query = take_query<Type>(queries, d);
    for (unsigned i = blockIdx.x * WARPS + warp_of(); i < n; i += gridDim.x * WARPS) {
        float sum = dot<Type>(rows + i * stride, query, d);
        if (scale != nullptr) sum = __fmul_rn(sum, scale[i]);
        if (lane_of() != 0) continue;
        out[static_cast<long long>(blockIdx.y) * n + i] = sum;
        if (!isfinite(sum)) atomicOr(not_finite, 1);
    }
}

}  // namespace cg::dense::device

using namespace cg::dense::device;

// At most 64 registers, so that four blocks share a multiprocessor and enough loads are on their way.
#define CG_DENSE(type, Type)                                                                                         \
    extern "C" __global__ void __launch_bounds__(BLOCK, 4)                                                           \
        cg_dense_topk_##type(const float* queries, const unsigned char* rows, long long stride, const float* scale,  \
                             const unsigned char* mask, unsigned n, int d, int k, const uint64_t* below,             \
                             uint64_t* best, int* not_finite) {                                                      \
        topk<Type>(queries, rows, stride, scale, d, {mask, n, k, below, best, not_finite});                          \
    }                                                                                                                \
    extern "C" __global__ void __launch_bounds__(BLOCK, 4)                                                           \
        cg_dense_scores_##type(const float* queries, const unsigned char* rows, long long stride, const float* scale, \
                               unsigned n, int d, float* out, int* not_finite) {                                     \
        scores<Type>(queries, rows, stride, scale, n, d, out, not_finite);                                           \
    }

CG_DENSE(f32, F32)
CG_DENSE(f16, F16)
CG_DENSE(bf16, BF16)
CG_DENSE(i8, I8)

namespace cg::dense {
namespace {

using namespace cg::cuda;

struct Scan {
    In<float> queries;
    InRows rows;
    In<float> scale;
    Flag not_finite;
    dim3 grid;
    size_t shared;

    Scan(const Queries& q, const Rows& r, Stream stream)
        : queries(q.data, q.q * q.d, stream),
          rows(r.data, r.n, r.d * (r.element == Element::f32 ? 4 : r.element == Element::i8 ? 1 : 2), r.stride, stream),
          scale(r.scale, r.n, stream),
          not_finite(stream),
          grid(blocks_for(r.n), static_cast<unsigned>(q.q)),
          shared(q.d * sizeof(float)) {}
};

}  // namespace

void topk_cuda(const Queries& queries, const Rows& rows, int64_t k, const uint8_t* mask, float* scores, int64_t* ids,
               void* given_stream) {
    expect_queries(queries.q);
    expect_dim(queries.d);
    if (queries.q == 0 || k == 0) return;
    const auto stream = static_cast<Stream>(given_stream);
    const Scan scan(queries, rows, stream);
    const In<uint8_t> visible(mask, rows.n, stream);
    const Out<float> found(scores, queries.q * k, stream);
    const Out<int64_t> found_ids(ids, queries.q * k, stream);
    const auto kernel = rows.element == Element::f32   ? cg_dense_topk_f32
                        : rows.element == Element::f16 ? cg_dense_topk_f16
                        : rows.element == Element::bf16 ? cg_dense_topk_bf16
                                                       : cg_dense_topk_i8;
    allow_shared(kernel, scan.shared);
    choose(queries.q, rows.n, k, scan.grid.x, found.get(), found_ids.get(), stream,
           [&](int part, const uint64_t* below, uint64_t* best) {
               kernel<<<scan.grid, BLOCK, scan.shared, stream>>>(
                   scan.queries.get(), scan.rows.get(), scan.rows.stride(), scan.scale.get(), visible.get(),
                   static_cast<unsigned>(rows.n), static_cast<int>(rows.d), part, below, best, scan.not_finite.get());
               launched("cg_dense_topk");
           });
    require_finite(scan.not_finite);
    found.finish();
    found_ids.finish();
    wait(stream);
}

void scores_cuda(const Queries& queries, const Rows& rows, float* out, void* given_stream) {
    expect_queries(queries.q);
    expect_dim(queries.d);
    if (queries.q == 0 || rows.n == 0) return;
    const auto stream = static_cast<Stream>(given_stream);
    const Scan scan(queries, rows, stream);
    const Out<float> found(out, queries.q * rows.n, stream);
    const auto kernel = rows.element == Element::f32   ? cg_dense_scores_f32
                        : rows.element == Element::f16 ? cg_dense_scores_f16
                        : rows.element == Element::bf16 ? cg_dense_scores_bf16
                                                       : cg_dense_scores_i8;
    allow_shared(kernel, scan.shared);
    kernel<<<scan.grid, BLOCK, scan.shared, stream>>>(scan.queries.get(), scan.rows.get(), scan.rows.stride(),
                                                      scan.scale.get(), static_cast<unsigned>(rows.n),
                                                      static_cast<int>(rows.d), found.get(), scan.not_finite.get());
    launched("cg_dense_scores");
    require_finite(scan.not_finite);
    found.finish();
    wait(stream);
}

}  // namespace cg::dense
