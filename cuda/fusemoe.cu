// A mixture of experts: the gate gives a block to a row and a warp to an expert, the sum gives a warp to an output.
//
// The gate reads every centre once a row in 16-byte pieces (they lie in L2 after the first), and its first warp takes the k
// best by keys that order scores, then ids. The sum reads each chosen matrix once a row: bytes of the matrices are the bound
// for one row; experts are added in rising order. No product is expanded: a distance comes from differences.

#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>

#include "../csrc/include/context_graph/fusemoe.hpp"
#include "check.cuh"
#include "memory.cuh"
#include "rows.cuh"
#include "select.cuh"

namespace cg::fusemoe::device {

using namespace cg::device;

// <query, row>, |row|² and |row - query|², of which the kind needs one or two; the same on all lanes.
struct CentreSums {
    float product, square, gap;
};

__device__ inline CentreSums centre_sums(const unsigned char* row, const float* query, int d) {
    CentreSums sums{0, 0, 0};
    for_each_value<F32>(row, query, d, [&](float centre, float own) {
        const float difference = own - centre;
        sums.product = fmaf(own, centre, sums.product);
        sums.square = fmaf(centre, centre, sums.square);
        sums.gap = fmaf(difference, difference, sums.gap);
    });
    return {warp_sum(sums.product), warp_sum(sums.square), warp_sum(sums.gap)};
}

template <class Type>
__device__ inline float row_dot(const unsigned char* row, const float* input, int d) {
    constexpr int per = PER_PIECE<Type>;
    float sum = 0;
#pragma unroll 2
    for (int p = lane_of(); p < d / per; p += WARP) {
        float values[per];
        Type::widen(__ldcs(reinterpret_cast<const uint4*>(row) + p), values);
#pragma unroll
        for (int x = 0; x < per; ++x) sum = fmaf(values[x], __ldg(input + p * per + x), sum);
    }
    const auto* items = reinterpret_cast<const typename Type::Item*>(row);
    for (int x = d / per * per + lane_of(); x < d; x += WARP) sum = fmaf(Type::item(items + x), input[x], sum);
    return warp_sum(sum);
}

template <class Type>
__device__ inline void fuse(const float* inputs, long long row_stride, long long expert_stride,
                            const unsigned char* projections, long long stride, const float* bias, const long long* ids,
                            const float* weights, int k, int din, int dout, float* out, int* not_finite) {
    const int output = blockIdx.x * WARPS + warp_of();
    if (output >= dout) return;  // the same for the whole warp
    const long long row = blockIdx.y;
    float total = 0;
    // Slots in rising order of their expert, then of their place: a selection among few.
    long long last_id = -1;
    int last_slot = -1;
    for (int turn = 0; turn < k; ++turn) {
        long long id = 0x7fffffffffffffffll;
        int slot = -1;
        for (int j = 0; j < k; ++j) {
            const long long other = ids[row * k + j];
            const bool later = other > last_id || (other == last_id && j > last_slot);
            if (other >= 0 && later && other < id) {
                id = other;
                slot = j;
            }
        }
        if (slot < 0) break;
        last_id = id;
        last_slot = slot;
        const unsigned char* matrix_row = projections + (id * dout + output) * stride;
        float made = row_dot<Type>(matrix_row, inputs + row * row_stride + id * expert_stride, din);
        if (bias != nullptr) made += bias[id * dout + output];
        total = fmaf(weights[row * k + slot], made, total);
    }
    if (lane_of() != 0) return;
    out[row * dout + output] = total;
    if (!isfinite(total)) atomicOr(not_finite, 1);
}

}  // namespace cg::fusemoe::device

using namespace cg::fusemoe::device;

// kind: 0 minus the distance, 1 the product, 2 the cosine. Dynamic shared memory: the row, then a key an expert.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_fusemoe_gate(const unsigned char* x, long long x_stride, const unsigned char* experts, long long stride,
                    const unsigned char* present, long long present_stride, int d, int e, int k, int kind,
                    float temperature, float* weights, long long* ids, int* not_finite) {
    extern __shared__ __align__(16) unsigned char shared[];
    __shared__ float own_square[WARPS];
    auto* query = reinterpret_cast<float*>(shared);
    auto* keys = reinterpret_cast<uint64_t*>(shared + (d * 4 + 15) / 16 * 16);
    const long long row = blockIdx.x;
    const auto* own = row_at<float>(x, x_stride, row);
    float square = 0;
    for (int i = threadIdx.x; i < d; i += BLOCK) {
        const float value = own[i];
        query[place<F32>(i, d)] = value;
        square = fmaf(value, value, square);
    }
    square = warp_sum(square);
    if (lane_of() == 0) own_square[warp_of()] = square;
    __syncthreads();
    square = 0;
    for (int w = 0; w < WARPS; ++w) square += own_square[w];
    for (int i = warp_of(); i < e; i += WARPS) {
        uint64_t key = 0;
        if (present == nullptr || present[row * present_stride + i] != 0) {
            const CentreSums sums = centre_sums(experts + i * stride, query, d);
            float score = kind == 0 ? 0.0f - __fsqrt_rn(sums.gap) : sums.product;
            if (kind == 2) {
                const float both = __fsqrt_rn(square) * __fsqrt_rn(sums.square);
                score = both > 0 ? sums.product / both : 0.0f;
            }
            if (isfinite(score)) {
                key = key_of(score, static_cast<uint32_t>(i));
            } else if (lane_of() == 0) {
                atomicOr(not_finite, 1);
            }
        }
        if (lane_of() == 0) keys[i] = key;
    }
    __syncthreads();
    if (warp_of() != 0) return;
    uint64_t below = ~0ull, best = 0;
    float total = 0;
    for (int j = 0; j < k; ++j) {
        uint64_t greatest = 0;
        for (int i = lane_of(); i < e; i += WARP) greatest = keys[i] < below && keys[i] > greatest ? keys[i] : greatest;
        greatest = warp_max(greatest);
        if (j == 0) best = greatest;
        if (greatest != 0) below = greatest;
        const float power = greatest == 0 ? 0.0f : expf((score_of(greatest) - score_of(best)) / temperature);
        total += power;
        if (lane_of() == 0) {
            weights[row * k + j] = power;
            ids[row * k + j] = greatest == 0 ? -1 : static_cast<long long>(0xffffffffu - static_cast<uint32_t>(greatest));
        }
        if (greatest == 0) below = 0;  // nothing is left
    }
    __syncwarp();
    for (int j = lane_of(); j < k; j += WARP) {
        const float power = weights[row * k + j];
        weights[row * k + j] = total > 0 ? power / total : 0.0f;
    }
}

