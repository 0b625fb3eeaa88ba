// A mixture of experts: the gate gives a block to a row and a warp to an expert, the sum gives a warp to an output.
//
// The gate reads every centre once a row in 16-byte pieces (they lie in L2 after the first), and its first warp takes the k
// best by keys that order scores, then ids. The sum reads each chosen matrix once a row: bytes of the matrices are the bound
// for one row; experts are added in rising order. No product is expanded: a distance comes from differences.
//
// Many rows: a kernel sorts the pairs of row and expert by expert, in groups of 32; a second splits their inputs into
// 16-bit parts; a warp takes 16 outputs of a group on the tensor cores (tiles.cuh), so that a matrix comes from memory once
// and from the cache once per 32 further rows; a last one adds up each row's experts in rising order. A row's bits do not
// depend on the rows beside it, but its sums run in another order than a single row's.

#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>

#include "../csrc/include/context_graph/fusemoe.hpp"
#include "check.cuh"
#include "memory.cuh"
#include "rows.cuh"
#include "select.cuh"
#include "tiles.cuh"

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

// visit(expert, slot) in rising order of the expert, then of the slot: a selection among few.
template <class Visit>
__device__ inline void each_chosen(const long long* ids, int k, Visit visit) {
    long long last_id = -1;
    int last_slot = -1;
    for (int turn = 0; turn < k; ++turn) {
        long long id = 0x7fffffffffffffffll;
        int slot = -1;
        for (int j = 0; j < k; ++j) {
            const long long other = ids[j];
            const bool later = other > last_id || (other == last_id && j > last_slot);
            if (other >= 0 && later && other < id) {
                id = other;
                slot = j;
            }
        }
        if (slot < 0) break;
        last_id = id;
        last_slot = slot;
        visit(id, slot);
    }
}

template <class Type>
__device__ inline void fuse(const float* inputs, long long row_stride, long long expert_stride,
                            const unsigned char* projections, long long stride, const float* bias, const long long* ids,
                            const float* weights, int k, int din, int dout, float* out, int* not_finite) {
    const int output = blockIdx.x * WARPS + warp_of();
    if (output >= dout) return;  // the same for the whole warp
    const long long row = blockIdx.y;
    float total = 0;
    each_chosen(ids + row * k, k, [&](long long id, int slot) {
        const unsigned char* matrix_row = projections + (id * dout + output) * stride;
        float made = row_dot<Type>(matrix_row, inputs + row * row_stride + id * expert_stride, din);
        if (bias != nullptr) made += bias[id * dout + output];
        total = fmaf(weights[row * k + slot], made, total);
    });
    if (lane_of() != 0) return;
    out[row * dout + output] = total;
    if (!isfinite(total)) atomicOr(not_finite, 1);
}

constexpr int NOTHING = -1;  // an expert of a group, or a pair of a place, that is none

__device__ inline int groups_for(int pairs) { return (pairs + GROUP - 1) / GROUP; }

// A warp a place: the input of its pair in parts, zeros where it has none.
template <class Parts>
__device__ inline void split(const float* inputs, long long row_stride, long long expert_stride, const int* expert_of,
                             const int* pair_of, int groups, int k, int din, uint16_t* parts, float* step) {
    const int place = blockIdx.x * WARPS + warp_of(), group = place / GROUP;
    if (group >= groups || expert_of[group] == NOTHING) return;
    const int pair = pair_of[place];
    const float* input = inputs + (pair == NOTHING ? 0 : pair / k * row_stride + expert_of[group] * expert_stride);
    const float up = split_row<Parts>(input, pair == NOTHING ? 0 : din, padded_of(din), parts + group_at<Parts>(group, din), place % GROUP);
    if (lane_of() == 0) step[place] = up;
}

// What an expert makes of its group, before bias and weight: 16 outputs a warp. made (places, dout).
template <class Rows>
__device__ inline void make(const uint16_t* parts, const float* step, const int* expert_of,
                            const unsigned char* projections, long long stride, int din, int dout, float* made) {
    const int group = blockIdx.y, expert = expert_of[group], first = (blockIdx.x * WARPS + warp_of()) * ROWS;
    if (expert == NOTHING || first >= dout) return;  // the same for the whole warp
    const int output = first + lane_of() / 4, t = lane_of() % 4;
    const unsigned char* own = projections + (static_cast<long long>(expert) * dout + output) * stride;
    float sum[TILES][4] = {};
    multiply_rows<Rows>(sum, output < dout ? own : nullptr, output + 8 < dout ? own + 8 * stride : nullptr, din,
                        parts + group_at<typename Rows::Parts>(group, din));
#pragma unroll
    for (int tile = 0; tile < TILES; ++tile) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int of = output + i / 2 * 8;
            const long long place = group * GROUP + 8 * tile + 2 * t + i % 2;
            if (of < dout) made[place * dout + of] = __fmul_rn(sum[tile][i], __ldg(step + place));
        }
    }
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

// The pairs of row and expert in the order of experts, those of one in the order of rows, from a whole group on: each group's
// expert, each place's pair (row k + slot), each pair's place. A warp an expert; every block counts for itself, in dynamic
// shared memory of an int an expert, and a group behind the last is NOTHING's.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_fusemoe_group(const long long* ids, int pairs, int e, int groups, int* expert_of, int* pair_of, int* place_of) {
    extern __shared__ __align__(16) int counts[];
    const int lane = lane_of(), expert = blockIdx.x * WARPS + warp_of();
    for (int i = threadIdx.x; i < e; i += BLOCK) counts[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < pairs; i += BLOCK) {
        if (ids[i] >= 0) atomicAdd(counts + ids[i], 1);
    }
    __syncthreads();
    if (expert >= e) return;
    int begin = 0;
    for (int other = lane; other < expert; other += WARP) begin += groups_for(counts[other]);
    begin = warp_sum(begin);
    const int end = begin + groups_for(counts[expert]);
    for (int group = begin + lane; group < (expert + 1 == e ? groups : end); group += WARP) {
        expert_of[group] = group < end ? expert : NOTHING;
    }
    int place = begin * GROUP;
    for (int first = 0; first < pairs; first += WARP) {
        const int pair = first + lane;
        const bool own = pair < pairs && ids[pair] == expert;
        const unsigned owners = __ballot_sync(ALL, own);
        if (own) {
            const int at = place + __popc(owners & ((1u << lane) - 1));
            pair_of[at] = pair;
            place_of[pair] = at;
        }
        place += __popc(owners);
    }
    for (int rest = place + lane; rest < end * GROUP; rest += WARP) pair_of[rest] = NOTHING;
}

#define CG_SPLIT(name, Parts)                                                                                          \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                                \
        cg_fusemoe_split_##name(const float* inputs, long long row_stride, long long expert_stride,                    \
                                const int* expert_of, const int* pair_of, int groups, int k, int din,                  \
                                unsigned short* parts, float* step) {                                                  \
        split<Parts>(inputs, row_stride, expert_stride, expert_of, pair_of, groups, k, din, parts, step);              \
    }

CG_SPLIT(f16, HalfParts)
CG_SPLIT(bf16, BfloatParts)

#define CG_MAKE(name, Rows)                                                                                            \
    extern "C" __global__ void __launch_bounds__(BLOCK, 2)                                                             \
        cg_fusemoe_make_##name(const unsigned short* parts, const float* step, const int* expert_of,                   \
                               const unsigned char* projections, long long stride, int din, int dout, float* made) {   \
        make<Rows>(parts, step, expert_of, projections, stride, din, dout, made);                                      \
    }

CG_MAKE(f32, FloatRows)
CG_MAKE(f16, NarrowRows<HalfParts>)
CG_MAKE(bf16, NarrowRows<BfloatParts>)

// A thread an output of a row.
extern "C" __global__ void __launch_bounds__(BLOCK)
    cg_fusemoe_sum(const float* made, const int* place_of, const float* bias, const long long* ids, const float* weights,
                   int k, int dout, float* out, int* not_finite) {
    const int output = blockIdx.x * BLOCK + threadIdx.x;
    if (output >= dout) return;
    const long long row = blockIdx.y;
    float total = 0;
    each_chosen(ids + row * k, k, [&](long long id, int slot) {
        float value = made[static_cast<long long>(place_of[row * k + slot]) * dout + output];
        if (bias != nullptr) value += bias[id * dout + output];
        total = fmaf(weights[row * k + slot], value, total);
    });
    out[row * dout + output] = total;
    if (!isfinite(total)) atomicOr(not_finite, 1);
}

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