#define CG_FUSE(name, Type)                                                                                           \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                               \
        cg_fusemoe_fuse_##name(const float* inputs, long long row_stride, long long expert_stride,                    \
                               const unsigned char* projections, long long stride, const float* bias,                 \
                               const long long* ids, const float* weights, int k, int din, int dout, float* out,      \
                               int* not_finite) {                                                                     \
        fuse<Type>(inputs, row_stride, expert_stride, projections, stride, bias, ids, weights, k, din, dout, out,     \
                   not_finite);                                                                                       \
    }

CG_FUSE(f32, F32)
CG_FUSE(f16, F16)
CG_FUSE(bf16, BF16)

namespace cg::fusemoe {

using namespace cg::cuda;

void gate_cuda(const Points& x, const Points& experts, Kind kind, int64_t k, double temperature, const Present& present,
               float* weights, int64_t* ids, const gpu::Context& context) {
    const int64_t n = x.n, d = x.d, e = experts.n;
    if (n == 0 || k == 0) return;
    const size_t shared = (d * 4 + 15) / 16 * 16 + e * sizeof(uint64_t);
    if (shared > 98304) {
        throw std::invalid_argument("cuda: 4 d + 8 e must be at most 98304, got " + std::to_string(shared));
    }
    Work work(context);
    const InRows rows(x, work.stream), centres(experts, work.stream);
    const In<uint8_t> seen(present.data, present.stride == 0 ? e : n * e, work.stream);
    const Out<float> found(weights, n * k, work);
    const Out<int64_t> chosen(ids, n * k, work);
    int* const not_finite = work.not_finite();
    allow_shared(cg_fusemoe_gate, shared);
    cg_fusemoe_gate<<<static_cast<unsigned>(n), BLOCK, shared, work.stream>>>(
        rows.get(), rows.stride(), centres.get(), centres.stride(), seen.get(), present.stride, static_cast<int>(d),
        static_cast<int>(e), static_cast<int>(k), static_cast<int>(kind), static_cast<float>(temperature), found.get(),
        reinterpret_cast<long long*>(chosen.get()), not_finite);
    launched("cg_fusemoe_gate");
    found.finish();
    chosen.finish();
    work.end();
}

void fuse_cuda(const Inputs& inputs, const Projections& projections, const float* bias, const int64_t* ids,
               const float* weights, int64_t k, float* out, const gpu::Context& context) {
    const Stored& first = projections.first;
    const int64_t n = inputs.n, e = projections.experts, dout = first.n, din = first.d;
    if (n == 0 || dout == 0) return;
    expect_queries(n);
    Work work(context);
    const int item = first.width == Width::f32 ? 4 : 2;
    const In<float> rows(inputs.data, n * inputs.row_stride, work.stream);
    const InRows matrices(first.data, e * dout, din * item, first.stride, work.stream);
    const In<float> plus(bias, e * dout, work.stream), shares(weights, n * k, work.stream);
    const Ids chosen(ids, n, k, e, work);
    const Out<float> found(out, n * dout, work);
    int* const not_finite = work.not_finite();
    const auto kernel = first.width == Width::f32   ? cg_fusemoe_fuse_f32
                        : first.width == Width::f16 ? cg_fusemoe_fuse_f16
                                                    : cg_fusemoe_fuse_bf16;
    const dim3 grid(static_cast<unsigned>((dout + WARPS - 1) / WARPS), static_cast<unsigned>(n));
    kernel<<<grid, BLOCK, 0, work.stream>>>(rows.get(), inputs.row_stride, inputs.expert_stride, matrices.get(),
                                       matrices.stride(), plus.get(), chosen.get(),
                                       shares.get(), static_cast<int>(k), static_cast<int>(din), static_cast<int>(dout),
                                       found.get(), not_finite);
    launched("cg_fusemoe_fuse");
    found.finish();
    work.end();
}

}  // namespace cg::fusemoe