namespace {

// The arrays of a sum, on the device.
struct Fusion {
    Width width;
    const float* inputs;
    long long row_stride, expert_stride;
    const unsigned char* matrices;
    long long stride;
    const float* bias;
    const long long* ids;
    const float* weights;
    int k, e, din, dout;
    float* out;
    int* not_finite;
};

// From so many rows on, the narrowest side of a tile, whose experts have two each on average, are matrices read for many at
// once. Experts are counted in shared memory.
constexpr int64_t BATCH = 8, MAX_EXPERTS = 8192;
// Pairs of row and expert at a time, or what experts make of them would fill the memory; the bits are the same.
constexpr int64_t MAX_PAIRS = 16384;

bool batched(int64_t n, const Fusion& of) {
    return n >= BATCH && of.e > 0 && n * of.k >= 2 * int64_t{of.e} && of.e <= MAX_EXPERTS;
}

void fuse_rows(int64_t n, const Fusion& of, Stream stream) {
    const auto kernel = of.width == Width::f32   ? cg_fusemoe_fuse_f32
                        : of.width == Width::f16 ? cg_fusemoe_fuse_f16
                                                 : cg_fusemoe_fuse_bf16;
    const dim3 grid(static_cast<unsigned>((of.dout + WARPS - 1) / WARPS), static_cast<unsigned>(n));
    kernel<<<grid, BLOCK, 0, stream>>>(of.inputs, of.row_stride, of.expert_stride, of.matrices, of.stride, of.bias, of.ids,
                                       of.weights, of.k, of.din, of.dout, of.out, of.not_finite);
    launched("cg_fusemoe_fuse");
}

// Rows `first` .. `first + n - 1` as groups of their experts; how many groups those are is known on the device alone.
void fuse_batch(int64_t first, int64_t n, const Fusion& of, Stream stream) {
    const auto pairs = static_cast<int>(n * of.k), groups = pairs / GROUP + std::min(of.e, pairs), places = groups * GROUP;
    const bool half = of.width == Width::f16;
    const long long* const ids = of.ids + first * of.k;
    const Buffer<int> expert_of(groups, stream), pair_of(places, stream), place_of(pairs, stream);
    const Buffer<unsigned short> parts(half ? group_at<HalfParts>(groups, of.din) : group_at<BfloatParts>(groups, of.din), stream);
    const Buffer<float> step(places, stream), made(int64_t{places} * of.dout, stream);
    cg_fusemoe_group<<<(of.e + WARPS - 1) / WARPS, BLOCK, of.e * sizeof(int), stream>>>(
        ids, pairs, of.e, groups, expert_of.get(), pair_of.get(), place_of.get());
    launched("cg_fusemoe_group");
    const auto split = half ? cg_fusemoe_split_f16 : cg_fusemoe_split_bf16;
    split<<<places / WARPS, BLOCK, 0, stream>>>(of.inputs + first * of.row_stride, of.row_stride, of.expert_stride,
                                                expert_of.get(), pair_of.get(), groups, of.k, of.din, parts.get(),
                                                step.get());
    launched("cg_fusemoe_split");
    const auto make = of.width == Width::f32 ? cg_fusemoe_make_f32 : half ? cg_fusemoe_make_f16 : cg_fusemoe_make_bf16;
    const dim3 tiles((of.dout + WARPS * ROWS - 1) / (WARPS * ROWS), groups);
    make<<<tiles, BLOCK, 0, stream>>>(parts.get(), step.get(), expert_of.get(), of.matrices, of.stride, of.din, of.dout,
                                      made.get());
    launched("cg_fusemoe_make");
    const dim3 outputs((of.dout + BLOCK - 1) / BLOCK, static_cast<unsigned>(n));
    cg_fusemoe_sum<<<outputs, BLOCK, 0, stream>>>(made.get(), place_of.get(), of.bias, ids, of.weights + first * of.k, of.k,
                                                  of.dout, of.out + first * of.dout, of.not_finite);
    launched("cg_fusemoe_sum");
}

}  // namespace

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
    const Fusion fusion{first.width, rows.get(), inputs.row_stride, inputs.expert_stride, matrices.get(), matrices.stride(),
                        plus.get(), chosen.get(), shares.get(), static_cast<int>(k), static_cast<int>(e),
                        static_cast<int>(din), static_cast<int>(dout), found.get(), work.not_finite()};
    if (batched(n, fusion)) {
        const int64_t many = std::max<int64_t>(1, MAX_PAIRS / k);
        for (int64_t row = 0; row < n; row += many) fuse_batch(row, std::min(many, n - row), fusion, work.stream);
    } else {
        fuse_rows(n, fusion, work.stream);
    }
    found.finish();
    work.end();
}

}  // namespace cg::fusemoe
